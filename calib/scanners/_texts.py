"""Many texts at once, as filters see them: the bytes of all, one after the other, and what several filters ask for."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

if TYPE_CHECKING:
    from calib.scanners._echoes import Echoes
    from calib.scanners._suspects import Words

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

BLOCK = 1 << 19
"""Bytes worked on at a time: they and what is made of them stay in the processor's cache."""


class Block(NamedTuple):
    """Texts one after the other: their bytes, and where each begins; the last entry is the end."""

    data: Bytes
    starts: Places

    def of(self, places: Places) -> Places:
        """Give the text that each place of the bytes is in; places rise."""
        edges = np.searchsorted(places, self.starts)
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(edges))


class Texts:
    """Texts of one column; a null is one without characters."""

    def __init__(self, array: pa.Array) -> None:
        self.array: pa.LargeStringArray = array.cast(pa.large_string())

    def __len__(self) -> int:
        return len(self.array)

    @cached_property
    def strings(self) -> list[str | None]:
        """The texts themselves."""
        found: list[str | None] = self.array.to_pylist()
        return found

    @cached_property
    def characters(self) -> NDArray[np.int64]:
        """How many characters each has."""
        found: NDArray[np.int64] = pc.fill_null(pc.utf8_length(self.array), 0).to_numpy(zero_copy_only=False)
        return found

    def bytes_of(self, characters: int) -> NDArray[np.int64]:
        """Give the most bytes that so many characters can have, side by side in each text."""
        most: NDArray[np.int64] = np.minimum(4 * characters, characters + self.bytes - self.characters)
        return most

    @cached_property
    def bytes(self) -> NDArray[np.int64]:
        """How many bytes each has."""
        found: NDArray[np.int64] = pc.fill_null(pc.binary_length(self.array), 0).to_numpy(zero_copy_only=False)
        return found

    @cached_property
    def end_again(self) -> Flags:
        """Which end as they went on before: what repeats over 32 characters or more has its last 16 standing there."""
        found = np.zeros(len(self), np.bool_)
        for low, block in self.blocks():
            rows = low + _last_eight_again(block)
            for row in rows.tolist():
                text = self.strings[row] or ""
                found[row] = text.find(text[-16:], max(len(text) - 4_096, 0), -1) >= 0
        return found

    @cached_property
    def words(self) -> "Words":
        """What the words of each tell."""
        from calib.scanners._suspects import look

        return look(self)

    @cached_property
    def echoes(self) -> "Echoes":
        """What each says twice."""
        from calib.scanners._echoes import echoes

        return echoes(self)

    def echoes_of(self, chosen: Flags, them: "Texts") -> "Echoes":
        """What some say twice; found among all where that is known."""
        if "echoes" in vars(self):
            return type(self.echoes)(self.echoes.nearest[chosen], self.echoes.latest[chosen])
        return them.echoes

    def of(self, chosen: Flags) -> "Texts":
        """Choose some."""
        return Texts(self.array.filter(pa.array(chosen)))

    def blocks(self) -> Iterator[tuple[int, Block]]:
        """Cut the texts into stretches of about BLOCK bytes, none without any, each with the row it begins at."""
        _, offsets, data = self.array.buffers()
        count = len(self.array)
        if not count or data is None:
            return
        ends = np.frombuffer(offsets, np.int64, count + 1, self.array.offset * 8)
        everything = np.frombuffer(data, np.uint8)
        low = 0
        while low < count:
            high = max(int(np.searchsorted(ends, ends[low] + BLOCK, side="right")) - 1, low + 1)
            if ends[low] < ends[high]:
                yield low, Block(everything[ends[low] : ends[high]], ends[low : high + 1] - ends[low])
            low = high


def _last_eight_again(block: Block) -> Places:
    """Find the texts of 18 bytes or more whose last eight stand in them twice."""
    data, starts = block
    sizes = np.diff(starts)
    if len(data) < 8:
        return np.zeros(0, np.int64)
    eight = np.ndarray((len(data) - 7,), np.dtype("<u8"), data.tobytes(), strides=(1,))
    long = np.flatnonzero(sizes >= 18)
    last = np.zeros(len(sizes), np.uint64)
    last[long] = eight[starts[1:][long] - 8]
    places = np.flatnonzero(eight == np.repeat(last, sizes)[: len(eight)])
    number = np.bincount(block.of(places), minlength=len(sizes))
    return long[number[long] >= 2]
