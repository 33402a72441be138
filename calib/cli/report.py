"""`calib report`: do the chosen thresholds still hold?"""

import os
from dataclasses import replace
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
    checked,
    load_config,
    own,
    scored,
    tools,
    with_savings,
)
from calib.cli._output import colour, emit, say, width
from calib.errors import NothingMatched, UsageError
from calib.escape import visible
from calib.point import parse_point

if TYPE_CHECKING:
    from calib.calibration import Record
    from calib.config import Config
    from calib.point import Point
    from calib.results import Moved, Report, Sweep
    from calib.score import Scored
    from calib.tools import Map


def report(
    corpus: CorpusPath,
    point: PointText = "",
    fixed: Annotated[str, typer.Option("--point", metavar="POINT", help="The same as an option.")] = "",
    config: ConfigPath = "",
    to: Annotated[Literal["terminal", "markdown", "json"], typer.Option("--to", help="What to print.")] = "terminal",
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Write there instead.")] = "-",
    baseline: Annotated[str, typer.Option("--baseline", metavar="REPORT.json", help="Say what moved since.")] = "",
    github: Annotated[bool, typer.Option("--github", help="Add the report to $GITHUB_STEP_SUMMARY.")] = False,
    init: Annotated[bool, typer.Option("--init", help="Write a commented calib.toml from the current point.")] = False,
    unseen: Annotated[bool, typer.Option("--unseen", help="Leave out the episodes the point was chosen on.")] = False,
    where: Where = [],  # noqa: B006 - typer reads it, nobody changes it
    exclude: Exclude = [],  # noqa: B006
    reads: Reads = "",
    by: Annotated[str, typer.Option("--by", metavar="KEY", help="Groups to hold out, such as model.")] = "",
) -> None:
    """Judge the thresholds; the exit code is the verdict.

    Limits come from calib.toml or [tool.calib]; --init writes one from the current point.
    """
    if init:
        _alone(unseen=unseen, baseline=baseline, github=github, by=by, output=output != "-", to=to != "terminal")
    settings = load_config("" if init else config)
    asked = _point(point, fixed)
    given = asked or settings.point
    found = scored(corpus, own(given), where, exclude, reads, settings)
    from calib.config import for_point
    from calib.sweep import sweep as run

    if init:
        kept = [*settings.where, *where], [*settings.exclude, *exclude]
        swept = run(found, at=given, confidence=settings.confidence)
        _init(corpus, found, swept, config or "calib.toml", *kept, tools(reads, settings), settings)
        return
    record = _record(settings)
    if unseen:
        found = _unseen(corpus, found, record)
    swept = with_savings(run(found, at=given, confidence=settings.confidence), corpus)
    settings, left = for_point(settings, asked)
    made = _report(corpus, found, swept, settings, record, baseline, by)
    made = replace(made, notes=(*made.notes, *left))
    _show(made, to, output)
    if github:
        _summarise(made)
    raise typer.Exit(made.verdict.exit_code)


def _point(argument: str, option: str) -> "Point | None":
    if argument and option:
        raise UsageError("report: expected one POINT, found an argument and --point; keep one")
    return parse_point(argument or option) if argument or option else None


def _record(settings: "Config") -> "Record | None":
    from calib.calibration import read_record, record_path

    if settings.source is None or not (settings.calibrated_on or settings.chosen == "before"):
        return None  # without calibrated_on the record still knows which episodes chose the point
    return read_record(record_path(settings.source), settings.calibrated_on)


def _unseen(corpus: str, found: "Scored", record: "Record | None") -> "Scored":
    """Leave out the episodes the point was chosen on; they count as excluded."""
    from calib.calibration import seen_before

    if record is None:
        raise UsageError("--unseen: expected a record of the episodes the point was chosen on, found none; run --init")
    known = seen_before(record, found, checked(corpus))
    if known.all():
        raise NothingMatched(f"--unseen: all {len(known):,} episodes are among those the point was chosen on")
    return replace(found.only(~known), excluded=found.excluded + int(known.sum()))


def _report(
    corpus: str, found: "Scored", swept: "Sweep", settings: "Config", record: "Record | None", baseline: str, by: str
) -> "Report":
    from calib.calibration import held_against
    from calib.evidence import statistics
    from calib.gate import decide, judge
    from calib.ladder import climb, idle_triggers
    from calib.results import Report

    held = held_against(record, found, settings.alpha, checked(corpus)) if record else None
    chosen, note = decide(swept, settings, held)
    swept = replace(swept, chosen=chosen)
    moved = _moved(swept, baseline) if baseline else None
    known = statistics(found, swept, settings.unit, by, settings.each)
    notes = (*((note,) if note else ()), *idle_triggers(known))
    verdict = judge(swept, known, settings)
    return Report(swept, known, climb(swept, known, verdict, held), verdict, moved, held, notes)


def _moved(swept: "Sweep", baseline: str) -> "Moved":
    from calib.compare import load_report, moved

    return moved(load_report(Path(baseline)), swept)


def _show(made: "Report", to: str, output: str) -> None:
    from calib.cli._saving import save
    from calib.reports import json, markdown, terminal

    if to == "terminal":
        plain = output != "-"
        text = terminal.render(made, width=80 if plain else width(), colour=not plain and colour())
    else:
        text = markdown.render(made) if to == "markdown" else json.render_report(made)
    if output == "-":
        emit(text)
    else:
        save(output, text.encode())


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


def _alone(**given: object) -> None:
    """Refuse what --init would pass over: it judges nothing and writes no report."""
    if others := [f"--{name}" for name, value in given.items() if value]:
        raise UsageError(f"--init: expected none of the options of a report, found {', '.join(others)}")


def _init(
    corpus: str,
    found: "Scored",
    swept: "Sweep",
    path: str,
    where: list[str],
    exclude: list[str],
    placing: "Map",
    settings: "Config",
) -> None:
    from calib.cli._start import write_start
    from calib.config import write_commented
    from calib.evidence.reachability import reachability
    from calib.gate import check_reachable

    if swept.counts.passed or swept.counts.turn_limit:  # else no limit is written, and nothing refused
        check_reachable(reachability(found, swept.point))
    if path == "-":
        emit(write_commented(swept, tuple(where), tuple(exclude), placing, found.own, settings))
        return
    if os.path.lexists(path):
        raise UsageError(f"{visible(path)}: exists already; remove it or name another with --config")
    record = write_start(corpus, found, swept, Path(path), where, exclude, placing, settings)
    say(f"wrote {path} and {record}; calib report judges against them from now on")
    if settings.source is not None and settings.source.name == "pyproject.toml":
        say(f"warning: [tool.calib] of pyproject.toml, its limits too, no longer counts where {path} is read")
    for warning in swept.warnings:
        say(f"warning: {warning}")
