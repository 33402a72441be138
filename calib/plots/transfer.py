"""Choose on one group, judge on another: a matrix of what the thresholds of each do to the others."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter
from numpy.typing import NDArray

from calib.plots._canvas import INK, legend_below, name, new_figure
from calib.results import Sweep
from calib.spelling import count, short, thresholds
from calib.statistics import Statistics, TransferRow

SPELLED = 10
"""Groups up to which every cell says its counts."""
MOST = 60
"""Groups beyond which there is no matrix to read."""
DARKEST = "#5A9BC8"
"""Still light enough for words on it."""
NO_GROUP = "(none)"


@dataclass(frozen=True)
class Values:
    """Rows choose, columns are judged. Shares of false fires; nan where nothing passed or nothing was chosen."""

    by: str
    names: list[str]
    shares: NDArray[np.float64]
    cells: list[list[str]]
    points: list[str]
    """What each row chose; empty for nothing."""
    elsewhere: list[tuple[int, int, int, int]]
    """By row, on the other groups together: caught, of how many, false fires, of how many."""


def values(known: Statistics | None) -> Values | None:
    """Take the matrix out of the statistics; None without two groups, with too many to read, or no choice."""
    matrix = known.transfer if known is not None else None
    if matrix is None or not 2 <= len(matrix.groups) <= MOST or not any(row.point for row in matrix.rows):
        return None
    names = [NO_GROUP if group is None else name(group, 18) for group in matrix.groups]
    shares = np.full((len(names), len(names)), np.nan)
    cells = [["no choice"] * len(names) for _ in names]
    for at, row in enumerate(matrix.rows):
        for to, cell in enumerate(row.cells):
            shares[at, to] = cell.false_fires[0] / cell.false_fires[1] if cell.false_fires[1] else np.nan
            cells[at][to] = f"{_of(cell.caught)} caught\n{_of(cell.false_fires)} false"
    points = [short(thresholds(row.point)) if row.point else "" for row in matrix.rows]
    elsewhere = [_elsewhere(row, at) for at, row in enumerate(matrix.rows)]
    return Values(matrix.by, names, shares, cells, points, elsewhere)


def _of(share: tuple[int, int]) -> str:
    return f"{count(share[0])}/{count(share[1])}" if share[1] else "–"


def _elsewhere(row: TransferRow, place: int) -> tuple[int, int, int, int]:
    """Add up what a row's thresholds do to the other groups."""
    others = [(*cell.caught, *cell.false_fires) for at, cell in enumerate(row.cells) if at != place]
    caught, positives, false, passed = (sum(column) for column in zip(*others, strict=True)) if others else (0, 0, 0, 0)
    return caught, positives, false, passed


def draw_matrix(axes: Axes, shown: Values) -> QuadMesh:
    """Draw a cell for every pair of groups, light for no false fire; what was not chosen or not passed is hatched."""
    colours = LinearSegmentedColormap.from_list("fires", ["white", DARKEST])
    edges = np.arange(len(shown.names) + 1) - 0.5
    top = max(0.02, float(np.nanmax(shown.shares)) if not np.isnan(shown.shares).all() else 0.02)
    mesh = axes.pcolormesh(
        edges, edges, np.ma.masked_invalid(shown.shares), cmap=colours, vmin=0, vmax=top, edgecolor="#D0D0D0",
        linewidth=0.6 if len(shown.names) <= SPELLED * 2 else 0.0, rasterized=len(shown.names) > SPELLED * 2,
    )  # fmt: skip
    for row, column in zip(*np.nonzero(np.isnan(shown.shares)), strict=True):
        axes.add_patch(_cell(row, column, facecolor="#EEEEEE", edgecolor="#9A9A9A", hatch="///", linewidth=0))
    for at in range(len(shown.names)):
        axes.add_patch(_cell(at, at, facecolor="none", edgecolor=INK, linewidth=1.4))
    if len(shown.names) <= SPELLED:
        _spell(axes, shown)
    _axes(axes, shown)
    return mesh


def _cell(row: int, column: int, **how: object) -> Rectangle:
    return Rectangle((column - 0.5, row - 0.5), 1, 1, **how)  # type: ignore[arg-type]


def _spell(axes: Axes, shown: Values) -> None:
    size = 8.0 if len(shown.names) <= 6 else 6.5
    for row, texts in enumerate(shown.cells):
        for column, text in enumerate(texts):
            axes.text(column, row, text, ha="center", va="center", fontsize=size, color=INK)


def _axes(axes: Axes, shown: Values) -> None:
    places = list(range(0, len(shown.names), -(-len(shown.names) // 20)))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(FixedLocator(places))
        axis.set_major_formatter(FuncFormatter(lambda place, _: shown.names[int(place)]))
        axis.set_tick_params(length=0)
    axes.tick_params(axis="x", rotation=0 if len(shown.names) <= 4 else 90)
    axes.invert_yaxis()
    axes.set_xlabel(f"judged on {name(shown.by, 20)}")
    axes.set_ylabel(f"chosen on {name(shown.by, 20)}")


def title(shown: Values) -> str:
    """State the finding: the best and the worst group to have chosen on."""
    by = name(shown.by, 20)
    judged = [at for at, (_, _, _, passed) in enumerate(shown.elsewhere) if passed and shown.points[at]]
    if not judged:
        return f"No {by} chose thresholds that another could judge"
    judged.sort(key=lambda at: shown.elsewhere[at][2] / shown.elsewhere[at][3])
    best, worst = judged[0], judged[-1]
    return f"Chosen on one {by}, false fires on the others: {_fires(shown, best)} to {_fires(shown, worst)}"


def _fires(shown: Values, at: int) -> str:
    return f"{count(shown.elsewhere[at][2])} of {count(shown.elsewhere[at][3])} ({shown.names[at]})"


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw the matrix; None without groups, or with too many."""
    shown = values(known)
    if shown is None:
        return None
    drawn = new_figure(title(shown), min(8.0, 2.6 + 0.62 * len(shown.names)))
    axes = drawn.add_subplot()
    mesh = draw_matrix(axes, shown)
    bar = drawn.colorbar(mesh, ax=axes, label="false fires, of passed episodes", pad=0.02)
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{share * 100:g} %"))
    keys: dict[str, Patch] = {"in sample": Patch(facecolor="none", edgecolor=INK, linewidth=1.4)}
    if np.isnan(shown.shares).any():
        nothing = Patch(facecolor="#EEEEEE", edgecolor="#9A9A9A", hatch="///", linewidth=0)
        keys["nothing chosen, or nothing passed"] = nothing
    legend_below(drawn, keys)
    return drawn


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the matrix shows."""
    shown = values(known)
    if shown is None:
        return "No groups to choose on and to judge."
    said = []
    for at, (caught, positives, false, passed) in enumerate(shown.elsewhere):
        others = f"{_of((caught, positives))} caught, {_of((false, passed))} false fires on the others"
        said.append(f"From {shown.names[at]}: {f'{shown.points[at]}, {others}' if shown.points[at] else 'no choice'}.")
    return " ".join([f"{title(shown)}.", "Thresholds chosen on the group of a row, judged on that of a column.", *said])
