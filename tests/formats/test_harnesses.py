"""The formats of agent harnesses under odd values: nothing but a verdict on the record comes of any of them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from calib.registry import entry, names
from tests.formats import test_intercode as intercode
from tests.formats import test_mini_swe_agent as mini
from tests.formats import test_openhands as openhands
from tests.formats import test_openhands_sdk as sdk
from tests.formats import test_swe_agent as swe
from tests.formats.reading import told

FILES: list[tuple[str, list[Any]]] = [
    ("openhands", [{**openhands.RUN, "error": "E"}]),
    ("openhands", openhands.HISTORY),
    ("openhands_sdk", [sdk.RUN]),
    ("openhands_sdk", sdk.EVENTS),
    ("swe_agent", [{**swe.FILE, "replay_config": swe.REPLAY, "history": [swe.answer(one) for one in swe.STEPS]}]),
    ("mini_swe_agent", [mini.FILE]),
    ("mini_swe_agent", [mini.OLD]),
    ("intercode", [{"11": intercode.REACT, "12": intercode.PLAIN}]),
]
ODD: list[Any] = [None, True, 0, 1.5, "", "x", [], {}, [[]], [{}], [None], {"id": {"a": 1}}, [["a", 1]]]


def nodes(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values of a JSON value, but not of all alike elements of a list."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from nodes(item, (*at, key))


@pytest.mark.parametrize(("format", "records"), FILES)
def test_odd_values_never_break_a_reader(format: str, records: list[Any]) -> None:
    form = entry("calib.formats", format)
    text = json.dumps(records)
    size = 0
    for place in nodes(json.loads(text)):
        for odd in ODD if place else ():
            other = json.loads(text)
            box = other
            for key in place[:-1]:
                box = box[key]
            box[place[-1]] = odd
            assert form.recognises(other[place[0]]) in (True, False)
            found = told(format, other)
            size += len(found.episodes) + len(found.rejected) + len(found.ignored)
    assert size


@pytest.mark.parametrize(("format", "records"), FILES)
def test_no_other_format_takes_these_files(format: str, records: list[Any]) -> None:
    for record in records:
        takers = [name for name in names("calib.formats") if entry("calib.formats", name).recognises(record)]
        first = min(takers, key=lambda name: entry("calib.formats", name).RANK)
        assert first == format, takers


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("format", sorted({format for format, _ in FILES}))
def test_recognition_never_raises(format: str, odd: Any) -> None:
    form = entry("calib.formats", format)
    for key in ("history", "trajectory", "messages", "turn_history", "kind", "action", "observation", "info"):
        for value in ({key: odd}, [{key: odd}], [odd], {"a": {key: odd}}, {key: [{key: odd}]}):
            assert form.recognises(value) in (True, False)
