"""One conversation of the OpenHands agent SDK, told event by event."""

from dataclasses import dataclass, field
from typing import Any

from calib.formats._calls import Call
from calib.formats._canonical import canonical
from calib.formats._decode import json_text
from calib.formats._openhands_output import limit_in
from calib.formats._parts import text_of
from calib.formats._record import About, whole_number
from calib.formats._small import at, small, text_at, text_in
from calib.formats._spent import NOTHING as NOTHING_SPENT
from calib.formats._spent import Spent, Watch, by_response
from calib.formats._talk import MILLISECONDS, TOKENS, Episode, Talk
from calib.formats._thought import Native, native_of, spoken

RESULTS = frozenset(("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"))
COMPACTED = frozenset(("Condensation",))
QUIET = frozenset(
    ("SystemPromptEvent", "CondensationRequest", "CondensationSummaryEvent", "PauseEvent", "InterruptEvent",
     "TokenEvent", "LLMCompletionLogEvent", "StreamingDeltaEvent", "StreamingDelta", "HookExecutionEvent",
     "ACPToolCallEvent")
)  # fmt: skip
EVENTS = frozenset(
    ("ActionEvent", "MessageEvent", "ConversationErrorEvent", "ConversationStateUpdateEvent",
     *RESULTS, *COMPACTED, *QUIET)
)  # fmt: skip
TIMED = frozenset(("ActionEvent", "MessageEvent", *RESULTS, *COMPACTED))
"""Events whose times tell when a response was asked for and when it came."""
NOTHING = Native()
Result = tuple[str | None, str, bool | None]


@dataclass
class _Response:
    """A model response while its events come in."""

    id: str | None
    user: bool
    compacted: bool
    milliseconds: int | None = None
    native: Native = NOTHING
    texts: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)


class Conversation:
    """Takes the events of one conversation in order."""

    def __init__(self, text: bool) -> None:
        self.talk = Talk(text)
        self.code = ""
        """The code of the last error that ended the conversation."""
        self._about = About()
        self._status: str | None = None
        self._now: _Response | None = None
        self._seen: set[str] = set()
        self._ids: list[str | None] = []
        """Responses in the order of their turns."""
        self._spent: dict[str, Spent] = {}
        self._watch = Watch()
        self._user = self._compacted = self._finished = False

    def add(self, event: Any) -> None:
        """Take one event."""
        kind = text_in(event, "kind") if event.__class__ is dict else None
        if kind == "ActionEvent":
            self._act(event)
        elif kind == "MessageEvent":
            self._message(event)
        elif kind in RESULTS:
            self._result(event, kind)
        elif kind in COMPACTED:
            self._compacted = True
        elif kind == "ConversationErrorEvent":
            self._failed(event)
        elif kind == "ConversationStateUpdateEvent":
            self._update(event)
        elif kind not in QUIET:
            self.talk.notices["unknown-record-type"] += 1
        if kind in TIMED:
            self._watch.see(event.get("timestamp"))

    def _response(self, event: dict[str, Any]) -> _Response | None:
        """Give the response that an event belongs to; None when it was told before."""
        known = text_in(event, "llm_response_id")
        if self._now is not None and known is not None and self._now.id == known:
            return self._now
        if known in self._seen:
            return None
        self._end()
        if known is not None:
            self._seen.add(known)
        self._now = _Response(known, self._user, self._compacted, self._watch.lap(event.get("timestamp")))
        self._user = self._compacted = self._finished = False
        self.code = ""
        return self._now

    def _act(self, event: dict[str, Any]) -> None:
        response = self._response(event)
        if response is None:
            return
        _hear(response, event, event.get("thought"))
        told = event.get("tool_call")
        asked: dict[str, Any] = told if isinstance(told, dict) else {}
        tool = text_in(event, "tool_name") or text_in(asked, "name") or text_at(asked, "function", "name")
        raw = asked.get("arguments")
        if raw is None:
            raw = at(asked, "function", "arguments")
        if raw is None and isinstance(action := event.get("action"), dict):
            raw = {key: value for key, value in action.items() if key != "kind"}
        text = raw if raw is None or isinstance(raw, str) else json_text(raw)
        spelled = None if text is None else canonical(text)
        call_id = text_in(event, "tool_call_id") or text_in(asked, "id")
        response.calls.append(Call(call_id, tool, text, (tool, spelled), spelled.__class__ is str and text != ""))
        self._finished = self._finished or tool == "finish"

    def _message(self, event: dict[str, Any]) -> None:
        message = event.get("llm_message")
        if event.get("source") == "user":
            self._user = True
        elif event.get("source") == "agent" and isinstance(message, dict):
            response = self._response(event)
            if response is not None:
                _hear(response, message, message.get("content"))

    def _result(self, event: dict[str, Any], kind: str) -> None:
        told = event.get("observation")
        seen: dict[str, Any] = told if isinstance(told, dict) else {}
        failed: bool | None = True
        if kind == "ObservationEvent":
            mark = seen.get("is_error", seen.get("error"))
            failed = mark if isinstance(mark, bool) else None
        result = (text_in(event, "tool_call_id"), _seen_text(event, seen), failed)
        if self._now is None:
            self.talk.result(*result)
        else:
            self._now.results.append(result)

    def _failed(self, event: dict[str, Any]) -> None:
        self.code = text_at(event, "code") or "ConversationErrorEvent"
        self._about.turn_limit = limit_in(text_in(event, "detail") or "") or self._about.turn_limit

    def _update(self, event: dict[str, Any]) -> None:
        key, value = event.get("key"), event.get("value")
        if key == "full_state":
            self.state(value)
        elif key == "execution_status" and isinstance(value, str):
            self._status = value
        elif key == "stats":
            self._stats(value)

    def state(self, value: Any) -> None:
        """Take what the state of a conversation says about it."""
        self._status = text_at(value, "execution_status") or text_at(value, "agent_status") or self._status
        about = self._about
        about.episode_id = text_at(value, "id") or about.episode_id
        about.model = text_at(value, "agent", "llm", "model") or about.model
        about.turn_limit = whole_number(at(value, "max_iterations")) or about.turn_limit
        about.metadata |= small(value, "max_iterations", "stuck_detection")
        self._stats(at(value, "stats"))

    def _stats(self, value: Any) -> None:
        used = at(value, "usage_to_metrics")
        self._spent |= by_response(used.values() if isinstance(used, dict) else ())
        for metrics in used.values() if isinstance(used, dict) else ():
            self._about.model = self._about.model or text_at(metrics, "model_name")
            self._about.metadata |= small(metrics, "accumulated_cost")
            return

    def _end(self) -> None:
        response, self._now = self._now, None
        if response is None:
            return
        if response.user:
            self.talk.user()
        if response.compacted:
            self.talk.compacted()
        visible = "\n".join(response.texts) if response.texts else None
        said = spoken(response.native, visible, bool(response.calls), self.talk.notices)
        self.talk.turn(said.reasoning, said.state, said.kind, said.text, response.calls)
        self.talk.spent(None, response.milliseconds)
        self._ids.append(response.id)
        for result in response.results:
            self.talk.result(*result)

    def about(self) -> About:
        """End the last turn and say what the events tell about the conversation."""
        self._end()
        self._about.stop_reason = self.code or self._status or ("finish" if self._finished else None)
        return self._about

    def end(self, about: About) -> Episode:
        """Finish the episode. What its responses cost is told behind them, by their ids."""
        episode = self.talk.finish(about)
        for turn, name in zip(episode.turns, self._ids, strict=True):
            tokens, took = self._spent.get(name or "", NOTHING_SPENT)
            turn[TOKENS] = tokens
            turn[MILLISECONDS] = turn[MILLISECONDS] if took is None else took
        return episode


def _hear(response: _Response, said: dict[str, Any], content: Any) -> None:
    """Take reasoning and text from one event of a response; all but the first carry none."""
    native = native_of(said)
    if response.native.state == "absent" or (native.state == "recorded" and response.native.state != "recorded"):
        response.native = native
    if text := text_of(content):
        response.texts.append(text)


def _seen_text(event: dict[str, Any], seen: dict[str, Any]) -> str:
    """Give what the model saw: the texts of the observation, else its output, else why there is none."""
    if text := text_of(seen.get("content") or None):
        added = text_of(event.get("extended_content") or None)
        return f"{text}\n{added}" if added else text
    if text := text_in(seen, "output") or text_in(event, "error") or text_in(event, "rejection_reason"):
        return text
    if not seen or "content" in seen or "output" in seen:
        return ""
    return json_text({key: value for key, value in seen.items() if key != "kind"})
