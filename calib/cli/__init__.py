"""The commands: options in, one library call, a report out, an exit code.

Only this package prints or exits. Heavy libraries are imported inside the commands, so `--help` is quick.
"""

import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import signature

import typer

from calib import __version__
from calib.cli._examples import examples
from calib.cli._output import forget_output, warn
from calib.errors import CalibError, Exit

HOMES = {"detectors": "catalogue", "formats": "catalogue", "schema": "catalogue"}
"""Modules of commands that are not named after them."""
COMMANDS = (
    "ingest", "score", "sweep", "duel", "report", "plan", "inspect", "edit", "compare", "proxy", "export", "conform",
    "check", "tools", "demo", "detectors", "formats", "schema",
)  # fmt: skip
"""In the order of the help."""
SELECTING = (
    "EXPR is COLUMN OP VALUE, joined by `and` and `or` (and binds tighter). COLUMN is a column of the episodes "
    "(calib schema episodes) or a key of their metadata. OP is one of = != < <= > >= or ~ (the text contains VALUE). "
    "VALUE is a word, a number, a text in quotes, or (none) for what is not recorded."
)
"""What --where understands, under the help of every command that has it."""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"calib {__version__}")
        raise typer.Exit


def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Say which."),
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def app(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """Make the program of these commands: to read the options of all takes as long as some commands do."""
    made = typer.Typer(
        name="calib",
        help="Choose the thresholds of an agent's loop guard from transcripts, and prove the choice.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    made.callback(invoke_without_command=True)(_root)
    for name in names:
        home = import_module(f"calib.cli.{HOMES.get(name, name)}")
        command, shown = getattr(home, name), examples(name)
        epilog = f"{shown}\n\n{SELECTING}" if "where" in signature(command).parameters else shown
        made.command(cls=getattr(home, "Command", None), epilog=epilog)(command)
    return made


def run(arguments: list[str] | None = None) -> int:
    """Run one command line; gives its exit code. Problems are one line on standard error."""
    words = sys.argv[1:] if arguments is None else arguments
    named = [name for name in words[:1] if name in COMMANDS]
    try:
        code = app(named or COMMANDS)(words, prog_name="calib", standalone_mode=False)
    except CalibError as error:
        warn(str(error))
        return error.exit
    except SystemExit as end:
        if end.code != 1:  # a signal
            raise
        forget_output()  # the option parser's answer when the reader of --help has left
        return Exit.FINE
    except OSError as error:
        forget_output()
        warn(f"{error.filename or 'standard output'}: {error.strerror or error}; nothing more was done")
        return Exit.COULD_NOT_RUN
    except Exception as error:
        said = getattr(error, "format_message", None)  # what the option parser raises, whichever click it carries
        if said is None:  # a bug: show where, and do not let it pass for a verdict
            if signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN:  # else a library met the exit of a signal
                import traceback

                traceback.print_exc()
            return Exit.COULD_NOT_RUN
        told = said().replace("Value error, ", "").rstrip(".")  # what a checker of types puts before it
        warn(f"{told} (calib --help, or calib COMMAND --help)")
        return Exit.COULD_NOT_RUN
    return code if isinstance(code, int) else Exit.FINE
