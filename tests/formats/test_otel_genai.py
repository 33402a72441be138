"""OpenTelemetry GenAI: parts, flattened keys and events; conversations, agents, tools, retries."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats._otel import attributes_of
from calib.formats.otel_genai import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

OPEN = Path(__file__).parents[2].parent / "shared" / "corpora" / "otel_genai"


def value(given: Any) -> dict[str, Any]:
    """A value as OTLP JSON writes it."""
    if isinstance(given, bool):
        return {"boolValue": given}
    if isinstance(given, int):
        return {"intValue": str(given)}
    if isinstance(given, list):
        return {"arrayValue": {"values": [value(item) for item in given]}}
    if isinstance(given, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": value(item)} for key, item in given.items()]}}
    return {"stringValue": given}


def attributes(**said: Any) -> list[dict[str, Any]]:
    return [{"key": key, "value": value(item)} for key, item in said.items()]


def span(name: str, start: int, parent: str = "", trace: str = "T", **more: Any) -> dict[str, Any]:
    made = {
        "traceId": trace, "spanId": name, "parentSpanId": parent, "startTimeUnixNano": str(start),
        "attributes": attributes(**more.pop("said", {})),
    }  # fmt: skip
    return {**made, **more}


def export(*spans: dict[str, Any], service: str = "shop") -> dict[str, Any]:
    resource = {"attributes": attributes(**{"service.name": service})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "s"}, "spans": list(spans)}]}]}


def chat(
    name: str, start: int, output: Any = None, new: Any = None, parent: str = "root", **more: Any
) -> dict[str, Any]:
    said = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m-1", **more.pop("said", {})}
    if output is not None:
        said["gen_ai.output.messages"] = output
    if new is not None:
        said["gen_ai.input.messages"] = new
    return span(name, start, parent, said=said, **more)


def message(role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "parts": list(parts), **more}


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "content": content}


def tool(name: str, start: int, call_id: str, result: Any, parent: str = "root", **more: Any) -> dict[str, Any]:
    said = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ls", "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.call.result": result}  # fmt: skip
    return span(name, start, parent, said={key: item for key, item in said.items() if item is not None}, **more)


ROOT = span("root", 1, said={"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper",
                             "gen_ai.conversation.id": "conv-1"})  # fmt: skip
CALL = {"type": "tool_call", "id": "a", "name": "ls", "arguments": {"dir": "."}}
LATER = {"type": "tool_call", "id": "b", "name": "cat", "arguments": '{"f": 1}'}
ASKED = [message("system", text("be good")), message("user", text("Q"))]
FIRST = message("assistant", {"type": "reasoning", "content": "Look."}, CALL, finish_reason="tool_call")
SECOND = message("assistant", {"type": "reasoning", "content": ""}, text("Hm"), LATER)
ANSWERED = [*ASKED, FIRST, message("tool", {"type": "tool_call_response", "id": "a", "response": {"n": 1}})]
MORE = [*ANSWERED, SECOND, message("tool", {"type": "tool_call_response", "id": "b", "response": "text of f"})]
SPANS = [
    chat("c3", 30, [message("assistant", text("Done"), finish_reason="stop")], MORE),
    chat("c1", 10, [FIRST], ASKED),
    chat("c2", 20, json.dumps([SECOND]), json.dumps(ANSWERED)),
    tool("t1", 15, "a", "x.py"),
    ROOT,
]
FILE = [export(*SPANS)]


def test_a_conversation_of_parts() -> None:
    episode = told("otel_genai", FILE).one
    assert column("text", episode) == [None, "Hm", "Done"]
    assert column("reasoning", episode) == ["Look.", "", None]
    assert column("state", episode) == ["recorded", "empty", "absent"]
    assert column("user_before", episode) == [True, False, False]
    assert calls(episode, "turn", "tool", "arguments", "result_head", "is_error") == [
        (0, "ls", '{"dir":"."}', "x.py", False),
        (1, "cat", '{"f": 1}', "text of f", None),
    ]
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason) == ("conv-1", "m-1", "stop")
    assert about.metadata == {"service": "shop", "agent": "helper"} or about.metadata == {"service": "shop"}


def test_lines_in_any_order_give_the_same() -> None:
    lines = [export(one) for one in SPANS]
    first, second = told("otel_genai", lines).one, told("otel_genai", lines[::-1]).one
    assert (
        (first.turns, first.calls) == (second.turns, second.calls) == (told("otel_genai", FILE).one.turns, first.calls)
    )


FLAT = {
    "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Hm",
    "gen_ai.completion.0.finish_reason": "tool_calls", "gen_ai.completion.0.tool_calls.0.id": "a",
    "gen_ai.completion.0.tool_calls.0.name": "ls", "gen_ai.completion.0.tool_calls.0.arguments": '{"dir": "."}',
    "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Q", "llm.request.type": "chat",
}  # fmt: skip
INFERENCE = {
    "openinference.span.kind": "LLM", "llm.model_name": "m-2", "llm.input_messages.0.message.role": "user",
    "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Hm",
    "llm.output_messages.0.message.tool_calls.0.tool_call.id": "a",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "ls",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"dir": "."}',
}  # fmt: skip
CHOICE = {"index": 0, "finish_reason": "tool_calls", "message": json.dumps({
    "role": "assistant", "content": "Hm",
    "tool_calls": [{"id": "a", "type": "function", "function": {"name": "ls", "arguments": '{"dir": "."}'}}],
})}  # fmt: skip
EVENTS = [
    {"name": "gen_ai.user.message", "attributes": attributes(content="Q")},
    {"name": "gen_ai.choice", "attributes": attributes(**CHOICE)},
]
SAME = message("assistant", text("Hm"), {**CALL, "arguments": '{"dir": "."}'})
CAPTURED = {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": [SAME]}
DETAILS = [{"name": "gen_ai.client.inference.operation.details", "attributes": attributes(**CAPTURED)}]


@pytest.mark.parametrize(
    "one",
    [
        span("c", 1, said=FLAT),
        span("c", 1, said=INFERENCE),
        span("c", 1, said={"gen_ai.operation.name": "chat"}, events=EVENTS),
        span("c", 1, said={"gen_ai.operation.name": "chat"}, events=DETAILS),
    ],
)
def test_other_spellings(one: dict[str, Any]) -> None:
    episode = told("otel_genai", [export(one, tool("t", 2, "a", "x.py", parent=""))]).one
    assert column("text", episode) == ["Hm"]
    assert column("user_before", episode) == [True]
    assert calls(episode, "tool", "arguments", "result_head") == [("ls", '{"dir": "."}', "x.py")]
    assert episode.about.episode_id == "T"


def test_without_content_the_tools_are_the_calls() -> None:
    failed = tool("t2", 3, "b", None, parent="", status={"code": 2})
    spans = [chat("c1", 1, parent=""), tool("t1", 2, "a", "x", parent=""), failed, chat("c2", 4, parent="")]
    episode = told("otel_genai", [export(*spans)]).one
    assert column("tools", episode) == [["ls", "ls"], []]
    assert calls(episode, "turn", "result_head", "is_error") == [(0, "x", False), (0, "", True)]
    assert column("state", episode) == ["absent", "absent"]


def test_retries_and_nested_spans_count_once() -> None:
    spans = [
        chat("c0", 1, parent="", status={"code": 2}, said={"error.type": "429"}),
        chat("c1", 2, [message("assistant", text("A"))], parent=""),
        chat("inner", 3, [message("assistant", text("A"))], parent="c1"),
    ]
    found = told("otel_genai", [export(*spans), export(spans[1])])
    assert column("text", found.one) == ["A"]


def test_a_subagent_is_an_episode_of_its_own() -> None:
    agent = {"gen_ai.operation.name": "invoke_agent", "error.type": "timeout"}
    spans = [
        *SPANS,
        tool("t2", 21, "b", "the report"),
        span("sub", 22, "t2", said=agent, status={"code": "STATUS_CODE_ERROR"}),
        chat("s1", 23, [message("assistant", text("deep"))], parent="sub"),
    ]
    main, inner = told("otel_genai", [export(*spans)]).episodes
    assert column("text", main) == [None, "Hm", "Done"]
    assert column("text", inner) == ["deep"]
    assert (inner.about.episode_id, inner.about.parent) == ("conv-1/sub", "conv-1")
    assert (inner.about.stop_reason, main.about.stop_reason) == ("timeout", "stop")
    assert sum(size for _, _, size in inner.stretches) == 0


def test_traces_of_one_conversation_are_one_episode() -> None:
    def turn(trace: str, start: int, said: str) -> dict[str, Any]:
        return chat(
            "c", start, [message("assistant", text(said))], parent="", trace=trace, said={"gen_ai.conversation.id": "k"}
        )

    episode = told("otel_genai", [export(turn("T2", 9, "two")), export(turn("T1", 3, "one"))]).one
    assert (episode.about.episode_id, column("text", episode)) == ("k", ["one", "two"])


def test_an_attribute_that_was_cut_is_kept_as_text() -> None:
    found = told("otel_genai", [export(chat("c", 1, '[{"role": "assistant", "parts": [{"type": "te'))])
    assert column("text", found.one) == ['[{"role": "assistant", "parts": [{"type": "te']
    assert found.notices["attribute-cut"] == 1


def test_reasoning_in_an_attribute_that_was_cut_is_withheld_and_the_tools_are_its_calls() -> None:
    whole = json.dumps([FIRST])
    spans = [
        chat("c1", 10, whole[: whole.index("Look.") + 3], ASKED),
        tool("t1", 15, "a", "x.py"),
        chat("c2", 20, [SECOND]),
    ]
    found = told("otel_genai", [export(ROOT, *spans)])
    assert column("state", found.one) == ["withheld", "empty"]
    assert column("tools", found.one) == [["ls"], ["cat"]]
    assert calls(found.one, "turn", "result_head")[0] == (0, "x.py")
    bare = chat("c1", 10, '{"role": "assistant", "reasoning_content": "Lo')
    assert column("state", told("otel_genai", [export(bare)]).one) == ["withheld"]
    assert column("state", told("otel_genai", [export(chat("c1", 10, 'my "reasoning": x'))]).one) == ["absent"]


def test_an_evaluation_is_the_outcome() -> None:
    event = {"name": "gen_ai.evaluation.result", "attributes": attributes(**{"gen_ai.evaluation.score.label": "pass"})}
    assert told("otel_genai", [export(chat("c", 1, [FIRST], events=[event]))]).one.about.outcome == "pass"


def test_values() -> None:
    listed = [
        {"key": "a", "value": {"intValue": "-5"}}, {"key": "b", "value": {"intValue": "x"}}, {"key": "c", "value": {}},
        {"key": "d", "value": {"kvlistValue": {"values": [{"key": "e", "value": {"doubleValue": 0.5}}, 7]}}}, 9,
        {"key": "f", "value": {"arrayValue": {}}},
    ]  # fmt: skip
    assert attributes_of(listed) == {"a": -5, "b": "x", "c": None, "d": {"e": 0.5}, "f": []}


def test_recognised_alone() -> None:
    assert known_by(FILE[0]) == ["otel_genai"]
    for odd in odd_values(FILE[0]):
        recognises(odd)


def test_every_field_is_heard() -> None:
    at = "0.resourceSpans.0.scopeSpans.0.spans."
    places = [
        at + place
        for place in (
            "0.traceId", "0.startTimeUnixNano", "1.attributes.1.value.stringValue",
            "1.attributes.2.value.arrayValue.values.0.kvlistValue.values.1.value.arrayValue.values.0"
            ".kvlistValue.values.1.value.stringValue",
            "2.attributes.2.value.stringValue", "3.attributes.2.value.stringValue", "3.attributes.3.value.stringValue",
            "4.attributes.2.value.stringValue",
        )
    ]  # fmt: skip
    assert unheard("otel_genai", FILE, *places) == []


def test_account_of_lines_without_answers(tmp_path: Path) -> None:
    lines = [
        export(span("x", 1, said={"http.method": "GET"})),
        *FILE,
        export(tool("lonely", 1, "a", "x", trace="other")),
        {"resourceSpans": [{"scopeSpans": [{"spans": [5]}]}, 7]},
    ]
    path = tmp_path / "spans.json"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    read = ingested(tmp_path, [path])
    (source,) = read.sources
    assert (source["format"], source["episodes"], source["turns"]) == ("otel_genai", 1, 3)
    assert {kind: part["records"] for kind, part in source["account"]["ignored"].items()} == {
        "spans-without-gen-ai": 2,
        "spans-without-answers": 1,
    }
    assert source["account"]["kept"] == len(json.dumps(FILE[0])) + 1


@pytest.mark.skipif(not OPEN.exists(), reason="the open corpora are not here")
def test_the_open_file_holds_no_genai_spans(tmp_path: Path) -> None:
    (source,) = ingested(tmp_path, [OPEN]).sources
    assert (source["format"], source["episodes"]) == ("otel_genai", 0)
    assert source["account"]["ignored"]["spans-without-gen-ai"]["records"] == 2
