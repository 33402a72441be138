"""Claude Code's stream-json output: what a headless run prints, one JSON record a line.

*Recognised by*: a `system` record of subtype `init`, `assistant` and `user` records with a `message`, `result` records
with a subtype; all with `session_id` instead of `sessionId`. A JSON list of such records is read, too.

*Turn*: all `assistant` records of one `message.id`. Partial `stream_event` records are ignored.
An episode is a `session_id`; what a sub-agent said (`parent_tool_use_id`) is an episode `SESSION/CALL` with the session
as its parent.

*Reasoning*: `thinking` blocks, joined in order, native. Withheld when redacted, or empty with a signature.

*Calls and results*: `tool_use` blocks, once per block id; a `tool_result` belongs to the response that made the call.

*Tokens and times*: `message.usage.output_tokens` of its last record; no times, for the stream has none.

*Outcome and stop*: no outcome. The stop reason is the `subtype` of the last `result` record (`success`,
`error_max_turns`, `error_max_budget_usd`, ...), but `error` for a `success` with `is_error`, which is how a failure of
the API is told; the turn limit is read from its error text when it names one.
Turns, cost and times of that record are metadata.

*Cannot know*: whether the task was solved; the turn limit in most files.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._claude import name_or_none
from calib.formats._claude_thread import Thread
from calib.formats._reader import Context, Ignored, Records, check
from calib.formats._record import About, whole_number
from calib.formats._talk import Episode, Stretch, stretch

SUMMARY = "what Claude Code prints with --output-format stream-json"
RANK = 31
STREAM = True

FACTS = ("num_turns", "duration_ms", "duration_api_ms", "total_cost_usd", "is_error", "terminal_reason")
ASKED = {"cwd": "cwd", "claude_code_version": "version", "permissionMode": "permission_mode", "model": "asked_model"}
KNOWN = ("auth_status", "control_request", "control_response", "keep_alive", "prompt_suggestion",
                   "rate_limit_event", "stream_event", "streamlined_text", "system", "tool_progress",
                   "tool_use_summary")  # fmt: skip
LIMIT = re.compile(r"maximum number of turns \((\d+)\)")


def recognises(value: Any) -> bool:
    """Tell whether a value is a record of a headless run."""
    if not isinstance(value, dict) or "sessionId" in value or not isinstance(value.get("session_id"), str):
        return False
    kind = value.get("type")
    if kind == "assistant" or kind == "user":
        return isinstance(value.get("message"), dict)
    if kind == "result":
        return isinstance(value.get("subtype"), str) and ("num_turns" in value or "is_error" in value)
    if kind == "system":
        return value.get("subtype") == "init" and "tools" in value
    return kind == "stream_event" and isinstance(value.get("event"), dict)


def session_of(record: Any) -> str | None:
    """Give the session of a record."""
    return name_or_none(record.get("session_id")) if isinstance(record, dict) else None


class Reader(Records):
    """Reads the records of one file; a run and its sub-agents end with its last record."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._threads: dict[tuple[str | None, str | None], Thread] = {}
        self._late: list[Episode] = []

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one record.

        Raises Rejected or Ignored.
        """
        check(isinstance(value, dict), "not-an-object", "a list where a record was expected")
        session, ignored = session_of(value), ""
        try:
            ignored = self._take(value, session, where)
        finally:
            if self.context.last.get(session) == where[0]:
                self._late += self._end(session)
        if ignored:
            raise Ignored(ignored)
        ended, self._late = self._late, []
        return ended

    def _take(self, value: dict[str, Any], session: str | None, where: Stretch) -> str:
        kind, sub = value.get("type"), value.get("subtype")
        if kind == "assistant" or kind == "user":
            return self._message(value, session, where)
        if kind == "system" and sub == "init":
            self._init(self._thread(session, None, where).about, value)
        elif kind == "system" and sub == "compact_boundary":
            self._thread(session, None, where).chain.compacted()
        elif kind == "result":
            self._result(self._thread(session, None, where).about, value)
        else:
            if kind not in KNOWN:
                self.notices["unknown-record-type"] += 1
            name = kind if isinstance(kind, str) else "untyped"
            return f"{name}.{sub}" if isinstance(sub, str) else name
        return ""

    def _message(self, value: dict[str, Any], session: str | None, where: Stretch) -> str:
        message = value.get("message")
        check(isinstance(message, dict), "bad-message", "`message` is no object")
        assert isinstance(message, dict)
        check("content" in message, "bad-message", "a message has no `content`")
        if message.get("model") == "<synthetic>" or value.get("isApiErrorMessage") is True:
            return "synthetic-message"
        if value.get("isReplay") is True:
            return "replayed-message"
        caller = value.get("parent_tool_use_id")
        thread = self._thread(session, name_or_none(caller), where)
        if value["type"] == "assistant":
            thread.chain.respond(message)
        else:
            thread.chain.ask(message["content"], value.get("isSynthetic") is not True)
        return ""

    def _init(self, about: About, value: dict[str, Any]) -> None:
        for name, known in ASKED.items():
            if isinstance(value.get(name), str):
                about.metadata.setdefault(known, value[name])

    def _result(self, about: About, value: dict[str, Any]) -> None:
        sub = about.stop_reason = name_or_none(value.get("subtype"))
        if sub == "success" and value.get("is_error") is True:
            about.stop_reason = "error"
        for name in FACTS:
            if isinstance(value.get(name), (str, bool, int, float)):
                about.metadata[name] = value[name]
        errors = value.get("errors")
        for said in [value.get("result"), *(errors if isinstance(errors, list) else [])]:
            if isinstance(said, str) and sub == "error_max_turns" and (found := LIMIT.search(said)):
                about.turn_limit = whole_number(found[1])

    def _thread(self, session: str | None, caller: str | None, where: Stretch) -> Thread:
        thread = self._threads.get((session, caller))
        if thread is None:
            about = About(episode_id=session)
            if caller is not None:
                name = session or self.context.source
                about = About(episode_id=f"{name}/{caller}", parent=name)
            thread = self._threads[session, caller] = Thread(about)
        stretch(thread.stretches, where)
        return thread

    def _end(self, session: str | None) -> Iterator[Episode]:
        for key in [key for key in self._threads if key[0] == session]:
            thread = self._threads.pop(key)
            yield thread.episode(self.text)
            self.notices.update(thread.notices)

    def finish(self) -> Iterator[Episode]:
        """Give the episodes that are still open."""
        yield from self._late
        for session in dict.fromkeys(session for session, _ in list(self._threads)):
            yield from self._end(session)
