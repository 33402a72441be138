"""Where output goes: data to standard output, everything else to standard error."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from calib.escape import visible
from calib.files import write_bytes


class Bar(Protocol):
    """Told how far long work has come."""

    def __call__(self, done: int, total: int | None = None, what: str = "", /) -> None:
        """Set the bar to `done` of `total`."""
        ...


def emit(text: str) -> None:
    """Print data. A reader that closed the pipe is a normal end; a full device is an error."""
    with suppress(BrokenPipeError):
        write_bytes("-", text.encode("utf-8", "replace"))


def forget_output() -> None:
    """Send the rest of standard output nowhere: it failed once and would fail again at the exit."""
    with suppress(AttributeError, OSError):  # there may be none
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def warn(line: str) -> None:
    """Print one line to standard error, prefixed by the program's name; dump text in it is spelled out."""
    say(f"calib: {line}")


def say(line: str) -> None:
    """Print one line to standard error."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(visible(line), file=sys.stderr, flush=True)


def width() -> int:
    """Give the columns to write for: the terminal's, or 80 where there is none."""
    return max(shutil.get_terminal_size((80, 24)).columns, 60) if _is_terminal(sys.stdout) else 80


def on_terminal() -> bool:
    """Tell whether somebody reads standard output as it comes."""
    return _is_terminal(sys.stdout)


def colour() -> bool:
    """Tell whether standard output takes colour."""
    return _is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _is_terminal(stream: object) -> bool:
    return bool(stream) and stream.isatty()  # type: ignore[attr-defined]


@contextmanager
def progress(what: str, in_bytes: bool = False) -> Iterator[Bar]:
    """Show a bar on a terminal's standard error; elsewhere nothing."""
    if not _is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield lambda done, total=None, what="", /: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    amounts = [DownloadColumn(), TransferSpeedColumn()] if in_bytes else [MofNCompleteColumn()]
    columns = [TextColumn("{task.description}", markup=False), BarColumn(), *amounts, TimeRemainingColumn()]
    shown = Progress(*columns, console=console, transient=True)
    try:
        with _no_signals():  # half started it could not stop, and would keep the cursor hidden
            shown.start()
        task = shown.add_task(what, total=None)

        def advance(done: int, total: int | None = None, part: str = "", /) -> None:
            shown.update(task, completed=done, total=total, description=f"{what}, {part}" if part else what)

        yield advance
    finally:
        shown.stop()


@contextmanager
def _no_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait until the body is through."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
