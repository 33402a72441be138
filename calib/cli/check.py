"""`calib check`: does a corpus agree with itself?"""

import typer

from calib.cli._options import CorpusPath
from calib.cli._output import emit, progress
from calib.errors import Exit
from calib.escape import terminal

MOST = 100
"""Findings that are printed one by one."""


def check(corpus: CorpusPath) -> None:
    """Add the account of every byte up again, read every Parquet file again, report any disagreement.

    Exit code 2 when there is one.
    """
    from calib.check import check as run
    from calib.spelling import count, plural

    with progress("check") as bar:
        checked = run(corpus, bar)
    lines = [terminal(finding) for finding in checked.findings[:MOST]]
    if len(checked.findings) > MOST:
        lines.append(f"{count(len(checked.findings) - MOST)} more")
    read = f"{plural(checked.sources, 'source')}, {plural(checked.parts, 'part')}, {plural(checked.rows, 'row')}"
    verdict = f"{plural(len(checked.findings), 'disagreement')}; ingest the dumps again" if lines else "sound"
    emit("\n".join([*lines, f"check      {read}: {verdict}"]) + "\n")
    raise typer.Exit(Exit.COULD_NOT_RUN if lines else Exit.FINE)
