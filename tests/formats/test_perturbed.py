"""Nothing that a detector needs is dropped: whatever changes in a session of any format, some column changes."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.sessions import FORMS, Run, chat, runs
from calib.formats._talk import IS_ERROR, TOKENS
from tests.formats.reading import rows, told

SAID = ("thought", "text", "tool", "arguments", "result")
UNSAID = {"swe_agent": {"text"}, "intercode": {"text", "tool"}}
"""What a format has no place for; SWE-agent's `response` holds thought and action once more."""
UNNAMED = ("swe_agent", "intercode", "sharegpt", "gemini_cli", "opencode")
"""Formats whose results need no id: they stand in order, or in the call."""
MAKE = {name: form.make for name, form in FORMS.items()} | {"episode_lines": lambda run: [{"messages": chat(run)}]}


def session() -> Run:
    run = next(runs(1, 0.05))
    steps = [step._replace(tool="bash", arguments={"command": f"ls {at}"}) for at, step in enumerate(run.steps[:3])]
    return run._replace(steps=steps)


def seen(format: str, records: Any) -> Any:
    return rows(told(format, records[0] if format == "tau_bench" else records))


@pytest.mark.parametrize("format", MAKE)
@pytest.mark.parametrize("field", SAID)
def test_what_a_response_says(format: str, field: str) -> None:
    run = session()
    before = seen(format, MAKE[format](run))
    for at, step in enumerate(run.steps):
        value = getattr(step, field)
        other = {"command": "rm -r x"} if field == "arguments" else f"{value} other"
        changed: dict[str, Any] = {field: other}
        steps = [*run.steps[:at], step._replace(**changed), *run.steps[at + 1 :]]
        differs = seen(format, MAKE[format](run._replace(steps=steps))) != before
        lost = field == "result" and at == 2 and format in ("request_dump", "anthropic_messages", "responses")
        assert differs != (field in UNSAID.get(format, ()) or lost), at


def one_by_one(value: Any, old: str, new: str) -> Iterator[Any]:
    """The value with one occurrence of a text replaced, for each occurrence."""
    pieces = json.dumps(value).split(old)
    for at in range(1, len(pieces)):
        yield json.loads(old.join(pieces[:at]) + new + old.join(pieces[at:]))


@pytest.mark.parametrize("format", [name for name in MAKE if name not in UNNAMED])
def test_a_result_finds_its_call_by_the_id(format: str) -> None:
    run = session()
    records = MAKE[format](run)
    before = seen(format, records)
    others = list(one_by_one(records, run.steps[0].id + '"', "call_other" + '"'))
    assert any(seen(format, other) != before for other in others)


@pytest.mark.parametrize("format", [name for name in MAKE if "300" in json.dumps(MAKE[name](session()))])
def test_tokens_of_each_response(format: str) -> None:
    records = MAKE[format](session())
    before = seen(format, records)
    said = sum(turn[TOKENS] is not None for episode in before for turn in episode[2])
    old = '"300"' if format == "otel_genai" else ": 300"
    changed = [seen(format, other) != before for other in one_by_one(records, old, old.replace("300", "301"))]
    assert sum(changed) >= said > 0


def field(name: str, value: Any, /, **has: Any) -> Callable[[Any], dict[str, Any] | None]:
    """What a dict becomes that holds `has`, when its call failed."""
    return lambda found: {**found, name: value} if all(found.get(key) == has[key] for key in has) else None


def exit_code(found: Any) -> dict[str, Any] | None:
    """The output of a call of Codex as its older versions wrote it."""
    if found.get("type") != "function_call_output":
        return None
    return {**found, "output": json.dumps({"output": found["output"], "metadata": {"exit_code": 1}})}


BLOCK, ROLE = field("is_error", True, type="tool_result"), field("is_error", True, role="tool")
FAILS: dict[str, Callable[[Any], dict[str, Any] | None]] = {
    **dict.fromkeys(("claude_code", "claude_stream", "anthropic_messages"), BLOCK),
    **dict.fromkeys(("message_lines", "chat_completions", "episode_lines", "request_dump", "tau_bench"), ROLE),
    "codex": exit_code,
    "copilot_cli": field("success", False, success=True),
    "pi": field("isError", True, role="toolResult"),
    "gemini_cli": field("status", "error", status="success"),
    "openhands": field("success", False, observation="run"),
    "openhands_sdk": field("is_error", True, kind="TerminalObservation"),
    "otel_genai": field("status", {"code": 2}, name="execute_tool"),
    "inspect_eval": field("error", {"type": "unknown", "message": "no"}, role="tool"),
    "mini_swe_agent": field("returncode", 1, returncode=0),
    "tau2_bench": field("error", True, requestor="assistant"),
    "opencode": field("status", "error", status="completed"),
}
SAY_NOTHING = {"swe_agent", "atif", "sharegpt", "hermes_session", "responses", "intercode"}
"""Formats without a mark of a failed call; InterCode marks an action that is none."""


def failing(value: Any, fails: Callable[[Any], dict[str, Any] | None]) -> Any:
    if isinstance(value, list):
        return [failing(one, fails) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: failing(one, fails) for key, one in value.items()}
    return fails(made) or made


def test_every_format_says_whether_calls_fail_or_cannot() -> None:
    assert set(FAILS) | SAY_NOTHING == set(MAKE)


@pytest.mark.parametrize("format", FAILS)
def test_a_call_that_failed(format: str) -> None:
    records = MAKE[format](session())
    flags = [[call[IS_ERROR] for episode in seen(format, made) for call in episode[3]]
             for made in (records, failing(records, FAILS[format]))]  # fmt: skip
    assert True not in flags[0]
    assert len(flags[0]) == len(flags[1])
    answered = len(flags[1]) - (format in ("request_dump", "anthropic_messages"))
    assert flags[1][:answered] == [True] * answered
