"""Run calib: set the signal handlers before anything heavy is imported, then hand over to the commands."""

import signal
import sys
from types import FrameType


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one must not cut the cleaning up short
    sys.exit(128 + number)


def main() -> None:
    """Run the command line and exit with its code."""
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    from calib.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
