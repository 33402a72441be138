"""OpenRouter's look at the visible text: a block of words again and again at its end.

Counts
    Copies of a block of up to 16 words, side by side within the last 400 words, that make 12 words or more: of the
    blocks with 4 copies or more that which covers most words, the shorter of equal ones; else the most copies.

Fires when
    6 of them are reached: the run is stopped. Upstream observes from 4.

Why
    A chant ends in copies of one short phrase.

Blind spots
    Blocks of more than 16 words; anything but an exact copy.

Differs from
    The published rule only below its 4 copies, where that says nothing.

Source
    OpenRouterTeam/typescript-agent, packages/agent/src/lib/doom-loop.ts @ 0adaf68aa24c3efdd75e42c4891482439d75630b.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners._cycles import word_cycles
from calib.scanners._lengths import at_least

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["text"] = "text"
LEVELS = {"repeated_block": "copies of a block of words at the end"}
THRESHOLDS = {"repeated_block": 6}

WORD = 64
"""Characters of the end that are looked at, for each word of it."""


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed, in words and copies."""

    chunk: int = 0
    block: int = 16
    words: int = 12
    tail: int = 400
    copies: int = 4


class Scanner:
    """Reads one visible text; looks when a piece ends."""

    def __init__(self, gates: Gates | None = None) -> None:
        self.levels = {"repeated_block": 0}
        self._gates = gates or Gates()
        self._words: list[str] = []
        self._open = ""

    def feed(self, delta: str) -> None:
        """Take the next piece; its last word may go on."""
        said = (self._open + delta)[-WORD * self._gates.tail :]
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
        found = [each for each in word_cycles(self._words, gates.block) if each[0] * each[1] >= gates.words]
        often = [each for each in found if each[1] >= gates.copies]
        covering = max(often, key=lambda each: each[0] * each[1], default=(0, 0))[1]
        height = covering or max((copies for _, copies in found), default=0)
        self.levels["repeated_block"] = max(self.levels["repeated_block"], height)


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0, by their last words; in pieces, all that have words enough."""
    long = at_least(texts, 2 * gates.words - 1)
    if gates != Gates():
        return long
    from calib.scanners._ends import repeating

    long[long] = repeating(texts.of(long), gates.block)
    return long
