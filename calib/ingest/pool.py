"""Worker processes that run units in the order given, one at a time each.

Workers are fresh interpreters (a fork of a process that has used polars can deadlock), started without the
caller's main module. A worker that dies ends the run.
"""

import contextlib
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from calib.errors import CalibError
from calib.ingest.packs import run
from calib.ingest.pipe import get, put
from calib.ingest.work import Part, Setup, Tick, Unit

START = "import sys; sys.path[:] = {path!r}; from calib.ingest.worker import serve; serve()"
Done = tuple[Unit, list[Part] | None]
Worker = subprocess.Popen[bytes]


def results(units: Sequence[Unit], setup: Setup, workers: int, tick: Tick) -> Iterator[Done]:
    """Yield each unit with its parts (None: the known ones hold), in the order in which they are finished.

    Raises OSError as `units.run` does, CalibError when a worker dies.
    """
    if workers == 1 or len(units) < 2:
        for unit in units:
            yield unit, run(unit, setup, tick)
        return
    with Crew(min(workers, len(units)), setup, tick) as crew:
        yield from crew.run(units)


class Crew:
    """Some workers; leaving the context ends them."""

    def __init__(self, count: int, setup: Setup, tick: Tick) -> None:
        self._workers: list[Worker] = []
        self._count, self._setup, self._tick = count, setup, tick

    def __enter__(self) -> "Crew":
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
        command = START.format(path=[entry or str(Path.cwd()) for entry in sys.path])
        with _without_interrupts():
            worker = subprocess.Popen(
                [sys.executable, "-S", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )  # fmt: skip
            self._workers.append(worker)
        self._send(worker, self._setup)

    def run(self, units: Sequence[Unit]) -> Iterator[Done]:
        """Yield each unit with its parts as they are finished."""
        waiting = iter(units)
        busy: dict[Any, tuple[Worker, Unit]] = {}
        for worker in self._workers:
            self._give(worker, waiting, busy)
        while busy:
            for answers in select.select(list(busy), [], [])[0]:
                worker, unit = busy[answers]
                answer = self._take(worker)
                if "tick" in answer:
                    self._tick(answer["tick"])
                    continue
                del busy[answers]
                self._give(worker, waiting, busy)
                yield unit, answer["parts"]

    def _give(self, worker: Worker, waiting: Iterator[Unit], busy: dict[Any, tuple[Worker, Unit]]) -> None:
        unit = next(waiting, None)
        if unit is not None:
            self._send(worker, unit)
            busy[worker.stdout] = worker, unit

    def _send(self, worker: Worker, value: Any) -> None:
        assert worker.stdin is not None
        try:
            put(worker.stdin.fileno(), value)
        except OSError:
            raise _died(worker) from None

    def _take(self, worker: Worker) -> dict[str, Any]:
        assert worker.stdout is not None
        try:
            answer: dict[str, Any] = get(worker.stdout.fileno(), dict[str, Any])
        except (EOFError, OSError):
            raise _died(worker) from None
        if "disk" in answer:
            raise OSError(*answer["disk"])
        if "bug" in answer:
            raise RuntimeError(f"in a worker process:\n{answer['bug']}")
        return answer

    def _end(self) -> None:
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        self._workers.clear()


def _died(worker: Worker) -> CalibError:
    code = worker.wait()
    how = f"by signal {-code}" if code < 0 else f"with code {code}"
    return CalibError(f"a worker process ended {how}; what was there before is unchanged; run it again")


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start children with Ctrl-C blocked: they inherit the mask, and this process gets the signal afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
