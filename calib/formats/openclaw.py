"""OpenClaw telemetry: one event a line, of which some repeat the conversation so far in `messages`.

*Recognised by*: the `type` `agent.start`, `agent.end`, `tool.start` or `tool.end` together with a `sessionKey`, or
`message.in`, `message.out` or `message.sending` together with a `channel`.

*Turn*: a message of role `assistant`, in the form of pi sessions. Each `messages` repeats what came before, so a
message counts once, told by its role, its time and its call. All events of one `sessionKey` in a file are one episode;
other events belong to no episode, for they say nothing that the messages do not.

*Reasoning*: `thinking` parts, as in pi sessions.

*Calls and results*: `toolCall` parts; `toolResult` messages by `toolCallId`, with `isError`.

*Tokens and times*: `usage.output` of a message; the time from the message before it (`timestamp`).

*Outcome and stop*: no outcome. The stop reason is the `stopReason` of the last assistant message.

*Cannot know*: what was said after the last event that repeats the messages. Session keys are not unique, so an episode
is named after its file and its key; a sub-agent's parent is the main session of its agent, when the file holds one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats import pi
from calib.formats._reader import Context, Ignored, Open, check
from calib.formats._record import About, scalar_text
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "OpenClaw telemetry: events with a `sessionKey`"
RANK = 42
STREAM = True
SESSION = frozenset(("agent.start", "agent.end", "tool.start", "tool.end"))
CHANNEL = frozenset(("message.in", "message.out", "message.sending"))


def recognises(value: Any) -> bool:
    """Tell whether a value is an event."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    kind = value["type"]
    return (kind in SESSION and "sessionKey" in value) or (kind in CHANNEL and "channel" in value)


class Reader(pi.Reader):
    """Gives the sessions of a file at its end."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._sessions: dict[str, Open] = {}

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one event.

        Raises Rejected or Ignored.
        """
        check(isinstance(value, dict), "not-an-object", "a list where an event was expected")
        key, messages = scalar_text(value.get("sessionKey")), value.get("messages")
        if not messages or key is None:
            kind = scalar_text(value.get("type")) or "no type"
            if kind not in SESSION | CHANNEL:
                self.notices["unknown-record-type"] += 1
            raise Ignored(kind)
        check(isinstance(messages, list), "bad-message", "`messages` is no list")
        check(all(isinstance(message, dict) for message in messages), "bad-message", "a message is no object")
        opened = self._sessions.get(key) or Open(Talk(self.text, self.notices), About(f"{self.context.source}#{key}"))
        self._sessions[key] = self._open = opened
        told: set[Any] = opened.state.setdefault("told", set())
        for number, message in enumerate(messages):
            mark = _mark(message, number)
            if mark not in told:
                told.add(mark)
                self._tell(message)
        opened.cover(where)
        return ()

    def _tell(self, message: dict[str, Any]) -> None:
        try:
            self._message(message, {})
        except Ignored:  # a failed request within an event that holds more
            return

    def finish(self) -> Iterator[Episode]:
        """Give all sessions, in order of their first events."""
        for key, opened in self._sessions.items():
            parts = key.split(":")
            main = ":".join((*parts[:2], "main"))
            if parts[2:3] == ["subagent"] and main in self._sessions:
                opened.about.parent = self._sessions[main].about.episode_id
            models = opened.about.metadata.pop("models", [])
            if len(models) > 1:
                opened.about.metadata["models"] = models
            yield opened.end()


def _mark(message: dict[str, Any], number: int) -> tuple[str, str, str]:
    when = scalar_text(message.get("timestamp")) or f"#{number}"
    return str(message.get("role")), when, str(message.get("toolCallId"))
