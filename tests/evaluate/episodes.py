"""Random episodes on plain values, and the tables that ingest would make of them."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import polars as pl
from hypothesis import strategies as st

from calib.evaluate import Columns
from calib.tools import Map
from tests.literal import Called, Turned

PLACING = Map(reads=("look",), writes=("change",), tests=("try",), only=True)
DOINGS = ("look", "change", "try")
"""Actions that read, write and test; they go with no call in particular."""


def calls() -> st.SearchStrategy[Called]:
    """Calls of few tools, arguments and results, so that they repeat."""
    written = st.sampled_from("abB")
    return st.builds(
        lambda tool, arguments, result, error: Called(
            tool,
            (tool, arguments.lower()),
            (tool, arguments),
            result,
            error,
            len(result) * 3 if result else None,
            result.lower() if result and error else None,
        ),
        st.sampled_from(["read", "write", "poll", "mcp__fs__read", "", None]),
        written,
        st.sampled_from([None, "x", "X", "yy"]),
        st.sampled_from([None, False, True, True]),
    )


@st.composite
def turns(draw: st.DrawFn) -> Turned:
    """A turn: few texts, up to three calls."""
    made = draw(st.lists(calls(), max_size=3))
    kinds = draw(st.sets(st.sampled_from(DOINGS))) if made else set()
    reasoning = draw(st.sampled_from([None, "p", "q"]))
    return Turned(
        reasoning=reasoning,
        masked_reasoning=draw(st.sampled_from([None, "m"])),
        text=draw(st.sampled_from([None, "s", "t"])),
        calls=made,
        reads=kinds == {"look"},
        writes="change" in kinds,
        tests="try" in kinds,
        user=draw(st.booleans()),
        compaction=draw(st.sampled_from([False, False, True])),
        numbers={
            "output_tokens": draw(st.sampled_from([None, 3, 2**30])),
            "milliseconds": draw(st.sampled_from([None, 5])),
            "reasoning_chars": len(reasoning or ""),
            "text_chars": 2,
        },
    )


def episodes() -> st.SearchStrategy[list[list[Turned]]]:
    """A few episodes of a few turns; many turns are said again, so that runs get long."""
    repeated = st.lists(st.tuples(turns(), st.integers(1, 4)), min_size=1, max_size=5)
    episode = repeated.map(lambda each: [turn for turn, times in each for _ in range(times)])
    cycled = st.tuples(st.lists(turns(), min_size=1, max_size=4), st.integers(1, 4)).map(lambda e: e[0] * e[1])
    return st.lists(episode | cycled, min_size=1, max_size=3)


def first_same(values: Iterable[Hashable]) -> list[int | None]:
    """For each value the index of the first equal one; None for a None."""
    seen: dict[Hashable, int] = {}
    return [None if value is None else seen.setdefault(value, at) for at, value in enumerate(values)]


def columns(made: Sequence[Sequence[Turned]], placing: Map = PLACING) -> Columns:
    """Make the two tables and hold them as columns."""
    turn_frames, call_frames = zip(*(tables(episode) for episode in made), strict=True)
    return Columns(pl.concat(turn_frames), pl.concat(call_frames), placing)


def tables(episode: Sequence[Turned]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The columns of `turns` and `calls` that rules read."""
    same = {
        f"same_{name}_as": pl.Series(first_same(turn.key(name) for turn in episode), dtype=pl.Int32)
        for name in ("reasoning", "masked_reasoning", "text", "calls", "results")
    }
    numbers = {
        name: pl.Series([turn.numbers.get(name) for turn in episode], dtype=pl.Int32)
        for name in ("output_tokens", "milliseconds", "reasoning_chars", "text_chars")
    }
    turns = pl.DataFrame(
        {
            "turn": pl.Series(range(len(episode)), dtype=pl.Int32),
            "reasoning": pl.Series(
                [turn.masked_reasoning for turn in episode], dtype=pl.String
            ),  # masked where not known
            "reasoning_state": ["recorded" if turn.reasoning else "empty" for turn in episode],
            "tools": pl.Series(
                [[call.tool or "" for call in turn.calls] for turn in episode], dtype=pl.List(pl.String)
            ),
            "actions": pl.Series([_actions(turn) for turn in episode], dtype=pl.List(pl.String)),
            "user_before": [turn.user for turn in episode],
            "after_compaction": [turn.compaction for turn in episode],
            **same,
            **numbers,
        }
    )
    made: list[Called] = [call for turn in episode for call in turn.calls]
    same_call = {
        f"same_{name}_as": pl.Series(first_same(getattr(call, name) for call in made), dtype=pl.Int32)
        for name in ("call", "written_call", "result", "failure")
    }
    rows: dict[str, Any] = {
        "tool": pl.Series([call.tool for call in made], dtype=pl.String),
        "is_error": pl.Series([call.error for call in made], dtype=pl.Boolean),
        "result_chars": pl.Series([call.result_chars for call in made], dtype=pl.Int32),
    }
    return turns, pl.DataFrame({**rows, **same_call})


def _actions(turn: Turned) -> list[str]:
    flags = {"look": turn.reads, "change": turn.writes, "try": turn.tests}
    return [name for name, said in flags.items() if said] or (["rest"] if turn.calls else [])


def drawn(drawing: str) -> list[Turned]:
    """Draw turns: one word a turn, one letter a call, the letter being tool, call and result; `.` is no call."""
    return [
        Turned(calls=[Called(letter, letter, letter, letter, False, 1) for letter in word if letter != "."])
        for word in drawing.split()
    ]
