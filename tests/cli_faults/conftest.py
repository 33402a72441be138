"""The pencil corpus and in-process commands, as the command tests have them."""

import pytest

from tests.cli.conftest import calib, corpus

__all__ = ["calib", "corpus"]


@pytest.fixture
def quick_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins for the plots, where a test is about how their bytes are written."""
    plots = {f"plateau.{ending}": f"picture {ending}".encode() * 9_999 for ending in ("png", "svg", "txt")}
    monkeypatch.setattr("calib.plots.render_all", lambda found, *_: plots)
