"""Spans of many traces to conversations: who answered whom, in which order, and for which agent."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._decode import Notices, json_text
from calib.formats._otel import Attributes, Said, attributes_of, input_of, objects, output_of
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._spent import Spent, lasting
from calib.formats._talk import Talk

ANSWERS = frozenset(("chat", "generate_content", "text_completion"))
TOLD = ("gen_ai.", "llm.", "openinference.", "traceloop.")
CONVERSATION = ("gen_ai.conversation.id", "session.id")
FAILED = ("2", "STATUS_CODE_ERROR")
FACTS = {"provider": ("gen_ai.provider.name", "gen_ai.system", "llm.provider"), "agent": ("gen_ai.agent.name",)}
MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
RESULT = ("gen_ai.tool.call.result", "output.value", "traceloop.entity.output")
ARGUMENTS = ("gen_ai.tool.call.arguments", "input.value", "tool.parameters", "traceloop.entity.input")
NAME = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
TOKENS = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")


def _first(attributes: Attributes, keys: tuple[str, ...]) -> Any:
    return next((attributes[key] for key in keys if attributes.get(key) is not None), None)


@dataclass
class Span:
    """One span. `told`: it says something about a model, an agent or a tool."""

    trace: str
    id: str
    parent: str
    start: int
    attributes: Attributes
    events: list[tuple[str, Attributes]]
    failed: bool
    service: str | None
    end: int = 0

    @classmethod
    def read(cls, span: dict[str, Any], resource: dict[str, Any]) -> "Span":
        """Read a span as OTLP JSON has it."""
        status = span.get("status")
        events = objects(span.get("events"))
        return cls(
            str(span.get("traceId") or ""), str(span.get("spanId") or ""), str(span.get("parentSpanId") or ""),
            _nanoseconds(span.get("startTimeUnixNano")),
            attributes_of(span.get("attributes")),
            [(str(event.get("name")), attributes_of(event.get("attributes"))) for event in events],
            isinstance(status, dict) and str(status.get("code")) in FAILED,
            scalar_text(attributes_of(resource.get("attributes")).get("service.name")),
            _nanoseconds(span.get("endTimeUnixNano")),
        )  # fmt: skip

    def __post_init__(self) -> None:
        """Settle once what is asked again and again."""
        self.kind = _kind(self.attributes)
        """`answer`, `agent`, `tool` or nothing."""
        self.told = self.kind != "" or any(key.startswith(TOLD) for key in self.attributes)
        self.told = self.told or any(name.startswith("gen_ai.") for name, _ in self.events)

    @property
    def spent(self) -> Spent:
        """Tokens and milliseconds of an answer: how long its span lasted."""
        took = (self.end - self.start) / 1e9 if self.start and self.end else None
        return whole_number(_first(self.attributes, TOKENS)), lasting(took)


def _kind(said: Attributes) -> str:
    name = scalar_text(said.get("gen_ai.operation.name"))
    other = str(said.get("openinference.span.kind") or said.get("traceloop.span.kind") or "").lower()
    if name in ANSWERS or other == "llm" or said.get("llm.request.type") in ("chat", "completion"):
        return "answer"
    if name in ("invoke_agent", "create_agent") or other == "agent":
        return "agent"
    if name == "execute_tool" or other == "tool":
        return "tool"
    completed = "gen_ai.output.messages" in said or any(key.startswith("gen_ai.completion") for key in said)
    return "answer" if name is None and completed else ""


def _nanoseconds(written: Any) -> int:
    text = str(written or "0")
    return int(text) if text.isdecimal() and len(text) < 20 else 0


@dataclass
class Answer:
    """What a model answered: `said` is None when it was not recorded."""

    span: Span
    said: Said | None
    new: list[Said]


class Traces:
    """Takes spans in any order."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._spans: dict[str, dict[str, Span]] = {}
        self._answers: dict[str, list[Answer]] = {}

    def add(self, span: Span) -> None:
        """Take a span; its messages are read at once, and only what is new in each request is kept."""
        known = self._spans.setdefault(span.trace, {})
        if span.id in known:
            return
        known[span.id] = span
        if span.kind == "answer":
            said = output_of(span.attributes, span.events, self._notices)
            new = input_of(span.attributes, span.events, self._notices)
            self._answers.setdefault(span.trace, []).append(Answer(span, said, new))
            kept = (*CONVERSATION, *MODEL, *TOKENS, "error.type", "gen_ai.response.finish_reasons", *FACTS["provider"])
            span.attributes = {key: span.attributes[key] for key in (*kept, *FACTS["agent"]) if key in span.attributes}
            span.events = [event for event in span.events if event[0].startswith("gen_ai.evaluation")]

    def conversations(self) -> Iterator["Conversation"]:
        """Give the conversations that hold answers, in order of their first span."""
        found: dict[str, Conversation] = {}
        for trace, answers in self._answers.items():
            spans = self._spans[trace]
            named = (_first(span.attributes, CONVERSATION) for span in spans.values())
            name = next((str(value) for value in named if value is not None), trace)
            conversation = found.setdefault(name, Conversation(name))
            conversation.add(trace, spans, answers)
        yield from found.values()


@dataclass
class Conversation:
    """The answers and tools of one conversation, by agent; the empty name is the agent that none called."""

    id: str
    traces: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with nothing."""
        self._spans: dict[str, Span] = {}
        self._answers: dict[str, list[Answer]] = {}
        self._tools: dict[str, list[Span]] = {}

    def add(self, trace: str, spans: dict[str, Span], answers: list[Answer]) -> None:
        """Take one trace."""
        self.traces.append(trace)
        self._spans |= spans
        for answer in answers:
            held = any(span.kind == "answer" for span in self._above(answer.span))
            if not held and not (answer.span.failed and answer.said is None):
                self._answers.setdefault(self._agent_of(answer.span), []).append(answer)
        for span in spans.values():
            if span.kind == "tool":
                self._tools.setdefault(self._agent_of(span), []).append(span)

    def _above(self, span: Span) -> Iterator[Span]:
        seen = {span.id}
        while (above := self._spans.get(span.parent)) is not None and above.id not in seen:
            seen.add(above.id)
            yield above
            span = above

    def _agent_of(self, span: Span) -> str:
        """Name the sub-agent of a span: the nearest agent above it that was itself called by an agent or a tool."""
        return next((above.id for above in self._above(span) if above.kind == "agent" and self._is_called(above)), "")

    def _is_called(self, agent: Span) -> bool:
        return any(caller.kind in ("agent", "tool") for caller in self._above(agent))

    def agents(self) -> list[str]:
        """List the agents that answered, the main one first."""
        if not self._answers:
            return [""]
        return sorted(self._answers, key=lambda name: (name != "", self._answers[name][0].span.start, name))

    def tell(self, talk: Talk, agent: str) -> About:
        """Tell the turns of an agent to a talk; give what is known about the episode."""
        answers = sorted(self._answers.get(agent, []), key=lambda one: one.span.start)
        tools = sorted(self._tools.get(agent, []), key=lambda span: span.start)
        starts = [span.start for span in tools]
        for number, answer in enumerate(answers):
            following = answers[number + 1] if number + 1 < len(answers) else None
            end = bisect_left(starts, following.span.start) if following else len(tools)
            ran = tools[bisect_left(starts, answer.span.start) : end]
            if answer.new and answer.new[-1].role == "user" and not answer.new[-1].results:
                talk.user()
            _turn(talk, answer.said, ran, following.new if following else [])
            talk.spent(*answer.span.spent)
        return self._about(agent, answers)

    def _about(self, agent: str, answers: list[Answer]) -> About:
        about = About(f"{self.id}/{agent}" if agent else self.id)
        if agent:
            above = self._agent_of(self._spans[agent])
            about.parent = f"{self.id}/{above}" if above else self.id
        spans = [answer.span for answer in answers]
        about.model = next((str(m) for span in spans if (m := _first(span.attributes, MODEL)) is not None), None)
        finished = next((a.said.finish for a in reversed(answers) if a.said and a.said.finish), None)
        about.stop_reason = self._error(agent) or finished or _reasons(spans)
        about.outcome = self._label()
        said = {"service": next((span.service for span in spans if span.service), None)}
        for name, keys in FACTS.items():
            said[name] = next((str(v) for span in spans if (v := _first(span.attributes, keys)) is not None), None)
        about.metadata = {name: value for name, value in said.items() if value}
        return about

    def _error(self, agent: str) -> str | None:
        own = [self._spans[agent]] if agent else [span for span in self._spans.values() if span.kind == "agent"]
        failed = [span for span in own if span.failed and (agent or not self._is_called(span))]
        return next((scalar_text(span.attributes.get("error.type")) for span in failed), None)

    def _label(self) -> str | None:
        said = [span.attributes for span in self._spans.values()]
        said += [attributes for span in self._spans.values() for _, attributes in span.events]
        labels = {label for one in said if (label := scalar_text(one.get("gen_ai.evaluation.score.label")))}
        return labels.pop() if len(labels) == 1 else None


def _reasons(spans: list[Span]) -> str | None:
    reasons = spans[-1].attributes.get("gen_ai.response.finish_reasons") if spans else None
    return scalar_text(reasons[0] if isinstance(reasons, list) and reasons else reasons)


def _turn(talk: Talk, said: Said | None, ran: list[Span], new: list[Said]) -> None:
    """Tell an answer and the results of its calls: those of its tools when it was not recorded, or cut."""
    if said is None:
        talk.turn(None, "absent", None, None, [_call_of(span) for span in ran])
        for ended in ran:
            talk.result(_id_of(ended), _result(ended) or "", ended.failed)
        return
    calls = [_call_of(span) for span in ran] if said.cut and not said.calls else said.calls
    talk.turn(said.reasoning, said.state, "native", said.text, calls)
    by_id = {key: text for one in new for key, text in one.results}
    left = list(ran)
    for call in calls:
        span = next((span for span in left if _answers(span, call)), None)
        if span is not None:
            left.remove(span)
        text = _result(span) if span is not None else None
        if text is None:
            text = by_id.get(call.id)
        if text is not None or (span is not None and span.failed):
            talk.result(call.id, text or "", span.failed if span is not None else None)


def _id_of(span: Span) -> str:
    return scalar_text(span.attributes.get("gen_ai.tool.call.id")) or f"#{span.id}"


def _call_of(span: Span) -> Call:
    arguments = _first(span.attributes, ARGUMENTS)
    return made_call(_id_of(span), scalar_text(_first(span.attributes, NAME)), arguments)


def _answers(span: Span, call: Call) -> bool:
    known = scalar_text(span.attributes.get("gen_ai.tool.call.id"))
    return known == call.id if known and call.id else scalar_text(_first(span.attributes, NAME)) == call.tool


def _result(span: Span) -> str | None:
    value = _first(span.attributes, RESULT)
    return value if value is None or isinstance(value, str) else json_text(value)
