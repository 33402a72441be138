"""Exact copies at the end of the reasoning: of characters and of words.

Counts
    The most copies side by side that the end of the text ever made: of a unit of up to 1,024 characters that covers 48
    or more with 3 copies or more (`tail_characters`), and of a unit of up to 128 words with 3 copies or more
    (`tail_words`).

Fires when
    As chosen; 4 by default. Engines that watch tokens (vLLM, llama.cpp) are off by default and take 4 or more.

Why
    It needs no tuning but the number of copies, and sees a loop of any length.

Blind spots
    One changed character ends a copy. Words are what white space separates: tokens of a model are not recorded.

Differs from
    Token rules, which look after every token: this looks every 128 characters at the end of a piece, and at the end.

Source
    vllm-project/vllm, vllm/v1/core/sched/utils.py @ 018d5dc7 (the same on tokens); period by lag equality.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners._cycles import cycles, word_cycles
from calib.scanners._lengths import at_least

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["reasoning"] = "reasoning"
LEVELS = {
    "tail_characters": "copies of a unit of characters side by side at the end",
    "tail_words": "copies of a unit of words side by side at the end",
}
THRESHOLDS = {"tail_characters": 4, "tail_words": 4}
FEWEST = 3


@dataclass(frozen=True)
class Gates:
    """How far it looks: characters and words."""

    chunk: int = 0
    every: int = 128
    characters: int = 1_024
    words: int = 128
    covered: int = 48
    tail: int = 4_096


class Scanner:
    """Reads one reasoning stream."""

    def __init__(self, gates: Gates | None = None) -> None:
        self.levels = dict.fromkeys(LEVELS, 0)
        self._gates = gates or Gates()
        self._tail, self._since = "", 0

    def feed(self, delta: str) -> None:
        """Take the next piece; looks at what came before it, so that a text fed whole is looked at once."""
        if self._since >= self._gates.every:
            self._tail = self._tail[-self._gates.tail :]
            words = self._tail.split()
            self._look(words if self._tail[-1].isspace() else words[:-1])
        self._tail += delta
        self._since += len(delta)

    def finish(self) -> None:
        """Take the end of the text: its last word counts."""
        self._tail = self._tail[-self._gates.tail :]
        self._look(self._tail.split())

    def _look(self, words: list[str]) -> None:
        gates = self._gates
        self._since = 0
        for period, copies in cycles(self._tail, gates.characters):
            if copies * period >= gates.covered:
                self._note("tail_characters", copies)
        for _, copies in word_cycles(words, gates.words):
            self._note("tail_words", copies)

    def _note(self, level: str, height: int) -> None:
        if height >= FEWEST:
            self.levels[level] = max(self.levels[level], height)


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0: whose end stood before, or whose last words are there three times.

    In pieces, every text: each piece has an end.
    """
    import numpy as np

    if gates.chunk:
        return at_least(texts, 1)
    found = texts.words.last_thrice.copy()
    for row in np.flatnonzero(found).tolist():
        found[row] = _worth((texts.strings[row] or "")[-gates.tail :])
    return found | texts.end_again


def _worth(tail: str) -> bool:
    """Tell whether each of the last words is there three times; of three copies of a unit it is."""
    words = tail.rsplit(None, FEWEST)[-FEWEST:]
    return len(words) == FEWEST and all(tail.count(word.rstrip()) >= FEWEST for word in reversed(words))
