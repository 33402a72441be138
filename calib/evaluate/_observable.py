"""Did the transcript record what a rule needs? Where it did not, silence says nothing."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.evaluate._columns import Columns
from calib.evaluate._families import Flags
from calib.evaluate._scans import text_column
from calib.rules import AnyOf, AnyRule, Recorded, Rule, Scan

KINDS = {"recorded": 1, "empty": 1, "absent": 0, "withheld": -1, "encrypted": -1}


def observable(rule: AnyRule, columns: Columns) -> Flags:
    """Tell for each episode with turns whether a rule is observable in it.

    Reasoning: some turn has it or says it has none, and none withholds or encrypts it. Results, and whether they are
    errors: some call has one, or there is no call. User messages: there is one. Tokens and times: some turn has one.
    Texts that are scanned: none was left out by --no-text.
    A partly recorded episode counts with what was recorded.
    """
    first = np.flatnonzero(columns.turn == 0)
    if not len(first):
        return np.ones(0, np.bool_)
    if isinstance(rule, AnyOf):
        all_of: Flags = np.logical_and.reduce([observable(member, columns) for member, _ in rule.members])
        return all_of
    if isinstance(rule, Scan):
        return _read(rule, columns, first)
    found = np.ones(len(first), np.bool_)
    for what in rule.needs:
        found &= _recorded(what, columns, first)
    return found


def rests_on_calls(rule: AnyRule) -> bool:
    """Tell whether a rule needs nothing but calls: then it is observable in an episode without turns too."""
    if isinstance(rule, AnyOf):
        return all(rests_on_calls(member) for member, _ in rule.members)
    return isinstance(rule, Rule) and rule.needs <= {"calls"}


def _read(scan: Scan, columns: Columns, first: NDArray[np.intp]) -> Flags:
    """Tell for each episode whether the level can be read off its texts, or was when the dump was ingested.

    Texts that are not stored as recorded were read at the published gates, and at no other.
    """
    column = text_column(scan)
    texts, sizes = columns.column("turns", column), columns.number(f"{column}_chars", "turn")
    there: Flags = ~columns.in_episodes(texts.is_null().to_numpy() & (sizes > 0))
    if columns.stored(scan):
        there[:] = not scan.settings
    return there & _recorded("reasoning", columns, first) if column == "reasoning" else there


def _shown(states: pl.Series) -> NDArray[np.int8]:
    """Give 1 where reasoning is shown or said to be empty, -1 where it is hidden, else 0; looked up by code."""
    coded = states.cast(pl.Categorical)
    seen = coded.unique()
    codes = seen.to_physical().to_numpy()
    table = np.zeros(int(codes.max(initial=0)) + 1, np.int8)
    table[codes] = [KINDS[state] for state in seen.cast(pl.String)]
    found: NDArray[np.int8] = table[coded.to_physical().to_numpy()]
    return found


def _recorded(what: Recorded, columns: Columns, first: NDArray[np.intp]) -> Flags:
    if what == "calls":
        return np.ones(len(first), np.bool_)
    if what == "reasoning":
        kinds = _shown(columns.column("turns", "reasoning_state"))
        seen: Flags = (np.maximum.reduceat(kinds, first) == 1) & (np.minimum.reduceat(kinds, first) >= 0)
        return seen
    if what in ("results", "errors"):
        said = columns.column("calls", "result_chars" if what == "results" else "is_error").is_not_null()
        return columns.in_episodes(columns.some_call(said.to_numpy())) | ~columns.in_episodes(columns.sizes > 0)
    if what == "users":
        return columns.in_episodes(columns.before("user"))
    return columns.in_episodes(columns.column("turns", what).is_not_null().to_numpy())
