"""Readers of content blocks: whatever stands in a record, it is told, ignored or rejected; nothing else is raised."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats._codes import NOTICES
from calib.registry import entry
from tests.formats import test_anthropic_messages, test_claude_code, test_claude_stream, test_opencode, test_pi
from tests.formats.reading import paths, told

FIXTURES: dict[str, list[Any]] = {
    "claude_code": test_claude_code.SESSION,
    "claude_stream": test_claude_stream.RUN,
    "anthropic_messages": [test_anthropic_messages.ONE, test_anthropic_messages.TWO],
    "opencode": [test_opencode.SESSION],
    "pi": test_pi.SESSION,
}
ODD: tuple[Any, ...] = (
    None, True, -1, 1.5, 10**30, "", "x", [], ["x"], [[]], {}, {"type": "text"}, [{"type": {}}], [{"type": "text"}],
)  # fmt: skip
WORDS = (
    "type", "role", "content", "message", "messages", "id", "uuid", "sessionId", "session_id", "data", "attachment",
    "text", "thinking", "input", "name", "parts", "info", "state", "request", "response", "body", "loglines", "usage",
    "agentId", "isSidechain", "parentUuid", "subtype", "tool_use_id", "metadata", "errors", "loglines", "agentType",
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from([
        None, True, 0, 1.5, "", "x", "user", "assistant", "message", "session", "tool_use", "tool_result", "thinking",
        "progress", "agent_progress", "system", "init", "compact_boundary", "result", "toolCall", "step-start", "tool",
    ]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=10,
)  # fmt: skip


@pytest.mark.parametrize("format", FIXTURES)
def test_an_odd_value_anywhere(format: str) -> None:
    records = FIXTURES[format]
    for number, record in enumerate(records):
        places = {path[:size] for path in paths(record) for size in range(1, len(path) + 1)}
        for path in sorted(places, key=str):
            for odd in ODD:
                other = copy.deepcopy(record)
                box = other
                for key in path[:-1]:
                    box = box[key]
                box[path[-1]] = odd
                entry("calib.formats", format).recognises(other)
                found = told(format, [*records[:number], other, *records[number + 1 :]])
                assert set(found.notices) <= set(NOTICES)
                assert all(episode.stretches and episode.about.metadata_text() for episode in found.episodes)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(FIXTURES)), st.lists(VALUES, max_size=4))
def test_any_value(format: str, values: list[Any]) -> None:
    for value in values:
        entry("calib.formats", format).recognises(value)
    told(format, [*values, FIXTURES[format][0]])
