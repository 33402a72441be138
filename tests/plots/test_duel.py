"""The plot of a duel: what is drawn, that it says the same in words, equal bytes."""

from matplotlib.figure import Figure

from calib.duel import Rival, duel
from calib.plots import _duel
from tests.sweeps import HOSTILE, hostile, note, pencil, scored

RIVALS = [
    Rival("repeated_plan", {"repeated_plan": 2}),
    Rival("search_run", {"search_run": 4}),
    Rival("silent", {"search_run": 2_000_000}),
]


def test_each_rule_has_a_mark_at_both_points() -> None:
    found = duel(scored(pencil()), RIVALS[:2])
    published, closest = _duel.draw_panel(Figure().add_subplot(), found.contenders, "false_fires", 8)
    names = [one.name for one in found.contenders]
    assert dict(zip(names, published.get_xdata(), strict=True)) == {"repeated_plan": 4, "search_run": 5}  # type: ignore[arg-type]
    assert list(closest.get_xdata()) == [0, 0]  # type: ignore[arg-type]
    assert list(closest.get_ydata()) == [0, -1]  # type: ignore[arg-type]


def test_rules_that_fire_nowhere_are_counted_not_drawn() -> None:
    found = duel(scored(pencil()), [RIVALS[0], Rival("silent", {"repeated_plan": 2_000_000})])
    far = [one for one in found.contenders if one.name == "silent"]
    assert far[0].closest is not None  # it fires at its closest pass, so it is drawn
    assert len(_duel.rows(found)) == 2
    assert "repeated_plan: published threshold" in _duel.alt(found)


def test_equal_duels_give_equal_bytes_with_words() -> None:
    files = _duel.render(duel(scored(pencil()), RIVALS))
    assert files == _duel.render(duel(scored(pencil()), RIVALS))
    assert sorted(files) == ["duel.png", "duel.svg", "duel.txt"]
    assert files["duel.txt"].decode().startswith("Without false fires, ")
    few = _duel.alt(duel(scored(pencil()), [Rival("search_run", {"search_run": 9})]))
    assert "3 caught, 1 false fire; closest pass 3 caught, 0 false fires." in few


def test_hostile_episodes_draw_a_quiet_picture() -> None:
    for text in (HOSTILE[2], HOSTILE[6], HOSTILE[11]):
        assert b"<script" not in _duel.render(duel(scored(hostile(text)), RIVALS[:2])).get("duel.svg", b"")


def test_one_false_fire_of_many_episodes_is_seen() -> None:
    axes = Figure().add_subplot()
    found = duel(scored(note()), [Rival("repeated_plan", {"repeated_plan": 6}), RIVALS[1]])
    _duel.draw_panel(axes, found.contenders, "false_fires", 635)
    assert axes.get_xscale() == "symlog"
    assert list(axes.get_xticks()) == [0, 1, 10, 100]
    place = axes.transData.transform([(0, 0), (1, 0), (635, 0)])[:, 0]
    assert (place[1] - place[0]) / (place[2] - place[0]) > 0.05
    few = Figure().add_subplot()
    _duel.draw_panel(few, found.contenders, "caught", 30)
    assert few.get_xscale() == "linear"
