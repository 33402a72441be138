"""What the plots share: one style whatever the user's settings, safe labels, figures as bytes.

Colours are Okabe and Ito's, told apart with any colour vision; in grey, hatches, dashes and markers tell.
"""

import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast
from xml.sax.saxutils import escape as xml

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from calib import escape
from calib.results import Sweep

BLUE, VERMILLION, GREEN, ORANGE, SKY, PURPLE = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7"
GREY, INK = "#707070", "#202020"
BAND, EDGE = "#FBF3C4", "#C9B458"
"""A plateau or gap: its fill and its rim."""
WIDTH = 8.0
"""Inches: 800 pixels of a README at 100 to the inch, stored with half as many again."""
TITLE_LETTERS = 82
STYLE: dict[str, Any] = {
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10.0,
    "figure.dpi": 150.0,
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "hatch.linewidth": 0.7,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "calib",
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw within this: matplotlib's own defaults and STYLE, nothing of the user's."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        cast(dict[str, Any], matplotlib.rcParams).update(STYLE)
        yield


@cache
def _glyphs() -> frozenset[int]:
    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return frozenset(FT2Font(str(font)).get_charmap())


def name(text: str, width: int = 32) -> str:
    """Show a name of a dump in a picture: one short line; a letter that the font lacks is a box.

    >>> name("_run 中1"), name("")
    (' _run □1', "''")
    """
    return "".join(c if ord(c) in _glyphs() else "□" for c in escape.label(text, width)) or "''"


def new_figure(title: str, height: float) -> Figure:
    """Make an empty figure under its title, which is wrapped."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle("\n".join(wrapped(title)), x=0.012, ha="left", fontsize=11.5, fontweight="bold", color=INK)
    return figure


def wrapped(text: str, letters: int = TITLE_LETTERS) -> list[str]:
    """Break text at blanks, but not within its last parentheses, into lines of at most so many letters.

    >>> wrapped("one two (in sample)", 8)
    ['one two', '(in sample)']
    """
    body, opened, last = text.rpartition(" (")
    words = [*body.split(" "), f"({last}"] if opened and last.endswith(")") else text.split(" ")
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def whole_numbers(axis: Axis, most: int = 9) -> None:
    """Tick an axis at whole numbers, written out."""
    axis.set_major_locator(MaxNLocator(nbins=most, integer=True, min_n_ticks=1))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def count_axis(axes: Axes, most: int) -> None:
    """Scale the y axis from none to all of `most` episodes, both with a tick."""
    axes.set_ylim(-0.02 * max(1, most), max(1, most) * 1.06)
    count_ticks(axes.yaxis, most)


def count_ticks(axis: Axis, most: int) -> None:
    """Tick an axis at 0, `most`, and whole numbers between."""
    between = [at for at in MaxNLocator(nbins=4, integer=True).tick_values(0, most) if 0 < at < 0.9 * most]
    axis.set_major_locator(FixedLocator([0, *between, most]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def powers(axis: Axis, most: int) -> None:
    """Tick a logarithmic axis of counts at 1, 10, 100 … (0 too, where it begins there), written out."""
    axis.set_major_locator(FixedLocator([0, *(10**power for power in range(len(str(max(1, most)))))]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def threshold_axis(axes: Axes, which: Literal["x", "y"], marked: Sequence[int], last: int, inches: float) -> None:
    """Scale a threshold axis of so many inches from 1 to `last` and tick it, at the `marked` thresholds above all.

    By logarithm where what is marked would fill less than a tenth of it.
    """
    axis = axes.xaxis if which == "x" else axes.yaxis
    wide = last > 100 and last > 10 * max(marked)
    if wide:
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    (axes.set_xlim if which == "x" else axes.set_ylim)(0.5, last + 0.5)
    label = 0.14 + 0.09 * len(f"{last:,}") if which == "x" else 0.24
    axis.set_major_locator(FixedLocator(_ticks(marked, last, wide, label / inches)))
    axis.set_minor_locator(FixedLocator([1]))  # where the axis begins, also where a label has no room
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _ticks(marked: Sequence[int], last: int, wide: bool, apart: float) -> list[int]:
    """Choose ticks: the marked ones, then 1, then round ones wherever a label has room.

    `apart` is what the widest label takes, as a share of the axis; the 1 is narrow and takes less.

    >>> _ticks([7, 39], 60, False, 0.055), _ticks([7, 39], 5000, True, 0.1)
    ([1, 7, 15, 20, 25, 30, 35, 39, 45, 50, 55, 60], [1, 7, 39, 100, 1000, 5000])
    """
    step = max(1, round(last / 12 / 5) * 5 or round(last / 12))
    round_ones = [10**power for power in range(len(str(last)))] if wide else list(range(step, last + 1, step))

    def place(at: int) -> float:
        return math.log(at) / math.log(last + 1) if wide else at / last

    chosen: list[int] = []
    for at in [*marked, 1, last, *round_ones]:
        room = 0.6 * apart if at == 1 else apart
        if 1 <= at <= last and all(abs(place(at) - place(other)) >= room for other in chosen):
            chosen.append(at)
    return sorted(chosen)


def edges(thresholds: Sequence[int] | np.ndarray, last: int) -> list[float]:
    """Give where the step of each listed threshold begins, and where the last one ends.

    The counts of a threshold hold up to the next one that is listed.

    >>> edges([1, 2, 5], 7)
    [0.5, 1.5, 4.5, 7.5]
    """
    return [*(float(at) - 0.5 for at in thresholds), max(float(last), float(thresholds[-1])) + 0.5]


def legend_below(figure: Figure, keys: Mapping[str, Any]) -> None:
    """Put a legend of words and artists under the figure, in as many columns as the words leave room for."""
    columns = max(1, min(3, 90 // max(map(len, keys))))
    figure.legend(list(keys.values()), list(keys), loc="outside lower left", ncols=columns)


def plateau_ends(found: Sweep, name: str) -> list[int]:
    """Give the thresholds of a detector worth a tick: the point's, and the ends of its plateau."""
    plateau = found.plateaus[name]
    ends = [plateau.low, *([] if plateau.high is None else [plateau.high])]
    return [found.point.thresholds[name], *ends]


def laid_out(figure: Figure) -> Figure:
    """Settle where everything goes, once for all forms."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    return figure


def as_png(figure: Figure, alt: str) -> bytes:
    """Give the PNG of a figure, its alt text as its description; no software, no date."""
    out = io.BytesIO()
    FigureCanvasAgg(figure).print_png(out, metadata={"Software": None, "Description": alt})  # type: ignore[no-untyped-call]
    return out.getvalue()


def as_svg(figure: Figure, alt: str) -> bytes:
    """Give the SVG of a figure with title and description for screen readers, without date or outside reference."""
    out = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    FigureCanvasSVG(figure).print_svg(out, metadata=nothing)  # type: ignore[no-untyped-call]
    return _described(out.getvalue(), alt).encode()


def _described(svg: str, alt: str) -> str:
    """Add role, title and description; drop the document type, which names an outside address."""
    title, _, rest = alt.partition(". ")
    said = f'<title id="title">{xml(title)}</title>\n<desc id="desc">{xml(rest or title)}</desc>\n'
    svg = re.sub(r"<!DOCTYPE[^>]*>\s*", "", svg, count=1)
    start = re.search(r"<svg\b[^>]*>", svg)
    if start is None:
        return svg
    opened = start[0][:-1] + ' role="img" aria-labelledby="title desc">\n'
    return svg[: start.start()] + opened + said + svg[start.end() :].lstrip("\n")
