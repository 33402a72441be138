"""The commands: options in, one library call, a report out, an exit code.

Only this package prints or exits. Heavy libraries are imported inside the commands, so `--help` is quick.
"""

import os
import sys

import typer

from calib import __version__
from calib.cli import catalogue, demo, ingest, inspect, report, score, sweep
from calib.cli._output import warn
from calib.errors import CalibError, Exit

app = typer.Typer(
    name="calib",
    help="Choose the thresholds of an agent's loop guard from transcripts, and prove the choice.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"calib {__version__}")
        raise typer.Exit


@app.callback()
def _root(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Say which.")) -> None:
    pass


for command in (
    ingest.ingest,
    score.score,
    sweep.sweep,
    report.report,
    inspect.inspect,
    demo.demo,
    catalogue.detectors,
    catalogue.formats,
    catalogue.schema,
):
    app.command()(command)


def run(arguments: list[str] | None = None) -> int:
    """Run one command line; gives its exit code. Problems are one line on standard error."""
    try:
        app(arguments, standalone_mode=True)
    except CalibError as error:
        warn(str(error))
        return error.exit
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else Exit.COULD_NOT_RUN
    except BrokenPipeError:
        _forget_stdout()
    return Exit.FINE


def _forget_stdout() -> None:
    """Point standard output at nothing, so that the interpreter's last flush stays silent."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
