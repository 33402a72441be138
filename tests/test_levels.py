"""Run lengths and reach, by pencil and against a literal loop."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.levels import Reach, cuts, reach, reach_of, run_length, same_as_previous

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


@pytest.mark.parametrize(
    ("extends", "expected"),
    [
        ([False], [0]),
        ([True], [1]),
        ([True, True, False, True], [1, 2, 0, 1]),
        ([None, True, None, True], [0, 1, 0, 1]),
    ],
)
def test_run_length_by_pencil(extends: list[bool | None], expected: list[int]) -> None:
    frame = pl.DataFrame({"turn": range(len(extends)), "x": pl.Series(extends, dtype=pl.Boolean)})
    assert frame.select(run_length(pl.col("x"))).to_series().to_list() == expected


def test_a_run_does_not_cross_into_the_next_episode() -> None:
    frame = pl.DataFrame({"turn": [0, 1, 0, 1], "same_reasoning_as": [0, 0, 0, 0]})
    assert frame.select(run_length(same_as_previous("same_reasoning_as"))).to_series().to_list() == [0, 1, 0, 1]


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


def test_reach_of_chunks_is_reach_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    episodes = [[1, 0, 1, 1], [0, 1], [1, 1, 1], [0]]
    flags, turns = columns(episodes)
    frame = pl.DataFrame({"turn": turns, "x": flags > 0})
    whole = rows(reach_of(frame, run_length(pl.col("x"))))
    monkeypatch.setattr("calib.levels.cuts", lambda turns: cuts(turns, 2))
    assert (
        rows(reach_of(frame, run_length(pl.col("x"))))
        == whole
        == [(0, 1, 0), (0, 2, 3), (1, 1, 1), (2, 1, 0), (2, 2, 1), (2, 3, 2)]
    )
