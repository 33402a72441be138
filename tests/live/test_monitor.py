"""One turn at a time gives what the literal reading of every rule gives, and what whole columns give."""

import subprocess
import sys
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.detectors import detector, names
from calib.errors import UsageError
from calib.evaluate import Columns, levels_of
from calib.formats._calls import made_call
from calib.live import Called, Fire, Listener, Monitor, NotUnderstood
from calib.mask import mask
from calib.point import Point, Trigger
from calib.rules import AnyOf, Rule, parse_rule
from calib.tables import CALLS, TURNS, arrow_schema
from calib.tools import Map
from tests import literal
from tests.evaluate.test_evaluate import PENCIL
from tests.live.talking import ingested, talks
from tests.rules.drawing import every_rule
from tests.timeless import timeless

PLACING = Map(reads=("read", "look"), writes=("write",), tests=("try",), neutral=("poll",))
READING, PASSING = {"read", "look"}, {"poll"}
TEXTS = st.sampled_from([None, "", " \n", "p", " p\n", "p 1", "p 2", "q"])

Told = dict[str, Any]
"""The arguments of `Monitor.turn`."""


@st.composite
def turns(draw: st.DrawFn) -> Told:
    calls = st.builds(
        Called,
        st.sampled_from(["read", "look", "write", "try", "poll", "", None]),
        st.sampled_from([None, '{"a": 1, "b": 2}', '{"b":2,"a":1}', {"a": 1}, "no"]),
        st.sampled_from([None, "x", "yy", "1 failed in 0.03s", "1 failed in 0.04s"]),
        st.sampled_from([None, False, True]),
    )
    return {
        "reasoning": draw(TEXTS), "text": draw(TEXTS), "calls": draw(st.lists(calls, max_size=3)),
        "user": draw(st.booleans()), "compaction": draw(st.sampled_from([False, False, True])),
        "output_tokens": draw(st.sampled_from([None, 3, 2**30])), "milliseconds": draw(st.sampled_from([None, 5])),
        "orphans": draw(st.sampled_from([[], [], ["z"]])),
    }  # fmt: skip


def episodes() -> st.SearchStrategy[list[Told]]:
    cycled = st.tuples(st.lists(turns(), min_size=1, max_size=4), st.integers(1, 5)).map(lambda each: each[0] * each[1])
    return st.lists(cycled, max_size=3).map(lambda parts: [turn for part in parts for turn in part])


def plain(turn: Told) -> literal.Turned:
    """The same turn for the literal reading."""

    class Results(literal.Turned):
        def key(self, name: str) -> Any:
            if name != "results":
                return super().key(name)
            return (*(call.result for call in turn["calls"] if call.result is not None), *turn["orphans"]) or None

    def trimmed(text: str | None) -> str | None:
        return (text or "").strip() or None

    tools = [call.tool or "?" for call in turn["calls"]]
    reasoning = trimmed(turn["reasoning"])
    return Results(
        reasoning=reasoning, masked_reasoning=mask(reasoning) if reasoning else None, text=trimmed(turn["text"]),
        calls=[
            literal.Called(
                call.tool, made.key, (call.tool, made.arguments), call.result, call.is_error,
                None if call.result is None else len(call.result),
                None if call.result is None or not call.is_error else timeless(call.result),
            )
            for call in turn["calls"]
            for made in [made_call(None, call.tool, call.arguments)]
        ],
        reads=bool(set(tools) & READING) and set(tools) <= READING | PASSING,
        writes="write" in tools, tests="try" in tools, user=turn["user"], compaction=turn["compaction"],
        numbers={
            "output_tokens": turn["output_tokens"], "milliseconds": turn["milliseconds"],
            "reasoning_chars": len(turn["reasoning"] or ""), "text_chars": len(turn["text"] or ""),
        },
    )  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(every_rule(), episodes())
def test_levels_are_the_literal_ones(rule: Rule | AnyOf, episode: list[Told]) -> None:
    name = str(rule)
    monitor = Monitor(Point((Trigger(name, 1),)), PLACING)
    found = [monitor.turn(**turn)[name] for turn in episode]
    assert found == literal.levels(parse_rule(name), [plain(turn) for turn in episode])
    first = next((at for at, level in enumerate(found) if level >= 1), None)
    assert monitor.fire == (None if first is None else Fire(first, (name,)))


@pytest.mark.parametrize(("spelling", "drawing", "expected"), PENCIL)
def test_levels_by_pencil(spelling: str, drawing: str, expected: list[int]) -> None:
    monitor = Monitor(Point((Trigger(spelling, 1),)))
    found = [
        monitor.turn(None, [Called(letter, letter, letter, False) for letter in word if letter != "."])[spelling]
        for word in drawing.split()
    ]
    assert found == expected


def columns(messages: list[dict[str, Any]]) -> Columns:
    """The tables that an ingest makes of one episode."""
    episode = ingested(messages)
    frames = []
    for table, rows in ((TURNS, episode.turns), (CALLS, episode.calls)):
        whole = [["e", at, *row] if table is TURNS else ["e", *row] for at, row in enumerate(rows)]
        whole = [
            row + [None] * (len(table.columns) - len(row)) for row in whole
        ]  # read off the texts where there are any
        plain = {column.name: [row[at] for row in whole] for at, column in enumerate(table.columns)}
        empty = pl.from_arrow(arrow_schema(table).empty_table())
        assert isinstance(empty, pl.DataFrame)
        kinds: dict[str, Any] = {
            name: pl.List(pl.String) if "List" in str(kind) else kind for name, kind in empty.schema.items()
        }
        kinds = {name: pl.String if str(kind).startswith(("Cat", "Enum")) else kind for name, kind in kinds.items()}
        frames.append(pl.DataFrame(plain, schema=kinds))
    return Columns(frames[0], frames[1], Map())


@settings(max_examples=60, deadline=None)
@given(talks())
def test_every_detector_counts_what_it_counts_over_a_corpus(messages: list[dict[str, Any]]) -> None:
    monitor = Monitor(Point(tuple(Trigger(name, 1) for name in names())))
    listener = Listener(monitor)
    found: dict[str, list[int]] = {name: [] for name in names()}
    told = 0
    for message in messages:
        if message["role"] == "assistant":
            listener.settle()  # as before each request
        listener.hear(message)
        assert monitor.turns - told in (0, 1)
        if monitor.turns > told:
            told = monitor.turns
            for name, level in monitor.levels.items():
                found[name].append(level)
    listener.settle()
    if monitor.turns > told:
        for name, level in monitor.levels.items():
            found[name].append(level)
    whole = columns(messages)
    for name in names():
        assert found[name] == levels_of(detector(name).rule, whole).tolist(), name


def test_a_message_that_is_none_takes_nothing() -> None:
    listener = Listener(Monitor("T2@1"))
    with pytest.raises(NotUnderstood):
        listener.hear({"role": "assistant", "tool_calls": [5]})
    listener.settle()
    assert listener.monitor.turns == 0


def test_a_point_without_such_a_detector_is_refused() -> None:
    with pytest.raises(UsageError, match="no detector named"):
        Monitor("nobody@1")


def test_all_that_fires_at_a_turn_is_named_once() -> None:
    monitor = Monitor("T2@1 | T1@2 | run(idle)@1")
    for _ in range(3):
        monitor.turn("p", [Called("read_file")])
    assert monitor.fire == Fire(1, ("repeated_plan", "search_run"))


def test_a_scan_counts_inside_one_text() -> None:
    monitor = Monitor("scan(guard_brackets)@12 | scan(guard_characters)@160")
    assert monitor.turn("Plan. " + "「" * 15) == {"scan(guard_brackets)": 15, "scan(guard_characters)": 0}
    assert monitor.turn("Plan.") == {"scan(guard_brackets)": 0, "scan(guard_characters)": 0}
    assert monitor.fire == Fire(0, ("scan(guard_brackets)",))


def test_neither_polars_nor_numpy_is_needed() -> None:
    code = (
        "import sys, calib.live as live; live.Filter('T2@7 | T1@35').request([]);"
        "print({'polars', 'numpy'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "set()\n"
