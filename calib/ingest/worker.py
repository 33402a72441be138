"""A worker process: takes units from standard input, gives their parts to standard output, one at a time.

It ignores Ctrl-C (its parent decides) and ends at once when its parent is gone.
"""

import os
import pickle
import queue
import sys
import threading
import traceback
from typing import Any, BinaryIO

from calib.ingest.units import Setup, run

UNWANTED = ("numpy", "pandas")
"""pyarrow imports these when it can and needs them for nothing here: a quarter of a second each start."""


def serve() -> None:
    """Run units until there are no more: the main function of a worker."""
    for name in UNWANTED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not come between the answers
    units: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, units), daemon=True).start()
    setup: Setup = units.get()
    while True:
        pickle.dump(_answer(units.get(), setup), answers)
        answers.flush()


def _answer(unit: Any, setup: Setup) -> Any:
    try:
        return run(unit, setup)
    except Exception as error:
        if not isinstance(error, OSError):
            error.add_note(traceback.format_exc())  # a bug: show where
        return error


def _listen(source: BinaryIO, units: "queue.SimpleQueue[Any]") -> None:
    """Queue what the parent sends; end the process, whatever it is doing, when the parent closes or dies."""
    try:
        while True:
            units.put(pickle.load(source))
    finally:
        os._exit(0)
