"""Which points of a declared limit are certified, all at once, however one of them is then picked.

Learn-then-Test with exact binomial p values (Angelopoulos, Bates, Candès, Jordan & Lei 2021) and a correction
that uses that fires only fall as thresholds rise (a union over the splits of the fires: Campi & Garatti 2011).
"""

from fractions import Fraction
from math import comb

from calib.stats.bounds import adjusted_upper


def p_value(fired: int, n: int, limit: float, detectors: int = 1) -> float:
    """Give the p value of "the rate is above `limit`" for every point of `detectors` triggers with `fired` fires.

    With one detector it is that of a point fixed before.

    >>> [f"{p_value(0, 635, 0.01, detectors):.2g}" for detectors in (1, 2)]
    ['0.0017', '0.013']
    """
    from scipy.special import betaincc

    most = fired + detectors - 1
    if most >= n:
        return 1.0
    beyond = Fraction(float(betaincc(most + 1, n - most, limit)))
    return float(min(Fraction(1), comb(most, detectors - 1) * beyond))


def largest_budget(n: int, limit: float, detectors: int, alpha: float) -> int | None:
    """Give the most fires on `n` passed units with which a point chosen on them is certified at `limit`.

    Every point with so many or fewer is. None: not even a point without a fire.

    >>> largest_budget(635, 0.01, 2, 0.05), largest_budget(635, 0.005, 2, 0.05)
    (0, None)
    """
    low, high = -1, 0  # certified with `low` fires, or none asked
    while adjusted_upper(high, n, detectors, alpha) <= limit:
        low, high = high, 2 * high + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if adjusted_upper(middle, n, detectors, alpha) <= limit else (low, middle)
    return None if low < 0 else low
