"""What the closest-pass rule guarantees, from plain counts: split conformal prediction of one or more detectors.

`n` passed units, exchangeable with the units to come, were seen by every detector; each threshold lies one
step above the (m + 1)-th highest peak of its detector, with a budget m that was declared beforehand (0: the
highest). `cuts` is the sum of m + 1 over the detectors. Raising a threshold keeps every guarantee.
Wilks 1941; Vovk, Gammerman & Shafer 2005; Vovk 2012; Angelopoulos & Bates 2023.
"""

from fractions import Fraction
from math import ceil, comb, floor

WORTH_HAVING = 0.1
"""The highest limit on a rate of false fires that assures anybody of something: one wrong stop in ten."""


def marginal(n: int, cuts: int) -> float:
    """Bound the probability that a new passed unit fires, on average over calibrations.

    Its peak has n + 1 equally likely ranks among the others; detectors add up.

    >>> f"{100 * marginal(635, 2):.3f} %"
    '0.314 %'
    """
    return min(1.0, cuts / (n + 1))


def conditional_upper(n: int, cuts: int, alpha: float) -> float:
    """Bound the false-fire rate of this very point: exceeded with probability at most `alpha`.

    Assumes independent units.

    >>> f"{100 * conditional_upper(635, 2, 0.05):.3f} %"
    '0.745 %'
    """
    from scipy.special import betainccinv

    return float(betainccinv(cuts, n + 1 - cuts, alpha)) if n >= cuts else 1.0


def at_least_one(n: int, cuts: int, ahead: int) -> float:
    """Bound the probability that any of the next `ahead` passed units fires.

    >>> f"{100 * at_least_one(635, 2, 100):.1f} %"
    '25.4 %'
    """
    return float(1 - Fraction(comb(n, cuts), comb(n + ahead, cuts))) if n >= cuts else float(ahead > 0)


def most_cuts(limit: str, n: int) -> int:
    """Give the largest sum of m + 1 that keeps the average within `limit`, decimal text.

    >>> most_cuts("0.01", 635)
    6
    """
    return floor(Fraction(limit) * (n + 1))


def fewest_on_average(limit: str, detectors: int) -> int:
    """Count the passed units the closest-pass rule needs to stay within `limit` on average.

    `limit` is decimal text, so that 1/0.001 is exactly 1,000.

    >>> fewest_on_average("0.01", 2)
    199
    """
    return ceil(detectors / Fraction(limit)) - 1
