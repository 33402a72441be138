"""Reach, by pencil and against a literal loop."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calib.levels import Reach, cuts, reach

EPISODES = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=8), min_size=1, max_size=8)


def columns(episodes: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    levels = np.array([level for episode in episodes for level in episode], np.int32)
    turns = np.array([turn for episode in episodes for turn in range(len(episode))], np.int32)
    return levels, turns


def records(episodes: list[list[int]]) -> list[tuple[int, int, int]]:
    """List (episode, level, turn) wherever a level tops all before it, one turn at a time."""
    found = []
    for number, episode in enumerate(episodes):
        best = 0
        for turn, level in enumerate(episode):
            if level > best:
                best = level
                found.append((number, level, turn))
    return found


def rows(found: Reach) -> list[tuple[int, int, int]]:
    return list(zip(found.episode.tolist(), found.level.tolist(), found.turn.tolist(), strict=True))


@given(EPISODES)
def test_reach_lists_the_record_setting_turns(episodes: list[list[int]]) -> None:
    assert rows(reach(*columns(episodes))) == records(episodes)


@given(EPISODES, st.integers(1, 6))
def test_first_turn_of_a_level_and_peaks_follow_from_reach(episodes: list[list[int]], threshold: int) -> None:
    found = reach(*columns(episodes))
    firsts = [next((t for t, level in enumerate(e) if level >= threshold), -1) for e in episodes]
    assert found.fire_turns(threshold, len(episodes)).tolist() == firsts
    assert found.peaks(len(episodes)).tolist() == [max(episode) for episode in episodes]


@given(EPISODES, st.randoms())
def test_of_keeps_and_reorders_episodes(episodes: list[list[int]], random: "np.random.Generator") -> None:
    kept = [number for number in range(len(episodes)) if random.random() < 0.6]
    random.shuffle(kept)
    found = reach(*columns(episodes)).of(np.array(kept, np.int32))
    assert rows(found) == records([episodes[number] for number in kept])


@given(EPISODES, st.integers(1, 10))
def test_cuts_hold_whole_episodes(episodes: list[list[int]], size: int) -> None:
    _, turns = columns(episodes)
    edges = cuts(turns, size)
    assert edges[0] == 0
    assert edges[-1] == len(turns)
    assert all(turns[edge] == 0 for edge in edges[:-1])
