"""Levels that scanners read off the texts of turns: only texts that can have one are read, each scanner once."""

import polars as pl

from calib import scanners
from calib.levels import Integers
from calib.rules import Scan


def text_column(scan: Scan) -> str:
    """Name the column of turns that a scan reads: `reasoning` or `text`.

    Raises UsageError when no scanner counts such a level.
    """
    return scanners.scanner_of(scan.scanner).READS


def scanned(scan: Scan, texts: pl.Series) -> dict[str, Integers]:
    """Give all levels that the scan's scanner counts, one number a text; 0 where there is none.

    Raises UsageError for a scan that makes no sense.
    """
    from calib.scanners._many import scan_many  # it needs pyarrow, and most rules read no text

    module, gates = scanners.scanner_of(scan.scanner), scanners.read_gates(scan.scanner, scan.settings)
    return dict(scan_many(module.__name__.rpartition(".")[2], texts.to_arrow(), gates))
