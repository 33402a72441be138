"""Per detector: what is caught and what fires wrongly at each threshold, with the plateau as a band."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle, StepPatch
from numpy.typing import NDArray

from calib.evidence.bounded import held, swept
from calib.plots._canvas import (
    BAND,
    BLUE,
    EDGE,
    GREY,
    INK,
    VERMILLION,
    count_axis,
    edges,
    legend_below,
    new_figure,
    plateau_ends,
    powers,
    threshold_axis,
)
from calib.results import Sweep
from calib.spelling import count, detector, in_sample, run
from calib.statistics import Statistics

COLUMNS = 3
FEW = 20
STYLES: dict[str, tuple[str, Literal["-", "--", ":"]]] = {
    "caught": (BLUE, "-"),
    "false_fires": (VERMILLION, "--"),
    "other_fires": (GREY, ":"),
}
Steps = NDArray[np.int64]
Draw = Callable[[Axes, "Values"], list[StepPatch]]


@dataclass(frozen=True)
class Line:
    """Counts by threshold: `steps[i]` holds between `edges[i]` and `edges[i + 1]`, half a step below thresholds."""

    edges: list[float]
    caught: Steps
    false_fires: Steps
    other_fires: Steps


@dataclass(frozen=True)
class Values:
    """What one detector's panels show. `held` is None where the surface does not go through the point."""

    name: str
    threshold: int
    marked: list[int]
    band: tuple[float, float]
    last: int
    alone: Line
    held: Line | None
    sizes: tuple[int, int, int]
    """turn_limit, passed and failed episodes."""
    inches: float
    """How wide the panels are."""


def values(found: Sweep, name: str) -> Values:
    """Take one detector out of a sweep."""
    plateau, curve = found.plateaus[name], found.curves[name]
    last = max(curve.thresholds[-1], found.point.thresholds[name])
    alone = _line(curve.thresholds, [curve.caught, curve.false_fires, curve.other_fires], last)
    band = plateau.low - 0.5, (last if plateau.high is None else plateau.high) + 0.5
    counts = found.counts
    sizes = counts.turn_limit, counts.passed, counts.failed
    held = _held(found, name)
    inches = 7.2 / min(COLUMNS, len(found.plateaus)) - 0.4
    return Values(name, found.point.thresholds[name], plateau_ends(found, name), band, last, alone, held, sizes, inches)


def _line(listed: Sequence[int], columns: Sequence[Sequence[int]], last: int) -> Line:
    return Line(edges(listed, last), *(np.asarray(column, np.int64) for column in columns))


def _held(found: Sweep, name: str) -> Line | None:
    """Give the counts along one detector with the others held; None where there is no other."""
    rows = held(found, name) if len(swept(found)) > 1 else None
    if rows is None:
        return None
    listed = rows[name].to_list()
    return _line(listed, [rows[each].to_list() for each in STYLES], listed[-1])


def draw_band(axes: Axes, shown: Values) -> Rectangle:
    """Shade the plateau and mark the threshold."""
    axes.axvline(shown.threshold, color=INK, linewidth=1, zorder=1)
    return axes.axvspan(*shown.band, facecolor=BAND, edgecolor=EDGE, linewidth=0.8, zorder=0)


def draw_counts(axes: Axes, shown: Values, which: Sequence[str]) -> list[StepPatch]:
    """Draw counts as steps: thick with the others held, thin for the detector alone where that differs."""
    drawn = []
    for each, size in zip(STYLES, shown.sizes, strict=True):
        if each not in which or not size:
            continue
        colour, dashes = STYLES[each]
        main = shown.held or shown.alone
        steps = getattr(main, each)
        if shown.held and not _equal(shown.held, shown.alone, each):
            drawn.append(_stairs(axes, shown.alone, each, colour, dashes, 0.9))
        drawn.append(axes.stairs(steps, main.edges, baseline=None, color=colour, linestyle=dashes, linewidth=2.2))
    threshold_axis(axes, "x", shown.marked, shown.last, shown.inches)
    return drawn


def _stairs(axes: Axes, line: Line, each: str, colour: str, dashes: Literal["-", "--", ":"], width: float) -> StepPatch:
    return axes.stairs(
        getattr(line, each), line.edges, baseline=None, color=colour, linestyle=dashes, linewidth=width, alpha=0.8
    )


def _equal(held: Line, alone: Line, each: str) -> bool:
    return held.edges == alone.edges and bool(np.array_equal(getattr(held, each), getattr(alone, each)))


def draw_caught(axes: Axes, shown: Values) -> list[StepPatch]:
    """Draw the caught episodes over the thresholds, from none to all."""
    draw_band(axes, shown)
    steps = draw_counts(axes, shown, ["caught"])
    count_axis(axes, shown.sizes[0])
    return steps


def draw_fires(axes: Axes, shown: Values) -> list[StepPatch]:
    """Draw false and other fires over the thresholds; more than a few on an axis that shows 0, 1 and thousands."""
    draw_band(axes, shown)
    steps = draw_counts(axes, shown, ["false_fires", "other_fires"])
    most = max(shown.sizes[1:])
    if most <= FEW:
        count_axis(axes, most)
        return steps
    axes.set_yscale("symlog", linthresh=1, linscale=0.5)
    axes.set_ylim(-0.12, max(1, most) * 1.6)
    powers(axes.yaxis, most)
    return steps


def title(found: Sweep) -> str:
    """State the finding."""
    runs = []
    for name, plateau in found.plateaus.items():
        runs.append(f"{name} {run(plateau.low, plateau.high)}")
    counts = found.counts
    what = " and ".join(word for word, size in (("caught", counts.turn_limit), ("false fires", counts.passed)) if size)
    return f"Same {what} on {', '.join(runs)}{in_sample(found)}"


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw a panel of catches and one of fires a detector, as far as there are labels; None where there are none."""
    names, counts = list(found.plateaus), found.counts
    if not (counts.turn_limit or counts.passed):
        return None
    draw = [draw_caught] if counts.turn_limit else []
    draw += [draw_fires] if counts.passed or counts.failed else []
    columns = min(COLUMNS, len(names))
    rows = -(-len(names) // columns)
    drawn = new_figure(title(found), 1.0 + 2.15 * rows * len(draw))
    grid = drawn.subplots(rows * len(draw), columns, squeeze=False)
    for axes in grid.flat:
        axes.set_axis_off()
    for at, name in enumerate(names):
        first = at // columns * len(draw)
        _panels(list(grid[first : first + len(draw), at % columns]), draw, values(found, name), at % columns == 0)
    _legend(drawn, found)
    return drawn


def _panels(panels: Sequence[Axes], draw: Sequence[Draw], shown: Values, leftmost: bool) -> None:
    """Fill one detector's panels, top to bottom."""
    for axes, drawing in zip(panels, draw, strict=True):
        axes.set_axis_on()
        drawing(axes, shown)
        axes.tick_params(labelbottom=axes is panels[-1])
        if leftmost:
            axes.set_ylabel("caught" if drawing is draw_caught else "fires")
    panels[0].set_title(detector(shown.name))
    panels[-1].set_xlabel("threshold")


def _legend(drawn: Figure, found: Sweep) -> None:
    counts = found.counts
    sizes = [(counts.turn_limit, "turn_limit"), (counts.passed, "passed"), (counts.failed, "failed")]
    keys: dict[str, Line2D | Patch] = {}
    for each, (size, label) in zip(STYLES, sizes, strict=True):
        colour, dashes = STYLES[each]
        if size:
            line = Line2D([], [], color=colour, linestyle=dashes, linewidth=2.2)
            keys[f"{each.replace('_', ' ')}, of {count(size)} {label}"] = line
    keys["plateau"] = Patch(facecolor=BAND, edgecolor=EDGE)
    keys["threshold"] = Line2D([], [], color=INK, linewidth=1)
    if len(found.plateaus) > 1:
        keys["thin: this detector alone"] = Line2D([], [], color=GREY, linewidth=0.9)
    legend_below(drawn, keys)


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the panels show."""
    said = []
    for name, plateau in found.plateaus.items():
        ends = []
        if plateau.below:
            ends.append(f"at {plateau.low - 1}: {plateau.below}")
        if plateau.above and plateau.high is not None:
            ends.append(f"at {plateau.high + 1}: {plateau.above}")
        if ends:
            said.append(f"{name}: {', '.join(ends)}.")
    return " ".join(
        [f"{title(found)}.", "Caught, false and other fires by threshold, the other detectors held.", *said]
    )
