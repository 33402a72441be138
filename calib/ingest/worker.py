"""A worker process: takes units from standard input, gives their parts to standard output, one at a time.

It ignores Ctrl-C (its parent decides) and ends at once when its parent is gone.
"""

import os
import queue
import sys
import threading
import traceback
from typing import Any

from calib.ingest.packs import run
from calib.ingest.pipe import get, put
from calib.ingest.work import Setup, Tick, Unit

UNWANTED = ("numpy", "pandas")
"""pyarrow imports these when it can: a quarter of a second each start. Only scanners need the first."""


def serve() -> None:
    """Run units until there are no more: the main function of a worker."""
    answers = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints must not come between the answers
    try:
        setup = get(0, Setup)
        if setup.stamp.as_recorded:
            for name in UNWANTED:
                sys.modules.setdefault(name, None)  # type: ignore[arg-type]
        units: queue.SimpleQueue[Unit] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(units,), daemon=True).start()
        while True:
            put(answers, _answer(units.get(), setup, lambda count: put(answers, {"tick": count})))
    except (EOFError, BrokenPipeError):  # the parent is gone, and says why
        os._exit(0)


def _answer(unit: Unit, setup: Setup, tick: Tick) -> dict[str, Any]:
    try:
        return {"parts": run(unit, setup, tick)}
    except OSError as error:
        return {"disk": [error.errno, error.strerror or str(error), str(error.filename or "")]}
    except Exception:  # a bug: the parent shows where
        return {"bug": traceback.format_exc()}


def _listen(units: "queue.SimpleQueue[Unit]") -> None:
    """Queue what the parent sends; end the process, whatever it is doing, when the parent closes or dies."""
    try:
        while True:
            units.put(get(0, Unit))
    finally:
        os._exit(0)
