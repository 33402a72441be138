"""SWE-agent, mini-swe-agent and InterCode: actions typed as text.

Source: trajectory files of SWE-agent 0.x and of InterCode. Such an action is a command line whose program may be
one of the harness's own.
"""

from calib.tools._family import Family

FAMILY = Family(
    prefix="bash:",
    reads="""
    open, goto, scroll_down, scroll_up, search_dir, search_file, find_file, filemap, decompile, disassemble,
    str_replace_editor view, skip
    """,
    writes="create, edit, insert, append, undo_edit, str_replace_editor {create, str_replace, insert, undo_edit}",
    other="submit, exit_forfeit, connect_start, connect_sendline, connect_exec, connect_stop",
)
