"""Nothing that a detector needs is dropped: whatever changes in a session of any format, some column changes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.sessions import FORMS, Run, chat, runs
from calib.formats._talk import TOKENS
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
