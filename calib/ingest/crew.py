"""The processes of an ingest: started before this one has imported what it needs, for their imports take as long.

A fork of a process that has used polars can deadlock, so the first worker is a fresh interpreter, started without the
caller's main module. On Linux it makes the others as forks of itself, after its imports and before its work.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

START = "import sys; sys.path[:] = {path!r}; from calib.ingest.worker import serve; serve({pipes!r}, {bare!r})"
FORKS = sys.platform == "linux"
"""Whether one interpreter may make several workers; libraries of other systems start threads unasked."""
PATIENCE = 2.0
"""Seconds in which a worker ends by itself, unless a library keeps it."""
SMALL = 64 << 20
"""Bytes of input below which starting worker processes costs more than they save."""
MOST_WORKERS = 4
GLANCE = 1000
"""Files of a folder that are looked at to tell whether it is large."""


class Worker(NamedTuple):
    """The two ends of a worker's pipes that are ours: it reads units from the one and writes answers to the other."""

    units: int
    answers: int


class Crew:
    """Worker processes, started when they are first wanted; leaving the context ends them.

    `bare`: they need no numpy, which takes long to import.
    """

    def __init__(self, bare: bool) -> None:
        self._bare = bare
        self._leaders: list[subprocess.Popen[bytes]] = []
        self.workers: list[Worker] = []

    def __enter__(self) -> "Crew":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, whatever they are doing; afterwards none of them writes anything."""
        for worker in self.workers:
            os.close(worker.units)  # at this they end
        for leader in self._leaders:
            try:
                leader.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                leader.kill()
                leader.wait()
        for worker in self.workers:
            while os.read(worker.answers, 1 << 16):  # until it is gone
                pass
            os.close(worker.answers)
        self.workers.clear()
        self._leaders.clear()

    def start(self, count: int) -> None:
        """Start what lacks to `count` workers; their imports go on while this process does other things.

        One alone is none: this process does the work as well. Raises OSError when the system gives no process.
        """
        if count < 2 or count <= len(self.workers):
            return
        pipes = [_pipes() for _ in range(count - len(self.workers))]
        self.workers += [ours for ours, _ in pipes]
        theirs = [pair for _, pair in pipes]
        try:
            for group in [theirs] if FORKS else [[pair] for pair in theirs]:
                self._leaders.append(_started(group, self._bare))
        finally:
            for handle in (handle for pair in theirs for handle in pair):
                os.close(handle)


def workers_for(asked: int | None, work: int) -> int:
    """Say how many workers `work` bytes of input deserve."""
    if asked is not None:
        return max(1, asked)
    return min(_cores(), MOST_WORKERS) if work > SMALL else 1


def glance(dumps: Sequence[str | Path]) -> int:
    """Sum up the bytes of dumps, of a folder those of its first files: enough to tell that there is much."""
    size = 0
    for dump in map(Path, dumps):
        with contextlib.suppress(OSError):
            files = islice((file for file in dump.rglob("*") if file.is_file()), GLANCE) if dump.is_dir() else [dump]
            size += sum(file.stat().st_size for file in files)
    return size


def _cores() -> int:
    """Count the cores this process may use; not every system can tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pipes() -> tuple[Worker, tuple[int, int]]:
    """Make the pipes of a worker; gives our ends, then the worker's."""
    their_units, units = os.pipe()
    answers, their_answers = os.pipe()
    return Worker(units, answers), (their_units, their_answers)


def _started(pipes: Sequence[tuple[int, int]], bare: bool) -> "subprocess.Popen[bytes]":
    """Start an interpreter that becomes a worker for each pair of pipes."""
    path = [entry or str(Path.cwd()) for entry in sys.path]
    with _without_interrupts():
        return subprocess.Popen(
            [sys.executable, "-S", "-c", START.format(path=path, pipes=list(pipes), bare=bare)],
            stdin=subprocess.DEVNULL, pass_fds=[handle for pair in pipes for handle in pair],
        )  # fmt: skip


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start children with Ctrl-C blocked: they inherit the mask, and this process gets the signal afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
