"""Dumps to a corpus (Parquet and calib.json), with an account of every byte."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calib.ingest.account import Account, FormatCounts, IngestSummary
    from calib.ingest.bundles import Progress
    from calib.ingest.run import ingest

__all__ = ["Account", "FormatCounts", "IngestSummary", "Progress", "ingest"]


def __getattr__(name: str) -> Any:
    """Import on first use: worker processes need none of it, and their start counts."""
    if name not in __all__:
        raise AttributeError(f"module 'calib.ingest' has no attribute {name!r}")
    from calib.ingest import account, run

    return getattr(run if name in ("Progress", "ingest") else account, name)
