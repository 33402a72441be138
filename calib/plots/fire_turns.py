"""When the caught episodes fire, how long they are, and who fired. Turns run to the right."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from calib.plots._canvas import (
    BAND,
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    count_axis,
    legend_below,
    new_figure,
    whole_numbers,
)
from calib.point import SHORT
from calib.results import Sweep
from calib.spelling import count, detector, in_sample, plural, turn
from calib.statistics import Statistics

MARKS = (
    ("o", BLUE),
    ("^", ORANGE),
    ("s", GREEN),
    ("v", PURPLE),
    ("P", VERMILLION),
    ("X", GREY),
    ("D", SKY),
    ("p", BAND),
)
HATCHES = ("", "///", "...", "xxx")
Keys = dict[str, Artist]
ONE_BY_ONE = 400
"""Caught episodes up to which each has a marker of its own; beyond, equal ones share a larger one."""


@dataclass(frozen=True)
class Group:
    """The caught episodes of one first trigger, or several at once; lengths are moved aside where they tie."""

    who: str
    lengths: NDArray[np.float64]
    turns: NDArray[np.int64]
    episodes: NDArray[np.int64]


@dataclass(frozen=True)
class Values:
    """What the plot shows."""

    groups: list[Group]
    shortest: int
    longest: int
    median: float


def values(found: Sweep) -> Values | None:
    """Take the caught episodes out of a sweep; None where there are none."""
    frame = found.episodes.with_columns(pl.col("label").cast(pl.String))
    caught = frame.filter((pl.col("label") == "turn_limit") & pl.col("fire_turn").is_not_null())
    if not len(caught) or found.fire_turn.median is None:
        return None
    keys = ["fired_by", "n_turns", "fire_turn"]
    tied = caught.group_by(keys).len().sort(["n_turns", "fire_turn", "fired_by"])
    shortest, longest = (int(getattr(caught["n_turns"], end)()) for end in ("min", "max"))
    each = len(caught) <= ONE_BY_ONE
    rows = tied.select(pl.exclude("len").repeat_by("len").explode(), len=pl.lit(1)) if each else tied
    rows = rows.with_columns(aside=_aside(rows, longest - shortest))
    names = sorted(rows["fired_by"].unique(), key=lambda who: (" | " in who, who))
    groups = []
    for who in names:
        own = rows.filter(rows["fired_by"] == who)
        groups.append(Group(who, own["aside"].to_numpy(), own["fire_turn"].to_numpy(), own["len"].to_numpy()))
    return Values(groups, shortest, longest, found.fire_turn.median)


def _aside(rows: pl.DataFrame, span: int) -> pl.Series:
    """Move the lengths of markers at one place to both sides of it, the less the more there are."""
    place = pl.int_range(pl.len()).over("n_turns", "fire_turn")
    ties = pl.len().over("n_turns", "fire_turn")
    most = int(rows.group_by("n_turns", "fire_turn").len()["len"].max())  # type: ignore[arg-type]
    step = min(0.022 * span, 4.0 / most) if span else min(0.16, 1.7 / most)
    return rows.select(pl.col("n_turns") + (place - (ties - 1) / 2) * step).to_series()


def draw_group(axes: Axes, group: Group, mark: str, colour: str, size: float) -> PathCollection:
    """Draw one group's markers, larger where they stand for more episodes."""
    sizes = size * np.minimum(1 + np.log10(group.episodes), 5)
    return axes.scatter(
        group.turns, group.lengths, s=sizes, marker=mark, color=colour, edgecolors=INK, linewidths=0.6,
        alpha=0.85, zorder=3, rasterized=len(group.turns) > ONE_BY_ONE,
    )  # fmt: skip


def draw_last_turn(axes: Axes, shown: Values, room: float) -> Line2D:
    """Draw the last turn of an episode of each length: no fire is later."""
    if shown.shortest == shown.longest:
        return axes.axvline(shown.longest - 1, color=GREY, linestyle="--", linewidth=1, zorder=1)
    ends = [shown.shortest - room, shown.longest + room]
    (line,) = axes.plot([end - 1 for end in ends], ends, color=GREY, linestyle="--", linewidth=1, zorder=1)
    return line


def draw_fire_turns(axes: Axes, shown: Values) -> Keys:
    """Draw a marker for each caught episode, or for many at one place; give the legend's words and artists."""
    room = max(1.0, 0.08 * (shown.longest - shown.shortest))
    keys: Keys = {}
    size = 34.0 if sum(len(group.turns) for group in shown.groups) <= ONE_BY_ONE else 12.0
    for at, group in enumerate(shown.groups):
        keys[_count(group)] = draw_group(axes, group, *MARKS[at % len(MARKS)], size)
    keys["last turn"] = draw_last_turn(axes, shown, room)
    axes.set_ylim(shown.shortest - room, shown.longest + room)
    whole_numbers(axes.yaxis, 1 if shown.shortest == shown.longest else 9)
    axes.set_ylabel("turns in the episode")
    return keys


def draw_bars(axes: Axes, shown: Values) -> Keys:
    """Draw how many fire at each turn, stacked by who: for many episodes that are equally long."""
    keys: Keys = {}
    below = np.zeros(shown.longest + 1)
    for at, group in enumerate(shown.groups):
        colour, hatch = MARKS[at % len(MARKS)][1], HATCHES[at % len(HATCHES)]
        heights = np.bincount(group.turns, group.episodes, len(below))
        edges = np.arange(len(below) + 1) - 0.5
        keys[_count(group)] = axes.stairs(
            below + heights, edges, baseline=below, fill=True, facecolor=colour, edgecolor=INK, hatch=hatch,
            linewidth=0.5,
        )  # fmt: skip
        below = below + heights
    keys["last turn"] = draw_last_turn(axes, shown, 0)
    count_axis(axes, int(below.max()))
    axes.set_ylabel(f"episodes, all {shown.longest} turns long")
    return keys


def _count(group: Group) -> str:
    return f"{_who(group.who)} first: {count(int(group.episodes.sum()))}"


def _who(names: str) -> str:
    """Name the first to fire, several at once by the notes' labels."""
    several = names.split(" | ")
    return (
        detector(names) if len(several) == 1 else " and ".join(SHORT.get(name, name) for name in several) + " at once,"
    )


def title(found: Sweep) -> str:
    """State the finding."""
    at = found.fire_turn
    left = plural(found.turns_after_fire, "turn")
    return (
        f"{count(found.tally.caught)} caught at turn {turn(at.min)} to {turn(at.max)}, median {turn(at.median)}; "
        f"{left} after the fire{in_sample(found)}"
    )


def figure(found: Sweep, known: Statistics | None = None) -> Figure | None:
    """Draw the plot; None where nothing is caught."""
    shown = values(found)
    if shown is None:
        return None
    flat = shown.shortest == shown.longest
    drawn = new_figure(title(found), 3.4 if flat else 5.0)
    axes = drawn.add_subplot()
    keys = (draw_bars if flat and found.tally.caught > ONE_BY_ONE else draw_fire_turns)(axes, shown)
    median = f"median {turn(shown.median)}"
    keys[median] = axes.axvline(shown.median, color=INK, linestyle=":", linewidth=1.2, zorder=2)
    axes.set_xlim(-0.02 * shown.longest, shown.longest * 1.02)
    whole_numbers(axes.xaxis)
    axes.set_xlabel("fire turn")
    legend_below(drawn, keys)
    return drawn


def alt(found: Sweep, known: Statistics | None = None) -> str:
    """Say in words what the plot shows."""
    shown = values(found)
    firsts = [f"{_who(group.who)} {count(int(group.episodes.sum()))}" for group in shown.groups] if shown else []
    return f"{title(found)}. Fire turn of every caught episode against its length. First to fire: {', '.join(firsts)}."
