"""Worker processes that run units in the order given, one at a time each.

Workers are fresh interpreters (a fork of a process that has used polars can deadlock), started without the
caller's main module. They ignore Ctrl-C and end when this process does. A worker that dies ends the run.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from calib.errors import CalibError
from calib.ingest.units import Part, Setup, Unit, run

START = "import sys; sys.path[:] = {path!r}; from calib.ingest.pool import serve; serve({handle})"
Done = tuple[Unit, list[Part] | None]


def results(units: Sequence[Unit], setup: Setup, workers: int) -> Iterator[Done]:
    """Yield each unit with its parts (None: the known ones hold), in the order in which they are finished.

    Raises OSError as `units.run` does, CalibError when a worker dies.
    """
    if workers == 1 or len(units) < 2:
        for unit in units:
            yield unit, run(unit, setup)
        return
    with _Workers(min(workers, len(units)), setup) as crew:
        yield from crew.run(units)


class _Workers:
    def __init__(self, count: int, setup: Setup) -> None:
        self._processes: dict[Connection, subprocess.Popen[bytes]] = {}
        self._count, self._setup = count, setup

    def __enter__(self) -> "_Workers":
        try:
            for _ in range(self._count):
                self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            command = START.format(path=[entry or str(Path.cwd()) for entry in sys.path], handle=theirs.fileno())
            with _without_interrupts():
                process = subprocess.Popen(
                    [sys.executable, "-c", command], stdin=subprocess.PIPE, pass_fds=[theirs.fileno()]
                )
        connection = Connection(ours.detach())
        self._processes[connection] = process
        connection.send(self._setup)

    def run(self, units: Sequence[Unit]) -> Iterator[Done]:
        waiting = iter(units)
        busy: dict[Connection, Unit] = {}
        for connection in self._processes:
            self._give(connection, waiting, busy)
        while busy:
            for connection in cast("list[Connection]", wait(list(busy))):
                unit = busy.pop(connection)
                parts = self._take(connection)
                self._give(connection, waiting, busy)
                yield unit, parts

    def _give(self, connection: Connection, waiting: Iterator[Unit], busy: dict[Connection, Unit]) -> None:
        unit = next(waiting, None)
        if unit is not None:
            try:
                connection.send(unit)
            except OSError:
                raise self._died(connection) from None
            busy[connection] = unit

    def _take(self, connection: Connection) -> Any:
        try:
            answer = connection.recv()
        except (EOFError, OSError):
            raise self._died(connection) from None
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _died(self, connection: Connection) -> CalibError:
        code = self._processes[connection].wait()
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        return CalibError(f"a worker process ended {how}; what was there before is unchanged; run it again")

    def _end(self) -> None:
        for connection, process in self._processes.items():
            process.kill()
            with contextlib.suppress(OSError):
                connection.close()
        for process in self._processes.values():
            process.wait()
            if process.stdin:
                process.stdin.close()
        self._processes.clear()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start children with Ctrl-C blocked: they inherit the mask, and this process gets the signal afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(handle: int) -> None:
    """Run units as they come over a socket: the main function of a worker."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    connection = Connection(handle)
    setup: Setup = connection.recv()
    while True:
        try:
            unit = connection.recv()
        except EOFError:
            return
        try:
            answer: Any = run(unit, setup)
        except Exception as error:
            if not isinstance(error, OSError):
                error.add_note(traceback.format_exc())  # a bug: show where
            answer = error
        connection.send(answer)


def _end_with_parent() -> None:
    """Wait on standard input, whose other end closes when the parent is gone."""
    os.read(0, 1)
    os._exit(1)
