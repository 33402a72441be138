"""OpenRouter's look at the visible text: a block of words again and again at its end.

Counts
    Copies of a block of up to 16 words, side by side within the last 400 words, that make 12 words or more.

Fires when
    4 of them are reached.

Why
    A chant ends in copies of one short phrase.

Blind spots
    Blocks of more than 16 words; anything but an exact copy.

Differs from
    The published rule only in what a token is: here what white space separates.

Source
    OpenRouterTeam/typescript-agent, doom-loop.ts @ 0adaf68a.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners._cycles import word_cycles
from calib.scanners._lengths import at_least

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

READS: Literal["text"] = "text"
LEVELS = {"repeated_block": "copies of a block of words at the end"}
THRESHOLDS = {"repeated_block": 4}


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed, in words."""

    chunk: int = 0
    block: int = 16
    words: int = 12
    tail: int = 400


class Scanner:
    """Reads one visible text; looks when a piece ends."""

    def __init__(self, gates: Gates | None = None) -> None:
        self.levels = {"repeated_block": 0}
        self._gates = gates or Gates()
        self._words: list[str] = []
        self._open = ""

    def feed(self, delta: str) -> None:
        """Take the next piece; its last word may go on."""
        said = self._open + delta
        words = said.split()
        self._open = words.pop() if words and not said[-1].isspace() else ""
        self._take(words)

    def finish(self) -> None:
        """Take the end of the text: its last word counts."""
        self._take([self._open] if self._open else [])
        self._open = ""

    def _take(self, words: list[str]) -> None:
        if not words:
            return
        gates = self._gates
        self._words = [*self._words, *words][-gates.tail :]
        for period, copies in word_cycles(self._words, gates.block):
            if period * copies >= gates.words:
                self.levels["repeated_block"] = max(self.levels["repeated_block"], copies)


def suspects(texts: "pa.LargeStringArray", gates: Gates) -> "NDArray[np.bool_]":
    """Mark the texts that can have a level above 0: a dozen words have 23 characters."""
    return at_least(texts, 2 * gates.words - 1)
