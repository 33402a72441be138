"""Single labels that decide: the pencil corpus and the note's argv episode by hand, random corpora by trying it."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.evidence.influence import closing_labels, influence, label_path
from calib.evidence.sample import Sample
from calib.statistics import Closing, Influence
from tests.evidence import slow
from tests.sweeps import DETECTORS, Drawn, pencil, scored


def sample_of(drawn: list[Drawn]) -> Sample:
    return Sample.of(scored(drawn), DETECTORS)


def closing_at(sample: Sample, *point: int) -> dict[str, Closing]:
    return closing_labels(sample, np.array(point))


def test_pencil_influence() -> None:
    found = influence(sample_of(pencil()))
    assert found is not None
    moved = {one.episode_id: one for one in found.largest}
    assert found.labels == len(moved) == 8
    assert {one.episode_id for one in found.largest if one.label == "passed"} == {"P2", "P3"}
    assert moved["P3"].point == {"repeated_plan": 4, "search_run": 10}
    assert moved["P2"].point == {"repeated_plan": 5, "search_run": 8}
    assert (moved["L4"].point, moved["L4"].caught) == ({"repeated_plan": 16, "search_run": 10}, 3)
    assert (moved["F1"].point, moved["F1"].becomes) == ({"repeated_plan": 7, "search_run": 10}, "passed")
    assert [one.episode_id for one in found.largest][:2] == ["L1", "L4"]  # 8 + 5 steps, then 11


def test_pencil_paths_and_closing_labels() -> None:
    sample = sample_of(pencil())
    assert label_path(sample) == {"repeated_plan": [5, 4, 4, 3, 2, 1], "search_run": [10, 8, 7, 6, 5, 4]}
    assert closing_at(sample, 5, 10) == {"repeated_plan": Closing(1, ("L4",)), "search_run": Closing(0, ())}


def test_the_path_ends_where_no_passed_episode_is_seen() -> None:
    """What was not observable and shows no level is no closest pass at 0: nothing would choose threshold 1."""
    rows = [
        Drawn("seen", "passed", 9, ((1, 3), (0, 2))),
        Drawn("hidden", "passed", 9, (None, (0, 1))),
    ]
    assert label_path(sample_of(rows)) == {"repeated_plan": [4], "search_run": [3, 2]}


def test_the_notes_argv_episode_closes_its_plateau() -> None:
    """Peak 50 in an episode that ran to the limit after its task was done: were it passed, 51 > 39."""
    rows = [
        Drawn("argv", "turn_limit", 64, ((14, 50), (0, 0))),
        Drawn("edge", "turn_limit", 64, ((10, 39), (0, 0))),
        Drawn("one", "passed", 64, ((1, 6), (0, 34))),
        Drawn("two", "passed", 64, ((1, 6), (0, 34))),
    ]
    sample = sample_of(rows)
    assert closing_at(sample, 7, 35)["repeated_plan"] == Closing(1, ("argv",))
    found = influence(sample)
    assert found is not None
    assert (found.largest[0].episode_id, found.largest[0].point) == ("argv", {"repeated_plan": 51, "search_run": 35})


def test_the_only_passed_episode_leaves_no_choice() -> None:
    found = influence(sample_of([Drawn("a", "passed", 9, ((1, 2), (0, 3))), Drawn("b", "failed", 9, ((1, 0), (0, 0)))]))
    assert found is not None
    assert [(one.episode_id, one.point, one.caught) for one in found.largest] == [("a", None, None)]
    assert influence(sample_of([Drawn("b", "failed", 9, ((1, 0), (0, 0)))])) is None


def test_at_most_a_hundred_are_listed_and_all_are_counted() -> None:
    rows = [Drawn(f"e{at:03}", "turn_limit", 9, ((1, 5), (0, 0))) for at in range(250)]
    found = influence(sample_of([*rows, Drawn("pass", "passed", 9, ((1, 2), (0, 0)))]))
    assert found is not None
    assert (found.labels, len(found.largest)) == (251, 100)
    assert found.largest[0].episode_id == "pass"


def expected_influence(drawn: list[slow.Row], rule: tuple[int, ...]) -> list[tuple[object, ...]]:
    found = []
    for row, changed in slow.relabelled(drawn):
        point = slow.choose(changed)
        if point == rule:
            continue
        move = sum(abs(new - old) for new, old in zip(point, rule, strict=True)) if point else 1_000
        counts = [share[0] for share in slow.shares(changed, point)] if point else [None, None]
        found.append((-move, row.episode_id, row.label, point, *counts))
    return [one[1:] for one in sorted(found, key=lambda one: one[:2])]


def spelled(found: Influence) -> list[tuple[object, ...]]:
    return [
        (one.episode_id, one.label, one.point and tuple(one.point.values()), one.caught, one.false_fires)
        for one in found.largest
    ]


@settings(max_examples=200, deadline=None)
@given(slow.rows(), st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_agrees_with_trying_it(drawn: list[slow.Row], point: tuple[int, int]) -> None:
    sample = Sample.of(slow.corpus(drawn), DETECTORS)
    rule, found = slow.choose(drawn), influence(sample)
    if rule is None:
        assert found is None
    else:
        assert found is not None
        assert spelled(found) == expected_influence(drawn, rule)
        assert found.labels == len(found.largest)
    for place, (name, closing) in enumerate(closing_at(sample, *point).items()):
        assert closing.episode_ids == tuple(slow.closing(drawn, point, place)), name
        assert closing.labels == len(closing.episode_ids)
    passed = slow.labelled(drawn, "passed")
    for place, path in enumerate(label_path(sample).values()):
        said = [row.peaks[place] for row in passed if row.seen[place] or row.peaks[place]]
        falling = sorted(said, reverse=True)
        assert path == [1 + peak for peak in falling[:6]]
