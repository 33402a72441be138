"""Quote litter: opening quotes strewn between tokens and mostly never closed."""

import re
from typing import TYPE_CHECKING

from calib.scanners._trips import Tally

if TYPE_CHECKING:
    from calib.scanners.guard import Gates

QUOTES = re.compile("[「」]")
START = 10
"""The net count at which the litter is held to begin: the text is cut there."""


class Litter:
    """Counts net open quotes; looked at where a piece ends, or at every opening quote as the note's prose has it."""

    def __init__(self, tally: Tally, gates: "Gates") -> None:
        self._tally, self._gates = tally, gates
        self._net = 0
        self._start = -1
        self._bin = self._in_bin = self._dense = 0

    def feed(self, delta: str, base: int) -> None:
        """Take a piece that begins at offset `base`."""
        for quote in QUOTES.finditer(delta):
            at = base + quote.start()
            if quote[0] == "」":
                self._net -= 1
                continue
            self._until(at)
            self._in_bin += 1
            self._net += 1
            if self._start < 0 and self._net >= START:
                self._start = at + 1
            if self._gates.prose:
                self._judge(at + 1)
        self._judge(base + len(delta))

    def _until(self, length: int) -> None:
        """Close the bins that a text of this length has filled."""
        now = length // self._gates.litter_bin
        if now > self._bin:
            self._dense += self._in_bin >= self._gates.litter_quotes
            self._bin, self._in_bin = now, 0

    def _judge(self, length: int) -> None:
        self._until(length)
        gates = self._gates
        if (
            length >= gates.litter_characters
            and self._net * 1000 >= length * gates.litter_permille
            and 0 < self._bin <= self._dense * 2
        ):
            self._tally.note("guard_litter", self._net, max(self._start, 0))
