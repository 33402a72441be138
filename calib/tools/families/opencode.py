"""OpenCode, Crush and pi.

Source: session exports of OpenCode 1.x, session files of pi, and the tool lists of the three projects.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="list, find, codesearch, sourcegraph, fetch, diagnostics, lsp_hover, lsp_diagnostics, references, ls, view",
    writes="patch, apply_patch, download, edit, write",
    other="question, batch, invalid, agentic_fetch, job_kill, plan_enter",
    neutral="todos, job_output, plan_exit",
)
