"""One plot per file: values of a sweep in, a figure out. No plot computes, and none touches pyplot.

Each module offers `figure(sweep, statistics)`, a figure titled by its finding or None where there is nothing to show,
and `alt(sweep, statistics)`, the same in words with the numbers; without statistics, what rests on them is left out.
Its `draw_…` functions draw plain values on the Axes they are given and return the artists. Importing this package does
not import matplotlib; a program of its own calls `seal` before it draws, so that matplotlib writes nothing and reads no
settings.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, cast

from calib import registry
from calib.plots._seal import seal
from calib.results import Sweep
from calib.statistics import Statistics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["MAIN", "Plot", "alt_text", "file_names", "plot", "render_all", "seal"]

ENDINGS = ("png", "svg", "txt")
MAIN = ("fire_turns", "peaks", "plateau", "thresholds")
"""The plots of a sweep by itself; the others show how sure it is."""


class Plot(Protocol):
    """What each module of this folder offers."""

    def figure(self, found: Sweep, known: Statistics | None = None) -> "Figure | None":
        """Draw the figure; None where the sweep has nothing to show in it."""
        ...

    def alt(self, found: Sweep, known: Statistics | None = None) -> str:
        """Say in words what the figure shows."""
        ...


def plot(name: str) -> Plot:
    """Import a plot.

    Raises UsageError, with the near names, when there is none.
    """
    return cast(Plot, registry.entry(__name__, name))


def file_names() -> list[str]:
    """List every file that `render_all` may give; one that it does not give is stale where it exists."""
    return [f"{name}.{ending}" for name in registry.names(__name__) for ending in ENDINGS]


def render_all(found: Sweep, known: Statistics | None = None, only: Sequence[str] = ()) -> dict[str, bytes]:
    """Draw every plot, or some, that a sweep has something to show in: file name to content.

    Per plot a PNG, an SVG and its alt text. Equal sweeps give equal bytes.
    """
    from calib.plots._canvas import as_png, as_svg, laid_out, style

    files: dict[str, bytes] = {}
    with style():
        for name in only or registry.names(__name__):
            drawn = plot(name).figure(found, known)
            if drawn is not None:
                said, drawn = plot(name).alt(found, known), laid_out(drawn)
                files[f"{name}.png"] = as_png(drawn, said)
                files[f"{name}.svg"] = as_svg(drawn, said)
                files[f"{name}.txt"] = (said + "\n").encode()
    return files


def alt_text(found: Sweep, known: Statistics | None = None) -> dict[str, str]:
    """Say in words what each plot of a sweep shows: plot name to text."""
    from calib.plots._canvas import style

    with style():
        return {
            name: plot(name).alt(found, known)
            for name in registry.names(__name__)
            if plot(name).figure(found, known) is not None
        }
