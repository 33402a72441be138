"""The whole value of one report: every part there, or the reason why it is not; names as in the contract."""

import json
from dataclasses import asdict, fields, replace

import pytest

from calib.errors import UsageError
from calib.evidence import paired_points, statistics
from calib.point import parse_point
from calib.statistics import Statistics
from calib.sweep import sweep
from tests.sweeps import Drawn, note, pencil, scored

NAMES = {
    "confidence", "unit", "chosen", "partition", "at_risk_turns", "at_risk_upper", "reachability", "caught",
    "false_fires", "other_fires", "guarantee", "horizon", "leave_one_out", "transfer", "resampling", "influence",
    "label_path", "closing_labels", "label_noise", "cost", "baselines", "paired_with_turn_count", "contribution", "why",
}  # fmt: skip
"""Section 14 of the specification, but for the gate's own."""


def of(drawn: list[Drawn], **named: str) -> Statistics:
    corpus = scored(drawn)
    return statistics(corpus, sweep(corpus), **named)  # type: ignore[arg-type]


def test_names_of_the_contract() -> None:
    assert {field.name for field in fields(Statistics)} >= NAMES
    assert {field.name for field in fields(Statistics)} - NAMES == {"by_unit", "at_risk_turn_rate"}


def test_pencil_lacks_nothing() -> None:
    found = of(pencil())
    assert found.why == {}
    assert None not in vars(found).values()
    assert list(found.by_unit) == list(found.guarantee or {}) == ["episode", "task"]
    assert found.caught == found.by_unit["episode"].caught
    assert found.at_risk_turns == {"point": 39, "repeated_plan": 39, "search_run": 19}
    per_turn = {name: each and f"{each.one_sided_upper:.1f}" for name, each in found.at_risk_turn_rate.items()}
    assert per_turn == {"point": "76.8", "repeated_plan": "76.8", "search_run": "157.7"}


def test_it_is_strict_json() -> None:
    text = json.dumps(asdict(of(pencil())), allow_nan=False)
    assert set(json.loads(text)) >= NAMES


def test_parts_of_a_partition_add_up() -> None:
    for label, each in of(pencil()).partition.items():
        n = sum(one.label == label for one in pencil())
        for one in each.values():
            assert one.fired + one.at_risk_silent + one.too_short + one.unknown == n
            assert one.at_risk == one.fired + one.at_risk_silent


def test_tasks_declared_are_the_unit_of_every_rate() -> None:
    found = of(pencil(), unit="task")
    assert (found.unit, found.false_fires.n, found.caught.n) == ("task", 3, 3)
    assert list(found.by_unit) == ["episode", "task"]
    assert found.cost == of(pencil()).cost  # the cost stays that of an episode


def test_groups_follow_by() -> None:
    assert found_by(of(pencil())) == "task"
    assert of(pencil(), by="model").why["leave_one_out"] == "one model: nothing to hold out"
    assert of(pencil(), by="arm").why["transfer"] == "no arm recorded: nothing to hold out"
    with pytest.raises(UsageError, match="nothing"):
        of(pencil(), by="nothing")


def found_by(found: Statistics) -> str:
    assert found.leave_one_out is not None
    return found.leave_one_out.by


def test_tasks_that_do_not_repeat_are_no_second_unit() -> None:
    rows = [replace(one, task=one.episode_id) for one in pencil()]
    assert list(of(rows).by_unit) == ["episode"]


def test_many_groups_have_no_matrix() -> None:
    rows = [replace(one, task=one.episode_id) for one in note() if one.label != "failed"]
    found = of(rows)
    assert found.transfer is None
    assert found.why["transfer"] == "665 groups of task; a matrix is given up to 100"
    assert found.leave_one_out is not None
    assert len(found.leave_one_out.folds) == 665


def test_a_corpus_without_passed_episodes_says_why() -> None:
    found = of([one for one in pencil() if one.label != "passed"])
    assert (found.guarantee, found.leave_one_out, found.cost, found.influence) == (None, None, None, None)
    for name in ("guarantee", "horizon", "leave_one_out", "resampling", "influence", "cost", "paired_with_turn_count"):
        assert found.why[name]
        assert getattr(found, name) is None


def test_a_point_fixed_before_has_plain_bounds_and_no_guarantee() -> None:
    corpus = scored(pencil())
    found = statistics(corpus, replace(sweep(corpus), chosen="before"))
    assert found.false_fires.adjusted_upper is None
    assert found.guarantee is None
    assert "fixed before" in found.why["guarantee"]
    assert found.horizon is not None
    assert {one.basis for one in found.horizon} == {"bound"}


def test_note_0_of_635() -> None:
    found = of(note())
    assert found.false_fires.adjusted_upper == pytest.approx(0.00745, abs=5e-6)
    assert found.false_fires.one_sided_upper == pytest.approx(0.004707, abs=5e-7)


def test_another_confidence_bounds_more_widely() -> None:
    corpus = scored(note())
    found = statistics(corpus, sweep(corpus), confidence=1 - 0.05 / 30)
    assert f"{100 * (found.false_fires.adjusted_upper or 0):#.3g}" == "1.36"
    assert f"{100 * (found.false_fires.one_sided_upper or 0):#.3g}" == "1.00"


def test_any_two_points_on_the_same_episodes() -> None:
    low, high = parse_point("repeated_plan@5"), parse_point("repeated_plan@13")
    assert paired_points(scored(pencil()), low, high).turn_limit.only_first == 3  # L1 12, L2 9, L5 5; L4 fires at both
