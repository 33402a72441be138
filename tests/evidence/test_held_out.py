"""Groups held out and transferred to: the pencil corpus by hand, small random corpora against trying it."""

from hypothesis import given, settings

from calib.evidence.held_out import leave_one_out, transfer
from calib.evidence.sample import Groups, Sample
from calib.statistics import LeaveOneOut, Transfer
from tests.evidence import slow
from tests.sweeps import DETECTORS, Drawn, pencil, scored


def by_task(drawn: list[Drawn]) -> tuple[LeaveOneOut | None, Transfer]:
    corpus = scored(drawn)
    sample, groups = Sample.of(corpus, DETECTORS), Groups.of(corpus, "task")
    return leave_one_out(sample, groups), transfer(sample, groups)


def test_pencil_without_each_task() -> None:
    found, _ = by_task(pencil())
    assert found is not None
    folds = [(one.group, one.point, one.caught, one.turn_limit, one.false_fires, one.passed) for one in found.folds]
    assert folds == [
        ("A", {"repeated_plan": 5, "search_run": 8}, 2, 2, 1, 2),
        ("B", {"repeated_plan": 4, "search_run": 10}, 2, 2, 1, 3),
        ("C", {"repeated_plan": 5, "search_run": 10}, 1, 1, 0, 3),
    ]
    assert (found.held_out.caught, found.held_out.false_fires) == ((5, 5), (2, 8))
    assert (found.in_sample.caught, found.in_sample.false_fires) == ((5, 5), (0, 8))
    assert (found.held_out.unknown_turn_limit, found.held_out.unknown_passed) == (0, 1)  # P8
    assert (found.optimism.caught, found.optimism.false_fires) == (0.0, -0.25)


def test_pencil_from_task_to_task() -> None:
    _, found = by_task(pencil())
    assert found.groups == ("A", "B", "C")
    assert [row.point and tuple(row.point.values()) for row in found.rows] == [(4, 10), (5, 7), (4, 8)]
    false = [[cell.false_fires for cell in row.cells] for row in found.rows]
    assert false == [[(0, 2), (1, 3), (0, 3)], [(1, 2), (0, 3), (1, 3)], [(1, 2), (1, 3), (0, 3)]]
    assert all(cell.caught[0] == cell.caught[1] for row in found.rows for cell in row.cells)


def test_a_task_without_which_nothing_passed_is_no_choice_and_not_summed() -> None:
    rows = [
        Drawn("a", "passed", 9, ((1, 2), (0, 3)), "A"),
        Drawn("b", "turn_limit", 9, ((1, 6), (0, 0)), "A"),
        Drawn("c", "turn_limit", 9, ((1, 6), (0, 0)), "B"),
    ]
    found, matrix = by_task(rows)
    assert found is not None
    assert [(fold.point, fold.caught) for fold in found.folds] == [
        (None, None),
        ({"repeated_plan": 3, "search_run": 4}, 1),
    ]
    assert found.held_out.caught == (1, 1)
    assert found.optimism.false_fires is None  # no passed episode was held out
    assert [row.point is None for row in matrix.rows] == [False, True]
    assert matrix.rows[1].cells == ()


def test_nothing_to_choose_from() -> None:
    found, matrix = by_task([Drawn("a", "passed", 9, (None, (0, 3)), "A")])
    assert found is None
    assert matrix.rows[0].point is None


@settings(max_examples=200, deadline=None)
@given(slow.rows())
def test_agrees_with_trying_it(drawn: list[slow.Row]) -> None:
    corpus = slow.corpus(drawn)
    sample, groups = Sample.of(corpus, DETECTORS), Groups.of(corpus, "task")
    names, whole = slow.groups(drawn), slow.choose(drawn)
    assert list(groups.names) == names
    found = leave_one_out(sample, groups)
    if whole is None:
        assert found is None
    else:
        assert found is not None
        assert (found.in_sample.caught, found.in_sample.false_fires) == slow.shares(drawn, whole)
        _assert_folds(found, drawn, names)
    for name, row in zip(names, transfer(sample, groups).rows, strict=True):
        point = slow.choose(slow.of_group(drawn, name))
        assert (row.point and tuple(row.point.values())) == point
        if point:
            cells = [(cell.caught, cell.false_fires) for cell in row.cells]
            assert cells == [slow.shares(slow.of_group(drawn, other), point) for other in names]


def _assert_folds(found: LeaveOneOut, drawn: list[slow.Row], names: list[str | None]) -> None:
    sums, unknown = [0] * 4, [0, 0]
    for name, fold in zip(names, found.folds, strict=True):
        held, point = slow.of_group(drawn, name), slow.choose(slow.of_group(drawn, name, inside=False))
        assert fold.group == name
        assert (fold.point and tuple(fold.point.values())) == point
        if point is None:
            assert fold.caught is fold.false_fires is None
            continue
        caught, false = slow.shares(held, point)
        assert ((fold.caught, fold.turn_limit), (fold.false_fires, fold.passed)) == (caught, false)
        sums = [one + more for one, more in zip(sums, (*caught, *false), strict=True)]
        for at, label in enumerate(("turn_limit", "passed")):
            unknown[at] += sum(row.unknown(point) for row in slow.labelled(held, label))
    assert [*found.held_out.caught, *found.held_out.false_fires] == sums
    assert [found.held_out.unknown_turn_limit, found.held_out.unknown_passed] == unknown
