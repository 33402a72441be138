"""`calib report`: do the chosen thresholds still hold?"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calib.cli._options import (
    ConfigPath,
    CorpusPath,
    Exclude,
    PointText,
    Reads,
    Where,
    load_config,
    scored,
    tools,
    wanted,
    with_savings,
)
from calib.cli._output import colour, emit, say, width
from calib.errors import UsageError
from calib.escape import visible
from calib.point import parse_point

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calib.config import Config
    from calib.detectors import Detector
    from calib.results import Moved, Report, Sweep
    from calib.tools import Map


def report(
    corpus: CorpusPath,
    point: PointText = "",
    config: ConfigPath = "",
    to: Annotated[Literal["terminal", "markdown", "json"], typer.Option("--to", help="What to print.")] = "terminal",
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Write there instead.")] = "-",
    baseline: Annotated[str, typer.Option("--baseline", metavar="REPORT.json", help="Say what moved since.")] = "",
    github: Annotated[bool, typer.Option("--github", help="Add the report to $GITHUB_STEP_SUMMARY.")] = False,
    init: Annotated[bool, typer.Option("--init", help="Write a commented calib.toml from the current point.")] = False,
    where: Where = [],  # noqa: B006 - typer reads it, nobody changes it
    exclude: Exclude = [],  # noqa: B006
    reads: Reads = "",
) -> None:
    """Judge the thresholds; the exit code is the verdict.

    Limits come from calib.toml or [tool.calib]; --init writes one from the current point.
    """
    settings = load_config("" if init else config)
    given = parse_point(point) if point else settings.point
    found = scored(corpus, wanted(given), where, exclude, reads, settings)
    from calib.sweep import sweep as run

    swept = run(found, at=given, confidence=settings.confidence)
    if init:
        kept = [*settings.where, *where], [*settings.exclude, *exclude]
        _init(swept, config or "calib.toml", *kept, tools(reads, settings), found.own)
        return
    made = _report(with_savings(swept, corpus), settings, baseline)
    _show(made, to, output)
    if github:
        _summarise(made)
    raise typer.Exit(made.verdict.exit_code)


def _report(swept: "Sweep", settings: "Config", baseline: str) -> "Report":
    from dataclasses import replace

    from calib.gate import bounds, chosen, judge
    from calib.results import Report

    swept = replace(swept, chosen=chosen(swept, settings))
    moved = _moved(swept, baseline) if baseline else None
    return Report(swept, bounds(swept, settings), judge(swept, settings), moved)


def _moved(swept: "Sweep", baseline: str) -> "Moved":
    from calib.compare import load_report, moved

    return moved(load_report(Path(baseline)), swept)


def _show(made: "Report", to: str, output: str) -> None:
    from calib.files import write_bytes
    from calib.reports import json, markdown, terminal

    if to == "terminal":
        plain = output != "-"
        text = terminal.render(made, width=80 if plain else width(), colour=not plain and colour())
    else:
        text = markdown.render(made) if to == "markdown" else json.render_report(made)
    if output == "-":
        emit(text)
    else:
        write_bytes(output, text.encode())


def _summarise(made: "Report") -> None:
    from calib.reports import markdown

    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        say("calib: GITHUB_STEP_SUMMARY is not set; nothing was added")
        return
    try:
        with Path(path).open("ab") as summary:  # other steps append to the same file
            summary.write(markdown.render(made).encode())
    except OSError as error:
        raise UsageError(f"$GITHUB_STEP_SUMMARY: could not append: {error.strerror}") from error


def _init(
    swept: "Sweep",
    path: str,
    where: list[str],
    exclude: list[str],
    placing: "Map",
    own: "Mapping[str, Detector]",
) -> None:
    from calib.config import write_commented
    from calib.files import write_bytes

    if path != "-" and os.path.lexists(path):
        raise UsageError(f"{visible(path)}: exists already; remove it or name another with --config")
    text = write_commented(swept, where=tuple(where), exclude=tuple(exclude), placing=placing, own=own)
    if path == "-":
        emit(text)
        return
    write_bytes(path, text.encode())
    say(f"wrote {path}; calib report judges against it from now on")
