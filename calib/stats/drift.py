"""Does a later corpus still look like the one a threshold was calibrated on? From plain counts."""

from fractions import Fraction
from math import comb


def exceedances(above: int, later: int, calibrated: int) -> float:
    """Bound the probability that `above` or more of `later` peaks exceed all `calibrated` ones.

    Holds if all of them are exchangeable, and is exact without ties (Rosenbaum 1954).

    >>> f"{exceedances(2, 48, 635):.2g}", exceedances(0, 48, 635)
    ('0.0048', 1.0)
    """
    return float(Fraction(comb(later, above), comb(calibrated + later, above)))
