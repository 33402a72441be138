"""Two arms or two points on the same units: exact tests of which differ, and by how much.

A change is +1 where the new one is better, -1 where it is worse, 0 where nothing differs. Units that do not
differ carry no evidence, so the tests are of the others alone (Dixon & Mood 1946; McNemar 1947).
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Literal


@dataclass(frozen=True)
class Sides:
    """How many changes are for the better, for the worse, and none."""

    better: int
    worse: int
    same: int

    @property
    def p(self) -> float | None:
        """The two-sided p value of the sign test; None when nothing differs."""
        return sign_test(self.better, self.worse)

    @property
    def least_p(self) -> float:
        """The least p value that so many units could give."""
        return least_p(self.better + self.worse + self.same)


def sides(changes: Iterable[int]) -> Sides:
    """Count changes by sign.

    >>> sides([3, -1, 0, 1])
    Sides(better=2, worse=1, same=1)
    """
    found = list(changes)
    better, worse = sum(change > 0 for change in found), sum(change < 0 for change in found)
    return Sides(better, worse, len(found) - better - worse)


def collapsed(changes: Sequence[int], groups: Sequence[Hashable]) -> list[int]:
    """Add changes up by group, in the order in which the groups first come: a group's verdict is its sign.

    >>> collapsed([1, 1, -1, 0], ["a", "b", "b", "c"])
    [1, 0, 0]
    """
    found: dict[Hashable, int] = {}
    for change, group in zip(changes, groups, strict=True):
        found[group] = found.get(group, 0) + change
    return list(found.values())


def sign_test(better: int, worse: int) -> float | None:
    """Test exactly whether `better` and `worse` are equally likely, two-sided; None when both are 0.

    The same as the exact McNemar test of two discordant counts.

    >>> f"{sign_test(43, 0):.2g}", sign_test(1, 1), sign_test(0, 0)
    ('2.3e-13', 1.0, None)
    """
    from scipy.special import betaincc

    n, fewer = better + worse, min(better, worse)
    if not n:
        return None
    return 1.0 if 2 * fewer == n else min(1.0, 2 * float(betaincc(fewer + 1, n - fewer, 0.5)))


def least_p(units: int) -> float:
    """Give the least two-sided p value that a sign test of so many units can have.

    >>> [least_p(units) for units in (3, 5, 6)]
    [0.25, 0.0625, 0.03125]
    """
    return min(1.0, 2 * 0.5**units)


@dataclass(frozen=True)
class MeanDifference:
    """The mean of paired differences with its interval; `p` is None when all differences are equal."""

    n: int
    mean: float
    low: float
    high: float
    p: float | None


def mean_difference(differences: Sequence[float], alpha: float) -> MeanDifference | None:
    """Bound the mean of paired differences by Student's t, `alpha`/2 a side; None for fewer than two.

    Assumes independent, roughly normal differences (Student 1908).

    >>> found = mean_difference([57.8, 89.0, 116.0, 133.6, 146.9, 178.1], 0.05)
    >>> f"{found.mean:+.1f} [{found.low:.1f}, {found.high:.1f}]"
    '+120.2 [75.4, 165.1]'
    """
    from scipy.special import stdtr, stdtrit

    n = len(differences)
    if n < 2:
        return None
    mean, spread = fmean(differences), stdev(differences)
    if spread == 0:
        return MeanDifference(n, mean, mean, mean, None)
    error = spread / sqrt(n)
    reach = float(stdtrit(n - 1, 1 - alpha / 2)) * error
    return MeanDifference(n, mean, mean - reach, mean + reach, 2 * float(stdtr(n - 1, -abs(mean) / error)))


def change(old: Sequence[float], new: Sequence[float]) -> float | None:
    """Give the change of the mean as a share of the old mean, from unrounded means; None without an old mean.

    For as many values on both sides it is the ratio of their sums less one.

    >>> f"{100 * change([2527.0], [1772.0]):+.1f} %"
    '-29.9 %'
    """
    if not old or not new or not (before := fmean(old)):
        return None
    return fmean(new) / before - 1


def within_spread(old: Sequence[float], new: Sequence[float]) -> bool:
    """Tell whether two means differ by no more than the larger of the two ranges.

    >>> within_spread([100.0, 120.0], [119.0, 121.0]), within_spread([100.0, 101.0], [119.0, 121.0])
    (True, False)
    """
    ranges = [max(values) - min(values) for values in (old, new)]
    return abs(fmean(new) - fmean(old)) <= max(ranges)


def viability(
    passes: int, not_run: int, reference: int, margin: int, reference_not_run: int = 0
) -> Literal["PASS", "FAIL", "INCONCLUSIVE"]:
    """Judge passes ≥ reference − margin on the same pairs; what was not run, on either side, counts both ways.

    >>> viability(29, 0, 44, 1), viability(4, 5, 15, 1), viability(10, 5, 15, 1), viability(1, 0, 1, 0, 2)
    ('FAIL', 'FAIL', 'INCONCLUSIVE', 'INCONCLUSIVE')
    """
    least = reference - margin
    sure = passes >= least + reference_not_run
    return "PASS" if sure else "FAIL" if passes + not_run < least else "INCONCLUSIVE"
