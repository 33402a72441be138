"""Gemini CLI and Qwen Code.

Source: the tools pages of the two projects' documentation and recorded chats.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="""
    read_file, list_directory, read_many_files, search_file_content, grep_search, glob, google_web_search, web_fetch,
    web_search, get_internal_docs, ripgrep
    """,
    writes="write_file, replace, edit, save_memory",
    other="delegate_to_agent, codebase_investigator, ask_user, complete_task, exit_plan_mode_with, activate_skill",
    neutral="write_todos, todo_write, enter_plan_mode, exit_plan_mode",
    shells="run_shell_command",
)
