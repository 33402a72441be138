"""`calib conform`: prove a port of the rules."""

from typing import Annotated

import typer

from calib.cli._output import emit
from calib.errors import Exit, UsageError
from calib.escape import visible


def conform(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND…", help="The program and its arguments.")],
    vectors: Annotated[str, typer.Option("--vectors", metavar="FILE", help="Made by calib export.")] = "detector.json",
    timeout: Annotated[float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="For the whole run.")] = 60,
) -> None:
    """Compare a program with calib, turn by turn.

    It gets the vectors on standard input and answers on standard output, one JSON object a line. Exit code 1 where it
    differs.
    """
    from pathlib import Path

    import msgspec

    from calib.live.conform import conform as compare

    try:
        document = msgspec.json.decode(Path(vectors).read_bytes())
    except OSError as error:
        raise UsageError(f"{visible(vectors)}: could not read: {error.strerror}; make it with calib export") from error
    except ValueError as error:
        raise UsageError(f"{visible(vectors)}: expected JSON, found none; make it with calib export") from error
    verdict = compare(document, command, timeout)
    emit(f"{verdict}\n")
    raise typer.Exit(Exit.FINE if verdict.difference is None else Exit.GATE_FAILED)
