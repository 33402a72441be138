"""`calib sweep`: every threshold at once."""

import re
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calib.cli._options import (
    By,
    ConfigPath,
    CorpusPath,
    Exclude,
    Reads,
    Where,
    load_config,
    scored,
    wanted,
    with_savings,
)
from calib.cli._output import colour, emit, say, width
from calib.errors import UsageError
from calib.escape import visible
from calib.files import check_folder
from calib.point import detector_name, parse_point, whole
from calib.rules import split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calib.config import Config
    from calib.point import Point
    from calib.results import Sweep
    from calib.score import Scored
    from calib.statistics import Statistics

Ranges = dict[str, tuple[int, int] | None]


def parse_range(text: str) -> tuple[str, tuple[int, int] | None]:
    """Read a swept detector: a name, or a name with a range of thresholds, both ends included.

    >>> parse_range("T2@7..39"), parse_range("search_run")
    (('repeated_plan', (7, 39)), ('search_run', None))
    """
    name, *spans = split(text, "@")
    if not spans:
        return detector_name(name), None
    span = "@".join(spans)
    found = re.fullmatch(r"([^.]+)\.\.([^.]+)", span)
    if not found:
        raise UsageError(f"{visible(text)[:80]!r}: expected DETECTOR@LO..HI; a single threshold goes to --at")
    low, high = whole(found[1], name), whole(found[2], name)
    if low > high:
        raise UsageError(f"{visible(text)[:80]!r}: the range is upside down; write {name}@{high}..{low}")
    return detector_name(name), (low, high)


def sweep(
    corpus: CorpusPath,
    detectors: Annotated[
        list[str], typer.Argument(metavar="[DETECTOR[@LO..HI]]…", show_default=False, help="Default: T2 and T1, whole.")
    ] = [],  # noqa: B006 - typer reads it, nobody changes it
    at: Annotated[
        str, typer.Option("--at", metavar="POINT", help="Default: closest pass, not the point of calib.toml.")
    ] = "",
    where: Where = [],  # noqa: B006
    exclude: Exclude = [],  # noqa: B006
    by: By = "",
    output: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="Surface, sweep.json and plots.")] = "",
    to: Annotated[Literal["terminal", "json"], typer.Option("--to", help="What to print.")] = "terminal",
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Try every threshold and show the plateaus.

    Also the episodes that end them, near misses, and the points worth comparing with.
    """
    ranges = _ranges(detectors)
    point = parse_point(at) if at else None
    settings = load_config(config)
    if output:
        check_folder(output, "sweep.json", _names())
    names = list(dict.fromkeys([*ranges, *point.thresholds])) if ranges and point else [*ranges] or wanted(point)
    found = scored(corpus, names, where, exclude, reads, settings)
    whole = with_savings(_sweep(found, ranges, point, settings, ""), corpus)
    swept = [whole, *_groups(found, ranges, point, settings, by)]
    if output:
        save(swept, output, _known(found, swept[0], settings, by))
        say(f"wrote {output}")
    _print(swept, to, settings)


def _ranges(detectors: list[str]) -> Ranges:
    ranges: Ranges = {}
    for text in detectors:
        name, span = parse_range(text)
        if name in ranges:
            raise UsageError(f"{visible(name)[:80]}: swept twice; keep one range")
        ranges[name] = span
    return ranges


def _sweep(found: "Scored", ranges: Ranges, point: "Point | None", settings: "Config", group: str) -> "Sweep":
    from calib.sweep import sweep as run

    return run(found, ranges, point, confidence=settings.confidence, group=group)


def _groups(found: "Scored", ranges: Ranges, point: "Point | None", settings: "Config", by: str) -> "list[Sweep]":
    if not by:
        return []
    from calib.selection import NONE, by_groups

    groups = [(NONE if name is None else name, kept) for name, kept in by_groups(found.episodes, by)]
    return [_sweep(found.only(kept.to_numpy()), ranges, point, settings, f"{by}={name}") for name, kept in groups]


def _print(swept: "list[Sweep]", to: str, settings: "Config") -> None:
    if to == "json":
        from calib.reports import json

        emit(json.render(swept))
        return
    from calib.gate import rates_of
    from calib.reports import terminal

    emit(terminal.render_sweeps(swept, [rates_of(each, settings.alpha) for each in swept], width(), colour()))


def _known(found: "Scored", swept: "Sweep", settings: "Config", by: str) -> "Statistics":
    """Say how sure a sweep is; `by` groups what is held out."""
    from calib.evidence import statistics

    return statistics(found, swept, settings.unit, by, settings.each)


def save(swept: "list[Sweep]", output: str, known: "Statistics", plots: "Sequence[str]" = ()) -> None:
    """Write surface, sweep.json and plots (all, or some) of the first sweep into a folder."""
    from calib.files import write_folder
    from calib.plots import render_all, seal
    from calib.reports import json

    seal()
    files = {"surface.parquet": _surface(swept), **render_all(swept[0], known, plots)}
    write_folder(output, files, "sweep.json", json.render(swept).encode(), _names())


def _names() -> list[str]:
    """List what a sweep may write beside sweep.json; what an earlier one wrote and this one does not goes."""
    from calib.plots import file_names

    return ["surface.parquet", *file_names()]


def _surface(swept: "list[Sweep]") -> bytes:
    """Lay the surfaces of all groups under each other; a `group` column comes first when there are groups."""
    from io import BytesIO

    import polars as pl

    frames = [each.surface for each in swept]
    if len(swept) > 1:
        named = [
            frame.select(pl.lit(each.group).alias("group"), pl.all()) for each, frame in zip(swept, frames, strict=True)
        ]
        frames = [pl.concat(named, how="vertical")]
    buffer = BytesIO()
    frames[0].write_parquet(buffer, statistics=False)
    return buffer.getvalue()
