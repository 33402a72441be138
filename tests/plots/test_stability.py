"""The points chosen without one group, by pencil."""

from matplotlib.figure import Figure

from calib.plots import stability
from tests.sweeps import Drawn, known_of, note, pencil, sweep_of

PENCIL = sweep_of(pencil())
KNOWN = known_of(PENCIL, drawn=pencil())


def test_each_point_stands_for_the_groups_without_which_it_is_chosen() -> None:
    shown = stability.values(PENCIL, KNOWN)
    assert shown is not None
    assert shown.chosen == {(4, 10): 1, (5, 8): 1, (5, 10): 1}  # without B, A, C
    axes = Figure().add_subplot()
    lines = stability.draw_chosen(axes, shown)
    at = {(int(line.get_xdata()[0]), int(line.get_ydata()[0])) for line in lines}  # type: ignore[index, arg-type]
    assert at == set(shown.chosen)
    assert not axes.texts  # one group needs no number


def test_more_groups_are_a_larger_marker_with_their_number() -> None:
    many = [*pencil(), *(Drawn(f"X{at}", "passed", 9, ((0, 0), (0, 0)), f"x{at}") for at in range(1_200))]
    found = sweep_of(many)
    shown = stability.values(found, known_of(found, drawn=many))
    assert shown is not None
    assert shown.chosen == {(4, 10): 1, (5, 8): 1, (5, 10): 1_201}
    axes = Figure().add_subplot()
    lines = stability.draw_chosen(axes, shown)
    assert [text.get_text() for text in axes.texts] == ["1,201"]
    assert lines[0].get_markersize() > lines[1].get_markersize()


def test_no_groups_or_no_map_is_no_picture() -> None:
    assert stability.figure(PENCIL) is None
    assert stability.figure(sweep_of(note()), known_of(sweep_of(note()), drawn=note())) is None
    one = [Drawn(each.episode_id, each.label, each.n_turns, each.ramps[:1], each.task) for each in pencil()]
    found = sweep_of(one, detectors=("repeated_plan",))
    assert stability.figure(found, known_of(found, drawn=one)) is None


def test_words() -> None:
    said = stability.alt(PENCIL, KNOWN)
    assert said.startswith(
        "Leaving one task out: 5 of 5 caught, 2 of 8 false fires (1 of 3 choose T2@5 | T1@10). Points chosen "
    )
    assert "repeated_plan@4 | search_run@10: 1 group" in said
