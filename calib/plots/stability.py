"""The points that would have been chosen without one group, over the map of caught counts."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from calib.plots._canvas import ORANGE, count_ticks, legend_below, name, new_figure, threshold_axis
from calib.plots._map import Values as Map
from calib.plots._map import values as map_values
from calib.plots.plateau import draw_false_fires, draw_map, draw_point
from calib.results import Sweep
from calib.spelling import count, detector, plural, short
from calib.statistics import LeaveOneOut, Statistics

LARGEST = 20.0
"""Points of the largest marker; one group has the smallest."""


@dataclass(frozen=True)
class Values:
    """The map, and the point chosen without each group: how many groups choose it, by its two thresholds."""

    map: Map
    chosen: dict[tuple[int, int], int]
    folds: LeaveOneOut


def values(found: Sweep, known: Statistics | None) -> Values | None:
    """Take the points out of the statistics; None without groups, or where there is no map."""
    shown = map_values(found)
    if shown is None or known is None or known.leave_one_out is None:
        return None
    points = [fold.point for fold in known.leave_one_out.folds if fold.point is not None]
    pairs = Counter(
        (point[shown.names[0]], point[shown.names[1]]) for point in points if set(shown.names) <= set(point)
    )
    return Values(shown, dict(sorted(pairs.items())), known.leave_one_out) if pairs else None


def draw_chosen(axes: Axes, shown: Values) -> list[Line2D]:
    """Mark each point that some group's absence would choose, larger for more groups, with their number."""
    most = max(shown.chosen.values())
    drawn = []
    for pair, groups in sorted(shown.chosen.items(), key=lambda item: -item[1]):  # small ones on top
        size = 9 + (LARGEST - 9) * (groups / most) ** 0.5 if most > 1 else 11
        (line,) = axes.plot(
            *pair, marker="o", markersize=size, color=ORANGE, markeredgecolor="black", markeredgewidth=1.2, alpha=0.85,
            linestyle="none", zorder=4, clip_on=False,
        )  # fmt: skip
        drawn.append(line)
        if groups == 1:
            continue
        aside = (size / 2 + 1, size / 2 - 2)
        axes.annotate(
            count(groups), pair, aside, textcoords="offset points", fontsize=9, fontweight="bold", zorder=6,
            bbox={"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.8},
        )  # fmt: skip
    return drawn


def title(found: Sweep, shown: Values) -> str:
    """State the finding."""
    held, folds = shown.folds.held_out, shown.folds.folds
    (caught, positives), (false, passed) = held.caught, held.false_fires
    same = shown.chosen.get(shown.map.point, 0)
    catches = f"{count(caught)} of {count(positives)} caught, " if positives else ""
    return (
        f"Leaving one {name(shown.folds.by, 20)} out: {catches}{count(false)} of "
        f"{count(passed)} false fires ({count(same)} of {count(len(folds))} choose {short(str(found.point))})"
    )


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw the points; None without groups to leave out, or without a map."""
    shown = values(found, known)
    if shown is None:
        return None
    drawn = new_figure(title(found, shown), 6.0)
    axes = drawn.add_subplot()
    mesh = draw_map(axes, shown.map)
    draw_false_fires(axes, shown.map)
    draw_chosen(axes, shown)
    one = Line2D([], [], marker="o", markersize=9, color=ORANGE, markeredgecolor="black", linestyle="none")
    keys: dict[str, Any] = {"chosen without one group (the number: without so many)": one}
    keys["point, chosen on all" if found.rule != "given" else "point"] = draw_point(axes, shown.map)
    threshold_axis(axes, "x", [*shown.map.marked[0], *(a for a, _ in shown.chosen)], int(shown.map.x[-1]), 6.6)
    threshold_axis(axes, "y", [*shown.map.marked[1], *(b for _, b in shown.chosen)], int(shown.map.y[-1]), 4.4)
    axes.set_xlabel(f"{detector(shown.map.names[0])} threshold")
    axes.set_ylabel(f"{detector(shown.map.names[1])} threshold")
    if shown.map.most:
        label = f"caught, of {plural(shown.map.most, 'turn_limit episode')}"
        count_ticks(drawn.colorbar(mesh, ax=axes, label=label, pad=0.02).ax.yaxis, shown.map.most)
    legend_below(drawn, keys)
    return drawn


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the points are."""
    shown = values(found, known)
    if shown is None:
        return "No groups to leave out."
    first, second = shown.map.names
    points = [f"{first}@{a} | {second}@{b}: {plural(groups, 'group')}" for (a, b), groups in shown.chosen.items()]
    return f"{title(found, shown)}. Points chosen without one group: {'; '.join(points)}."
