"""Two points on the same episodes: the pencil corpus by hand, random ones against a slow count."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.evidence.fired import paired, paired_points, turn_count
from calib.point import parse_point
from calib.statistics import Paired
from tests.sweeps import pencil, scored

POINT = parse_point("repeated_plan@5 | search_run@10")


def test_pencil_against_turn_count() -> None:
    corpus = scored(pencil())
    found = paired(corpus.fire_turns(POINT), turn_count(corpus, 19), corpus.labelled("turn_limit"))
    assert found == Paired(0, 0, 5, 0, None, 5, 0, 0, 0.0625)


def test_pencil_fire_turns() -> None:
    corpus = scored(pencil())
    turns = dict(zip(corpus.episodes["episode_id"], corpus.fire_turns(POINT).tolist(), strict=True))
    fired = {name: turn for name, turn in turns.items() if turn >= 0}
    assert fired == {"L1": 9, "L2": 12, "L3": 13, "L4": 9, "L5": 7, "F1": 7}


def test_a_lower_point_fires_earlier_and_more() -> None:
    found = paired_points(scored(pencil()), parse_point("repeated_plan@3 | search_run@10"), POINT)
    assert found.passed == Paired(3, 0, 0, 5, 0.25, 0, 0, 0, None)  # P1, P3 and P6
    assert (found.turn_limit.only_first, found.turn_limit.both) == (0, 5)
    assert (found.turn_limit.earlier, found.turn_limit.same_turn) == (4, 1)  # L3 is caught by search alone


turns = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.booleans()), max_size=12)


@settings(max_examples=100, deadline=None)
@given(turns)
def test_agrees_with_a_slow_count(rows: list[tuple[int, int, bool]]) -> None:
    first, second, among = (np.array([row[at] for row in rows], np.int32) for at in range(3))
    found = paired(first, second, among.astype(np.bool_))
    kept = [(one, two) for one, two, kept in rows if kept]
    assert found.only_first == sum(one >= 0 > two for one, two in kept)
    assert found.only_second == sum(two >= 0 > one for one, two in kept)
    assert found.neither == sum(one < 0 and two < 0 for one, two in kept)
    both = [(one, two) for one, two in kept if one >= 0 and two >= 0]
    assert (found.both, found.same_turn) == (len(both), sum(one == two for one, two in both))
    assert (found.earlier, found.later) == (sum(one < two for one, two in both), sum(one > two for one, two in both))
