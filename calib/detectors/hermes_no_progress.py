"""hermes, no progress: a reading call gives the same result again.

Counts
    Calls with the same tool and arguments, of tools that only look, in a row with the same result; other calls may
    lie between.

Fires when
    The level reaches 4: the 5th equal result; the next such call is refused. At 1 a warning is given.

Why
    What was read is known already.

Blind spots
    Reading under varying arguments, and tools that are not on upstream's list, such as shells.

Differs from
    `same_call_same_result`, any tool, but in a row.

Source
    NousResearch/hermes-agent, agent/tool_guardrails.py @ 06c25ac90be80f38672ba0169814d9620fe8c9fa. Stops are off
    where a person is watching, and on for gateways and scheduled runs; notices are always on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
ALSO = {"the warning": 1}
RULE = parse_rule(
    "lag(result,1,per=call,only=tool:read_file|search_files|web_search|web_extract|"
    "session_search|skill_view|skills_list|browser_snapshot|browser_console|"
    "browser_get_images|mcp_filesystem_read_file|mcp_filesystem_read_text_file|"
    "mcp_filesystem_read_multiple_files|mcp_filesystem_list_directory|"
    "mcp_filesystem_list_directory_with_sizes|mcp_filesystem_directory_tree|"
    "mcp_filesystem_get_file_info|mcp_filesystem_search_files,reset=user)"
)
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/tool_guardrails.py",
    commit="06c25ac90be80f38672ba0169814d9620fe8c9fa",
    fires="5th equal result of one call; the 6th call is refused",
    when="after",
    fidelity="convention",
    why="a failed call that comes back with the same text counts too; upstream starts anew there",
)
