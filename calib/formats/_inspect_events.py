"""Events of an Inspect sample: the responses of the model in order, and which of them sub-agents asked for."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from calib.formats._decode import json_text
from calib.formats._parts import text_of
from calib.formats._record import scalar_text
from calib.formats._spent import NOTHING, Spent, lasting, tokens_in

SCORING = frozenset(("scorers", "scorer"))
CALLING = frozenset(("tool", "handoff"))


@dataclass
class Response:
    """One answer of the model: its message, whether a user spoke before it, and whether a compaction did."""

    message: dict[str, Any]
    asked: bool
    compacted: bool = False
    spent: Spent = NOTHING


@dataclass
class Trace:
    """What the events tell. `main` are the responses of the sample's own agent, `agents` those of its sub-agents.

    A sub-agent is a span of type `agent` within a span of a tool call. Responses asked for by scorers are left out, and
    so are failed and unfinished ones.
    """

    events: list[Any]
    pool: Any = None
    main: list[Response] = field(default_factory=list)
    agents: dict[str, list[Response]] = field(default_factory=dict)
    compacted: bool = False

    def __post_init__(self) -> None:
        """Sort the events."""
        self._spans: dict[str | None, tuple[str | None, str | None]] = {}
        self._tools: dict[str, tuple[str, bool]] = {}
        pending: set[str] = set()
        for event in self.events:
            if not isinstance(event, dict):
                continue
            kind = event.get("event")
            if kind == "span_begin":
                above = scalar_text(event.get("parent_id"))
                self._spans[scalar_text(event.get("id"))] = (scalar_text(event.get("type")), above)
            elif kind == "tool":
                self._tool(event)
            elif kind == "compaction":
                pending.add(agent := self._agent(event) or "")
                self.compacted |= not agent
            elif kind == "model":
                self._model(event, pending)

    def _model(self, event: dict[str, Any], pending: set[str]) -> None:
        agent = self._agent(event)
        message = _answer(event)
        if agent is None or message is None:
            return
        output = event["output"]
        spent = tokens_in(output.get("usage")), lasting(output.get("time"))
        response = Response(message, self._asked(event), agent in pending, spent)
        pending.discard(agent)
        (self.agents.setdefault(agent, []) if agent else self.main).append(response)

    def _agent(self, event: dict[str, Any]) -> str | None:
        """Name the outermost sub-agent that an event belongs to; empty for none, None for a scorer's."""
        found, inner, span, steps = "", "", scalar_text(event.get("span_id")), 0
        while span in self._spans and steps < 1000:
            kind, parent = self._spans[span]
            if kind in SCORING:
                return None
            if kind == "agent":
                inner = str(span)
            elif kind in CALLING and inner:
                found = inner
            span, steps = parent, steps + 1
        return found

    def _asked(self, event: dict[str, Any]) -> bool:
        given = event.get("input")
        last = given[-1] if isinstance(given, list) and given else None
        refs = event.get("input_refs")
        if last is None and isinstance(refs, list) and refs and isinstance(self.pool, list):
            end = refs[-1][1] if isinstance(refs[-1], list) and len(refs[-1]) == 2 else 0
            last = self.pool[end - 1] if isinstance(end, int) and 0 < end <= len(self.pool) else None
        return isinstance(last, dict) and last.get("role") == "user"

    def _tool(self, event: dict[str, Any]) -> None:
        if (call_id := scalar_text(event.get("id"))) is None or event.get("pending"):
            return
        result, error = event.get("result"), event.get("error")
        text = text_of(result) if isinstance(result, (str, list)) else json_text(result) if result is not None else ""
        if not text and isinstance(error, dict):
            text = str(error.get("message") or "")
        self._tools[call_id] = (text or "", bool(error))

    def results_of(self, response: Response) -> Iterator[tuple[str, str, bool]]:
        """Give the results of the calls of a response: id, text and whether it is an error."""
        calls = response.message.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            call_id = scalar_text(call.get("id")) if isinstance(call, dict) else None
            if call_id in self._tools:
                yield (call_id, *self._tools[call_id])


class _Message(msgspec.Struct):
    id: Any = None


class _Choice(msgspec.Struct):
    message: _Message | None = None


class _Output(msgspec.Struct):
    choices: list[_Choice] = []
    usage: dict[str, Any] | None = None
    time: float | None = None


class _Event(msgspec.Struct):
    output: _Output | None = None


_light = msgspec.json.Decoder(list[_Event]).decode


def spent_by_message(events: Any) -> dict[Any, Spent]:
    """Give what each response cost, by the id of its message; of events as bytes only that is decoded.

    >>> spent_by_message(b'[{"output": {"choices": [{"message": {"id": "m"}}], "usage": {"output_tokens": 3}}}]')
    {'m': (3, None)}
    """
    try:
        found = (
            _light(events) if isinstance(events, (bytes, msgspec.Raw)) else msgspec.convert(events or [], list[_Event])
        )
    except (ValueError, RecursionError):
        return {}
    return {
        choice.message.id: (tokens_in(event.output.usage), lasting(event.output.time))
        for event in found
        if event.output is not None
        for choice in event.output.choices[:1]
        if choice.message is not None and isinstance(choice.message.id, str)
    }


def _answer(event: dict[str, Any]) -> dict[str, Any] | None:
    output = event.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return message if isinstance(message, dict) and not event.get("error") and not event.get("pending") else None
