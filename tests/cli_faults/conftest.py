"""The pencil corpus and in-process commands, as the command tests have them, and a way to run a real process."""

from tests.cli.conftest import calib, corpus

__all__ = ["calib", "corpus"]
