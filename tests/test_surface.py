"""The surface by pencil, and for one, two and three detectors against counting every combination."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.levels import Integers, Reach, reach
from calib.surface import fire_turns, fires

EPISODE = st.integers(1, 6).flatmap(
    lambda turns: st.lists(st.lists(st.integers(0, 3), min_size=turns, max_size=turns), min_size=3, max_size=3)
)
"""Levels of three detectors in one episode."""


def of_detector(episodes: list[list[list[int]]], number: int) -> Reach:
    levels = np.array([level for episode in episodes for level in episode[number]], np.int32)
    turns = np.array([turn for episode in episodes for turn in range(len(episode[0]))], np.int32)
    return reach(levels, turns)


def first_fire(episode: list[list[int]], thresholds: tuple[int, ...]) -> int | None:
    for turn in range(len(episode[0])):
        if any(levels[turn] >= k for levels, k in zip(episode, thresholds, strict=False)):
            return turn
    return None


def test_fires_by_pencil() -> None:
    axes = [np.array([1, 2], np.int32), np.array([1, 3], np.int32)]
    peaks: list[Integers] = [np.array([0, 1, 2, 0]), np.array([0, 0, 2, 3])]
    # (1,1) three fire; (1,3) all but the first; (2,1) two; (2,3) two
    assert fires(axes, peaks).tolist() == [[3, 3], [2, 2]]
    assert fires(axes, peaks, np.array([1, 10, 100, 1000])).tolist() == [[1110, 1110], [1100, 1100]]


def test_fire_turns_by_pencil() -> None:
    # levels of one detector:  0 1 2 | 1 1 1 2 | 0
    episodes = [[[0, 1, 2]], [[1, 1, 1, 2]], [[0]]]
    found = fire_turns([np.array([1, 2, 3], np.int32)], [of_detector(episodes, 0)], 3)
    assert found.min.tolist()[:2] == [0, 2]
    assert found.median.tolist()[:2] == [0.5, 2.5]
    assert found.max.tolist()[:2] == [1, 3]
    assert found.total.tolist() == [1, 5, 0]
    assert np.isnan(found.median[2])


@settings(max_examples=80, deadline=None)
@given(st.lists(EPISODE, min_size=0, max_size=7), st.integers(1, 3))
def test_every_combination_equals_counting_it(episodes: list[list[list[int]]], detectors: int) -> None:
    axes = [np.arange(1, 5, dtype=np.int32)] * detectors
    found = [of_detector(episodes, number) for number in range(detectors)]
    counts = fires(axes, [each.peaks(len(episodes)) for each in found])
    when = fire_turns(axes, found, len(episodes))
    for cell in product(range(4), repeat=detectors):
        turns = [first_fire(episode, tuple(index + 1 for index in cell)) for episode in episodes]
        fired = sorted(turn for turn in turns if turn is not None)
        assert counts[cell] == len(fired)
        assert when.total[cell] == sum(fired)
        if not fired:
            assert np.isnan([when.min[cell], when.median[cell], when.max[cell]]).all()
            continue
        assert (when.min[cell], when.max[cell]) == (fired[0], fired[-1])
        assert when.median[cell] == pytest.approx(np.median(fired))


def test_thresholds_need_not_be_consecutive() -> None:
    episodes = [[[1, 2, 3, 4, 5]], [[0, 1, 2, 3, 3]]]
    found = fire_turns([np.array([2, 5], np.int32)], [of_detector(episodes, 0)], 2)
    assert found.min.tolist() == [1, 4]
    assert found.max.tolist() == [2, 4]
