"""One OpenHands V0 run, told event by event."""

from collections.abc import Mapping
from typing import Any

from calib.formats._calls import Call, calls_of
from calib.formats._canonical import canonical
from calib.formats._codes import Rejected
from calib.formats._decode import json_text
from calib.formats._openhands_output import error_line, limit_in
from calib.formats._parts import text_of
from calib.formats._record import About
from calib.formats._small import at, small, text_at
from calib.formats._spent import NOTHING, Spent, Watch, tokens_in
from calib.formats._talk import Episode, Talk
from calib.formats._thought import Native, native_of, spoken

SILENT = frozenset(("system", "recall", "change_agent_state", "condensation_request", "null", "pause", "resume"))
"""Actions that no model response stands behind."""
CONDENSED = frozenset(("condensation", "condense", "summarize"))
STATES = frozenset(("agent_state_changed",))
IGNORED = frozenset(("null", "recall", "system"))
FAILURES = frozenset(("error", "user_rejected"))
HARNESS = frozenset(
    ("thought", "confirmation_state", "is_confirmed", "security_risk", "action_risk", "keep_prompt", "hidden",
     "kernel_init_code", "action", "source", "id", "timestamp", "message", "timeout")
)  # fmt: skip
"""Arguments of an action that the harness adds; in the oldest files the event itself holds the arguments."""


class Run:
    """Takes the events of one run in order; a delegate's events become a run of their own."""

    def __init__(self, text: bool, spent: Mapping[str, Spent] | None = None) -> None:
        self.talk = Talk(text)
        self._spent = spent or {}
        self._watch = Watch()
        self.model: str | None = None
        self.state = self.reason = self.agent = ""
        self.version: dict[str, Any] = {}
        self.ended: list[Run] = []
        """Runs of delegates that came to their end."""
        self._text = text
        self._delegate: Run | None = None
        self._seen: set[str] = set()
        self._call_ids: dict[int | str | None, str] = {}
        self._others: set[int | str | None] = set()
        self._waiting = self._finished = False

    def add(self, event: Any) -> None:
        """Take one event."""
        if not isinstance(event, dict):
            self.talk.notices["unknown-record-type"] += 1
        elif self._delegate is not None and not self._delegate.returns(event):
            self._delegate.add(event)
        elif isinstance(kind := event.get("observation"), str):
            self._observe(event, kind)
            if kind not in STATES:
                self._watch.see(event.get("timestamp"))
        elif isinstance(kind := event.get("action"), str):
            self._act(event, kind)
            self._watch.see(event.get("timestamp"))
        else:
            self.talk.notices["unknown-record-type"] += 1

    def returns(self, event: dict[str, Any]) -> bool:
        """Tell whether this event ends the delegate that this run is."""
        return event.get("observation") == "delegate" and self._delegate is None

    def _act(self, event: dict[str, Any], action: str) -> None:
        source = event.get("source") or self._who(action)
        self._waiting = False
        if action == "system":
            self.version |= small(event.get("args"), "openhands_version", "agent_class")
        if action in CONDENSED:
            self.talk.compacted()
        elif source == "user" and action == "message":
            self.talk.user()
        elif source != "agent" or action in SILENT:
            self._others.add(_number(event.get("id")))
        else:
            self._turn(event, action)
            self._waiting = action == "message"
            if action == "delegate":
                self._delegate = Run(self._text, self._spent)
                self._delegate.agent = text_at(event, "args", "agent") or ""

    def _who(self, action: str) -> str:
        """Guess who acts in the oldest files, which do not say: the user opens, and answers the agent's messages."""
        return "user" if action == "message" and (self._waiting or not self.talk.turns) else "agent"

    def _turn(self, event: dict[str, Any], action: str) -> None:
        made = event.get("tool_call_metadata")
        response = at(made, "model_response")
        call_id = text_at(made, "tool_call_id") or f"event {event.get('id')}"
        if (number := _number(event.get("id"))) is not None:
            self._call_ids[number] = call_id
        known = text_at(response, "id")
        if known in self._seen:
            return
        if known:
            self._seen.add(known)
        self.model = self.model or text_at(response, "model")
        message = at(response, "choices", 0, "message")
        args = event["args"] if isinstance(event.get("args"), dict) else event
        calls = _calls_in(message) or ([] if action == "message" else [_call(made, call_id, action, args)])
        self._finished = any(call.tool == "finish" for call in calls)
        visible, native = _said(message, args, action)
        said = spoken(native, visible, bool(calls), self.talk.notices)
        self.talk.turn(said.reasoning, said.state, said.kind, said.text, calls)
        tokens, took = self._spent.get(known or "", NOTHING)
        lap = self._watch.lap(event.get("timestamp"))
        self.talk.spent(tokens_in(at(response, "usage")) or tokens, lap if took is None else took)

    def _observe(self, event: dict[str, Any], kind: str) -> None:
        if kind in STATES:
            self.state = text_at(event, "extras", "agent_state") or self.state
            self.reason = text_at(event, "extras", "reason") or ""
            return
        if kind in CONDENSED:
            self.talk.compacted()
            return
        if self._delegate is not None:
            self.ended += [*self._delegate.ended, self._delegate]
            self._delegate = None
        made, cause = event.get("tool_call_metadata"), _number(event.get("cause"))
        if text_at(made, "model_response", "id"):
            self._turn({"tool_call_metadata": made}, kind)  # its action may be missing
        if kind in IGNORED or (cause is not None and cause in self._others):
            return
        call_id = text_at(made, "tool_call_id") or self._call_ids.get(cause)
        if call_id is None and event.get("source") not in (None, "agent") and kind not in FAILURES:
            return
        self.talk.result(call_id, text_of(event.get("content")) or "", _failed(event, kind))

    def about(self, error: Any = None) -> About:
        """Say what the events tell about the run; `error` is the text that the harness left beside them."""
        about = About(model=self.model)
        said = error if isinstance(error, str) and error else self.reason
        about.stop_reason = error_line(said) if said else self.state or ("finish" if self._finished else None)
        about.turn_limit = limit_in(said)
        about.metadata = {**self.version, **({"agent": self.agent} if self.agent else {})}
        return about

    def children(self) -> list["Run"]:
        """List the runs of all delegates, also of one that did not return."""
        return [*self.ended, *([*self._delegate.children(), self._delegate] if self._delegate else ())]

    def end(self, about: About) -> Episode:
        """Finish the run's episode."""
        return self.talk.finish(about)


def _number(value: Any) -> int | str | None:
    """Give an event's number, or None for what can be none."""
    return value if value.__class__ is int or value.__class__ is str else None


def _calls_in(message: Any) -> list[Call]:
    try:
        return calls_of(message) if isinstance(message, dict) else []
    except Rejected:
        return []


def _call(made: Any, call_id: str, action: str, args: dict[str, Any]) -> Call:
    tool = text_at(made, "function_name") or action
    text = json_text({key: value for key, value in args.items() if key not in HARNESS})
    return Call(call_id, tool, text, (tool, canonical(text)), False)


def _said(message: Any, args: dict[str, Any], action: str) -> tuple[str | None, Native]:
    """Give visible text and native reasoning of a response, from the response itself when it is kept."""
    if isinstance(message, dict):
        content = message.get("content")
        return text_of(content), native_of(message, content)
    key = "content" if action == "message" else "thought"
    return text_of(args.get(key)), native_of({"reasoning_content": args.get("reasoning_content")})


def _failed(event: dict[str, Any], kind: str) -> bool | None:
    if kind in FAILURES:
        return True
    success = event.get("success")
    if isinstance(success, bool):
        return not success
    error = at(event, "extras", "error")
    return error if isinstance(error, bool) else None
