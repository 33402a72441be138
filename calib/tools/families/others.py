"""Amp, Factory Droid, Goose, Kimi CLI, Zed, Trae, Moatless, debug-gym and Inspect's own tools.

Source: the tool lists in the projects' documentation and code.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="""
    read_web_page, look_at, get_diagnostics, finder, librarian, fetchurl, readfile, readmediafile, searchweb,
    find_path, viewcode, findclass, findfunction, findcodesnippet, semanticsearch, listdir, list_windows,
    web_browser_go, crawling_exa, visit_webpage, tavily_search_results_json, ckg, read_output
    """,
    writes="""
    applypatch, writefile, strreplacefile, stringreplace, createfile, appendstring, copy_path, move_path, delete_path,
    json_edit_tool, rewrite, format_file, str_replace, edit_file_by_replace
    """,
    tests="runtests, test_fn_on_examples",
    other="""
    oracle, exitspecmode, senddmail, python, python_tool, python_interpreter, run_python, code_interpreter, jupyter,
    pdb, eval, final_answer, finalanswer, answer, finish, done, task_done, web_browser_click, web_browser_type,
    web_browser_type_submit, submit_fn, submit_answer, print_fn_outputs, transfer_to_human_agents, mermaid
    """,
    neutral="settodolist, thinking, sequentialthinking, sequential_thinking, calculate, calculator, now, read_thread",
    shells="execute, shell_exec, run_bash, run_bash_command, execute_shell, run_shell, sh, zsh, cmd, pwsh, command",
)
