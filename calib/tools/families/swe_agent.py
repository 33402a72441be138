"""SWE-agent: its tools as function calls.

Source: the tool bundles of SWE-agent 0.7 and 1.x and its trajectory files.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="open, goto, scroll_down, scroll_up, search_dir, search_file, find_file, filemap, decompile, disassemble",
    writes="create, edit, insert, append, undo_edit",
    other="submit, exit_forfeit, connect_start, connect_sendline, connect_exec, connect_stop, debug_start, debug_stop",
)
