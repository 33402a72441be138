"""OpenHands: the function names of V0 and of the SDK, and V0's own action names.

Source: the function-calling tools and event classes of OpenHands 0.x and openhands-sdk 1.x, and their event files.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="""
    browse, browser_get_state, browser_get_content, browser_list_tabs, browser_get_storage, task_tracker:view, fetch,
    canvas_ui, invoke_skill
    """,
    writes="edit_file, delete_file",
    other="""
    execute_ipython_cell, run_ipython, browser, browse_interactive, browser_navigate, browser_click, browser_type,
    browser_scroll, browser_go_back, browser_switch_tab, browser_close_tab, delegate, finish, message,
    request_condensation, condensation_request, call_tool_mcp, vscode
    """,
    neutral="think, task_tracker, task_tracker:plan, task_tracking, recall, switch_llm",
    shells="execute_bash, terminal, run",
    parts={"task_tracker": "command"},
)
