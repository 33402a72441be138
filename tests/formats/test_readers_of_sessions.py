"""Readers of coding sessions: whatever stands in a record, it is told, ignored or rejected; nothing else is raised."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.ingest.sniff import recognised
from calib.registry import entry
from tests.formats import test_codex, test_copilot_cli, test_gemini_cli, test_responses
from tests.formats.reading import paths, told

FIXTURES: dict[str, tuple[str, list[Any]]] = {
    **{f"codex-{shape}": ("codex", records) for shape, records in test_codex.SHAPES.items()},
    "responses-chain": ("responses", test_responses.CHAIN),
    "responses-flat": ("responses", [test_responses.FLAT]),
    "copilot_cli": ("copilot_cli", test_copilot_cli.SESSION),
    "gemini_cli-log": ("gemini_cli", test_gemini_cli.LOG),
    "gemini_cli-old": ("gemini_cli", [test_gemini_cli.OLD]),
}
FORMATS = ("codex", "responses", "copilot_cli", "gemini_cli")
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1.5, "", "x", "assistant", "reasoning", "function_call", "message", "state"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["type", "role", "content", "id", "output", "item", "msg", "payload", "data", "kind", "dir",
                         "$set", "messages", "usage", "error", "info", "git", "source", "call_id", "action", "name"]),
        inner, max_size=4,
    ),
    max_leaves=8,
)  # fmt: skip


def boxes(value: Any) -> list[tuple[Any, ...]]:
    """The places of all values, inner ones too."""
    return sorted({path[:size] for path in paths(value) for size in range(1, len(path) + 1)}, key=str)


@pytest.mark.parametrize("name", FIXTURES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_value_anywhere(name: str, data: st.DataObject) -> None:
    format, records = FIXTURES[name]
    records = copy.deepcopy(records)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(records) - 1))
        if not (places := boxes(records[at])):
            continue
        *path, last = data.draw(st.sampled_from(places))
        box = records[at]
        for key in path:
            box = box[key]
        box[last] = data.draw(VALUES)
    found = told(format, records)
    for episode in found.episodes:
        assert episode.stretches
        assert episode.about.metadata_text()


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=60, deadline=None)
@given(value=VALUES)
def test_any_record(format: str, value: Any) -> None:
    entry("calib.formats", format).recognises(value)
    told(format, [value])


@pytest.mark.parametrize("name", FIXTURES)
def test_no_other_format_takes_a_record(name: str) -> None:
    format, records = FIXTURES[name]
    taken = [recognised(record) for record in records]
    assert {*taken} <= {format, ""}
    assert taken.count(format) * 2 >= len(records)
