"""Arms against each other: pairs, levels, amounts, missing partners; by pencil, and against a literal count."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.arms import Design, LeftOut, Run, compare, parse_rule
from calib.errors import NothingMatched, UsageError
from calib.stats.paired import Sides

PAIRED = Design(pair=("history",), cluster="task")


def runs(*drawn: str) -> list[Run]:
    """Runs of arms `a` and `b`: `KEY PREFIX TASK OLD NEW`, outcomes as + - . (no verdict) or x (no such run)."""
    made = []
    for line in drawn:
        key, prefix, task, *outcomes = line.split()
        for arm, mark in zip("ab", outcomes, strict=True):
            if mark != "x":
                passed = {"+": True, "-": False, ".": None}[mark]
                made.append(Run(arm, (key,), key, passed, prefix=prefix if prefix != "?" else None, cluster=task))
    return made


def test_a_verdict_at_each_level() -> None:
    (found,) = compare(runs("1 p A - +", "2 p A - +", "3 q A + -", "4 r B - +", "5 s B + +"), PAIRED).versus
    assert [(level.name, level.sides) for level in found.levels] == [
        ("pair", Sides(3, 1, 1)), ("distinct prefix", Sides(2, 1, 1)), ("task", Sides(2, 0, 0)),
    ]  # fmt: skip
    assert [level.decides for level in found.levels] == [False, False, False]
    assert [(flip.key, flip.better) for flip in found.flips] == [
        (("1",), True), (("2",), True), (("3",), False), (("4",), True),
    ]  # fmt: skip


def test_six_units_can_be_significant_and_five_can_not() -> None:
    six = [f"{key} p{key} A - +" for key in range(6)]
    assert [level.decides for level in compare(runs(*six), PAIRED).versus[0].levels] == [True, True, False]
    assert not compare(runs(*six[:5]), PAIRED).versus[0].levels[0].decides


def test_pairs_without_a_shared_prefix_have_no_such_level() -> None:
    levels = compare(runs("1 ? A - +", "2 ? A - +"), PAIRED).versus[0].levels
    assert [level.name for level in levels] == ["pair", "task"]
    some = compare(runs("1 p A - +", "2 ? A - +", "3 ? A - +"), PAIRED).versus[0].levels
    assert some[1].units == 3  # one that shares nothing stands for itself


def test_who_has_no_partner_and_no_verdict_is_named() -> None:
    (found,) = compare(runs("1 p A - +", "2 p A - x", "3 p A x +", "4 p A . +"), PAIRED).versus
    assert (found.pairs, found.alone, found.not_run) == (2, ((("2",),), (("3",),)), (("4",),))
    assert found.levels[0].units == 1


def test_runs_without_a_pairing_value_are_left_out_and_counted() -> None:
    found = compare([*runs("1 p A - +"), Run("a", ("(none)",), "x", True)], PAIRED)
    assert (found.unkeyed, found.arms[0].runs) == (1, 1)


def test_amounts_are_compared_over_the_pairs_that_recorded_them() -> None:
    made = [
        Run("a", ("1",), seconds=10.0), Run("b", ("1",), seconds=14.0), Run("a", ("2",), seconds=20.0),
        Run("b", ("2",), seconds=19.0), Run("a", ("3",), seconds=99.0), Run("b", ("3",)),
    ]  # fmt: skip
    (measure,) = compare(made, PAIRED).versus[0].measures
    assert (measure.name, measure.n, measure.sums, measure.more) == ("seconds", (2, 2), (30.0, 33.0), 1)
    assert measure.change == pytest.approx(0.1)
    assert measure.difference is not None
    assert measure.difference.mean == 1.5


def test_without_pairs_only_means_are_compared() -> None:
    made = [Run("a", seconds=10.0), Run("a", seconds=12.0), Run("b", seconds=12.5)]
    (found,) = compare(made, Design()).versus
    assert (found.pairs, found.levels, found.flips, found.again) == (0, (), (), None)
    (measure,) = found.measures
    assert (measure.means, measure.difference, measure.within_spread) == ((11.0, 12.5), None, True)


def test_fires_again_on_one_side_only() -> None:
    made = [Run(arm, (str(key),), passed=True, fires_again=arm == "b" and key < 3) for arm in "ab" for key in range(4)]
    assert compare(made, PAIRED).versus[0].again == Sides(0, 3, 1)


def test_the_baseline_is_named_or_the_first() -> None:
    made = runs("1 p A - +")
    assert [side.name for side in compare(made, PAIRED).arms] == ["a", "b"]
    assert compare(made, Design(pair=("history",), baseline="b")).versus[0].levels[0].sides == Sides(0, 1, 0)
    with pytest.raises(UsageError, match="no arm named 'c'; there are"):
        compare(made, Design(pair=("history",), baseline="c"))


def test_a_pair_has_one_run_of_each_arm() -> None:
    with pytest.raises(UsageError, match="expected one run of each arm for a pair, found 2 of a for 1"):
        compare(runs("1 p A - +", "1 p A - x"), PAIRED)


def test_one_arm_is_no_comparison() -> None:
    with pytest.raises(NothingMatched, match="expected at least two arms by arm, found 1"):
        compare(runs("1 p A - x"), PAIRED)


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("passes >= passes(full) - 1", "passes >= passes(full) - 1"),
        ("passes(keep first)>=passes(full)", "passes(keep first) >= passes(full)"),
        ("passes >= passes(full) + 2", "passes >= passes(full) + 2"),
    ],
)
def test_a_rule_has_one_spelling(text: str, spelled: str) -> None:
    assert str(parse_rule(text)) == spelled


@pytest.mark.parametrize("text", ["", "passes > passes(full)", "1", "passes >= passes(full) - 1; x", "passes >= 3"])
def test_anything_else_is_no_rule(text: str) -> None:
    with pytest.raises(UsageError, match="--viable: expected a rule such as"):
        parse_rule(text)


@pytest.mark.parametrize(
    ("drawn", "verdict"),
    [
        (["1 p A + +", "2 p A + -"], "PASS"),  # one fewer
        (["1 p A + -", "2 p A + -"], "FAIL"),
        (["1 p A + .", "2 p A + -"], "INCONCLUSIVE"),
        (["1 p A + +", "2 p A + x", "3 p A + x"], "PASS"),  # judged on the pairs of both
    ],
)
def test_a_rule_is_judged_on_the_same_pairs(drawn: list[str], verdict: str) -> None:
    (found,) = compare(runs(*drawn), PAIRED, parse_rule("passes >= passes(a) - 1")).viable
    assert (found.arm, found.verdict) == ("b", verdict)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from("AB"), st.booleans(), st.booleans()), min_size=1))
def test_levels_are_a_literal_count(drawn: list[tuple[str, str, bool, bool]]) -> None:
    made = []
    for key, (prefix, task, old, new) in enumerate(drawn):
        for arm, passed in (("a", old), ("b", new)):
            made.append(Run(arm, (f"{key:03}",), passed=passed, prefix=prefix, cluster=task))
    levels = compare(made, PAIRED).versus[0].levels
    for level, place in zip(levels[1:], (0, 1), strict=True):
        better = worse = same = 0
        for group in {row[place] for row in drawn}:
            won = sum(row[3] - row[2] for row in drawn if row[place] == group)
            better, worse, same = better + (won > 0), worse + (won < 0), same + (won == 0)
        assert level.sides == Sides(better, worse, same)


def test_pairs_without_a_cluster_make_none() -> None:
    drawn = runs("1 p A + -", "2 q A + -", "3 r A + -")
    told = [replace(run, cluster="k" if run.key == ("3",) else None) for run in drawn]
    level = compare(told, PAIRED).versus[0].levels[-1]
    assert (level.name, level.sides, level.unknown) == ("task", Sides(0, 1, 0), 2)
    one_side = [replace(run, cluster="k" if run.arm == "b" else None) for run in drawn]
    assert compare(one_side, PAIRED).versus[0].levels[-1].unknown == 0


def test_a_rule_without_pairs_is_never_passed() -> None:
    apart = runs("1 p A + x", "2 p A x +")
    (found,) = compare(apart, PAIRED, parse_rule("passes >= passes(a) - 1")).viable
    assert found.verdict == "INCONCLUSIVE"
    with pytest.raises(UsageError, match="--viable: expected --pair"):
        compare(runs("1 p A + +"), Design(), parse_rule("passes >= passes(a)"))


@pytest.mark.parametrize(
    ("arms", "old"),
    [
        (("always", "baseline", "(none)"), "baseline"), (("a", "control", "none"), "control"),
        (("a", "none", "(none)"), "none"), (("(none)", "'a'"), "(none)"), (("b", "a", "base"), "a"),
    ],
)  # fmt: skip
def test_an_arm_that_is_called_the_old_one_is_it(arms: tuple[str, ...], old: str) -> None:
    assert compare([Run(arm) for arm in arms], Design()).versus[0].old == old
    assert compare([Run(arm) for arm in arms], Design(baseline=arms[0])).versus[0].old == arms[0]


def test_runs_in_which_nobody_could_see_a_fire_count_as_neither() -> None:
    made = [Run("a", fired=True), Run("a", fired=False), Run("a"), Run("b"), Run("b")]
    sides = compare(made, Design(point="T2@7")).arms
    assert [(side.fired, side.not_observable) for side in sides] == [(1, 1), (None, 2)]
    assert [side.not_observable for side in compare(made, Design()).arms] == [0, 0]  # a table without fires


def test_an_arm_that_was_left_out_is_not_just_unknown() -> None:
    gone = LeftOut(48, (("calib.toml", "arm=strip"),), ("strip",))
    with pytest.raises(UsageError, match=r"no arm named 'strip' any more \(48 excluded by calib.toml: arm=strip\); "):
        compare([Run("a"), Run("b")], Design(baseline="strip"), left_out=gone)
    with pytest.raises(UsageError, match="no arm named 'stripe'; there are a, b"):
        compare([Run("a"), Run("b")], Design(baseline="stripe"), left_out=gone)
    with pytest.raises(NothingMatched, match=r"found 1; 48 excluded by calib\.toml: arm=strip"):
        compare([Run("a")], Design(), left_out=gone)
