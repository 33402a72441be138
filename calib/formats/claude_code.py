"""Claude Code session files: one JSON record a line, a session with its sub-agents' side chains.

*Recognised by*: records of `type` `user` or `assistant` that hold a `message` and `sessionId`, `parentUuid` or `cwd`,
and the housekeeping records around them; an exported session, an object with `loglines`, too.

*Turn*: all `assistant` records of one `message.id`, also when other records stand between them; a record without an id
is a response of its own. Not a turn: model `<synthetic>`, `isApiErrorMessage`, a message of `fallback` blocks only.
A record that stands twice in a file (same `uuid` and content, as after a resume) counts once. The log is a tree;
turns are taken in file order, those of branches that were rewound included.
Compactions (`compact_boundary`, a summary told by a user record) and `/clear` mark the next turn; the session goes on.
An episode is a `sessionId`. Each sub-agent is an episode `SESSION/AGENT` whose parent is the session: records marked
`isSidechain`, by `agentId` or else by the first record of their chain, files of sub-agents, and messages told in
`agent_progress` records. Records that a fork copied (`forkedFrom`) count in the session they come from: here they are
ignored as `copied-history`.

*Reasoning*: `thinking` blocks, joined in order, native. Withheld when redacted, or empty with a signature.

*Calls and results*: `tool_use` blocks, once per block id; a `tool_result` belongs to the response that made the call.
Parts of a result that are no text are named by kind and hash.

*Tokens and times*: `message.usage.output_tokens` of its last record; the time from the record before its first one to
its last one (`timestamp`).

*Outcome and stop*: no outcome. Stop reason `max_turns_reached` with its limit from the attachment of that name,
`interrupted` when the session ends with the user's interruption, else the `stop_reason` of the last response.
Metadata: title, version, folder, branch, first and last time, models, tokens (the last record of a response counts).

*Cannot know*: whether the task was solved; which records another file of the same session repeats under another
session id (files are read one by one); the sub-agent that started a sub-agent (the session is given as its parent).
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypedDict

from calib.formats import _claude_log
from calib.formats._reader import Context, Ignored, Records, check
from calib.formats._talk import Episode, Stretch

SUMMARY = "Claude Code sessions, with side chains and sub-agent files"
RANK = 30
STREAM = True

HOUSEKEEPING = (
    "agent-color", "agent-name", "agent-setting", "ai-title", "attachment", "attribution-snapshot", "bridge-session",
    "content-replacement", "custom-title", "file-history-delta", "file-history-snapshot", "frame-link", "last-prompt",
    "mode", "permission-mode", "pr-link", "progress", "queue-operation", "relocated", "result", "started", "summary",
    "system", "tag", "task-summary", "worktree-state",
)  # fmt: skip
"""Types of records that are known and hold no turn."""
OURS = ("file-history-snapshot", "file-history-delta", "queue-operation", "summary", "last-prompt", "custom-title",
        "ai-title", "permission-mode", "worktree-state", "pr-link")  # fmt: skip
"""Those of them that no other format has."""


def recognises(value: Any) -> bool:
    """Tell whether a value is a record of a session, or an exported one."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind is None:
        lines = value.get("loglines")
        return _is_note(value) or (isinstance(lines, list) and any(_is_message(line) for line in lines[:20]))
    if not isinstance(kind, str) or ("session_id" in value and "sessionId" not in value):
        return False
    if kind in ("system", "progress", "attachment"):
        return "parentUuid" in value and "message" not in value and "systemPayload" not in value
    return (kind in OURS and "message" not in value) or _is_message(value)


def _is_note(value: dict[str, Any]) -> bool:
    """Whether this is the note that lies beside the file of a sub-agent."""
    return isinstance(value.get("agentType"), str) and len(value) < 12 and "messages" not in value


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("type") not in ("user", "assistant"):
        return False
    message = value.get("message")
    known = "sessionId" in value or "parentUuid" in value or "cwd" in value or "timestamp" in value
    return known and isinstance(message, dict) and "parts" not in message and message.get("role") != "model"


def session_of(record: Any) -> str | None:
    """Give the session of a record."""
    return _claude_log.session_of(record) if isinstance(record, dict) else None


class Record(TypedDict, total=False):
    """What is read of a record."""

    type: Any
    subtype: Any
    uuid: Any
    parentUuid: Any
    sessionId: Any
    forkedFrom: Any
    agentId: Any
    agentType: Any
    isSidechain: Any
    isMeta: Any
    isCompactSummary: Any
    isApiErrorMessage: Any
    origin: Any
    timestamp: Any
    version: Any
    cwd: Any
    gitBranch: Any
    entrypoint: Any
    aiTitle: Any
    customTitle: Any
    message: Any
    data: Any
    attachment: Any
    loglines: Any
    messages: Any


class Reader(Records):
    """Reads the records of one file; a session and its sub-agents end with the session's last record."""

    KEYS = Record

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._log = _claude_log.Log(context)
        self._late: list[Episode] = []

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one record.

        Raises Rejected or Ignored.
        """
        check(isinstance(value, dict), "not-an-object", "a list where a record was expected")
        ignored = ""
        try:
            ignored = self._take(value, where)
        finally:  # also a refused record may be the last one of its session
            if self.context.last and self.context.last.get(session := session_of(value)) == where[0]:
                self._late += self._log.end(session)
        if ignored:
            raise Ignored(ignored)
        ended, self._late = self._late, []
        return ended

    def _take(self, value: dict[str, Any], where: Stretch) -> str:
        kind = value.get("type")
        if kind == "user" or kind == "assistant":
            return self._log.message(value, where)
        if kind is None and isinstance(value.get("loglines"), list):
            return self._loglines(value["loglines"], where)
        if kind is None and _is_note(value):
            return "sub-agent-note"
        if kind == "progress":
            return self._log.progress(value, where)
        if kind == "attachment":
            return self._log.attachment(value, where)
        if kind == "system":
            return self._log.housekeeping(value, where)
        if kind not in HOUSEKEEPING:
            self.notices["unknown-record-type"] += 1
        return self._log.other(value)

    def _loglines(self, lines: list[Any], where: Stretch) -> str:
        for line in lines:  # its bytes are charged once
            if _is_message(line) and "content" in line["message"]:
                self._log.message(line, where)
                where = (where[0], where[1] + where[2], 0)
            elif not isinstance(line, dict) or line.get("type") not in HOUSEKEEPING:
                self.notices["unknown-record-type"] += 1
        return ""

    def finish(self) -> Iterator[Episode]:
        """Give the episodes that are still open."""
        yield from self._late
        for session in self._log.sessions():
            yield from self._log.end(session)
