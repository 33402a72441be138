"""Rules against each other: what each catches and how often it fires falsely, as published and at its closest pass."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator

from calib.contest import Contender, Duel, DuelSide
from calib.plots import _canvas
from calib.plots._canvas import BLUE, GREY, INK, VERMILLION, count_ticks, legend_below, new_figure, powers
from calib.spelling import count, of, plural

LINEAR = 60
"""Episodes up to which one of them is seen on a plain axis."""
PUBLISHED, CLOSEST = "published threshold", "closest pass"


def rows(found: Duel) -> list[Contender]:
    """List the rules that are drawn: those that fire somewhere, as published or at their closest pass."""
    return [one for one in found.contenders if any(map(_fires, (one.published, one.closest)))]


def _fires(side: DuelSide | None) -> bool:
    return side is not None and side.tally.caught + side.tally.false_fires + side.tally.other_fires > 0


def draw_side(axes: Axes, values: Sequence[float | None], marker: str, colour: str, size: float) -> Line2D:
    """Draw a mark a rule, from the top down; None leaves it out."""
    places = [(value, -at) for at, value in enumerate(values) if value is not None]
    (drawn,) = axes.plot(
        [value for value, _ in places], [at for _, at in places], marker, color=colour, markersize=size,
        markerfacecolor=colour if marker == "o" else "none", markeredgewidth=1.2, zorder=3,
    )  # fmt: skip
    return drawn


def draw_links(axes: Axes, one: Sequence[float | None], other: Sequence[float | None]) -> None:
    """Join the two marks of each rule."""
    for at, (low, high) in enumerate(zip(one, other, strict=True)):
        if low is not None and high is not None:
            axes.plot([low, high], [-at, -at], "-", color="#C8C8C8", linewidth=1.4, zorder=2)


def draw_panel(axes: Axes, shown: Sequence[Contender], what: str, most: int) -> list[Line2D]:
    """Draw one number of every rule at both points."""
    published = [_value(one.published, what) for one in shown]
    closest = [_value(one.closest, what) for one in shown]
    draw_links(axes, published, closest)
    drawn = [draw_side(axes, published, "o", VERMILLION, 4.5), draw_side(axes, closest, "D", BLUE, 7.5)]
    _count_axis(axes, max(1, most))
    axes.set_ylim(-len(shown) + 0.4, 0.6)
    axes.grid(axis="y", color="#EEEEEE", linewidth=0.6, zorder=0)
    axes.tick_params(axis="y", length=0)
    return drawn


def _count_axis(axes: Axes, most: int) -> None:
    """Scale the x axis from none to all of `most` episodes: by logarithm from 1 on where one would not be seen."""
    if most <= LINEAR:
        axes.set_xlim(-0.03 * most, 1.03 * most)
        count_ticks(axes.xaxis, most)
        return
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    axes.set_xlim(-0.25, 1.35 * most)
    powers(axes.xaxis, most)


def _value(side: DuelSide | None, what: str) -> float | None:
    return None if side is None else float(getattr(side.tally, what))


def title(found: Duel) -> str:
    """State the finding: which rule catches most where none fires falsely."""
    rivals = [one for one in found.contenders if one.closest is not None and not one.measure]
    best = max(rivals, key=lambda one: one.closest.tally.caught if one.closest else 0, default=None)
    if best is None or best.closest is None or not best.closest.tally.caught:
        return "No rule catches anything that it does not catch in passed episodes too (in sample)"
    n = of(best.closest.tally.caught, found.counts.turn_limit)
    return f"Without false fires, {_canvas.name(str(best.closest.point), 48)} catches most: {n} (in sample)"


def figure(found: Duel) -> Figure | None:
    """Draw both panels; None without a rule or an episode."""
    shown = rows(found)
    if not shown or not found.counts.episodes:
        return None
    drawn = new_figure(title(found), 1.5 + 0.21 * len(shown))
    left, right = drawn.subplots(1, 2, sharey=True)
    keys = draw_panel(left, shown, "caught", found.counts.turn_limit)
    draw_panel(right, shown, "false_fires", found.counts.passed)
    left.yaxis.set_major_locator(FixedLocator([-at for at in range(len(shown))]))
    left.set_yticklabels([_canvas.name(one.name, 30) for one in shown], fontsize=8)
    for label, one in zip(left.get_yticklabels(), shown, strict=True):
        label.set_color(GREY if one.measure else INK)
    left.set_xlabel(f"caught, of {count(found.counts.turn_limit)}")
    right.set_xlabel(f"false fires, of {count(found.counts.passed)}")
    legend_below(drawn, dict(zip((PUBLISHED, CLOSEST), keys, strict=True)))
    return drawn


def alt(found: Duel) -> str:
    """Say in words what the panels show, rule by rule."""
    said = []
    for one in rows(found):
        each = [
            f"{kind} {count(side.tally.caught)} caught, {plural(side.tally.false_fires, 'false fire')}"
            for kind, side in ((PUBLISHED, one.published), (CLOSEST, one.closest))
            if side is not None
        ]
        said.append(f"{_canvas.name(one.name, 60)}: {'; '.join(each)}.")
    silent = len(found.contenders) - len(said)
    return " ".join(
        [f"{title(found)}.", *said, *([f"Rules that fire in no episode: {count(silent)}."] if silent else [])]
    )


def render(found: Duel) -> dict[str, bytes]:
    """Draw the plot: file name to content, PNG, SVG and alt text; nothing without a rule."""
    with _canvas.style():
        drawn = figure(found)
        if drawn is None:
            return {}
        said, drawn = alt(found), _canvas.laid_out(drawn)
        return {
            "duel.png": _canvas.as_png(drawn, said),
            "duel.svg": _canvas.as_svg(drawn, said),
            "duel.txt": (said + "\n").encode(),
        }
