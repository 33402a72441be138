"""Units run in the order given, by this process or by workers, one at a time each. A worker that dies ends the run."""

import select
from collections.abc import Iterator, Sequence
from typing import Any

from calib.errors import CalibError
from calib.ingest.crew import Crew, Worker
from calib.ingest.packs import run
from calib.ingest.pipe import get, put
from calib.ingest.work import Order, Part, Setup, Tick, Unit

Done = tuple[Unit, list[Part] | None]


def results(units: Sequence[Unit], setup: Setup, workers: int, tick: Tick, crew: Crew) -> Iterator[Done]:
    """Yield each unit with its parts (None: the known ones hold), in the order in which they are finished.

    Raises OSError as `units.run` does, CalibError when a worker dies.
    """
    if workers == 1 or len(units) < 2:
        for unit in units:
            yield unit, run(unit, setup, tick)
        return
    crew.start(min(workers, len(units)))
    waiting = iter(units)
    busy: dict[int, tuple[Worker, Unit]] = {}
    for worker in crew.workers:
        _give(worker, setup, waiting, busy)
    while busy:
        for answers in select.select(list(busy), [], [])[0]:
            worker, unit = busy[answers]
            answer = _taken(worker)
            if "tick" in answer:
                tick(answer["tick"])
                continue
            del busy[answers]
            _give(worker, setup, waiting, busy)
            yield unit, answer["parts"]


def _give(worker: Worker, setup: Setup, waiting: Iterator[Unit], busy: dict[int, tuple[Worker, Unit]]) -> None:
    unit = next(waiting, None)
    if unit is None:
        return
    try:
        put(worker.units, Order(setup, unit))
    except OSError:
        raise _died() from None
    busy[worker.answers] = worker, unit


def _taken(worker: Worker) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = get(worker.answers, dict[str, Any])
    except (EOFError, OSError):
        raise _died() from None
    if "disk" in answer:
        raise OSError(*answer["disk"])
    if "bug" in answer:
        raise RuntimeError(f"in a worker process:\n{answer['bug']}")
    return answer


def _died() -> CalibError:
    return CalibError(
        "a worker process was killed, as happens when memory runs out; what was there before is unchanged; "
        "run it again, or with --workers 1"
    )
