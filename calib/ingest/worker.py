"""Worker processes: each takes units from a pipe and gives their parts to another, one at a time.

They ignore Ctrl-C (their parent decides) and end at once when their parent is gone.
"""

import os
import queue
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from calib.ingest.packs import run
from calib.ingest.pipe import get, put
from calib.ingest.work import Order, Setup, Tick, Unit

UNWANTED = ("numpy", "pandas")
"""pyarrow imports these when it can: a quarter of a second each start. Only scanners need the first."""
ALONE = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""Keeps pyarrow from starting a thread when it is imported: a process is to be forked with one thread only."""


def serve(pipes: Sequence[tuple[int, int]], bare: bool) -> None:
    """Become a worker for each pair of pipes, and run units until there are no more. `bare`: without numpy."""
    os.dup2(2, 1)
    if bare:
        for name in UNWANTED:
            sys.modules.setdefault(name, None)  # type: ignore[arg-type]
    os.environ.update(ALONE)
    import pyarrow.parquet  # noqa: F401 - once for all

    own, forked = pipes[0], list[int]()
    for pair in pipes[1:]:
        child = os.fork()
        if not child:
            own, forked = pair, []
            break
        forked.append(child)
    for handle in (handle for pair in pipes if pair is not own for handle in pair):
        os.close(handle)
    _work(*own, forked)


def _work(source: int, answers: int, forked: Sequence[int]) -> None:
    try:
        orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(source, orders, forked), daemon=True).start()
        while True:
            put(answers, _answer(*orders.get(), lambda count: put(answers, {"tick": count})))
    except BrokenPipeError:  # the parent is gone, and says why
        _end(forked)


def _answer(setup: Setup, unit: Unit, tick: Tick) -> dict[str, Any]:
    try:
        return {"parts": run(unit, setup, tick)}
    except OSError as error:
        return {"disk": [error.errno, error.strerror or str(error), str(error.filename or "")]}
    except Exception:  # a bug: the parent shows where
        return {"bug": traceback.format_exc()}


def _listen(source: int, orders: "queue.SimpleQueue[Order]", forked: Sequence[int]) -> None:
    """Queue what the parent sends; end the process, whatever it is doing, when the parent closes or dies."""
    try:
        while True:
            orders.put(get(source, Order))
    finally:
        _end(forked)


def _end(forked: Sequence[int]) -> None:
    """End this process after those that it made, which end by themselves: so that their times count as its."""
    for child in forked:
        with suppress(OSError):
            os.waitpid(child, 0)
    os._exit(0)
