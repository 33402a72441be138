"""Run calib: set the signal handlers before anything heavy is imported, then hand over to the commands."""

import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

GRACE = 4.0
"""Seconds for cleaning up after a signal. Then the process ends, whatever a library is doing or has swallowed."""
OBJECTS = 500_000
"""New objects between two searches for unused ones: imports make many, and leave none behind."""

stopped = 0
"""The exit code that a signal asked for; a library may turn the exit into an error of its own."""


def _stop(number: int, frame: FrameType | None) -> None:
    global stopped
    stopped = 128 + number
    sys.unraisablehook = lambda _: None  # an exit that meets the import machinery is reported there, as noise
    if not os.isatty(2):  # a library that is met in the middle of its work tells of that at length, past Python
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    for each in (signal.SIGINT, signal.SIGTERM):  # a second one must not cut the cleaning up short
        signal.signal(each, signal.SIG_IGN)
    end = threading.Timer(GRACE, os._exit, (stopped,))
    end.daemon = True
    end.start()
    sys.exit(stopped)


def main() -> None:
    """Run the command line and exit with its code."""
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    gc.set_threshold(OBJECTS)
    from calib.cli import run

    code = run()
    sys.exit(stopped or code)


if __name__ == "__main__":
    main()
