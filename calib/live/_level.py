"""The level of one rule, one turn at a time: rows, forgetting, transparent rows, histories (`calib/rules`)."""

from collections.abc import Callable, Hashable

from calib import scanners
from calib.live._history import Add, held_back
from calib.live._seen import Called, Seen
from calib.live._values import KEYS, Holds, of_tools, test_of, value_of
from calib.rules import AnyOf, AnyRule, Key, Rule, Scan

CALL = KEYS["call"]
Step = Callable[[Seen], int]
"""Takes the next turn; gives its level."""


def level_of(rule: AnyRule) -> Step:
    """Begin an episode under a rule."""
    if isinstance(rule, AnyOf):
        return _any([(level_of(member), threshold) for member, threshold in rule.members])
    if isinstance(rule, Scan):
        return _scan(rule)
    plain = not (rule.per or rule.only or rule.breaks or rule.exempt or rule.reset)
    if plain and rule.unit == "turn":
        return _plain(held_back(rule))
    return _Rows(rule).step


def _plain(add: Add) -> Step:
    return lambda turn: add(turn, None)


def _any(steps: list[tuple[Step, int]]) -> Step:
    return lambda turn: max([step(turn) // threshold for step, threshold in steps])


def _scan(rule: Scan) -> Step:
    """Read one text of each turn, as a stream would deliver it."""
    module = scanners.scanner_of(rule.scanner)
    name = module.__name__.rpartition(".")[2]
    gates = scanners.read_gates(rule.scanner, rule.settings)
    reasoning = module.READS == "reasoning"

    def step(turn: Seen) -> int:
        text = turn.whole_reasoning if reasoning else turn.whole_text
        if not text:
            return 0
        levels = turn.scans.get((name, gates))
        if levels is None:
            levels = turn.scans[name, gates] = scanners.scan(name, text, gates)
        return levels[rule.scanner]

    return step


class _Rows:
    """A rule with parameters. `_histories` holds those that no row forgot, by the value of `per`."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._histories: dict[Hashable, Add] = {}
        self._by_call = rule.unit == "call"
        self._once = value_of(rule.of) if rule.batch == "once" and isinstance(rule.of, Key) else None
        self._per = value_of(rule.per) if rule.per else None
        self._passes = self._transparent()
        self._breaks = test_of(rule.breaks) if rule.breaks else None
        self._forgets = frozenset(rule.reset)
        self._results: dict[Hashable, str] = {}
        """What each call gave when it was made last, where a rule asks."""

    def _transparent(self) -> Holds | None:
        """Make the function that tells which rows are passed over."""
        only = test_of(self._rule.only) if self._rule.only else None
        exempt = of_tools(self._rule.exempt) if self._rule.exempt else None

        def passes(turn: Seen, call: Called | None) -> bool:
            if only is not None and not only(turn, call):
                return True
            if exempt is None:
                return False
            return exempt(call) if call is not None else bool(turn.calls) and all(map(exempt, turn.calls))

        return passes if only or exempt else None

    def step(self, turn: Seen) -> int:
        """Take the next turn; give the highest level of its rows."""
        forgets = self._forgets
        news = [self._is_news(turn, call) for call in turn.calls] if "result" in forgets else []
        if forgets and (
            (turn.user and "user" in forgets) or (turn.compaction and "compaction" in forgets) or "turn" in forgets
        ):
            self._histories.clear()
        if ("idle" in forgets and not turn.calls) or ("wrote" in forgets and turn.wrote):
            self._histories.clear()
            return 0
        if not self._by_call:
            if any(news):
                self._histories.clear()
            return self._row(turn, None)
        best = 0
        seen: set[Hashable] = set()
        for at, call in enumerate(turn.calls):
            if news and news[at]:
                self._histories.clear()
            if self._once is None or self._is_row(turn, call, seen):
                best = max(best, self._row(turn, call))
        return best

    def _is_row(self, turn: Seen, call: Called, seen: set[Hashable]) -> bool:
        """Tell, with `batch=once`, whether no earlier call of the turn has the key."""
        value = self._once(turn, call) if self._once else None
        if value is not None and value in seen:
            return False
        seen.add(value)
        return True

    def _is_news(self, turn: Seen, call: Called) -> bool:
        """Tell whether a call gives another result than the last time it was made."""
        if call.result is None:
            return False
        key = CALL(turn, call)
        before, self._results[key] = self._results.get(key), call.result
        return before is not None and before != call.result

    def _row(self, turn: Seen, call: Called | None) -> int:
        if self._breaks is not None and self._breaks(turn, call):
            self._histories.clear()
            return 0
        if self._passes is not None and self._passes(turn, call):
            return 0
        own = self._per(turn, call) if self._per is not None else ()
        if own is None:
            return 0
        add = self._histories.get(own)
        if add is None:
            add = self._histories[own] = held_back(self._rule)
        return add(turn, call)
