"""Codex CLI, and the tools that gpt-oss models were trained with.

Source: the tool specifications of codex-rs, rollout files of 2025 and 2026, and the gpt-oss model card.
`write_stdin` without characters waits for a command that runs, which is neutral; with some it types into it.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="""
    view_image, list_dir, grep_files, web_search, web_search_call, file_search_call, list_mcp_resources,
    list_mcp_resource_templates, read_mcp_resource, browser.search, browser.open, browser.find
    """,
    writes="apply_patch",
    other="""
    write_stdin, request_user_input, request_permissions, spawn_agent, send_input, resume_agent, close_agent, js_repl,
    image_generation_call, imagegen, code_interpreter_call, computer_call, mcp_call, multi_tool_use.parallel,
    exec_wait
    """,
    neutral="update_plan, tool_search, tool_search_call, write_stdin:poll, wait, wait_agent, list_agents, get_goal",
    shells="shell, local_shell, local_shell_call, exec_command, shell_command, container.exec, unified_exec",
)
