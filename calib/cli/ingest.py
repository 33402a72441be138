"""`calib ingest`: dumps to a corpus."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from calib.cli._output import emit, progress, say
from calib.errors import NothingMatched, UsageError
from calib.escape import visible

ALL = "all"
"""What to explain when no code is given."""


class Command(TyperCommand):
    """The command, with `--explain` at the end of the line for all codes."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the words of the command line."""
        return super().parse_args(ctx, [*args, ALL] if args[-1:] == ["--explain"] else args)


def ingest(
    dumps: Annotated[
        list[str], typer.Argument(metavar="DUMP…", show_default=False, help="Files, folders, or - for standard input.")
    ] = [],  # noqa: B006 - typer reads it, nobody changes it
    out: Annotated[str, typer.Option("--out", "-o", metavar="CORPUS", help="Folder to make or to add to.")] = "",
    text: Annotated[bool, typer.Option("--text/--no-text", help="Keep text, or only what levels need.")] = True,
    redact: Annotated[bool, typer.Option("--redact", help="Mask e-mail addresses, home folders and keys.")] = False,
    labels: Annotated[str, typer.Option("--labels", metavar="FILE", help="Join outcomes: CSV, JSON(L), Parquet.")] = "",
    turn_limit: Annotated[int, typer.Option("--turn-limit", metavar="N", min=0, help="Where no dump names one.")] = 0,
    positive: Annotated[
        str, typer.Option("--positive", metavar="KINDS", help="Stops that count: turn_limit,step_limit,cost_limit …")
    ] = "turn_limit",
    format: Annotated[str, typer.Option("--format", metavar="NAME", help="See calib formats.")] = "auto",
    workers: Annotated[int, typer.Option("--workers", min=0, help="Processes; 0 chooses.")] = 0,
    max_rejected: Annotated[
        float, typer.Option("--max-rejected", metavar="RATE", min=0, max=1, help="Exit 4 beyond this share of bytes.")
    ] = 1.0,
    explain: Annotated[
        str, typer.Option("--explain", metavar="[CODE]", help="Say what a code means, or list all, and stop.")
    ] = "",
) -> None:
    """Read dumps into Parquet, every byte accounted for.

    A corpus without an episode ends with exit 5.
    """
    if explain:
        _explain(explain)
        return
    if not dumps or not out:
        raise UsageError("ingest: expected DUMP… --out CORPUS; name at least one dump and the corpus")
    if not max_rejected >= 0:
        raise UsageError("--max-rejected: expected a share from 0 to 1, found not a number")
    from calib.ingest import ingest as run
    from calib.labels import parse_positives
    from calib.reports.account import render

    with progress("ingest", in_bytes=True) as bar:
        summary = run(
            dumps,
            out,
            text=text,
            redact=redact,
            labels=Path(labels) if labels else None,
            turn_limit=turn_limit or None,
            positives=parse_positives(positive),
            workers=workers or None,
            format=format,
            max_rejected=max_rejected if max_rejected < 1 else None,
            progress=bar,
        )
    for message in summary.messages:
        say(message)
    emit(render(summary))
    if not summary.episodes:
        raise NothingMatched(f"{visible(out)}: holds no episode; the account above says what became of every byte")


def _explain(code: str) -> None:
    from calib.reports.codes import explain, listed

    if code == ALL:
        emit(listed())
        return
    try:
        emit(explain(code) + "\n")
    except UsageError:
        emit(listed())
        raise
