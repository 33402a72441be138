"""The cost frontier: the most turns that any point leaves unspent for each number of false fires."""

from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from numpy.typing import NDArray

from calib.plots._canvas import BLUE, GREY, INK, ORANGE, VERMILLION, legend_below, new_figure, whole_numbers
from calib.plots._canvas import powers as power_ticks
from calib.results import OperatingPoint, Sweep
from calib.spelling import count, in_sample, plural, short
from calib.statistics import Statistics

FEW = 20
MARKS = {
    "closest_pass": ("D", "white"),
    "plateau_centre": ("s", "white"),
    "given": ("o", BLUE),
    "never": ("v", GREY),
    "always": ("X", VERMILLION),
    "turn_count": ("^", ORANGE),
}


@dataclass(frozen=True)
class Values:
    """The frontier as steps (`turns[i]` for `false_fires[i]` up to the next), the points on it or below, and sizes."""

    false_fires: NDArray[np.int64]
    turns: NDArray[np.int64]
    points: tuple[OperatingPoint, ...]
    passed: int


def values(found: Sweep) -> Values | None:
    """Take the frontier out of the surface; None without turn_limit or passed episodes."""
    if not found.counts.turn_limit or not found.counts.passed:
        return None
    best = found.surface.select("false_fires", "turns_after_fire").group_by("false_fires").max().sort("false_fires")
    fires = best["false_fires"].to_numpy().astype(np.int64)
    turns = best["turns_after_fire"].to_numpy().astype(np.int64)
    most = np.maximum.accumulate(turns)
    rises = np.append(True, np.diff(most) > 0)
    return Values(fires[rises], most[rises], found.operating_points, found.counts.passed)


def draw_frontier(axes: Axes, shown: Values) -> StepPatch:
    """Draw the most turns after the fire that so many false fires can buy."""
    edges = [*(float(at) for at in shown.false_fires), float(max(shown.passed, int(shown.false_fires[-1]) + 1))]
    return axes.stairs(shown.turns, edges, baseline=None, color=INK, linewidth=1.8)


def draw_points(axes: Axes, shown: Values) -> dict[str, Artist]:
    """Mark the points worth knowing; give the legend's words and artists."""
    keys: dict[str, Artist] = {}
    for point in shown.points:
        mark, colour = MARKS[point.name]
        (line,) = axes.plot(
            point.tally.false_fires, point.turns_after_fire, marker=mark, markersize=8, color=colour,
            markeredgecolor=INK, markeredgewidth=1.2, linestyle="none", zorder=3, clip_on=False,
        )  # fmt: skip
        keys[_named(point)] = line
    return keys


def _named(point: OperatingPoint) -> str:
    name = point.name.replace("_", " ")
    return name if point.spelling == point.name else f"{name}, {short(point.spelling)}"


def title(found: Sweep, known: Statistics | None = None) -> str:
    """State the finding."""
    cost = known.cost if known is not None else None
    pays = ""
    if not found.turns_after_fire:
        pays = ", so it does not pay"
    elif cost is not None and cost.break_even_cost is not None:
        pays = f"; pays while a false fire costs less than {count(int(cost.break_even_cost))} turns"
    saved = plural(found.turns_after_fire, "turn")
    return f"{saved} after the fire for {plural(found.tally.false_fires, 'false fire')}{pays}{in_sample(found)}"


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw the frontier; None without turn_limit or passed episodes."""
    shown = values(found)
    if shown is None:
        return None
    drawn = new_figure(title(found, known), 4.6)
    axes = drawn.add_subplot()
    keys: dict[str, Artist] = {"most turns for so many false fires": draw_frontier(axes, shown)}
    keys |= draw_points(axes, shown)
    if shown.passed > FEW:
        axes.set_xscale("symlog", linthresh=1, linscale=0.5)
        axes.set_xlim(-0.12, shown.passed * 1.2)
        power_ticks(axes.xaxis, shown.passed)
    else:
        axes.set_xlim(-0.2, shown.passed + 0.2)
        whole_numbers(axes.xaxis)
    top = max(int(shown.turns.max()), *(point.turns_after_fire for point in shown.points), 1)
    axes.set_ylim(-0.02 * top, top * 1.06)
    whole_numbers(axes.yaxis, 6)
    axes.set_xlabel(f"false fires, of {plural(shown.passed, 'passed episode')}")
    axes.set_ylabel("turns after the fire, of caught episodes")
    legend_below(drawn, keys)
    return drawn


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the plot shows."""
    shown = values(found)
    said = []
    if shown is not None:
        ends = ((shown.false_fires[0], shown.turns[0]), (shown.false_fires[-1], shown.turns[-1]))
        (none, least), (most, all_turns) = ((int(a), int(b)) for a, b in ends)
        said.append(
            f"The frontier runs from {count(least)} turns for {count(none)} to {count(all_turns)} for {count(most)}."
        )
        for point in shown.points:
            fires = plural(point.tally.false_fires, "false fire")
            said.append(f"{_named(point)}: {plural(point.turns_after_fire, 'turn')}, {fires}.")
    return " ".join([f"{title(found, known)}.", "Turns after the fire against false fires.", *said])
