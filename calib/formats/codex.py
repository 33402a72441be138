"""Codex sessions, in the four shapes that are on disk.

*Recognised by*: rollouts of lines `{timestamp, type, payload}` with a type such as `session_meta`, `turn_context` or
`response_item`; old rollouts of bare items between `{"record_type": "state"}` lines; `codex exec --json` with
`thread.started`, `turn.started` and `item.completed`; the session log of the terminal, `{ts, dir, kind}`.

*Turn*: the items of one response. It ends at a `token_count`, and at any item that the model did not make: an output,
a message of another role, the begin or end of a task, a compaction. In an event stream (`codex exec --json`, session
log) the response is not told: its calls are those that overlap in time, or stand before one `token_count`.
`compacted.replacement_history` repeats old items and is not counted. A forked or spawned thread begins with a copy of
its parent's items; what stands before the first of its own turns (told by the time in the UUIDv7 ids, else by a
writing time within 2 s of the first line) is ignored as `copied-history`. A second `session_meta` after that begins an
episode of its own. Turns that the user rolled back were produced and stay.

*Reasoning*: the summaries of the reasoning items that precede the message or call, as `summary`; readable content as
`native`; with ciphertext alone the state is `encrypted`, with nothing at all `withheld`. Ciphertext is never compared.
Event streams show summaries only.

*Calls and results*: `function_call`, `custom_tool_call` (free text, compared as text), `local_shell_call`, searches and
the other item types; a namespace is put before the name. Results by `call_id`. Of a result the lines `Chunk ID` and
`Wall time`, which always differ, and the JSON around an old shell result are taken off. `is_error` is a nonzero exit
code or `success: false`. `write_stdin` with no input polls a running command.

*Tokens and times*: `last_token_usage.output_tokens` of the `token_count` that ends a response; the time from the item
before it to its last item (`timestamp`). Bare items, events and logs have neither.

*Outcome and stop*: no outcome. The stop reason is that of the last task: `task_complete`, the reason of a
`turn_aborted` (`interrupted`), the kind of an error, `turn.completed` or `turn.failed`; none when the file ends within.

*Cannot know*: encrypted reasoning, so that repeated plans are not observable; turn limits; the task. Current session
logs of the terminal hold no transcript at all: such an episode has no turns.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._codex_events import Events, exec_event, log_event
from calib.formats._codex_session import Session, meta_facts
from calib.formats._item import is_item
from calib.formats._reader import Context, Ignored, Records
from calib.formats._talk import Episode, Stretch

SUMMARY = "Codex sessions: rollouts old and new, `codex exec --json`, session logs"
RANK = 20
STREAM = True

ENVELOPES = frozenset(
    ("session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state",
     "inter_agent_communication", "inter_agent_communication_metadata")
)  # fmt: skip
EXEC = frozenset(("thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated",
                  "item.completed"))  # fmt: skip
DIRECTIONS = frozenset(("meta", "to_tui", "from_tui"))


def recognises(value: Any) -> bool:
    """Tell whether a value is a line of a Codex session."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if isinstance(kind, str):
        if isinstance(value.get("payload"), dict):
            return kind in ENVELOPES
        if kind in EXEC:
            return isinstance(value.get("item", value.get("usage", value.get("error", {}))), dict)
        return kind != "reasoning" and is_item(value)  # other writers have reasoning of this form
    if value.get("record_type") == "state":
        return True
    if isinstance(value.get("msg"), dict):
        return isinstance(value["msg"].get("type"), str) and isinstance(value.get("id"), str)
    if isinstance(value.get("dir"), str) and value["dir"] in DIRECTIONS:
        return isinstance(value.get("kind"), str) and "ts" in value
    return "instructions" in value and {"id", "timestamp"} <= value.keys() and "messages" not in value


class Reader(Records):
    """Reads the lines of sessions, one session after the other."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._open: Session | None = None

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one line; a session ends where the next begins.

        Raises Rejected or Ignored.
        """
        if not isinstance(value, dict):
            raise Rejected("not-an-object")
        payload, kind = value.get("payload"), value.get("type")
        session = self._open
        if kind == "response_item" and session is not None and session.plain and payload.__class__ is dict:
            session.item(payload, value.get("timestamp"))  # most lines, without detours
            session.cover(where)
            return ()
        if "dir" in value and "kind" in value:
            ended: Iterable[Episode] = self._log(value)
        elif isinstance(payload, dict) and isinstance(kind, str):
            ended = self._envelope(kind, payload, value.get("timestamp"))
        elif isinstance(value.get("msg"), dict):
            ended = self._event(value["msg"])
        elif isinstance(kind, str) and (kind in EXEC or kind == "error"):
            ended = self._exec(kind, value)
        else:
            ended = self._bare(kind, value)
        self._session().cover(where)
        return ended

    def finish(self) -> Iterator[Episode]:
        """Give the last session."""
        if self._open is not None and self._open.stretches:
            yield self._open.end()
        self._open = None

    def _session(self, events: bool = False) -> Session:
        if self._open is None:
            self._open = Session.begin(self.text, self.notices, events)
        return self._open

    def _begin(self, session_id: Any, events: bool = False) -> list[Episode]:
        """Open the session of an id; gives the one before when it is another."""
        session_id = session_id if isinstance(session_id, str) else None
        if (now := self._open) is not None and isinstance(now.talk, Events) == events:
            if now.about.episode_id is None and not now.talk.turns:
                now.about.episode_id = session_id
            if now.about.episode_id == session_id:
                return []
        ended = list(self.finish())
        if ended:
            self.notices["mixed-sessions"] += 1
        self._session(events).about.episode_id = session_id
        return ended

    def _envelope(self, kind: str, payload: dict[str, Any], written: Any) -> list[Episode]:
        if kind == "session_meta":
            if self._open is not None and self._open.copies(payload, written):
                raise Ignored("copied-history")
            ended = self._begin(payload.get("id") or payload.get("session_id"))
            self._session().meta(payload, written)
            return ended
        session = self._items()
        if session.gate and not session.opens(payload, written):
            raise Ignored("copied-history")
        if kind == "response_item":
            session.item(payload, written)
        elif kind == "event_msg":
            session.event(payload)
        elif kind == "turn_context":
            session.context(payload)
            session.watch.see(written)
        elif kind == "compacted":
            session.compact()
            session.watch.see(written)
        else:
            if kind not in ENVELOPES:
                self.notices["unknown-record-type"] += 1
            raise Ignored(kind)
        return []

    def _bare(self, kind: Any, value: dict[str, Any]) -> list[Episode]:
        """Take a line of an old rollout: its head, a state, or an item."""
        if kind is None and "role" not in value:
            if "record_type" in value:
                raise Ignored("state")
            if not isinstance(value.get("id"), str):
                self.notices["unknown-record-type"] += 1
                raise Ignored("untyped")
            ended = self._begin(value["id"])
            self._session().about.metadata.update(meta_facts(value))
            return ended
        self._items().talk.add(value)
        return []

    def _exec(self, kind: str, value: dict[str, Any]) -> list[Episode]:
        if kind == "thread.started":
            return self._begin(value.get("thread_id"), events=True)
        exec_event(self._events(), kind, value)
        return []

    def _event(self, message: dict[str, Any]) -> list[Episode]:
        if message.get("type") == "session_configured":
            ended = self._begin(message.get("session_id"), events=True)
            self._session().context(message)
            return ended
        log_event(self._events(), message)
        return []

    def _log(self, value: dict[str, Any]) -> list[Episode]:
        kind, payload = value["kind"], value.get("payload")
        if kind == "session_start":
            ended = list(self.finish())
            self._session(events=True).context(value)
            return ended
        if kind == "codex_event" and isinstance(payload, dict) and isinstance(payload.get("msg"), dict):
            return self._event(payload["msg"])
        if kind == "op" and isinstance(payload, dict) and payload.get("type") in ("user_input", "user_turn"):
            self._events().talk.close()
            self._events().talk.user()
            return []
        raise Ignored(kind if isinstance(kind, str) else "untyped")

    def _items(self) -> Session:
        session = self._session()
        if isinstance(session.talk, Events):
            raise Rejected("bad-message", "an item stands in a stream of events")
        return session

    def _events(self) -> Session:
        session = self._session(events=True)
        if not isinstance(session.talk, Events):
            raise Rejected("bad-message", "an event of a stream stands in a rollout")
        return session
