"""Episodes that stand more than once in a corpus, under other names: no bound may count them as so many draws.

480 copies of one run say no more of the next run than one does. Copies are told by content, as detectors see it; two
short runs may look alike by chance, so nothing is done where only a few do.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.results import Distinct
from calib.risk import Standing
from calib.score import Scored
from calib.tables import LABELS

CHANCE = Fraction(1, 20)
"""Up to this share of the episodes of a label may look like others: short runs do so by chance."""

Flags = NDArray[np.bool_]


def contents(scored: Scored, among: Flags) -> int:
    """Count the different contents of the marked episodes; one without a turn has one of its own."""
    episodes = scored.episodes.filter(pl.Series(among))
    full = episodes.filter(episodes["n_turns"] > 0)
    return full["digest"].n_unique() + len(episodes) - len(full)


def repeat(scored: Scored, among: Flags) -> bool:
    """Tell whether more of the marked episodes repeat others than chance explains."""
    n = int(np.count_nonzero(among))
    return n - contents(scored, among) > CHANCE * n


def distinct(scored: Scored, point: Standing) -> Mapping[str, Distinct]:
    """Count each content once, for each label of which too many episodes repeat others; the others are not in it."""
    found = {}
    for label in LABELS[:3]:
        among = scored.labelled(label)
        if repeat(scored, among):
            fired, unknown = contents(scored, among & point.fired), contents(scored, among & point.unknown)
            found[label] = Distinct(fired, unknown, max(contents(scored, among), fired + unknown))
    return found
