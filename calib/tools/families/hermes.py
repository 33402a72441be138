"""hermes-agent and OpenClaw.

Source: the tool sets of hermes-agent 0.19 and of OpenClaw, and their session files. `process` looks after
commands in the background; its `action` says what it does.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="""
    web_extract, web_crawl, vision_analyze, session_search, skills_list, skill_view, browser_snapshot,
    browser_get_images, browser_vision, browser_console, memory_search, memory_get, sessions_list, sessions_history,
    session_status, agents_list, image, ha_list_entities, ha_get_state, ha_list_services
    """,
    writes="skill_manage, memory, cronjob, cron",
    other="""
    execute_code, delegate_task, clarify, send_message, text_to_speech, image_generate, mixture_of_agents,
    browser_press, browser_back, browser_close, process:write, process:submit, process:kill, process:?,
    sessions_spawn, sessions_send, subagents, gateway, nodes, canvas, tts, ha_call_service
    """,
    neutral="todo, process:list, process:poll, process:log, process:wait, sessions_yield",
    shells="exec",
    parts={"process": "action"},
)
