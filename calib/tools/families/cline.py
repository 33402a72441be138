"""Cline, Roo Code, Cursor, Windsurf and Continue.

Source: the tool definitions in the projects' prompts and documentation.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="""
    list_files, list_code_definition_names, codebase_search, access_mcp_resource, load_mcp_documentation,
    fetch_instructions, fetch_rules, glob_file_search, read_lints, readlints, semanticsearch, diff_history, view_file,
    view_file_outline, view_code_item, view_content_chunk, find_by_name, read_url_content, search_web, view_diff,
    read_currently_open_file, list_dir
    """,
    writes="""
    write_to_file, replace_in_file, apply_diff, insert_content, search_and_replace, search_replace, edit_file,
    delete_file, reapply, strreplace, delete, multi_edit, replace_file_content, multi_replace_file_content,
    create_new_file, new_rule, edit_existing_file, single_find_and_replace
    """,
    other="""
    browser_action, use_mcp_tool, ask_followup_question, attempt_completion, plan_mode_respond, new_task, use_skill,
    switch_mode, run_slash_command, generate_image, create_diagram, browser_preview, deploy_web_app, condense
    """,
    neutral="update_todo_list, focus_chain, command_status, read_command_output, act_mode_respond, create_rule_block",
    shells="execute_command, run_command, run_terminal_cmd, run_terminal_command, run_terminal",
)
