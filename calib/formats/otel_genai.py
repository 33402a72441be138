"""OpenTelemetry GenAI spans as OTLP JSON: one `{resourceSpans: […]}` a line, or in a file.

*Recognised by*: an object with a list `resourceSpans`.

*Turn*: a span of a model's answer: `gen_ai.operation.name` is `chat`, `generate_content` or `text_completion`; or it is
of OpenInference's kind `LLM`; or it holds a completion. A span within another such span is the same answer. A span that
failed and holds no answer is a retry and no turn. Turns are ordered by their start. An episode is a
`gen_ai.conversation.id` (or `session.id`), else a trace; an agent's span within another agent's or a tool's is a
sub-agent, an episode of its own.

*Reasoning*: parts of type `reasoning` (native), or the reasoning fields of a chat message.

*Calls and results*: parts of type `tool_call`, `tool_calls`, or their flattened keys; results are the tool spans of the
same call id (`gen_ai.tool.call.result`, `output.value`), else what the next request holds. Where answers were not
recorded, or a length limit cut them, the tool spans that follow are the calls.

*Tokens and times*: `gen_ai.usage.output_tokens` (or OpenInference's `llm.token_count.completion`); how long the span
lasted.

*Outcome and stop*: the label of an evaluation (`gen_ai.evaluation.score.label`) when all agree. The stop reason is the
`error.type` of an agent's span that failed, else the finish reason of the last answer.

*Cannot know*: what was not captured (message content is off by default), spans that sampling dropped, and the turn
limit. Attributes that a length limit cut are kept as text; reasoning that begins in one is withheld.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._otel import objects
from calib.formats._otel_trace import Conversation, Span, Traces
from calib.formats._reader import Given, Ignored, Passed, Records, check
from calib.formats._record import About
from calib.formats._talk import Episode, Stretch, Talk, stretch

SUMMARY = "OpenTelemetry GenAI spans: OTLP JSON with `resourceSpans`"
RANK = 36
STREAM = True


def recognises(value: Any) -> bool:
    """Tell whether a value is an export of spans."""
    return isinstance(value, dict) and isinstance(value.get("resourceSpans"), list)


class Reader(Records):
    """Gives episodes at the end of the file, for a parent may come after its children."""

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._traces = Traces(self.notices)
        self._where: dict[str, list[Stretch]] = {}

    def record(self, value: Any, where: Stretch) -> Iterable[Given]:
        """Take the spans of one export.

        Raises Rejected or Ignored.
        """
        check(recognises(value), "no-messages", "expected an object with a list `resourceSpans`")
        spans = list(_spans(value))
        named = list(dict.fromkeys(span.trace for span in spans if span.told))
        for span in spans:
            self._traces.add(span)
        if not named:
            raise Ignored("spans-without-gen-ai")
        for number, trace in enumerate(named):
            stretch(self._where.setdefault(trace, []), (where[0], where[1], 0 if number else where[2]))
        return ()

    def finish(self) -> Iterator[Given]:
        """Give the episodes of all conversations."""
        for conversation in self._traces.conversations():
            stretches = [part for trace in conversation.traces for part in self._where.pop(trace, ())]
            for agent in conversation.agents():
                yield self._episode(conversation, agent, stretches)
                line, first, _ = stretches[0]
                stretches = [(line, first, 0)]
        for left in self._where.values():
            yield Passed("spans-without-answers", sum(size for _, _, size in left))

    def _episode(self, conversation: Conversation, agent: str, stretches: list[Stretch]) -> Episode:
        talk = Talk(self.text, self.notices)
        about: About = conversation.tell(talk, agent)
        episode = talk.finish(about)
        episode.stretches = sorted(stretches)
        return episode


def _spans(value: dict[str, Any]) -> Iterator[Span]:
    for resource in objects(value["resourceSpans"]):
        made_by = resource.get("resource")
        for scope in objects(resource.get("scopeSpans") or resource.get("instrumentationLibrarySpans")):
            for span in objects(scope.get("spans")):
                yield Span.read(span, made_by if isinstance(made_by, dict) else {})
