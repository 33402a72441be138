"""Per detector: the false fires seen at each threshold, and beside them how large their rate may still be."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch
from matplotlib.ticker import FuncFormatter

from calib.evidence.bounded import BoundedLine, bounded_line
from calib.plots._canvas import (
    BLUE,
    GREY,
    INK,
    VERMILLION,
    edges,
    legend_below,
    new_figure,
    plateau_ends,
    threshold_axis,
)
from calib.results import Sweep
from calib.spelling import at_most, confidence, count, detector, plural
from calib.statistics import Statistics

ALPHA = 0.05
"""Error allowed where no statistics say another."""
FEW = 50
"""Passed episodes below which no share is small enough for a logarithm."""
COLUMNS = 3


@dataclass(frozen=True)
class Values:
    """What one detector's panel shows."""

    name: str
    threshold: int
    marked: list[int]
    last: int
    line: BoundedLine
    here: bool
    inches: float


def values(found: Sweep, name: str, known: Statistics | None = None) -> Values | None:
    """Take one detector out of a sweep; None where no passed episode bounds anything."""
    alpha = ALPHA if known is None else 1 - known.confidence
    line = bounded_line(found, name, alpha)
    if line is None:
        return None
    threshold = found.point.thresholds[name]
    last = max(int(line.thresholds[-1]), threshold)
    inches = 7.2 / min(COLUMNS, len(found.plateaus)) - 0.4
    return Values(name, threshold, plateau_ends(found, name), last, line, found.chosen == "here", inches)


def draw_bounds(axes: Axes, shown: Values) -> list[StepPatch]:
    """Draw the share seen, and above it the bounds: thick the one that is due, thin the other."""
    at = edges(shown.line.thresholds, shown.last)
    axes.axvline(shown.threshold, color=INK, linewidth=1, zorder=1)
    seen = axes.stairs(
        shown.line.false_fires / shown.line.n, at, baseline=0, fill=True, facecolor=VERMILLION, edgecolor=INK,
        hatch="///", linewidth=0.5, alpha=0.7,
    )  # fmt: skip
    widths = (0.9, 2.2) if shown.here else (2.2, 0.9)
    plain = axes.stairs(shown.line.plain, at, baseline=None, color=GREY, linestyle="--", linewidth=widths[0])
    adjusted = axes.stairs(shown.line.adjusted, at, baseline=None, color=BLUE, linewidth=widths[1])
    _rate_axis(axes, shown.line.n)
    threshold_axis(axes, "x", shown.marked, shown.last, shown.inches)
    return [seen, plain, adjusted]


def _rate_axis(axes: Axes, n: int) -> None:
    """Scale the y axis by logarithm from below one episode's share, with none at its foot; plainly for few."""
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * 100:g} %"))
    if n < FEW:
        axes.set_ylim(0, 1.02)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        return
    axes.set_yscale("symlog", linthresh=min(0.1, 1 / n), linscale=0.4)
    axes.set_ylim(0, 1)
    ticks = [0.0, *(10.0**power for power in range(-5, 1) if 10.0**power >= 1 / n)]
    axes.set_yticks(ticks, minor=False)
    axes.set_yticks([], minor=True)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * 100:g} %"))  # a scale brings its own


def _at_point(shown: Values) -> int:
    return max(0, int(np.searchsorted(shown.line.thresholds, shown.threshold, "right")) - 1)


def title(found: Sweep, known: Statistics | None = None) -> str:
    """State the finding."""
    shown = values(found, next(iter(found.plateaus)), known)
    if shown is None:
        return "No passed episode: nothing bounds the false fires"
    place = _at_point(shown)
    due = shown.line.adjusted if shown.here else shown.line.plain
    how = "point chosen on these episodes" if shown.here else "point fixed before"
    level = confidence(0.95 if known is None else known.confidence)
    return (
        f"{count(int(shown.line.false_fires[place]))} of {count(shown.line.n)} false fires seen; the rate may be up to "
        f"{at_most(float(due[place]))} ({level}, {how})"
    )


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw a panel a detector; None where no passed episode bounds anything."""
    panels = [shown for name in found.plateaus if (shown := values(found, name, known)) is not None]
    if not panels:
        return None
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    drawn = new_figure(title(found, known), 1.3 + 2.6 * rows)
    grid = drawn.subplots(rows, columns, squeeze=False, sharey=True)
    for axes in grid.flat[len(panels) :]:
        axes.set_axis_off()
    for axes, shown in zip(grid.flat, panels, strict=False):
        draw_bounds(axes, shown)
        axes.set_title(detector(shown.name))
        axes.set_xlabel("threshold, the others held" if len(panels) > 1 else "threshold")
    for axes in grid[:, 0]:
        axes.set_ylabel("of passed episodes")
    _legend(drawn, panels[0])
    return drawn


def _legend(drawn: Figure, shown: Values) -> None:
    due = "may be up to, point chosen on these episodes"
    before = "may be up to, point fixed before"
    legend_below(
        drawn,
        {
            "fired": StepPatch([1], [0, 1], facecolor=VERMILLION, edgecolor=INK, hatch="///", linewidth=0.5, alpha=0.7),
            due: Line2D([], [], color=BLUE, linewidth=2.2 if shown.here else 0.9),
            before: Line2D([], [], color=GREY, linestyle="--", linewidth=0.9 if shown.here else 2.2),
            "threshold": Line2D([], [], color=INK, linewidth=1),
        },
    )


def _fall(shown: Values) -> str:
    """Say how many false fires there are at the lowest threshold, and from which on no fewer."""
    fires, thresholds = shown.line.false_fires, shown.line.thresholds
    first, least = int(fires[0]), int(fires[-1])
    begins = thresholds[int(np.argmax(fires == least))]  # they only fall
    fewer = f", {count(least)} from {begins} on" if least < first else " and above"
    bound = f"where a point fixed before may have up to {at_most(float(shown.line.plain[-1]))}"
    return f"{plural(first, 'false fire')} at threshold {thresholds[0]}{fewer}, {bound}"


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the panels show."""
    said = []
    for name in found.plateaus:
        shown = values(found, name, known)
        if shown is not None:
            said.append(f"{name}: {_fall(shown)}.")
    return " ".join(
        [f"{title(found, known)}.", "False fires seen, and exact upper bounds of their rate, by threshold.", *said]
    )
