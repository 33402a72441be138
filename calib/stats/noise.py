"""How far a share could be off if some labels are wrong, over every way in which they can be."""

from collections.abc import Iterable
from fractions import Fraction
from math import floor

Counts = tuple[int, int]
"""Fired, silent."""


def wrong_labels(n: int, share: str) -> int:
    """Count the labels of a kind that are at most wrong; `share` is decimal text, so that it is exact.

    >>> wrong_labels(635, "0.01"), wrong_labels(30, "0.05")
    (6, 1)
    """
    return floor(Fraction(share) * n)


def greatest(own: Counts, wrong: int, others: Iterable[tuple[Counts, int]]) -> tuple[int, int]:
    """Give the greatest share that fires: silent ones leave, fired ones of other kinds enter, as many as may be wrong.

    >>> greatest((0, 635), 31, [((30, 0), 1), ((1, 41), 2)])
    (2, 606)
    """
    fired, silent = own
    enter = sum(min(allowed, counts[0]) for counts, allowed in others)
    if not fired + enter:
        return 0, silent
    return fired + enter, fired + silent - min(wrong, silent) + enter


def least(own: Counts, wrong: int, others: Iterable[tuple[Counts, int]]) -> tuple[int, int]:
    """Give the least share that fires: fired ones leave, silent ones of other kinds enter.

    >>> least((30, 0), 1, [((0, 635), 31), ((1, 41), 2)])
    (29, 62)
    """
    fired, silent = own
    stay = fired - min(wrong, fired)
    return stay, stay + silent + sum(min(allowed, counts[1]) for counts, allowed in others)
