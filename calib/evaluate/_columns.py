"""The columns of a part that rules read, as whole numbers and flags; each is made once, when a rule asks for it."""

from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import polars as pl

from calib.errors import CorpusError
from calib.evaluate._families import Flags, Places, changes, ordered
from calib.evaluate._scans import scanned, text_column
from calib.evaluate.actions import Doings
from calib.levels import Integers
from calib.mask import same_masked
from calib.rules import KEYS, Scan, Test
from calib.tools import Map, matches_tool

Scalar = TypeVar("Scalar", bound=np.generic)
SAME = {
    "reasoning": "same_reasoning_as", "masked_reasoning": "same_masked_reasoning_as", "text": "same_text_as",
    "calls": "same_calls_as", "results": "same_results_as", "call": "same_call_as",
    "written_call": "same_written_call_as", "result": "same_result_as", "failure": "same_failure_as",
}  # fmt: skip
"""Keys whose column holds where the value was first seen."""


class Columns:
    """What a part holds: `turns`, whole episodes one after the other, and `calls`, the calls of these turns in order.

    `calls` may be left out for rules that look at no call of its own.
    """

    def __init__(self, turns: pl.DataFrame, calls: pl.DataFrame | None, placing: Map) -> None:
        self._turns, self._calls, self._placing = turns, calls, placing
        self._scans: dict[tuple[str, tuple[tuple[str, str], ...]], dict[str, Integers]] = {}
        self._keys: dict[str, Integers] = {}
        self._tests: dict[tuple[str, Test], Flags] = {}
        self._befores: dict[str, Flags] = {}
        self.orders: dict[tuple[str, str, int], tuple[Places, Flags]] = {}
        """Rows of a stretch sorted by a key, and where it changes: for a key, a unit, the turn a stretch begins at."""
        self.turn: Integers = turns["turn"].to_numpy()

    @property
    def calls(self) -> pl.DataFrame:
        """The calls.

        Raises CorpusError when they are not those of the turns.
        """
        if self._calls is None or len(self._calls) != int(self.sizes.sum()):
            raise CorpusError("turns and calls of a part disagree; ingest the dumps again")
        return self._calls

    @cached_property
    def sizes(self) -> Integers:
        """How many calls each turn has."""
        return self._turns["tools"].list.len().to_numpy().astype(np.int64)

    @cached_property
    def turn_of(self) -> Places:
        """Row of each call's turn."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def first_call(self) -> Integers:
        """Row of each turn's first call, and one end more."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    def key(self, name: str) -> Integers:
        """Codes of a key, -1 where a row has no value; a turn's key has one a turn, a call's one a call."""
        if name not in self._keys:
            self._keys[name] = self._key(name)
        return self._keys[name]

    def _key(self, name: str) -> Integers:
        if name == "call_set":
            return self._call_sets()
        if name == "tool":
            codes = self.calls["tool"].cast(pl.Categorical).to_physical().cast(pl.Int32)
            return codes.fill_null(-1).to_numpy()
        if name == "masked_reasoning":
            return self._masked()
        own = KEYS[name][0] == "call"
        return self.column("calls" if own else "turns", SAME[name]).fill_null(-1).to_numpy()

    def _masked(self) -> Integers:
        """Give where each masked reasoning was first seen: as ingest has it, else found in the texts."""
        found = self.column("turns", SAME["masked_reasoning"])
        if found.null_count() == len(found):
            sizes = np.diff(np.append(np.flatnonzero(self.turn == 0), len(self.turn)))
            texts = self.column("turns", "reasoning").to_list()
            found = pl.Series(same_masked(sizes.tolist(), texts), dtype=pl.Int32)
        return found.fill_null(-1).to_numpy()

    def _call_sets(self) -> Integers:
        """Join the turns that make the same calls in another order; most turns make one call, or calls seen before."""
        ordered = self.key("calls").copy()
        several = np.flatnonzero((self.sizes > 1) & (ordered == self.turn))
        if not len(several):
            return ordered
        call, first, begins = self.key("call"), self.first_call, np.arange(len(ordered)) - self.turn
        joined = np.arange(len(ordered))
        seen: dict[tuple[int, ...], int] = {}
        for row in several.tolist():
            mark = (int(begins[row]), *sorted(call[first[row] : first[row + 1]].tolist()))
            joined[row] = seen.setdefault(mark, row)
        full = np.flatnonzero(ordered >= 0)
        ordered[full] = joined[begins[full] + ordered[full]] - begins[full]
        return ordered

    def holds(self, test: Test, unit: str) -> Flags:
        """Tell for each turn or call whether a test holds."""
        mark = (unit, replace(test, negated=False))
        if mark not in self._tests:
            self._tests[mark] = self._holds(test, unit)
        return ~self._tests[mark] if test.negated else self._tests[mark]

    def _holds(self, test: Test, unit: str) -> Flags:
        if test.name == "failed_anew":
            return self._failed_anew if unit == "call" else self.some_call(self._failed_anew)
        if test.name in ("error", "tool"):
            per_call = self._failed() if test.name == "error" else self._of_tools(test.tools)
            return per_call if unit == "call" else self._all_calls(per_call)
        if unit == "call":
            return self.holds(Test(test.name), "turn")[self.turn_of]
        return self._of_turn(test.name)

    def _of_turn(self, name: str) -> Flags:
        size = len(self.turn)
        if name in ("always", "never"):
            return np.full(size, name == "always")
        if name in ("idle", "empty"):
            idle = self._turns["same_calls_as"].is_null().to_numpy()
            return idle if name == "idle" else idle & self._turns["same_text_as"].is_null().to_numpy()
        if name == "wrote":
            return self._doings.some("writes") & ~self.some_call(self._failed())
        return self._doings.reads() if name == "reads" else self._doings.some(name)

    @cached_property
    def _doings(self) -> Doings:
        return Doings(self._turns, self._placing)

    def actions(self) -> dict[str, int]:
        """Count each action."""
        return self._doings.counts()

    def _failed(self) -> Flags:
        return self.calls["is_error"].fill_null(False).to_numpy()

    @cached_property
    def _failed_anew(self) -> Flags:
        """Tell for each call whether it failed, and was the first to or came after a write since the last that did."""
        rows = np.flatnonzero(self._failed())
        turn = self.turn_of[rows]
        written = np.cumsum(self._doings.some("writes"), dtype=np.int32)[turn]  # turns that wrote up to this one
        episode = np.cumsum(self.turn == 0, dtype=np.int32)[turn]
        found = np.zeros(len(self.turn_of), np.bool_)
        found[rows] = changes([episode, written])
        return found

    def _of_tools(self, patterns: tuple[str, ...]) -> Flags:
        tools = self.calls["tool"].cast(pl.Categorical)
        names = tools.unique().cast(pl.String)
        chosen = [name for name in names.to_list() if any(matches_tool(each, name or "") for each in patterns)]
        found = tools.cast(pl.String).is_in([name for name in chosen if name is not None])
        return found.fill_null(None in chosen).to_numpy()

    def _all_calls(self, flags: Flags) -> Flags:
        return (self.sizes > 0) & ~self.some_call(~flags)

    def some_call(self, flags: Flags) -> Flags:
        """Tell for each turn whether something holds for one of its calls."""
        found = np.zeros(len(self.turn), np.bool_)
        full = np.flatnonzero(self.sizes)
        if len(full):
            found[full] = np.logical_or.reduceat(flags, self.first_call[full])
        return found

    def number(self, name: str, unit: str) -> Integers:
        """Give a number of each turn or call; 0 where there is none. A call has its turn's."""
        own = name == "result_chars"
        found = self.column("calls" if own else "turns", name).fill_null(0).to_numpy()
        return found if own or unit == "turn" else found[self.turn_of]

    def stored(self, scan: Scan) -> bool:
        """Tell whether ingest has counted a level, at the published gates: then the texts are not as recorded."""
        return len(self.turn) > 0 and self.column("turns", scan.scanner).null_count() == 0

    def scan(self, scan: Scan) -> Integers:
        """Give the level that a scanner reads off each turn's text."""
        if not scan.settings and self.stored(scan):
            return self.column("turns", scan.scanner).to_numpy()
        mark = (text_column(scan), scan.settings)
        if scan.scanner not in self._scans.get(mark, {}):
            self._scans.setdefault(mark, {}).update(scanned(scan, self.column("turns", mark[0])))
        return self._scans[mark][scan.scanner]

    @cached_property
    def news(self) -> Flags:
        """Tell for each call whether it gives another result than the last time it was made in its episode."""
        call, result = self.key("call"), self.key("result")
        rows = np.flatnonzero((call >= 0) & (result >= 0))
        rows = rows[ordered([call[rows]])]
        episode = np.cumsum(self.turn == 0)[self.turn_of[rows]]
        again = ~changes([call[rows], episode])
        found = np.zeros(len(call), np.bool_)
        found[rows] = again & changes([result[rows]])
        return found

    def before(self, event: str) -> Flags:
        """Tell for each turn whether a user message or a compaction stands before it."""
        if event not in self._befores:
            column = "user_before" if event == "user" else "after_compaction"
            self._befores[event] = self.column("turns", column).to_numpy()
        return self._befores[event]

    def column(self, table: str, name: str) -> pl.Series:
        """Give a column of `turns` or `calls`.

        Raises CorpusError when there is none.
        """
        frame = self._turns if table == "turns" else self.calls
        if name not in frame.columns:
            raise CorpusError(f"the corpus has no column {name}; ingest the dumps again")
        return frame[name]

    def in_episodes(self, flags: Flags) -> Flags:
        """Tell for each episode whether something holds for one of its turns."""
        return np.logical_or.reduceat(flags, np.flatnonzero(self.turn == 0))
