"""From a rule to the level of every turn: which rows count, in which history, and the highest level of a turn."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calib.evaluate import _families as families
from calib.evaluate._columns import Columns, Scalar
from calib.evaluate._families import Flags, Parts, Places
from calib.levels import Integers, Reach, cuts, joined, reach
from calib.rules import KEYS, AnyOf, AnyRule, Key, Rule, Scan, Test


@dataclass(frozen=True)
class Stretch:
    """Turns `low` to `high` (excluded) of a part, and their calls: whole episodes, few enough for the cache."""

    columns: Columns
    low: int
    high: int

    def span(self, unit: str) -> slice:
        """Give the rows of the stretch."""
        if unit == "turn":
            return slice(self.low, self.high)
        first = self.columns.first_call
        return slice(int(first[self.low]), int(first[self.high]))

    def codes(self, key: str, unit: str) -> Integers:
        """Give the codes of a key, one a row."""
        own = KEYS[key][0]
        codes = self.columns.key(key)[self.span(own)]
        return codes if own == unit else self.of_calls(codes)

    def parts(self, key: Key, unit: str) -> Parts:
        """Give the parts of a key."""
        return [(self.codes(part.name, unit), part.empty) for part in key.parts]

    def order(self, key: Key, unit: str) -> tuple[Places, Flags]:
        """Sort the rows by a key, and mark where it changes. Found once: rules share what they count `per`."""
        mark = (str(key), unit, self.low)
        if mark not in self.columns.orders:
            codes = [codes for codes, _ in self.parts(key, unit)]
            order = families.ordered(codes)
            self.columns.orders[mark] = order, families.changes([each[order] for each in codes])
        return self.columns.orders[mark]

    def holds(self, test: Test, unit: str) -> Flags:
        """Tell for each row whether a test holds."""
        return self.columns.holds(test, unit)[self.span(unit)]

    def turns(self) -> Places:
        """Give the place of each call's turn in the stretch."""
        found = self.columns.turn_of[self.span("call")]
        return found - self.low if self.low else found

    def of_calls(self, of_turns: NDArray[Scalar]) -> NDArray[Scalar]:
        """Give each call what its turn has."""
        return of_turns[self.turns()]

    def first_calls(self) -> Integers:
        """Give the row of each turn's first call."""
        first = self.columns.first_call[self.low : self.high]
        return first - first[0] if self.low else first


@dataclass(frozen=True)
class Rows:
    """The rows that count, one history after the other: their index in the stretch (None: all), where each begins."""

    index: Places | None
    starts: Flags

    def of(self, codes: Integers) -> Integers:
        """Pick the rows of a column."""
        return codes if self.index is None else codes[self.index]


def levels_of(rule: AnyRule, columns: Columns) -> Integers:
    """Give the level of every turn.

    Raises CorpusError when the part lacks a column.
    """
    parts = [_levels(rule, Stretch(columns, low, high)) for low, high in pairwise(cuts(columns.turn))]
    return np.concatenate([np.zeros(0, np.int32), *parts])


def reach_of(rule: AnyRule, columns: Columns) -> Reach:
    """Give the reach of a rule over a part.

    Raises CorpusError when the part lacks a column.
    """
    found, episodes = [], 0
    for low, high in pairwise(cuts(columns.turn)):
        turn, stretch = columns.turn[low:high], Stretch(columns, low, high)
        if isinstance(rule, Rule) and rule.unit == "call":
            found.append(reach(_of_rows(rule, stretch), turn, episodes, stretch.turns()))
        else:
            found.append(reach(_levels(rule, stretch), turn, episodes))
        episodes += int(np.count_nonzero(turn == 0))
    return joined(found)


def _levels(rule: AnyRule, stretch: Stretch) -> Integers:
    if isinstance(rule, AnyOf):
        found = np.zeros(stretch.high - stretch.low, np.int32)
        for member, threshold in rule.members:
            np.maximum(found, _levels(member, stretch) // threshold, out=found)
        return found
    if isinstance(rule, Scan):
        return stretch.columns.scan(rule)[stretch.low : stretch.high]
    levels = _of_rows(rule, stretch)
    return levels if rule.unit == "turn" else _of_turns(levels, stretch)


def _of_rows(rule: Rule, stretch: Stretch) -> Integers:
    """Give the level of every row, 0 where one does not count."""
    rows = _rows(rule, stretch)
    levels = _held_back(rule, stretch, rows, _family(rule, stretch, rows))
    if rows.index is None:
        return levels
    span = stretch.span(rule.unit)
    whole = np.zeros(span.stop - span.start, np.int32)
    whole[rows.index] = levels
    return whole


def _of_turns(found: Integers, stretch: Stretch) -> Integers:
    """Give each turn the highest level of its calls."""
    levels = np.zeros(stretch.high - stretch.low, np.int32)
    at = np.flatnonzero(found)
    turns = stretch.turns()[at]
    levels[turns] = found[at]
    before = np.flatnonzero(turns[1:] == turns[:-1])  # calls that are not the last of their turn with a level
    np.maximum.at(levels, turns[before], found[at[before]])
    return levels


def _family(rule: Rule, stretch: Stretch, rows: Rows) -> Integers:
    unit, of = rule.unit, rule.of
    if isinstance(of, str):
        return families.sums(rows.of(stretch.columns.number(of, unit)[stretch.span(unit)]), rows.starts)
    if isinstance(of, Test):
        holds = stretch.holds(of, unit)
        holds = holds if rows.index is None else holds[rows.index]
        if rule.family == "run":
            return families.runs(holds, rows.starts)
        return families.holding(holds, rows.starts, rule.window) if rule.window else families.sums(holds, rows.starts)
    parts = [(rows.of(codes), empty) for codes, empty in stretch.parts(of, unit)]
    if rule.family == "lag":
        return families.lag(parts, rows.starts, rule.lag)
    if rule.family == "cycle":
        return families.cycle(parts, rows.starts, *rule.periods)
    return families.occurrences(parts, rows.starts, rule.window)


def _rows(rule: Rule, stretch: Stretch) -> Rows:
    """Find the rows that count, in the order of their histories."""
    fresh, ends = _fresh(rule, stretch)
    starts = fresh if rule.unit == "turn" else _first_calls(stretch, fresh)
    if "result" in rule.reset and rule.unit == "call":
        starts |= stretch.columns.news[stretch.span("call")]
    if not (ends.any() or rule.breaks or rule.only or rule.exempt or rule.per or rule.batch == "once"):
        return Rows(None, starts)
    section = np.cumsum(starts, dtype=np.int32)
    kept = np.ones(len(starts), np.bool_)
    if ends.any():
        kept = ~(ends if rule.unit == "turn" else stretch.of_calls(ends))
    if rule.batch == "once":
        kept &= ~_repeated(rule, stretch)
    if rule.breaks:
        broken = stretch.holds(rule.breaks, rule.unit) & kept
        section += np.cumsum(broken, dtype=np.int32)
        kept &= ~broken
    if rule.only:
        kept &= stretch.holds(rule.only, rule.unit)
    if rule.exempt:
        kept &= ~stretch.holds(Test("tool", rule.exempt), rule.unit)
    if not rule.per:
        rows = np.flatnonzero(kept)
        return Rows(rows, families.changes([section[rows]]))
    parts = stretch.parts(rule.per, rule.unit)
    kept &= families.valued(parts)
    order, begins = stretch.order(rule.per, rule.unit)
    if kept.all():
        return Rows(order, begins | families.changes([section[order]]))
    rows = order[kept[order]]
    return Rows(rows, families.changes([section[rows], *(codes[rows] for codes, _ in parts)]))


def _first_calls(stretch: Stretch, fresh: Flags) -> Flags:
    """Mark the first call at or after each of some turns."""
    span = stretch.span("call")
    starts = np.zeros(span.stop - span.start, np.bool_)
    first = stretch.first_calls()[np.flatnonzero(fresh)]
    starts[first[first < len(starts)]] = True
    return starts


def _fresh(rule: Rule, stretch: Stretch) -> tuple[Flags, Flags]:
    """Mark the turns before which everything is forgotten, and those whose rows do not count for that."""
    span = slice(stretch.low, stretch.high)
    fresh = stretch.columns.turn[span] == 0
    ends = np.zeros(len(fresh), np.bool_)
    for event in rule.reset:
        if event in ("user", "compaction"):
            fresh |= stretch.columns.before(event)[span]
        elif event == "turn":
            fresh[:] = True
        elif event == "result":
            if rule.unit == "turn":
                fresh |= stretch.columns.some_call(stretch.columns.news)[span]
        else:
            ends |= stretch.holds(Test(event), "turn")
    fresh[1:] |= ends[:-1]
    return fresh, ends


def _repeated(rule: Rule, stretch: Stretch) -> Flags:
    """Mark the calls whose key an earlier call of their turn has."""
    assert isinstance(rule.of, Key)
    starts = _first_calls(stretch, np.ones(stretch.high - stretch.low, np.bool_))
    return families.occurrences(stretch.parts(rule.of, "call"), starts, 0) > 1


def _held_back(rule: Rule, stretch: Stretch, rows: Rows, found: Integers) -> Integers:
    """Hold levels back until a history is long enough, or something was seen in it."""
    if rule.warm_up:
        place = families.places(rows.starts)
        ready = np.flatnonzero(place == rule.warm_up - 1)
        highest = found[ready]
        for back in range(1, rule.warm_up):
            highest = np.maximum(highest, found[ready - back])
        found = found * (place >= rule.warm_up)
        found[ready] = highest
    if rule.seen:
        seen = stretch.holds(rule.seen, rule.unit)
        so_far = families.sums(seen if rows.index is None else seen[rows.index], rows.starts)
        found = found * (so_far > 0)
    return found
