"""Episodes that stand more than once in a corpus, under other names: no bound may count them as so many draws.

480 copies of one run say no more of the next run than one does. Copies are runs of one task with the same content as
detectors see it: lengths, equalities and tools, never text. Runs of one turn or two look alike by chance, so they are
never taken for copies, and nothing is done where only a few of the longer ones are.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.levels import Integers
from calib.results import Distinct
from calib.risk import Standing
from calib.score import Scored
from calib.tables import LABELS

CHANCE = Fraction(1, 20)
"""Up to this share of the episodes of a label may look like others."""
SHORT = 2
"""Turns up to which an episode is like many others."""

Flags = NDArray[np.bool_]


def contents(scored: Scored) -> Integers:
    """Number the contents: copies have the same number."""
    copied = pl.concat_str("digest", pl.col("task").cast(pl.String).fill_null(""), separator="\0")
    alone = pl.concat_str("episode_id", pl.lit("\0\0"))
    key = scored.episodes.select(pl.when(pl.col("n_turns") > SHORT).then(copied).otherwise(alone).alias("key"))["key"]
    return key.rank("dense").to_numpy().astype(np.int64)


def different(numbers: Integers, among: Flags) -> int:
    """Count the different contents of the marked episodes."""
    return len(np.unique(numbers[among]))


def repeat(numbers: Integers, among: Flags) -> bool:
    """Tell whether more of the marked episodes are copies of others than chance explains."""
    n = int(np.count_nonzero(among))
    return n - different(numbers, among) > CHANCE * n


def distinct(scored: Scored, point: Standing) -> Mapping[str, Distinct]:
    """Count each content once, for each label of which too many episodes repeat others; the others are not in it."""
    found, numbers = {}, contents(scored)
    for label in LABELS[:3]:
        among = scored.labelled(label)
        if repeat(numbers, among):
            fired, unknown = (different(numbers, among & each) for each in (point.fired, point.unknown))
            found[label] = Distinct(fired, unknown, max(different(numbers, among), fired + unknown))
    return found
