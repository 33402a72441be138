"""Qwen Code, read-file loop: eight of the last fifteen calls only look.

Counts
    How many of the last 15 calls read or list files, by their tools' names. Nothing counts before a call of another
    tool was seen since the last user message.

Fires when
    The level reaches 8. The turn ends.

Why
    Reading without end is a common way to make no progress.

Blind spots
    Shells, in which reading has no name of its own; a beginning that only reads, however long
    (QwenLM/qwen-code#4506).

Differs from
    `search_run`, which wants turns in a row, knows what shells do, and has a threshold one step above honest work.

Source
    QwenLM/qwen-code, packages/core/src/services/loopDetectionService.ts @ 00aa71b4a0a37df1c392eb9b90e1c53d008fdce5.
    Off there unless skipLoopDetection is false.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 8
RULE = parse_rule(
    "count(tool:read_file|read_many_files|list_directory|zoom_image|read_*|list_*,window=15,"
    "reset=user,seen=!tool:read_file|read_many_files|list_directory|zoom_image|read_*|list_*)"
)
UPSTREAM = Upstream(
    repo="QwenLM/qwen-code",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="00aa71b4a0a37df1c392eb9b90e1c53d008fdce5",
    fires="8th reading call of the last 15",
    when="before",
    fidelity="exact",
)
