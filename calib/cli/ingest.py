"""`calib ingest`: dumps to a corpus."""

from typing import Annotated

import typer

from calib.cli._output import emit, progress, say
from calib.errors import UsageError


def ingest(
    dumps: Annotated[list[str], typer.Argument(metavar="DUMP…", help="Files, folders, or - for standard input.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="CORPUS", help="Folder to make or to add to.")],
    text: Annotated[
        bool, typer.Option("--text/--no-text", help="Keep transcript text, or only what levels need.")
    ] = True,
    format: Annotated[str, typer.Option("--format", metavar="NAME", help="See calib formats.")] = "auto",
    workers: Annotated[int, typer.Option("--workers", min=0, help="Processes; 0 chooses.")] = 0,
    max_rejected: Annotated[
        float, typer.Option("--max-rejected", metavar="RATE", min=0, max=1, help="Exit 4 beyond this share of bytes.")
    ] = 1.0,
) -> None:
    """Read dumps into Parquet, every byte accounted for."""
    if not max_rejected >= 0:
        raise UsageError("--max-rejected: expected a share from 0 to 1, found not a number")
    from calib.ingest import ingest as run
    from calib.reports.account import render

    with progress("ingest", in_bytes=True) as bar:
        summary = run(
            dumps,
            out,
            text=text,
            workers=workers or None,
            format=format,
            max_rejected=max_rejected if max_rejected < 1 else None,
            progress=bar,
        )
    for message in summary.messages:
        say(message)
    emit(render(summary))
