"""Many texts at once: a filter over all of them, then the scanner on what it lets through, equal texts once."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from calib.scanners import module, scan
from calib.scanners._texts import Texts


def scan_many(name: str, texts: pa.Array | Texts, gates: Any = None) -> dict[str, NDArray[np.int32]]:
    """Give each level of a scanner for each text; 0 for a null. `Texts` share what several scanners ask of them.

    >>> {level: heights.tolist() for level, heights in scan_many("guard", pa.array(["「" * 9, None, "go"])).items()
    ...  if heights.any()}
    {'guard_brackets': [9, 0, 0]}
    """
    found = module(name)
    gates = found.Gates() if gates is None else gates
    texts = texts if isinstance(texts, Texts) else Texts(texts)
    made = {level: np.zeros(len(texts), np.int32) for level in found.LEVELS}
    rows = np.flatnonzero(found.suspects(texts, gates))
    seen: dict[str, dict[str, int]] = {}
    for row, text in zip(rows.tolist(), texts.array.take(pa.array(rows)).to_pylist(), strict=True):
        levels = seen.get(text)
        if levels is None:
            levels = seen[text] = scan(name, text, gates)
        for level, height in levels.items():
            made[level][row] = height
    return made
