"""Who fires when: fire turns of points on the same episodes, and two of them compared pair by pair.

Fire turns are one whole number an episode, in the order of `Scored.episodes`; -1 never.
"""

import numpy as np
from numpy.typing import NDArray

from calib.levels import Integers
from calib.point import Point
from calib.score import Scored
from calib.statistics import Paired, PairedLabels
from calib.stats.paired import sign_test

Flags = NDArray[np.bool_]


def turn_count(scored: Scored, threshold: int) -> Integers:
    """Give the fire turns of a plain turn count, a detector whose level is turn + 1."""
    return np.where(scored.turns >= threshold, threshold - 1, -1).astype(np.int32)


def paired(first: Integers, second: Integers, among: Flags) -> Paired:
    """Compare two fire turns an episode, `among` some episodes.

    >>> paired(np.array([3, -1, 5]), np.array([4, 2, -1]), np.array([True, True, True])).earlier
    1
    """
    one, two = first[among], second[among]
    both = (one >= 0) & (two >= 0)
    only_first, only_second = np.count_nonzero((one >= 0) & ~both), np.count_nonzero((two >= 0) & ~both)
    earlier, later = np.count_nonzero(both & (one < two)), np.count_nonzero(both & (one > two))
    fire = int(np.count_nonzero(both))
    return Paired(
        only_first=int(only_first),
        only_second=int(only_second),
        both=fire,
        neither=len(one) - fire - int(only_first) - int(only_second),
        p=sign_test(int(only_first), int(only_second)),
        earlier=int(earlier),
        later=int(later),
        same_turn=fire - int(earlier) - int(later),
        p_earlier=sign_test(int(earlier), int(later)),
    )


def paired_labels(scored: Scored, first: Integers, second: Integers) -> PairedLabels:
    """Compare two fire turns an episode, for each counted label."""
    return PairedLabels(
        *(paired(first, second, scored.labelled(label)) for label in ("turn_limit", "passed", "failed"))
    )


def paired_points(scored: Scored, first: Point | str, second: Point | str) -> PairedLabels:
    """Compare any two points of scored detectors on the same episodes, for each counted label."""
    return paired_labels(scored, scored.fire_turns(first), scored.fire_turns(second))
