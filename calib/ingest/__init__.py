"""Dumps to a corpus (Parquet and calib.json), with an account of every byte."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calib.ingest.account import Account, FormatCounts, IngestSummary
    from calib.ingest.bundles import Progress
    from calib.ingest.start import ingest

__all__ = ["Account", "FormatCounts", "IngestSummary", "Progress", "ingest"]


def __getattr__(name: str) -> Any:
    """Import on first use: worker processes need none of it, and their start counts."""
    if name not in __all__:
        raise AttributeError(f"module 'calib.ingest' has no attribute {name!r}")
    home = {"ingest": "start", "Progress": "bundles"}.get(name, "account")
    return getattr(import_module(f"calib.ingest.{home}"), name)
