"""Claude Code.

Source: the tool list of the Claude Code documentation and session files of versions 2.0 to 2.1. Plans, questions
to oneself and looking at a command that still runs are neutral; a sub-agent or a skill may do anything.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="read, grep, glob, ls, notebookread, webfetch, websearch, lsp, listmcpresourcestool, readmcpresourcetool",
    writes="edit, multiedit, write, notebookedit",
    other="""
    task, agent, skill, slashcommand, askuserquestion, sendmessage, sendusermessage, teamcreate, teamdelete,
    killshell, killbash, taskstop, enterworktree, exitworktree, croncreate, crondelete, structuredoutput, workflow,
    remotetrigger
    """,
    neutral="""
    todowrite, todoread, taskcreate, taskupdate, tasklist, taskget, taskoutput, bashoutput, agentoutputtool,
    toolsearch, enterplanmode, exitplanmode, cronlist, monitor
    """,
    shells="bash, powershell",
)
