"""Dumps to a corpus (Parquet and calib.json), with an account of every byte."""

from calib.ingest.account import Account, FormatCounts, IngestSummary
from calib.ingest.run import Progress, ingest

__all__ = ["Account", "FormatCounts", "IngestSummary", "Progress", "ingest"]
