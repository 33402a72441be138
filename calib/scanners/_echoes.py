"""Which of many texts say some 50 bytes twice, and how far apart: what every rule for exact copies of that size needs.

Winnowing (Schleimer, Wilkerson, Aiken 2003): of every 27 places in a row the one whose 8 bytes have the lowest number
is looked at, whatever stands around; so two equal stretches of 50 bytes have a place in common at which the next 24
bytes are equal. Only these places are sorted, about one in thirteen. Two places next to each other in one text whose 24
bytes have the same number of 32 bits are an echo: there are some by chance, and none is missed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calib.scanners._texts import Block, Places, Texts

SHORTEST = 50
"""Bytes: a stretch so long that stands twice in a text is an echo."""
PRINT = 24
PLACES = SHORTEST - PRINT + 1
NEVER = np.iinfo(np.int64).max
FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


class Echoes(NamedTuple):
    """For each text, in bytes; NEVER where there is none."""

    nearest: NDArray[np.int64]
    """How far apart the nearest two are."""
    latest: NDArray[np.int64]
    """How far before the end of the text the last pair begins."""


def echoes(texts: Texts) -> Echoes:
    """Find the echoes of each text.

    >>> import pyarrow as pa
    >>> found = echoes(Texts(pa.array(["x = read(the file) and then write the other file anew; " * 2, "no"])))
    >>> found.nearest.tolist()[0], bool(found.nearest[1] == NEVER)
    (55, True)
    """
    nearest = np.full(len(texts), NEVER)
    latest = np.full(len(texts), NEVER)
    for low, block in texts.blocks():
        first, second = _pairs(block)
        rows = np.searchsorted(block.starts, first, side="right") - 1
        ends = block.starts[rows + 1]
        inside = second < ends
        rows, ends, first, second = rows[inside], ends[inside], first[inside], second[inside]
        np.minimum.at(nearest, low + rows, second - first)
        np.minimum.at(latest, low + rows, ends - first)
    return Echoes(nearest, latest)


def _pairs(block: Block) -> tuple[Places, Places]:
    """Give pairs of places at which the next 24 bytes are equal, each with the next such place."""
    padded = np.concatenate([block.data, np.zeros(2 * SHORTEST, np.uint8)])
    places = np.flatnonzero(_looked_at(padded, len(block.data)))
    words = np.ndarray((len(padded) - 8,), np.dtype("<u8"), padded.data, strides=(1,))
    number = words[places] * FACTORS[0]
    for at, factor in ((8, FACTORS[1]), (16, FACTORS[2])):
        number ^= words[places + at] * factor
    key = (number >> np.uint64(32)).astype(np.uint32)
    order = np.argsort(key.astype(np.uint16), kind="stable")  # numpy sorts 16 bits by counting
    order = order[np.argsort((key[order] >> np.uint32(16)).astype(np.uint16), kind="stable")]
    key, places = key[order], places[order]
    same = np.flatnonzero(key[1:] == key[:-1])
    return places[same], places[same + 1]


def _looked_at(padded: NDArray[np.uint8], size: int) -> NDArray[np.bool_]:
    """Mark the places whose 8 bytes have the lowest number of some PLACES places in a row."""
    number = padded.astype(np.uint16)
    for step, factor in ((1, 0x6D25), (2, 0xA7B3), (4, 0x3C6F)):
        number = number[:-step] * np.uint16(factor) + number[step:]
    number ^= number >> np.uint16(7)
    number *= np.uint16(0x9E37)
    lowest = _sliding(number, np.minimum)  # of the places from each on
    lowest = np.concatenate([np.zeros(PLACES - 1, np.uint16), lowest])
    highest = _sliding(lowest, np.maximum)  # of those of the stretches that hold each place
    found: NDArray[np.bool_] = number[:size] == highest[:size]
    return found


def _sliding(number: NDArray[np.uint16], extreme: np.ufunc) -> NDArray[np.uint16]:
    """Give the lowest or highest of PLACES numbers in a row, from each on."""
    span = 1
    while span * 2 <= PLACES:
        number = extreme(number[:-span], number[span:])
        span *= 2
    rest = PLACES - span
    return extreme(number[:-rest], number[rest:]) if rest else number
