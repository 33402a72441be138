"""One episode as a table of turns, the way note 000 section 3 shows it: repeats named, long stretches folded."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import polars as pl

from calib.corpus import Corpus, unreadable
from calib.detectors import Detector, detector
from calib.evaluate import Columns, levels_of
from calib.evaluate.actions import placing_of
from calib.naming import meant, several, unknown
from calib.point import Point, point_of
from calib.tables import CALLS, EPISODES, TURNS
from calib.tools import Map

FOLD = 3
"""Stretches of at least this many like turns become one row."""


@dataclass(frozen=True)
class Call:
    """A tool call: the tool, its arguments in short, and its result (None: not recorded or without text)."""

    tool: str
    arguments: str
    result: str | None
    result_chars: int | None


@dataclass(frozen=True)
class Row:
    """Turns `first` to `last` that look alike; `levels` are those of the last.

    `fired` names the detectors that fire here, at the episode's fire turn; `more` tells that rows above call the same
    tools.
    """

    first: int
    last: int
    calls: tuple[Call, ...]
    reasoning: str
    levels: dict[str, int]
    fired: tuple[str, ...]
    more: bool = False


@dataclass(frozen=True)
class Trace:
    """An episode under an operating point. `rows` cover the turns asked for.

    `reached` is the first turn at which each detector alone reaches its threshold, None for never; the earliest of them
    is the fire turn.
    """

    episode_id: str
    source: str
    source_line: int
    label: str
    n_turns: int
    point: Point
    fire_turn: int | None
    reached: dict[str, int | None]
    rows: tuple[Row, ...]


def _place_of(corpus: Corpus, said: str) -> tuple[int, str]:
    """Give the part and the id of the episode named: whole, or by what is the end or a shortened form of one id."""
    known: list[str] = []
    found: list[tuple[int, str]] = []
    for part, frame in enumerate(corpus.read("episodes", ["episode_id"])):
        names = frame["episode_id"].to_list()
        if said in names:
            return part, said
        known += names if len(known) < 10_000 else []
        found += [(part, name) for name in names if meant(said, name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise several(said, [name for _, name in found])
    raise unknown(said, known)


def _read(corpus: Corpus, table: str, part: int, episode_id: str, columns: Sequence[str]) -> pl.DataFrame:
    file = corpus.files(table)[part]
    names = pl.selectors.by_dtype(pl.Categorical).cast(pl.String)
    rows = pl.scan_parquet(file, hive_partitioning=False).filter(pl.col("episode_id") == episode_id).select(columns)
    try:
        return rows.with_columns(names).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise unreadable(file, error) from error


def _in_short(arguments: str | None) -> str:
    """Give the values of a call's arguments, or the text itself when it is no JSON object.

    >>> _in_short('{"pattern": "fixed", "limit": 3}')
    'fixed 3'
    """
    if arguments is None:
        return ""
    try:
        value = json.loads(arguments[:100_000])
    except (ValueError, RecursionError):
        return arguments
    if not isinstance(value, dict):
        return arguments
    return " ".join(v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in value.values())


def _calls(table: pl.DataFrame) -> dict[int, list[Call]]:
    found: dict[int, list[Call]] = {}
    for row in table.iter_rows(named=True):
        call = Call(row["tool"] or "(no name)", _in_short(row["arguments"]), row["result_head"], row["result_chars"])
        found.setdefault(row["turn"], []).append(call)
    return found


def _reasoning(row: dict[str, object]) -> str:
    same = row["same_reasoning_as"]
    if same is not None and same != row["turn"]:
        return f"same as turn {same}"
    if row["reasoning_state"] != "recorded":
        return f"({row['reasoning_state']})"
    return str(row["reasoning"]).strip() if row["reasoning"] is not None else "(new)"


def _reached(turns: pl.DataFrame, point: Point) -> dict[str, int | None]:
    return {name: turns.filter(pl.col(name) >= k)["turn"].min() for name, k in point.thresholds.items()}  # type: ignore[misc]


def _single_rows(turns: pl.DataFrame, calls: dict[int, list[Call]], reached: dict[str, int | None]) -> list[Row]:
    fire = min((turn for turn in reached.values() if turn is not None), default=None)
    return [
        Row(
            row["turn"],
            row["turn"],
            tuple(calls.get(row["turn"], ())),
            _reasoning(row),
            {name: row[name] for name in reached},
            tuple(name for name, turn in reached.items() if turn == row["turn"] == fire),
        )
        for row in turns.iter_rows(named=True)
    ]


def _likeness(row: Row) -> tuple[object, ...]:
    """Give what folded turns have in common; a turn with new reasoning or a fire is like no other."""
    alone = row.fired or not row.reasoning.startswith(("same as turn ", "(absent)", "(empty)", "(withheld)", "(enc"))
    return (row.first,) if alone else (row.reasoning, tuple(call.tool for call in row.calls))


def fold(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Join stretches of at least three like turns into one row each."""
    folded: list[Row] = []
    seen: set[str] = set()
    for _, stretch in groupby(rows, _likeness):
        alike = list(stretch)
        calls = tuple(call for row in alike for call in row.calls)
        tools = {call.tool for call in calls}
        if len(alike) < FOLD:
            folded += alike
        else:
            last = alike[-1]
            folded.append(
                Row(
                    alike[0].first, last.last, calls, alike[0].reasoning, last.levels, (), bool(tools) and tools <= seen
                )
            )
        seen |= tools
    return tuple(folded)


def trace(
    corpus: Corpus,
    episode_id: str,
    point: Point | str,
    reads: Map | Sequence[str],
    turns: tuple[int, int] | None = None,
    own: Mapping[str, Detector] | None = None,
) -> Trace:
    """Lay one episode out under a point, or the turns `A` to `B` of it; `own` are the detectors of calib.toml.

    The id may be one's end or shortened form. Raises UsageError, with the near names, when no one episode has it.
    """
    point = point_of(point)
    part, episode_id = _place_of(corpus, episode_id)
    about = _read(corpus, "episodes", part, episode_id, EPISODES.names()).row(0, named=True)
    frame = _read(corpus, "turns", part, episode_id, TURNS.names()).sort("turn")
    calls = _read(corpus, "calls", part, episode_id, CALLS.names()).sort("turn", "call")
    columns = Columns(frame, calls, placing_of(reads))
    levels = {name: levels_of(detector(name, own).rule, columns) for name in point.thresholds}
    frame = frame.with_columns(pl.Series(name, found) for name, found in levels.items())
    reached = _reached(frame, point)
    rows = _single_rows(frame, _calls(calls), reached)
    fire = min((turn for turn in reached.values() if turn is not None), default=None)
    low, high = turns or (0, len(rows))
    shown = fold([row for row in rows if low <= row.first <= high])
    return Trace(
        episode_id,
        about["source"],
        about["source_line"],
        about["label"],
        about["n_turns"],
        point,
        fire,
        reached,
        shown,
    )
