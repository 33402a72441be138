"""Do the bounds err as often as they say? Populations of known rate, drawn again and again; nothing is timed.

Run: python -m benchmarks.validity [--quick]. Writes VALIDITY.md, seeded. Everything here is synthetic. A claim holds
when what it speaks of happened at most as often as it allows, give or take three standard errors; the wrong bounds of
the last table must not hold. D = 2 where nothing else is said; f is the number of false fires declared beforehand.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calib import stats

ALPHA = 0.05
FINE = 2**40
"""Levels so fine that no two are equal."""
STAYS = 0.75
"""With ties: the probability that a level grows by one more; the mean level is 3."""
RELATIONS = ("unrelated", "either-or", "identical")
CHUNK = 500
FREE_REPEATS, GRID_REPEATS, TASK_REPEATS = 3_000, 4_000, 4_000
OUTPUT = Path(__file__).parent / "VALIDITY.md"

Levels = NDArray[np.int64]
Shares = NDArray[np.float64]
Bound = Callable[[int, int, int, float], float]
"""fired, n, detectors, alpha: like `calib.stats.adjusted_upper`."""


@dataclass(frozen=True)
class Claim:
    """Something said to happen with probability at most `allowed`, how often it did, and the standard error of that."""

    what: str
    measured: float
    allowed: float
    error: float
    repeats: int

    @property
    def holds(self) -> bool:
        return self.measured <= self.allowed + 3 * self.error

    @property
    def row(self) -> str:
        verdict = "holds" if self.holds else "FAILS"
        repeats = f"{self.repeats:,}" if self.repeats else "exact"
        return f"| {self.what} | {self.measured:.2%} | {self.allowed:.2%} | {repeats} | {verdict} |"


def often(what: str, happened: NDArray[np.bool_], allowed: float = ALPHA) -> Claim:
    """Claim that something happens in at most a share of the repeats."""
    repeats = len(happened)
    return Claim(what, float(happened.mean()), allowed, sqrt(allowed * (1 - allowed) / repeats), repeats)


def average(what: str, values: Shares, allowed: float) -> Claim:
    """Claim that a value is at most so high on average over the repeats."""
    return Claim(what, float(values.mean()), allowed, float(values.std()) / sqrt(len(values)), len(values))


@dataclass(frozen=True)
class Law:
    """A population of passed episodes as two detectors see it."""

    relation: str
    ties: bool

    @property
    def name(self) -> str:
        return f"{self.relation}, {'ties' if self.ties else 'no ties'}"

    def draw(self, random: np.random.Generator, rows: int, n: int) -> tuple[Levels, Levels]:
        """Draw the peaks of `rows` corpora of n episodes."""
        one, two = (self._levels(random, (rows, n)) for _ in range(2))
        if self.relation == "identical":
            return one, one
        if self.relation == "either-or":
            first = random.random((rows, n)) < 0.5
            return np.where(first, one, 0), np.where(first, 0, two)
        return one, two

    def _levels(self, random: np.random.Generator, shape: tuple[int, int]) -> Levels:
        return random.geometric(1 - STAYS, shape) - 1 if self.ties else random.integers(0, FINE, shape)

    def above(self, threshold: Levels) -> Shares:
        """Give the probability that a level reaches a threshold."""
        return np.power(STAYS, threshold) if self.ties else 1 - threshold / FINE

    def rate(self, x: Levels, y: Levels) -> Shares:
        """Give the true false-fire rate of a pair of thresholds."""
        if self.relation == "identical":
            return self.above(np.minimum(x, y))
        one, two = self.above(x), self.above(y)
        return (one + two) / 2 if self.relation == "either-or" else one + two - one * two


LAWS = tuple(Law(relation, ties) for relation in RELATIONS for ties in (False, True))


def corpora(law: Law, n: int, repeats: int, seed: int) -> Iterator[tuple[Levels, Levels]]:
    """Draw corpora in chunks of rows, the same for a seed."""
    random = np.random.default_rng(seed)
    for start in range(0, repeats, CHUNK):
        yield law.draw(random, min(CHUNK, repeats - start), n)


def worst(law: Law, one: Levels, two: Levels, budget: int) -> Shares:
    """Give, for each corpus, the highest true rate of all points with at most `budget` false fires on it.

    Such a point lies on or above one that is as low as it can be: some fires by the first detector, the rest of the
    budget by the second among what the first leaves.
    """
    rows = np.arange(len(one))
    first, found = _highest(one, budget + 1), np.zeros(len(one))
    for fires in range(budget + 1):
        x = np.maximum(first[:, fires] + 1, 1)
        fired = one >= x[:, None]
        left = budget - np.count_nonzero(fired, axis=1)
        second = _highest(np.where(fired, -1, two), budget + 1)
        found = np.maximum(found, law.rate(x, np.maximum(second[rows, left] + 1, 1)))
    return found


def _highest(values: Levels, count: int) -> Levels:
    top: Levels = np.partition(values, values.shape[1] - count, axis=1)[:, -count:]
    return np.sort(top, axis=1)[:, ::-1]


@cache
def rates(law: Law, n: int, budget: int, repeats: int) -> Shares:
    """Give the highest true rate at a budget in every repeat."""
    return np.concatenate([worst(law, one, two, budget) for one, two in corpora(law, n, repeats, seed=n)])


def all_at_once(bound: Bound, law: Law, n: int, budget: int, repeats: int) -> Claim:
    """Claim: no point with at most `budget` false fires has a rate above its bound."""
    above = rates(law, n, budget, repeats) > bound(budget, n, 2, ALPHA)
    return often(f"{bound.__name__.replace('_upper', '')}: {law.name}; n = {n}; f = {budget}", above)


def plain(fired: int, n: int, detectors: int, alpha: float) -> float:
    """Bound a point picked on the data as if it had been fixed before: wrong."""
    return stats.upper(fired, n, alpha)


def budget_left_free(law: Law, n: int, repeats: int) -> Claim:
    """Claim, wrongly: the adjusted bound of every budget from 0 to 30 holds at once."""
    above: list[NDArray[np.bool_]] = []
    for one, two in corpora(law, n, repeats, seed=n):
        each = [worst(law, one, two, f) > stats.adjusted_upper(f, n, 2, ALPHA) for f in range(31)]
        above.append(np.logical_or.reduce(each))
    return often(f"adjusted, f left free 0 … 30: {law.name}; n = {n}", np.concatenate(above))


def closest_pass(law: Law, n: int, repeats: int, ahead: int = 100) -> tuple[Claim, Claim]:
    """Claim the averages of section 4: a new episode fires, and at least one of the next does."""
    found = rates(law, n, 0, repeats)
    what = f"{law.name}; n = {n}"
    return (
        average(f"a new episode fires: {what}", found, stats.marginal(n, 2)),
        average(f"one of the next {ahead} fires: {what}", 1 - (1 - found) ** ahead, stats.at_least_one(n, 2, ahead)),
    )


def new_task(spread: float, repeats: int, tasks: int = 6, each: int = 100) -> tuple[Claim, Claim]:
    """Claim of a new task: its episodes fire within the episode bound (wrong), it fires within the task bound."""
    random = np.random.default_rng(int(10 * spread))
    scale = 3.5 * np.exp(spread * random.standard_normal((repeats, tasks + 1)))
    highest = np.floor(scale[:, :tasks] * random.exponential(size=(each, repeats, tasks)).max(axis=0))
    rate = np.exp(-(highest.max(axis=1) + 1) / scale[:, tasks])
    what = f"{tasks} tasks of {each}, scales spread by {spread}"
    return (
        average(f"an episode of a new task fires, unit episode: {what}", rate, stats.marginal(tasks * each, 1)),
        average(f"a new task has a fire, unit task: {what}", 1 - (1 - rate) ** each, stats.marginal(tasks, 1)),
    )


def picked_by_caught(divisor: int, repeats: int, side: int = 20, n: int = 60, limit: float = 0.8) -> Claim:
    """Claim: no point of a grid whose caught rate is below the limit is certified, however it is picked."""
    random = np.random.default_rng(side)
    axis = np.arange(1, side + 1)
    below = (axis - 1) / side  # levels are uniform on 0 … side - 1
    caught_rate = 1 - np.outer(below, below)
    least = next(c for c in range(n + 2) if c > n or stats.lower(c, n, ALPHA / divisor) >= limit)
    wrong = []
    for _ in range(repeats):
        one, two = random.integers(0, side, (2, n))
        cells = np.zeros((side + 1, side + 1), np.int64)
        np.add.at(cells, (one + 1, two + 1), 1)
        silent = cells.cumsum(axis=0).cumsum(axis=1)[:side, :side]
        wrong.append(bool(((n - silent >= least) & (caught_rate < limit)).any()))
    what = f"a point below {limit:.0%} is certified among {side} × {side}, error divided by {divisor}"
    return often(what, np.array(wrong))


def at_risk(detectors: int, repeats: int, n: int = 200) -> Claim:
    """Claim, not proved: the bound over the episodes long enough to fire at the closest pass."""
    random = np.random.default_rng(detectors)
    lengths = np.arange(5, 65)
    over = []
    for _ in range(repeats):
        turns = random.choice(lengths, n)
        peaks = (random.random((detectors, n)) ** 2 * turns).astype(np.int64)  # from 0 to turns - 1
        thresholds = 1 + peaks.max(axis=1)
        risk = np.count_nonzero((turns[None] >= thresholds[:, None]).any(axis=0))
        silent = np.sqrt(np.minimum(thresholds[:, None] / lengths[None], 1)).prod(axis=0)
        able = (lengths[None] >= thresholds[:, None]).any(axis=0)
        rate = float((1 - silent)[able].sum() / able.sum()) if able.any() else 0.0
        over.append(rate > stats.adjusted_upper(0, int(risk), detectors, ALPHA))
    return often(f"the at-risk rate is above its bound: D = {detectors}, n = {n}", np.array(over))


def gate(rate: float, n: int, passes: bool, limit: float = 0.01) -> Claim:
    """Claim: a gate at a limit passes a worse rate, or fails a better one, seldom; exact, not drawn."""
    wrong = [
        fired for fired in range(n + 1)
        if (stats.upper(fired, n, ALPHA) <= limit if passes else stats.lower(fired, n, ALPHA) > limit)
    ]  # fmt: skip
    if passes:
        chance = stats.p_value(max(wrong), n, rate) if wrong else 0.0
    else:
        chance = 1 - stats.p_value(min(wrong) - 1, n, rate) if wrong else 0.0
    what = f"gate at {limit:.0%}, true rate {rate:.2%}, n = {n:,}: {'PASS' if passes else 'FAIL'}"
    return Claim(what, chance, ALPHA, 0.0, 0)


HEAD = "| claim | measured | allowed | repeats | |\n|---|---|---|---|---|"
HONEST = [Law(relation, False) for relation in RELATIONS[:2]]


def tables(repeats: int) -> dict[str, list[Claim]]:
    """Measure every claim; `repeats` for the main ones, the slower ones take fewer."""
    fewer = [max(repeats * each // 20_000, 100) for each in (FREE_REPEATS, GRID_REPEATS, TASK_REPEATS)]
    at_once = [(law, n, f) for law in LAWS for n in (100, 635) for f in (0, 1, 3)]
    passes = [closest_pass(law, n, repeats) for n in (20, 100, 635) for law in LAWS]
    moved = [new_task(spread, fewer[2]) for spread in (0.0, 0.5, 1.0)]
    return {
        "Adjusted bound: all points at once": [all_at_once(stats.adjusted_upper, *each, repeats) for each in at_once],
        "Closest pass: averages": [claim for pair in passes for claim in pair],
        "Another task: the unit matters": [pair[1] for pair in moved],
        "Caught, at-risk and gate": [
            picked_by_caught(20, fewer[1]), *(at_risk(d, fewer[1]) for d in (1, 2)),
            gate(0.01, 300, True), gate(0.01, 300, False), gate(0.0101, 1_000, True), gate(0.0099, 1_000, False),
        ],
        "Wrong bounds: these must fail": [
            *(all_at_once(plain, law, n, f, repeats) for law in HONEST for n in (100, 635) for f in (0, 1, 3)),
            *(budget_left_free(law, 635, fewer[0]) for law in HONEST),
            *(pair[0] for pair in moved[1:]), picked_by_caught(1, fewer[1]),
        ],
    }  # fmt: skip


def main() -> None:
    repeats = 500 if "--quick" in sys.argv else 20_000
    text = ["# Validity of the bounds", "", *(__doc__ or "").strip().splitlines(), ""]
    for title, claims in tables(repeats).items():
        text += [f"## {title}", "", HEAD, *(claim.row for claim in claims), ""]
    print("\n".join(text))
    if "--quick" not in sys.argv:
        OUTPUT.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
