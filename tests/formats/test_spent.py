"""What responses cost: output tokens and milliseconds, where each format says them."""

from typing import Any

import pytest

from benchmarks.sessions import FORMS, runs
from calib.formats._talk import MILLISECONDS, TOKENS
from calib.ingest.sniff import recognised
from tests.formats import test_inspect_eval
from tests.formats.reading import told

DAY = 86_460_000
"""Steps of the made sessions are a day and a minute apart."""
SPENT: dict[str, tuple[list[int | None], list[int | None]]] = {
    "claude_code": ([300] * 3, [None, DAY, DAY]),
    "claude_stream": ([300] * 3, [None] * 3),
    "anthropic_messages": ([None, None, 300], [None] * 3),
    "codex": ([300] * 3, [0, DAY, DAY]),
    "responses": ([300] * 3, [None] * 3),
    "copilot_cli": ([300] * 3, [0] * 3),
    "gemini_cli": ([300] * 3, [0, DAY, DAY]),
    "pi": ([300] * 3, [None, DAY, DAY]),
    "openhands": ([300] * 3, [None, DAY, DAY]),
    "openhands_sdk": ([None] * 3, [None, DAY, DAY]),
    "otel_genai": ([300] * 3, [500] * 3),
    "request_dump": ([None, None, 300], [None] * 3),
    "mini_swe_agent": ([300] * 3, [None, 0, 0]),
    "atif": ([300] * 3, [0, DAY, DAY]),
    "tau2_bench": ([300] * 3, [None, DAY, DAY]),
    "inspect_eval": ([300] * 3, [1000] * 3),
    "opencode": ([300] * 3, [1000] * 3),
}
NEITHER = ("message_lines", "chat_completions", "sharegpt", "hermes_session", "swe_agent", "intercode",
           "tau_bench")  # fmt: skip


def spent(episode: Any) -> tuple[list[Any], list[Any]]:
    return [turn[TOKENS] for turn in episode.turns], [turn[MILLISECONDS] for turn in episode.turns]


def three(format: str) -> list[Any]:
    run = next(runs(1, 0.1))
    return FORMS[format].make(run._replace(steps=run.steps[:3]))


@pytest.mark.parametrize("format", FORMS)
def test_sessions_of_three_responses(format: str) -> None:
    records = three(format)
    if format == "tau_bench":
        (records,) = records
    expected = SPENT.get(format, ([None] * 3, [None] * 3))
    assert (format in SPENT) != (format in NEITHER)
    assert spent(told(format, records).one) == expected


def test_messages_that_carry_usage_and_times() -> None:
    said = [
        {"role": "user", "content": "a", "timestamp": "2026-01-01T00:00:00Z"},
        {"role": "assistant", "content": "b", "timestamp": "2026-01-01T00:00:02Z", "usage": {"completion_tokens": 7}},
        {"role": "tool", "content": "c", "timestamp": "2026-01-01T00:00:05Z"},
        {"role": "assistant", "content": "d", "timestamp": "2026-01-01T00:00:06Z"},
    ]
    assert spent(told("message_lines", said).one) == ([7, None], [2000, 1000])
    assert spent(told("episode_lines", [{"messages": said}]).one) == ([7, None], [2000, 1000])


def test_events_of_an_inspect_log_tell_what_its_messages_cost() -> None:
    message = {"role": "assistant", "id": "m", "content": "a"}
    output = {"choices": [{"message": message}], "usage": {"output_tokens": 5}, "time": 1.25}
    sample = {**test_inspect_eval.SAMPLE, "messages": [message], "events": [{"event": "model", "output": output}]}
    assert spent(told("inspect_eval", [{**test_inspect_eval.LOG, "samples": [sample]}]).one) == ([5], [1250])


def test_metrics_of_openhands_name_responses() -> None:
    metrics = {"token_usages": [{"response_id": "r1", "completion_tokens": 4}],
               "response_latencies": [{"response_id": "r1", "latency": 0.5}]}  # fmt: skip
    (run,) = three("openhands_sdk")
    state = {"kind": "ConversationStateUpdateEvent", "source": "environment", "key": "stats",
             "value": {"usage_to_metrics": {"agent": metrics}}}  # fmt: skip
    run["history"].append(state)
    assert spent(told("openhands_sdk", [run]).one) == ([None, 4, None], [None, 500, DAY])
    (run,) = three("openhands")
    assert spent(told("openhands", [{**run, "metrics": metrics}]).one) == ([300] * 3, [None, 500, DAY])


def test_a_count_that_comes_behind_a_result_or_twice() -> None:
    records = three("codex")
    count = next(record for record in records if record["payload"].get("type") == "token_count")
    other = {**count, "payload": {**count["payload"], "info": {"last_token_usage": {"output_tokens": 9}}}}
    assert spent(told("codex", [*records, other]).one)[0] == [300] * 3
    ordered = sorted(records, key=lambda record: record["payload"].get("type") == "token_count")
    assert spent(told("codex", ordered).one)[0] == [None, None, 300]
    at = records.index(count)
    sooner = [*records[: at - 1], count, records[at - 1], *records[at + 1 :]]  # before the result
    assert spent(told("codex", sooner).one)[0] == [300] * 3


def test_a_session_of_hermes_counts_tokens() -> None:
    messages = [{"role": "user", "content": "a", "timestamp": 10.0},
                {"role": "assistant", "content": "b", "timestamp": 12.5, "token_count": 6}]  # fmt: skip
    (session,) = three("hermes_session")
    assert spent(told("hermes_session", [{**session, "messages": messages}]).one) == ([6], [2500])


def test_a_step_of_opencode_lasts_until_its_tool_begins() -> None:
    (session,) = three("opencode")
    tool = next(part for part in session["messages"][1]["parts"] if part["type"] == "tool")
    tool["state"]["time"] = {"start": 1.25}
    assert spent(told("opencode", [session]).one)[1] == [250, 1000, 1000]


@pytest.mark.parametrize("format", FORMS)
def test_made_sessions_are_recognised(format: str) -> None:
    records = three(format)
    values = records[0] if format == "tau_bench" else records
    assert format in {recognised(value) for value in values}
