"""hermes' watch on a runaway stream: a very long text, most of which repeats word for word.

Counts
    The percentage of the last 64,000 characters that repeats: the highest of a line that is there 5 times, a window of
    60 characters that is, and an exact cycle of 5 copies. 0 where there are five lines or more and over half of them
    differ, and in texts of fewer than 16,000 characters.

Fires when
    50 % is reached.

Why
    A model that loops can spend its whole output on one sentence; what was asked for in many copies is shorter.

Blind spots
    Loops below 16,000 characters, growing runs, repetition with a counter in it.

Differs from
    The published watch only in the size of the pieces: it looks when a piece ends, at 16,000 characters and then at
    gaps that double up to 64,000; a whole text is looked at once, at its end.

Source
    NousResearch/hermes-agent, agent/repetition_guard.py @ 1452f9798a90e4e3e3f5e2edd00b208f135af5df.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners._dominated import COPIES, SHORTEST, dominated, suspects_of
from calib.scanners._lengths import at_least

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["reasoning"] = "reasoning"
LEVELS = {"runaway": "percentage of a very long text that repeats"}
THRESHOLDS = {"runaway": 50}


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed, in characters."""

    chunk: int = 0
    characters: int = 16_000
    tail: int = 64_000


class Scanner:
    """Reads one stream."""

    def __init__(self, gates: Gates | None = None) -> None:
        self.levels = {"runaway": 0}
        self._gates = gates or Gates()
        self._held: list[str] = []
        self._fed = 0
        self._look = self._gates.characters

    def feed(self, delta: str) -> None:
        """Take the next piece."""
        self._held.append(delta)
        self._fed += len(delta)
        if self._fed >= self._look and delta:
            self._look = self._fed + min(self._fed, self._gates.tail)
            tail = "".join(self._held)[-self._gates.tail :]
            self._held = [tail]
            self.levels["runaway"] = max(self.levels["runaway"], runaway(tail))

    def finish(self) -> None:
        """Take the end of the text: nothing waits for it."""


def runaway(text: str) -> int:
    """Give the percentage of a text that repeats, 0 where it has five lines and over half of them differ."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    if len(lines) >= COPIES and len(set(lines)) * 2 > len(lines):
        return 0
    return dominated(text)


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0: long enough, with equal lines or an echo."""
    return suspects_of(texts, at_least(texts, max(gates.characters, SHORTEST)), None if gates.chunk else gates.tail)
