"""Exact bounds from plain counts.

A share is `fired` of `n` units drawn independently from one population; `alpha` is the error allowed
on the side asked for. Nothing here knows what fired. Clopper & Pearson 1934 for a point fixed before;
for a point chosen on the same units the bound pays for the choice (`adjusted_upper`).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod


def upper(fired: int, n: int, alpha: float) -> float:
    """Bound a share from above: exceeded by the true share with probability at most `alpha`.

    >>> round(upper(0, 635, 0.05), 6)
    0.004707

    Nothing seen (n = 0) bounds nothing: 1.
    """
    return adjusted_upper(fired, n, 1, alpha)


def lower(fired: int, n: int, alpha: float) -> float:
    """Bound a share from below: above the true share with probability at most `alpha`.

    >>> round(lower(30, 30, 0.05), 6)
    0.904966

    Nothing seen (n = 0) bounds nothing: 0.
    """
    from scipy.special import betaincinv

    return 0.0 if fired <= 0 else float(betaincinv(fired, n - fired + 1, alpha))


def two_sided(fired: int, n: int, alpha: float) -> tuple[float, float]:
    """Bound a share from both sides, `alpha`/2 a side: the interval of a description.

    >>> [round(end, 6) for end in two_sided(1, 42, 0.05)]
    [0.000603, 0.125659]
    """
    return lower(fired, n, alpha / 2), upper(fired, n, alpha / 2)


def adjusted_upper(fired: int, n: int, detectors: int, alpha: float) -> float:
    """Bound the share of a point of `detectors` triggers that was chosen on the same `n` units.

    With probability 1 - `alpha` it holds for every point that fires on at most `fired` units, all at
    once, so it holds for the one picked, by whatever rule. It counts one extra fire for each detector
    after the first and divides `alpha` by the ways to split the fires among the detectors. `fired` is
    the budget: fixed beforehand, or implied by a limit that was.

    >>> round(adjusted_upper(0, 635, 2, 0.05), 5)
    0.00745

    Fewer than `fired` + `detectors` units bound nothing: 1.
    """
    from scipy.special import betainccinv

    cut = fired + detectors
    if n < cut:
        return 1.0
    share = float(Fraction(alpha) / comb(cut - 1, detectors - 1))  # the ways may be more than a float holds
    return float(betainccinv(cut, n + 1 - cut, share))


def minimal_points(axes: Sequence[int]) -> int:
    """Count what to divide `alpha` by when a point was picked by its caught share among all thresholds.

    `axes` holds the number of thresholds of each detector. A wrongly certified point passes its error down
    to a minimal one, and of those there are at most as many as combinations on all axes but the longest.

    >>> minimal_points((63, 64)), round(lower(30, 30, 0.05 / minimal_points((63, 64))), 3)
    (63, 0.788)
    """
    return prod(axes) // max(axes)


def bounds_with_unknown(fired: int, unknown: int, n: int, alpha: float) -> tuple[float, float]:
    """Bound a share when `unknown` of the `n` units could not be observed, `alpha` a side.

    The lower end takes them as silent, the upper end as fired; nothing is assumed about them.

    >>> [round(end, 6) for end in bounds_with_unknown(30, 4, 34, 0.025)]
    [0.725497, 1.0]
    """
    return lower(fired, n, alpha), upper(fired + unknown, n, alpha)
