"""OpenHands agent SDK (V1): evaluation outputs, and conversations stored with a file per event.

*Recognised by*: an object with a list `history` of events, which carry a `kind` such as `ActionEvent`; or a single
such event: a line of a file, or a file of its own, whose folder is then one episode.

*Turn*: one model response: the `ActionEvent`s and agent's `MessageEvent`s with one `llm_response_id`. An event
without the id is a turn of its own. A response that comes again later is a replay and counts once.

*Reasoning*: `reasoning_content`, else `thinking_blocks`, else `responses_reasoning_item` (native, summary or
encrypted); only the first action of a response carries it. Else tags in the text (inline), else the `thought` of an
action (thought).

*Calls and results*: `tool_name` and the raw `tool_call.arguments`, also of a call that could not be run. A result
is the `ObservationEvent`, `AgentErrorEvent` or `UserRejectObservation` with its `tool_call_id`; the last two are
errors.

*Tokens and times*: `token_usages` and `response_latencies` of the conversation's metrics, by the response's id;
without a latency the time from the message, action or result before it (`timestamp`).

*Outcome and stop*: `test_result` when it holds a verdict. The stop reason is the code of a
`ConversationErrorEvent` (`MaxIterationsReached`), else `error`, else the last `execution_status`, also that of
`base_state.json` in the events' folder or the one above, else `finish`. The turn limit is `max_iterations`.

*Cannot know*: which branch of a conversation with several is the final one; conversations of sub-agents stand in
folders of their own and do not name their parent.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._decode import tolerant
from calib.formats._openhands_output import error_line, limit_in, read_run
from calib.formats._openhands_sdk import EVENTS, Conversation
from calib.formats._reader import Context, Ignored, Records
from calib.formats._small import at, text_at
from calib.formats._talk import Episode, Stretch, stretch

SUMMARY = "OpenHands agent SDK: evaluation output, or a folder or file of events"
RANK = 31
STREAM = False
BUNDLE = True
BESIDE = ("base_state.json",)


def recognises(value: Any) -> bool:
    """Tell whether a value is a run or an event of the OpenHands SDK."""
    if not isinstance(value, dict):
        return False
    if "history" not in value:
        return bundled(value)
    history = value["history"]
    if not history:
        return "test_result" in value and "instance_id" in value and at(value, "metadata", "llm") is not None
    return isinstance(history, list) and _is_event(history[0])


def bundled(value: Any) -> bool:
    """Tell whether a value is a single event, one of many files of a conversation."""
    return _is_event(value) and "history" not in value


def _is_event(value: Any) -> bool:
    return text_at(value, "kind") in EVENTS and "source" in value


class Reader(Records):
    """Reads the records of one source: runs, or the events of one conversation."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._open: Conversation | None = None
        self._stretches: list[Stretch] = []

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take a run, which ends with it, or an event."""
        if isinstance(value, dict) and "history" in value:
            return self._run(value, where)
        if not isinstance(value, dict) or "kind" not in value:
            raise Rejected("bad-message", "expected an event with `kind`")
        if text_at(value, "kind") not in EVENTS:
            self.notices["unknown-record-type"] += 1
            raise Ignored(str(value["kind"]))
        self._open = self._open or Conversation(self.text)
        self._open.add(value)
        stretch(self._stretches, where)
        return ()

    def _run(self, value: dict[str, Any], where: Stretch) -> Iterable[Episode]:
        events = value["history"] or []
        if not isinstance(events, list):
            raise Rejected("bad-message", "`history` is no list")
        conversation = Conversation(self.text)
        for event in events:
            conversation.add(event)
        about = conversation.about()
        read_run(about, value)
        error = text_at(value, "error") or ""
        about.turn_limit = about.turn_limit or limit_in(error)
        if error and not conversation.code:
            about.stop_reason = error_line(error)
        about.episode_id = None  # the conversation's id, if any, may be that of several runs
        self.notices.update(conversation.talk.notices)
        episode = conversation.end(about)
        episode.stretches.append(where)
        return (episode,)

    def finish(self) -> Iterator[Episode]:
        """Give the conversation that was told event by event."""
        if self._open is None:
            return
        self._open.state(self._base_state())
        about = self._open.about()
        about.episode_id = about.episode_id or self.context.source
        episode = self._open.end(about)
        episode.stretches = self._stretches
        self.notices.update(self._open.talk.notices)
        yield episode

    def _base_state(self) -> dict[str, Any]:
        data = self.context.beside.get(BESIDE[0])
        try:
            return dict(tolerant(data)[0]) if data else {}
        except Rejected:
            return {}
