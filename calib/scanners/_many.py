"""Many texts at once: a filter over all of them, then the scanner on what it lets through."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.scanners import module, scan


def scan_many(name: str, texts: pl.Series, gates: Any = None) -> dict[str, NDArray[np.int32]]:
    """Give each level of a scanner for each text; 0 for a null.

    >>> {level: heights.tolist() for level, heights in scan_many("guard", pl.Series(["「" * 9, None, "go"])).items()
    ...  if heights.any()}
    {'guard_brackets': [9, 0, 0]}
    """
    found = module(name)
    gates = found.Gates() if gates is None else gates
    made = {level: np.zeros(len(texts), np.int32) for level in found.LEVELS}
    rows = found.suspects(texts, gates).fill_null(False).arg_true()
    for row, text in zip(rows.to_list(), texts.gather(rows).to_list(), strict=True):
        for level, height in scan(name, text, gates).items():
            made[level][row] = height
    return made
