"""Where episodes stand at a point: the pencil corpus by hand, random ones by the definition, read slowly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.point import Point, Trigger, parse_point
from calib.risk import NEVER, at_point, by_trigger, earliest_turn
from tests.sweeps import DETECTORS, Drawn, pencil, scored

POINT = parse_point("repeated_plan@5 | search_run@10")


@pytest.mark.parametrize(
    ("trigger", "turn"),
    [
        ("repeated_plan@7", 7),
        ("repeated_plan@63", 63),
        ("search_run@35", 34),
        ("search_run@64", 63),
        ("search_run@1", 0),
    ],
)
def test_earliest_turn_of_a_level(trigger: str, turn: int) -> None:
    (one,) = parse_point(trigger).triggers
    assert earliest_turn(one.detector, one.threshold) == turn


def test_a_detector_without_a_ceiling_cannot_say() -> None:
    assert earliest_turn("made_up", 1_000) == 0


def test_a_window_caps_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.risk.ceiling", lambda name, own: lambda turns: min(turns, 8))
    assert earliest_turn("windowed", 8) == 7
    assert earliest_turn("windowed", 9) == NEVER


def test_pencil_passed_episodes() -> None:
    corpus = scored(pencil())
    passed, lengths = corpus.labelled("passed"), corpus.turns
    each = by_trigger(corpus, POINT)
    ids = corpus.episodes["episode_id"]
    for standing, silent, too_short, unknown, turns in (
        (at_point(each), 6, ["P7"], ["P8"], 39),
        (each["repeated_plan"], 6, ["P7"], ["P8"], 39),
        (each["search_run"], 4, ["P5", "P7", "P8", "P1"], [], 19),
    ):
        assert not (standing.fired & passed).any()
        assert np.count_nonzero(standing.silent & passed) == np.count_nonzero(standing.at_risk & passed) == silent
        assert set(ids.filter(standing.too_short & passed)) == set(too_short)
        assert ids.filter(standing.unknown & passed).to_list() == unknown
        assert standing.turns_at_risk(lengths)[passed].sum() == turns
    by_id = dict(zip(ids, each["search_run"].turns_at_risk(lengths).tolist(), strict=True))
    assert [by_id[name] for name in ("P2", "P3", "P4", "P6")] == [3, 6, 1, 9]


def test_a_fire_ends_the_turns_at_risk_and_is_known_however_little_was_recorded() -> None:
    rows = [
        Drawn("a", "passed", 20, ((3, 4), (0, 0))),
        Drawn("b", "passed", 20, (None, (2, 3))),
        Drawn("c", "passed", 3, (None, (0, 1))),
        Drawn("d", "passed", 0, ((0, 0), (0, 0))),
    ]
    corpus = scored(rows)
    standing = at_point(by_trigger(corpus, parse_point("repeated_plan@4 | search_run@3")))
    assert standing.fired.tolist() == [True, True, False, False]
    assert standing.too_short.tolist() == [False, False, False, True]  # three turns allow search_run@3
    assert standing.unknown.tolist() == [False] * 4  # and too few for repeated_plan@4, so nothing is unknown
    assert standing.turns_at_risk(corpus.turns).tolist() == [5, 3, 1, 0]


drawings = st.one_of(st.none(), st.tuples(st.integers(0, 5), st.integers(0, 6)))


@st.composite
def corpora(draw: st.DrawFn) -> list[Drawn]:
    made = []
    for number in range(draw(st.integers(1, 7))):
        ramps = tuple(draw(drawings) for _ in DETECTORS)
        longest = max((start + height for start, height in filter(None, ramps)), default=0)
        made.append(Drawn(f"e{number}", "passed", longest + draw(st.integers(1, 4)), ramps))
    return made


@settings(max_examples=120, deadline=None)
@given(corpora(), st.integers(1, 6), st.integers(1, 6))
def test_agrees_with_the_definition(rows: list[Drawn], plan: int, search: int) -> None:
    corpus = scored(rows)
    found = at_point(by_trigger(corpus, Point((Trigger("repeated_plan", plan), Trigger("search_run", search)))))
    for at, row in enumerate(rows):
        allowed = (row.n_turns - 1 >= plan, row.n_turns >= search)
        peaks = [ramp[1] if ramp else 0 for ramp in row.ramps]
        fired = peaks[0] >= plan or peaks[1] >= search
        unknown = not fired and any(ramp is None and can for ramp, can in zip(row.ramps, allowed, strict=True))
        assert found.fired[at] == fired
        assert found.unknown[at] == unknown
        assert found.too_short[at] == (not fired and not any(allowed))
        assert found.silent[at] == (not fired and not unknown and any(allowed))
        assert found.at_risk[at] == (fired or found.silent[at])
