"""Runs out of a plain table of results: CSV, JSON, JSON Lines or Parquet, told apart by content.

Column names are read without case; `-` and blanks are `_`. Besides the columns that the design names:

=============  ==========================================================================================
passed         `outcome`, `resolved`, `success`, `passed`, `correct`, `score`, `reward`; empty: not run
amounts        `seconds` (or `milliseconds`), `tokens` (`output_tokens`, `completion_tokens`), `turns`
fires          `fire_turn`; `fires_again`, whether the detectors fired after the shared prefix
prefix         `prefix`: equal for runs that continue the same history
name           `episode_id`
=============  ==========================================================================================
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calib.arms.runs import NOT_RECORDED, Design, Run
from calib.errors import UsageError, near
from calib.escape import visible
from calib.labels import Unusable, by_name, outcome_in, outcome_of, read_rows
from calib.where import Where, as_number

AMOUNTS = {
    "seconds": ("seconds",),
    "tokens": ("tokens", "output_tokens", "completion_tokens"),
    "turns": ("turns", "n_turns"),
}
LARGEST = 1e15
"""Largest amount: beyond it, as in NaN and infinity, a sum would no longer be exact."""
Cells = dict[str, Any]


def runs_of(path: str | Path, design: Design, where: Sequence[Where] = ()) -> list[Run]:
    """Read the runs of a table.

    Raises UsageError for a column that no row has, and for a cell that cannot be read; the message names file and row.
    """
    name, told = read_rows(path, "a table of results")
    rows = []
    for number, cells in told:
        if not isinstance(cells, dict):
            raise UsageError(f"{name}:{number}: expected a row with named columns, found something else")
        try:
            rows.append((f"{name}:{number}", by_name(cells)))
        except Unusable as fault:
            raise UsageError(f"{name}:{number}: {fault}") from None
    known = sorted({column for _, row in rows for column in row})
    for key in (design.by, *design.pair, *([design.cluster] if design.cluster else [])):
        if _plain(key) not in known:
            raise UsageError(f"{name}: no column named {visible(key)[:80]!r}; there are {near(key, known)}")
    looked = "fire_turn" in known
    return [_run(row, place, design, looked) for place, row in rows if all(_holds(one, row) for one in where)]


def _plain(key: str) -> str:
    return key.strip().lower().replace("-", "_").replace(" ", "_")


def _holds(where: Where, row: Cells) -> bool:
    return any(all(term.matches(_value(row, term.column)) for term in terms) for terms in where.alternatives)


def _value(row: Cells, key: str) -> str | int | float | None:
    value = row.get(_plain(key))
    if isinstance(value, str):
        number = as_number(value)
        return value if number is None else number
    return value if value is None or isinstance(value, (int, float)) else str(value)


def _text(row: Cells, key: str) -> str | None:
    value = row.get(_plain(key))
    return None if value is None else value if isinstance(value, str) else str(value)


def _number(row: Cells, names: Sequence[str], place: str) -> float | None:
    for name in names:
        value = row.get(name)
        number = as_number(value.strip()) if isinstance(value, str) else value
        odd = isinstance(number, bool) or not isinstance(number, (int, float)) or not abs(number) <= LARGEST
        if value is not None and odd:
            raise UsageError(f"{place}: expected a number as {name}, found {visible(str(value))[:40]!r}")
        if number is not None:
            return float(number)
    return None


def _run(row: Cells, place: str, design: Design, looked: bool) -> Run:
    try:
        outcome, _ = outcome_in(row)
    except Unusable as fault:
        raise UsageError(f"{place}: {fault}") from None
    amounts: Mapping[str, float | None] = {name: _number(row, names, place) for name, names in AMOUNTS.items()}
    milliseconds = _number(row, ("milliseconds",), place)
    seconds = milliseconds / 1000 if amounts["seconds"] is None and milliseconds is not None else amounts["seconds"]
    fire = _number(row, ("fire_turn",), place)
    again = outcome_of(row.get("fires_again"))
    return Run(
        arm=_text(row, design.by) or NOT_RECORDED,
        key=tuple(_text(row, key) or NOT_RECORDED for key in design.pair),
        name=_text(row, "episode_id") or "",
        passed=None if outcome == "unknown" else outcome == "passed",
        seconds=seconds,
        tokens=amounts["tokens"],
        turns=amounts["turns"],
        fired=fire is not None if looked else None,
        fire_turn=None if fire is None else int(fire),
        fires_again=None if again == "unknown" else again == "passed",
        prefix=_text(row, "prefix"),
        cluster=_text(row, design.cluster) if design.cluster else None,
    )
