"""Choose on one group, judge on another, by pencil."""

import numpy as np
from matplotlib.figure import Figure

from calib.plots import transfer
from tests.sweeps import Drawn, known_of, pencil, sweep_of

PENCIL = sweep_of(pencil())
KNOWN = known_of(PENCIL, drawn=pencil())


def test_cells_are_the_shares_of_false_fires() -> None:
    shown = transfer.values(KNOWN)
    assert shown is not None
    assert shown.names == ["A", "B", "C"]
    assert shown.points == ["T2@4 | T1@10", "T2@5 | T1@7", "T2@4 | T1@8"]
    assert np.allclose(shown.shares, [[0, 1 / 3, 0], [1 / 2, 0, 1 / 3], [1 / 2, 1 / 3, 0]])
    assert shown.cells[0][1] == "2/2 caught\n1/3 false"
    assert shown.elsewhere == [(3, 3, 1, 6), (3, 3, 2, 5), (4, 4, 2, 5)]


def test_small_matrices_are_spelled_and_large_ones_only_coloured() -> None:
    shown = transfer.values(KNOWN)
    assert shown is not None
    axes = Figure().add_subplot()
    mesh = transfer.draw_matrix(axes, shown)
    assert mesh.get_array().shape == (3, 3)  # type: ignore[union-attr]
    assert len(axes.texts) == 9
    many = [Drawn(f"X{at:02d}", "passed", 9, ((0, at % 3), (0, at % 5)), f"x{at:02d}") for at in range(30)]
    large = transfer.values(known_of(sweep_of(many), drawn=many))
    assert large is not None
    axes = Figure().add_subplot()
    transfer.draw_matrix(axes, large)
    assert not axes.texts


def test_what_chose_nothing_is_hatched_and_said() -> None:
    some = [each for each in pencil() if each.task != "C" or each.label != "passed"]
    found = sweep_of(some)
    known = known_of(found, drawn=some)
    shown = transfer.values(known)
    assert shown is not None
    assert shown.points[2] == ""
    assert np.isnan(shown.shares[2]).all()
    axes = Figure().add_subplot()
    transfer.draw_matrix(axes, shown)
    assert sum(patch.get_hatch() == "///" for patch in axes.patches) == 5  # the row of C and the column
    assert "From C: no choice." in transfer.alt(found, known)


def test_no_groups_or_too_many_are_no_picture() -> None:
    assert transfer.figure(PENCIL) is None
    many = [Drawn(f"X{at:02d}", "passed", 9, ((0, 1), (0, 1)), f"x{at:02d}") for at in range(61)]
    found = sweep_of(many)
    assert transfer.figure(found, known_of(found, drawn=many)) is None


def test_words() -> None:
    said = transfer.alt(PENCIL, KNOWN)
    assert said.startswith("Chosen on one task, false fires on the others: 1 of 6 (A) to 2 of 5 (C). ")
    assert "From B: T2@5 | T1@7, 3/3 caught, 2/5 false fires on the others." in said
