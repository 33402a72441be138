"""hermes' proposed guard on visible text: a line or a window of 60 characters that fills the last 2,000.

Counts
    The percentage of the last 2,000 characters that repeats: the highest of a line that is there 5 times, a window of
    60 characters that is, and an exact cycle of 5 copies; from 500 characters on.

Fires when
    50 % is reached.

Why
    It sees a loop while it streams, long before the text is long.

Blind spots
    Asked-for copies ("say it fifty times") look the same; reasoning is not looked at.

Differs from
    The published guard, which looks every 200 characters at the end of a piece, in the size of the pieces: a whole text
    is looked at once, at its end. Open upstream; the cycle is that of the rule it builds on.

Source
    NousResearch/hermes-agent, pull request 89294.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners._dominated import SHORTEST, dominated, suspects_of
from calib.scanners._lengths import at_least

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["text"] = "text"
LEVELS = {"repeated_window": "percentage of the last 2,000 characters that repeats"}
THRESHOLDS = {"repeated_window": 50}


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed, in characters."""

    chunk: int = 0
    characters: int = 500
    every: int = 200
    tail: int = 2_000


class Scanner:
    """Reads one visible text."""

    def __init__(self, gates: Gates | None = None) -> None:
        self.levels = {"repeated_window": 0}
        self._gates = gates or Gates()
        self._tail = ""
        self._fed = 0
        self._look = self._gates.characters

    def feed(self, delta: str) -> None:
        """Take the next piece."""
        self._tail = (self._tail + delta)[-self._gates.tail :]
        self._fed += len(delta)
        if self._fed >= self._look and delta:
            self._look = self._fed + self._gates.every
            self.levels["repeated_window"] = max(self.levels["repeated_window"], dominated(self._tail))

    def finish(self) -> None:
        """Take the end of the text: nothing waits for it."""


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0: long enough, with equal lines or an echo."""
    return suspects_of(texts, at_least(texts, max(gates.characters, SHORTEST)), None if gates.chunk else gates.tail)
