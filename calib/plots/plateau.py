"""The plateau: caught counts over the thresholds of two detectors, false fires hatched."""

from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import FuncNorm, ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path

from calib.plots._canvas import GREY, INK, count_ticks, name, new_figure, threshold_axis
from calib.plots._map import Block, Flags, Values, values
from calib.results import Sweep
from calib.spelling import count, detector, in_sample, plural, run, short
from calib.statistics import Statistics

DARKEST = 0.4
"""Where on the colour scale nothing caught lies."""


def draw_map(axes: Axes, shown: Values) -> QuadMesh:
    """Draw the caught counts as colours, light for many, and light enough for hatches on them where few.

    Colours follow the square root of the missed, so that the first few losses stand out from the plateau.
    """
    colours = ListedColormap(matplotlib.colormaps["cividis"](np.linspace(DARKEST, 1, 256)))
    norm = _losses(shown.most) if shown.most else Normalize(-1, 0)  # nothing to catch: all of it is caught
    return axes.pcolormesh(shown.x, shown.y, shown.caught.T, cmap=colours, norm=norm, rasterized=True)


def _losses(most: int) -> FuncNorm:
    """Scale caught counts from 0 to `most` by the square root of what is missed."""
    return FuncNorm(
        (lambda caught: -np.sqrt(np.clip(most - caught, 0, None)), lambda scaled: most - scaled**2), vmin=0, vmax=most
    )


def draw_false_fires(axes: Axes, shown: Values) -> PathPatch | None:
    """Hatch the pairs at which a passing episode fires; None where there is none."""
    parts = [_box(*block) for block in _runs(shown.false_fires > 0, shown.x, shown.y)]
    if not parts:
        return None
    patch = PathPatch(Path.make_compound_path(*parts), facecolor="none", edgecolor=INK, linewidth=0, hatch="///")
    axes.add_patch(patch)
    return patch


def _box(left: float, bottom: float, right: float, top: float) -> Path:
    return Path([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)], closed=True)


def _runs(marked: Flags, x: list[float], y: list[float]) -> list[Block]:
    """Cover the marked cells with blocks: runs along y, equal runs of neighbouring columns as one."""
    blocks: list[Block] = []
    for at, column in enumerate(marked):
        padded = np.flatnonzero(np.diff(np.concatenate(([0], column.astype(np.int8), [0]))))
        for low, high in padded.reshape(-1, 2):
            block = (x[at], y[low], x[at + 1], y[high])
            before = [old for old in blocks if old[1:] == (block[1], block[0], block[3])]
            for old in before:
                blocks.remove(old)
            blocks.append((before[0][0] if before else block[0], *block[1:]))
    return blocks


def draw_plateau(axes: Axes, shown: Values) -> PathPatch:
    """Outline the pairs with the point's counts."""
    same = np.pad(shown.same, 1)
    vertices: list[tuple[float, float]] = []
    for at, row in zip(*np.nonzero(same[1:, 1:-1] != same[:-1, 1:-1]), strict=True):
        vertices += [(shown.x[at], shown.y[row]), (shown.x[at], shown.y[row + 1])]
    for at, row in zip(*np.nonzero(same[1:-1, 1:] != same[1:-1, :-1]), strict=True):
        vertices += [(shown.x[at], shown.y[row]), (shown.x[at + 1], shown.y[row])]
    codes = [Path.MOVETO, Path.LINETO] * (len(vertices) // 2)
    outline = Path(np.array(vertices, float).reshape(-1, 2), codes)
    patch = PathPatch(outline, facecolor="none", edgecolor="black", linewidth=2.6, capstyle="projecting", zorder=3)
    axes.add_patch(patch)
    return patch


def draw_block(axes: Axes, shown: Values) -> list[Rectangle]:
    """Draw the rectangle of equal counts as white dashes on black; nothing where there is none."""
    if shown.block is None:
        return []
    left, bottom, right, top = shown.block
    patches = _dashed((left, bottom), right - left, top - bottom)
    for patch in patches:
        axes.add_patch(patch)
    return patches


def _dashed(corner: tuple[float, float], width: float, height: float) -> list[Rectangle]:
    black = Rectangle(corner, width, height, facecolor="none", edgecolor="black", linewidth=2.6, zorder=3)
    dashes = (0, (3, 3))
    white = Rectangle(
        corner, width, height, facecolor="none", edgecolor="white", linewidth=1.3, linestyle=dashes, zorder=4
    )
    return [black, white]


def draw_point(axes: Axes, shown: Values) -> Line2D:
    """Mark the operating point; one beyond the map at its edge, where the counts are the same above the last step."""
    sides = zip(shown.point, (shown.x, shown.y), strict=True)
    at = [min(max(threshold, edges[0] + 0.5), edges[-1] - 0.5) for threshold, edges in sides]
    (line,) = axes.plot(
        *at, marker="D", markersize=8, color="white", markeredgecolor="black", markeredgewidth=1.6,
        linestyle="none", zorder=5, clip_on=False,
    )  # fmt: skip
    return line


def draw_plateau_map(axes: Axes, shown: Values, spelling: str) -> QuadMesh:
    """Draw the whole map on the Axes, with its legend below; give the colours back for a colour bar."""
    mesh = draw_map(axes, shown)
    keys: dict[str, Any] = {f"point {spelling}": draw_point(axes, shown)}
    if not shown.idle:
        draw_plateau(axes, shown)
        keys["plateau: same caught and false fires"] = Patch(facecolor="none", edgecolor="black", linewidth=2.2)
    if draw_false_fires(axes, shown):
        keys["a passing episode fires"] = Patch(facecolor="white", edgecolor=INK, hatch="///", linewidth=0.4)
    if not shown.idle and draw_block(axes, shown):
        keys["largest rectangle in it"] = tuple(_dashed((0, 0), 1, 1))
    threshold_axis(axes, "x", shown.marked[0], int(shown.x[-1]), 6.6)
    threshold_axis(axes, "y", shown.marked[1], int(shown.y[-1]), 4.7)
    axes.set_xlabel(f"{detector(shown.names[0])} threshold")
    axes.set_ylabel(f"{detector(shown.names[1])} threshold")
    axes.legend(
        list(keys.values()), list(keys), loc="upper left", bbox_to_anchor=(-0.02, -0.13), ncols=2, borderaxespad=0
    )
    return mesh


def title(found: Sweep) -> str:
    """State the finding."""
    counts, tally = found.counts, found.tally
    if counts.turn_limit and not tally.caught:
        false = f"; {count(tally.false_fires)} of {count(counts.passed)} false fires" if counts.passed else ""
        none = f"none of {plural(counts.turn_limit, 'turn_limit episode')}"
        return f"{name(short(str(found.point)), 60)} catches {none}{false}{in_sample(found)}"
    said = [f"{count(tally.caught)} of {count(counts.turn_limit)} caught"] if counts.turn_limit else []
    said += [f"{count(tally.false_fires)} of {count(counts.passed)} false fires"] if counts.passed else []
    lacking = "" if counts.turn_limit else "; nothing to catch"
    lacking += "" if counts.passed else "; no passed episode"
    return f"{', '.join(said)} on {_size(found)}{lacking}{in_sample(found)}"


def _size(found: Sweep) -> str:
    """Say how large the rectangle of equal counts is."""
    block = found.rectangle
    if block is None:
        return short(str(found.point))
    if block.pairs == 1:
        return f"{short(str(found.point))} alone"
    if None in block.high.values():
        return short(" × ".join(f"{each}@{run(low, block.high[each])}" for each, low in block.low.items())).replace(
            "@", " "
        )
    sides = [(high or 0) - low + 1 for low, high in zip(block.low.values(), block.high.values(), strict=True)]
    return f"{' × '.join(map(count, sides))} thresholds"


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw the map of a sweep; None for one detector, or without passed and turn_limit episodes."""
    shown = values(found)
    if shown is None:
        return None
    drawn = new_figure(title(found), 6.2)
    axes = drawn.add_subplot()
    mesh = draw_plateau_map(axes, shown, short(str(found.point)))
    held = list(found.point.thresholds.items())[2:]
    if held:
        axes.set_title("held: " + ", ".join(f"{each}@{threshold}" for each, threshold in held), color=GREY)
    if shown.most:
        bar = drawn.colorbar(mesh, ax=axes, label=f"caught, of {plural(shown.most, 'turn_limit episode')}", pad=0.02)
        count_ticks(bar.ax.yaxis, shown.most)
    return drawn


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the map shows."""
    ends = []
    for each, plateau in found.plateaus.items():
        ends.append(f"{each} {run(plateau.low, plateau.high)}")
    return (
        f"{title(found)}. Map of caught episodes over the thresholds of "
        f"{' and '.join(list(found.point.thresholds)[:2])}, pairs at which a passing episode fires hatched. "
        f"The point is {found.point}; moving one threshold, the counts stay equal for {' and for '.join(ends)}."
    )
