"""Run calib: set the signal handlers before anything heavy is imported, then hand over to the commands."""

import os
import signal
import sys
import threading
from types import FrameType

GRACE = 4.0
"""Seconds for cleaning up after a signal. Then the process ends, whatever a library is doing or has swallowed."""


def _stop(number: int, frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):  # a second one must not cut the cleaning up short
        signal.signal(each, signal.SIG_IGN)
    end = threading.Timer(GRACE, os._exit, (128 + number,))
    end.daemon = True
    end.start()
    sys.exit(128 + number)


def main() -> None:
    """Run the command line and exit with its code."""
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    from calib.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
