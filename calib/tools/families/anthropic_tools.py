"""The text editor, memory, computer and code tools that Anthropic's interface defines; many harnesses copy the editor.

Source: the tool pages of the Anthropic API documentation. The editor and the memory are told by `command` what
to do, the computer by `action`.
"""

from calib.tools._family import Family

EDITORS = (
    "str_replace_editor", "str_replace_based_edit_tool", "str_replace_based_edit_tool_20250728", "text_editor",
    "file_editor", "oh_editor", "edit_anthropic", "planning_file_editor", "developer__text_editor", "memory",
)  # fmt: skip

FAMILY = Family(
    reads=", ".join(f"{tool}:view" for tool in EDITORS)
    + ", computer:screenshot, computer:zoom, computer:cursor_position",
    writes=", ".join(
        f"{tool}:{part}" for tool in EDITORS for part in ("create", "str_replace", "insert", "undo_edit", "write")
    )
    + ", memory:delete, memory:rename, memory:add, memory:replace, memory:remove",
    other="code_execution, computer:?, computer:left_click, computer:type, computer:key, computer:scroll, "
    "computer:mouse_move, computer:double_click, computer:right_click, computer:left_click_drag",
    neutral="computer:wait",
    shells="bash_tool, bash_code_execution, bash_session",
    parts={**dict.fromkeys(EDITORS, "command"), "memory": "command action", "computer": "action"},
)
