"""Copilot CLI, and Copilot in VS Code.

Source: session events of Copilot CLI 1.0 and the tool reference of the VS Code documentation.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="""
    view, rg, web_fetch, fetch_copilot_cli_documentation, show_file, fetch_webpage, github_repo, file_search,
    semantic_search, grep_search, list_code_usages, get_changed_files, get_errors, test_search, get_vscode_api,
    copilot_getnotebooksummary, read_notebook_cell_output, get_search_view_results, read_project_structure
    """,
    writes="""
    create, create_file, create_directory, replace_string_in_file, multi_replace_string_in_file,
    insert_edit_into_file, edit_notebook_file, create_new_workspace, create_new_jupyter_notebook, store_memory
    """,
    tests="runtests, test_failure",
    other="""
    write_bash, stop_bash, write_powershell, stop_powershell, ask_user, sql, runsubagent, run_task, run_notebook_cell,
    create_and_run_task, open_simple_browser, run_vscode_command, install_extension, task_complete, write_agent
    """,
    neutral="""
    report_intent, update_todo, manage_todo_list, read_bash, list_bash, read_powershell, list_powershell, read_agent,
    get_terminal_output, terminal_last_command, terminal_selection, get_task_output, exit_plan_mode
    """,
    shells="run_in_terminal",
)
