"""Per detector: the highest levels of the episodes of each label, and the gap between passes and catches."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.ticker import FixedLocator
from numpy.typing import NDArray

from calib.plots import _canvas
from calib.plots._canvas import (
    BAND,
    BLUE,
    EDGE,
    GREEN,
    GREY,
    INK,
    SKY,
    VERMILLION,
    new_figure,
    threshold_axis,
)
from calib.results import SupportEpisode, Sweep
from calib.spelling import count, detector, in_sample
from calib.statistics import Statistics

BARS = 240
"""Most bars in a row; longer axes have several peaks in a bar."""
LETTERS = 88
"""Most letters in a line of a panel's title."""
ROWS = {
    "caught by it alone": (BLUE, ""),
    "caught by it and others": (BLUE, r"\\\\"),
    "caught by others": (SKY, ".."),
    "missed": ("white", "xxx"),
    "passed": (VERMILLION, ""),
    "failed": (GREY, "///"),
    "censored": (GREEN, "---"),
    "unlabelled": ("#C8C8C8", ""),
}


@dataclass(frozen=True)
class Row:
    """The episodes of one kind by peak: `counts[i]` have a peak in bar i."""

    kind: str
    counts: NDArray[np.int64]
    episodes: int


@dataclass(frozen=True)
class Values:
    """What one detector's panel shows; bar i holds peaks from edges[i] + ½ to edges[i + 1] − ½."""

    name: str
    rows: list[Row]
    edges: list[float]
    threshold: int | None
    closest_pass: SupportEpisode | None
    first_loss: SupportEpisode | None
    last: int

    @property
    def gap(self) -> tuple[float, float] | None:
        """The peaks between the closest pass and the first loss; None where one is missing or nothing lies between."""
        if self.closest_pass is None or self.first_loss is None or self.first_loss.peak - self.closest_pass.peak < 2:
            return None
        return self.closest_pass.peak + 0.5, self.first_loss.peak - 0.5


def values(found: Sweep, name: str) -> Values:
    """Take one detector out of a sweep; episodes that it could not observe are left out."""
    seen = found.episodes.filter(found.episodes[f"{name}_observable"])
    last = max(1, int(seen[f"{name}_peak"].max() or 0))  # type: ignore[arg-type]
    width = -(-(last + 1) // BARS)
    edges = [float(at) - 0.5 for at in range(0, last + 1 + width, width)]
    kinds = _kinds(seen, name)
    rows = [
        Row(kind, np.histogram(kinds[kind].to_numpy(), bins=edges)[0], len(kinds[kind]))
        for kind in ROWS
        if len(kinds[kind])
    ]
    support = found.support.get(name)
    return Values(
        name, rows, edges, found.point.thresholds.get(name), support.closest_pass if support else None,
        support.first_loss if support else None, last,
    )  # fmt: skip


def _kinds(seen: pl.DataFrame, name: str) -> dict[str, pl.Series]:
    """Part the peaks by label, those of turn_limit episodes by who caught them."""
    peaks, label = seen[f"{name}_peak"], seen["label"].cast(pl.String)
    positive, fired = label == "turn_limit", seen["fire_turn"].is_not_null()
    own = seen[f"{name}_fire_turn"].is_not_null()
    rest = [each for each in seen.columns if each.endswith("_fire_turn") and each != f"{name}_fire_turn"]
    others = seen.select(pl.any_horizontal([pl.col(each).is_not_null() for each in rest] or [False]).alias("others"))[
        "others"
    ]
    kinds = {
        "caught by it alone": peaks.filter(positive & own & ~others),
        "caught by it and others": peaks.filter(positive & own & others),
        "caught by others": peaks.filter(positive & fired & ~own),
        "missed": peaks.filter(positive & ~fired),
    }
    return kinds | {each: peaks.filter(label == each) for each in ("passed", "failed", "censored", "unlabelled")}


def heights(counts: NDArray[np.int64], most: int) -> NDArray[np.float64]:
    """Scale counts to heights below 0.8 by logarithm, so that one episode among thousands is seen."""
    return np.where(counts > 0, 0.16 + 0.64 * np.log1p(counts) / np.log1p(max(1, most)), 0.0)


def draw_row(axes: Axes, row: Row, edges: list[float], base: float, most: int) -> StepPatch:
    """Draw one kind of episode as bars standing on a line."""
    colour, hatch = ROWS[row.kind]
    axes.axhline(base, color="#D8D8D8", linewidth=0.6, zorder=1)
    return axes.stairs(
        base + heights(row.counts, most), edges, baseline=base, fill=True, facecolor=colour, edgecolor=INK, hatch=hatch,
        linewidth=0.5, zorder=2,
    )  # fmt: skip


def draw_gap(axes: Axes, shown: Values) -> Rectangle | None:
    """Shade the gap between the closest pass and the first loss."""
    if shown.gap is None:
        return None
    return axes.axvspan(*shown.gap, facecolor=BAND, edgecolor=EDGE, linewidth=0.8, zorder=0)


def draw_threshold(axes: Axes, shown: Values) -> Line2D | None:
    """Mark the lowest level that fires."""
    if shown.threshold is None:
        return None
    return axes.axvline(shown.threshold - 0.5, color=INK, linewidth=1.2, zorder=3)


def draw_peaks(axes: Axes, shown: Values) -> list[StepPatch]:
    """Draw one detector's panel: a row of bars for each kind of episode."""
    draw_gap(axes, shown)
    draw_threshold(axes, shown)
    most = max((int(row.counts.max()) for row in shown.rows), default=1)
    bases = [float(len(shown.rows) - 1 - at) for at in range(len(shown.rows))]
    drawn = [draw_row(axes, row, shown.edges, base, most) for row, base in zip(shown.rows, bases, strict=True)]
    ends = [end.peak for end in (shown.closest_pass, shown.first_loss) if end]
    threshold_axis(axes, "x", [*ends, *([] if shown.threshold is None else [shown.threshold])] or [1], shown.last, 6.0)
    if axes.get_xscale() == "linear":
        axes.set_xlim(-0.5, shown.last + 0.5)
        axes.xaxis.set_major_locator(FixedLocator([0, *(at for at in axes.get_xticks() if at > 1 or shown.last < 18)]))
    axes.set_ylim(-0.08, max(1, len(shown.rows)) - 0.1)
    axes.yaxis.set_major_locator(FixedLocator([base + 0.3 for base in bases]))
    axes.set_yticklabels([f"{row.kind}: {count(row.episodes)}" for row in shown.rows])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_title("\n".join([detector(shown.name), *_canvas.wrapped(ends_in_words(shown), LETTERS)]), fontsize=9.5)
    return drawn


def ends_in_words(shown: Values) -> str:
    """Say from which level it fires and name the episodes at both ends of the gap, made safe for a picture."""
    said = [] if shown.threshold is None else [f"fires from {shown.threshold}"]
    if shown.closest_pass:
        said.append(f"closest pass {shown.closest_pass.peak}: {_canvas.name(shown.closest_pass.episode_id)}")
    if shown.first_loss:
        said.append(f"loses above {shown.first_loss.peak}: {_canvas.name(shown.first_loss.episode_id)}")
    return ", ".join(said)


def title(found: Sweep) -> str:
    """State the finding."""
    if not (found.counts.turn_limit or found.counts.passed):
        return "No labels: how high the levels go"
    said = []
    for name, support in found.support.items():
        below, above = support.closest_pass, support.first_loss
        ends = [f"passes reach {below.peak}"] if below else []
        ends += [f"catches are lost above {above.peak}"] if above else []
        said += [f"{name}: {', '.join(ends)}"] if ends else []
    return ("; ".join(said) or "How high the levels go") + in_sample(found)


def detectors(found: Sweep) -> list[str]:
    """List the detectors that were scored."""
    return [column.removesuffix("_peak") for column in found.episodes.columns if column.endswith("_peak")]


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw a panel a detector; None without episodes."""
    if not found.counts.episodes:
        return None
    panels = [values(found, name) for name in detectors(found)]
    rows = [max(1, len(shown.rows)) for shown in panels]
    drawn = new_figure(title(found), 1.0 + sum(0.95 + 0.36 * each for each in rows))
    grid = drawn.subplots(len(panels), 1, squeeze=False, height_ratios=[0.9 + each for each in rows])
    for axes, shown in zip(grid[:, 0], panels, strict=True):
        draw_peaks(axes, shown)
    grid[-1, 0].set_xlabel("highest level of an episode (bar height: logarithm of the number of episodes)")
    return drawn


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the panels show."""
    said = []
    for name in detectors(found):
        shown = values(found, name)
        sizes = ", ".join(f"{row.kind} {count(row.episodes)}" for row in shown.rows)
        said.append(f"{name}: {sizes}; {ends_in_words(shown)}.")
    return " ".join([f"{title(found)}.", "Highest level of each episode, by label.", *said])
