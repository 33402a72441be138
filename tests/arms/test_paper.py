"""Note 000, sections 6.1, 6.4 and 6.5, from the tables in docs/paper: the published figures, by the tool."""

from pathlib import Path

import pytest

from calib.arms import Comparison, Design, compare, parse_rule
from calib.arms.tables import runs_of
from calib.selection import parse_where
from calib.stats.paired import Sides

PAPER = Path(__file__).parents[2] / "docs" / "paper"


def compared(name: str, baseline: str, pair: str = "", where: str = "", rule: str = "") -> Comparison:
    keys = tuple(pair.split(",")) if pair else ()
    design = Design("arm", keys, "task" if "history" in keys else "", baseline)
    runs = runs_of(PAPER / name, design, [parse_where(where)] if where else [])
    return compare(runs, design, parse_rule(rule) if rule else None)


def test_6_1_pairs_distinct_prefixes_tasks() -> None:
    found = compared("replay.csv", "baseline", "history,engine")
    assert [(side.name, side.passed, side.judged) for side in found.arms] == [("baseline", 1, 44), ("strip", 44, 44)]
    pairs, prefixes, tasks = found.versus[0].levels
    assert (pairs.sides, f"{pairs.sides.p:.1e}") == (Sides(43, 0, 1), "2.3e-13")
    assert (prefixes.sides, f"{prefixes.sides.p:.1e}") == (Sides(20, 0, 0), "1.9e-06")
    assert (tasks.sides, tasks.sides.p, tasks.decides) == (Sides(3, 0, 0), 0.25, False)  # three tasks show nothing


@pytest.mark.parametrize(("engine", "sides"), [("FP8", Sides(21, 0, 1)), ("NVFP4", Sides(22, 0, 0))])
def test_6_1_by_engine(engine: str, sides: Sides) -> None:
    found = compared("replay.csv", "baseline", "history,engine", f"engine = {engine}")
    assert found.versus[0].levels[0].sides == sides


@pytest.mark.parametrize(
    ("where", "sums", "change"),
    [
        ("", (5343.0, 3634.0), -32.0),
        ("engine = FP8", (2527.0, 1772.0), -29.9),
        ("engine = NVFP4", (2816.0, 1862.0), -33.9),
    ],
)
def test_6_1_summed_times(where: str, sums: tuple[float, float], change: float) -> None:
    seconds, *_ = compared("replay_seconds.csv", "baseline", "engine", where).versus[0].measures
    assert seconds.sums == sums
    assert seconds.change is not None
    assert round(100 * seconds.change, 1) == change


@pytest.mark.parametrize(
    ("effort", "historical", "greedy", "sampled", "changes"),
    [
        ("medium", 1144.9, 1153.4, 1297.4, (0.7, 12.5)),
        ("xhigh", 1381.1, 1391.9, 1600.8, (0.8, 15.0)),
    ],
)
def test_6_4_means_and_percent_changes(
    effort: str, historical: float, greedy: float, sampled: float, changes: tuple[float, float]
) -> None:
    names = ("historical, no fix, greedy", "live, fix armed, greedy", "live, fix armed, card sampling")
    for old, new, means, change in (
        (names[0], names[1], (historical, greedy), changes[0]), (names[1], names[2], (greedy, sampled), changes[1]),
    ):  # fmt: skip
        versus = compared("appendix_a.csv", old, where=f"effort = {effort}").versus
        (seconds,) = next(each for each in versus if each.new == new).measures
        assert tuple(round(mean, 1) for mean in seconds.means) == means
        assert seconds.change is not None
        assert round(100 * seconds.change, 1) == change
        assert seconds.within_spread


def test_6_5_the_rule_fixed_before_the_run() -> None:
    found = compared("repeats.csv", "full", "history,engine", rule="passes >= passes(full) - 1")
    assert {side.name: (side.passed, side.judged) for side in found.arms} == {
        "full": (44, 44), "keep_first": (29, 44), "drop_all_copies": (4, 10),
    }  # fmt: skip
    copies, first = found.versus
    assert (first.levels[0].sides, f"{first.levels[0].sides.p:.1e}") == (Sides(0, 15, 29), "6.1e-05")
    assert first.again is not None
    assert (first.again, f"{first.again.p:.1e}") == (Sides(0, 16, 28), "3.1e-05")
    assert (copies.levels[0].sides, f"{copies.levels[0].sides.p:.3f}") == (Sides(0, 6, 4), "0.031")
    assert [(one.arm, one.verdict, one.not_run, one.reference_passes) for one in found.viable] == [
        ("drop_all_copies", "FAIL", 5, 15), ("keep_first", "FAIL", 0, 44),
    ]  # fmt: skip


@pytest.mark.parametrize(("engine", "passed"), [("FP8", 16), ("NVFP4", 13)])
def test_6_5_by_engine(engine: str, passed: int) -> None:
    found = compared("repeats.csv", "full", "history,engine", f"engine = {engine}")
    assert {side.name: side.passed for side in found.arms}["keep_first"] == passed
