"""Commands in this process, as the command tests run them."""

from tests.cli.conftest import calib

__all__ = ["calib"]
