"""`calib compare`: arms of one experiment against each other."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calib.cli._options import ConfigPath, Exclude, Reads, Where, checked, load_config, scored, wanted
from calib.cli._output import emit, width
from calib.errors import Exit, UsageError
from calib.point import parse_point

if TYPE_CHECKING:
    from calib.arms import Comparison, Design, LeftOut, Run, Viability
    from calib.config import Config


def compare(
    corpus: Annotated[
        str, typer.Argument(metavar="[CORPUS]", show_default=False, help="Folder made by calib ingest.")
    ] = "",
    table: Annotated[str, typer.Option("--table", metavar="FILE", help="A table of results instead: CSV, JSONL.")] = "",
    by: Annotated[str, typer.Option("--by", metavar="KEY", help="Column or metadata key that names the arm.")] = "arm",
    pair: Annotated[str, typer.Option("--pair", metavar="KEY[,KEY…]", help="Keys that make a pair.")] = "",
    cluster: Annotated[str, typer.Option("--cluster", metavar="KEY", help="Key that clusters pairs.")] = "",
    baseline: Annotated[
        str,
        typer.Option(
            "--baseline",
            metavar="NAME",
            help="The old arm; default: the one named baseline, control, none or (none), else the first by name.",
        ),
    ] = "",
    viable: Annotated[
        str, typer.Option("--viable", metavar="RULE", help="Such as 'passes >= passes(full) - 1'; sets the exit code.")
    ] = "",
    at: Annotated[str, typer.Option("--at", metavar="POINT", help="Default: that of calib.toml, else published.")] = "",
    where: Where = [],  # noqa: B006 - typer reads it, nobody changes it
    exclude: Exclude = [],  # noqa: B006
    to: Annotated[Literal["terminal", "markdown", "json"], typer.Option("--to", help="What to print.")] = "terminal",
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Compare arms: better, worse, same, tests, times.

    The sign test is made for each pair, each distinct history and each cluster. Without --pair only means are compared.
    Excludes of calib.toml count here too, and may take an arm away: the first lines say so.
    """
    if bool(corpus) == bool(table):
        raise UsageError(f"compare: expected CORPUS or --table FILE, found {'both' if table else 'neither'}")
    settings = load_config(config)
    from calib.arms import Design, compare, parse_rule

    rule = parse_rule(viable) if viable else None
    keys = tuple(key.strip() for key in pair.split(",") if key.strip())
    design = Design(by, keys, cluster, baseline, settings.confidence)
    gone = None
    if table:
        runs = _from_table(table, design, where, exclude, at, reads)
    else:
        runs, design, gone = _from_corpus(corpus, design, where, exclude, at, reads, settings)
    found = compare(runs, design, rule, gone)
    emit(_render(found, to))
    raise typer.Exit(exit_code(found.viable))


def _from_table(table: str, design: "Design", where: list[str], exclude: list[str], at: str, reads: str) -> "list[Run]":
    if exclude or at or reads:
        raise UsageError("compare --table: expected none of --exclude, --at and --reads, which need a corpus")
    from calib.arms.tables import runs_of
    from calib.selection import parse_where

    return runs_of(table, design, [parse_where(text) for text in where])


def _from_corpus(
    path: str, design: "Design", where: list[str], exclude: list[str], at: str, reads: str, settings: "Config"
) -> "tuple[list[Run], Design, LeftOut]":
    """Give what is compared: the runs, the design with the point at which they fire, and what was left out."""
    from dataclasses import replace

    point = parse_point(at) if at else settings.point
    found = scored(path, wanted(point), where, exclude, reads, settings)
    from calib.arms.corpora import left_out, runs_of
    from calib.sweep import check_point, defaults

    judged = check_point(point or defaults(found), found)
    named = replace(design, point=str(judged))
    file = settings.source.name if settings.source else ""
    said = ((file, settings.where), (file, settings.exclude), ("--where", where), ("--exclude", exclude))
    by = tuple((source, text) for source, texts in said for text in texts)
    corpus = checked(path)
    return runs_of(corpus, found, judged, named), named, left_out(corpus, found, by, named)


def _render(found: "Comparison", to: str) -> str:
    from calib.reports import arms as report

    if to == "terminal":
        return report.render(found, width())
    return report.render_markdown(found) if to == "markdown" else report.render_json(found)


def exit_code(viable: "tuple[Viability, ...]") -> Exit:
    """Give the exit code of the verdicts: any FAIL, else any INCONCLUSIVE, else fine."""
    verdicts = {each.verdict for each in viable}
    return Exit.GATE_FAILED if "FAIL" in verdicts else Exit.INCONCLUSIVE if "INCONCLUSIVE" in verdicts else Exit.FINE
