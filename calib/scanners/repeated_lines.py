"""hermes' proposed stop for visible text: few lines in turn, or a short unit at the end of a line.

Counts
    How often the most frequent of the last 48 lines is there, where at most 6 of them differ (`repeated_lines`), and
    the copies of a unit of 2 to 80 characters at the end of an unfinished line (`repeated_tail`). Lines of fewer than
    40 characters, fences and dividers are passed over; nothing counts below 1,200 characters for lines, and one copy is
    none.

Fires when
    8 lines or 5 copies are reached.

Why
    A loop of a few status lines has no single window that fills the text.

Blind spots
    Lines with a counter in them, short lines, reasoning.

Differs from
    The published guard in the size of the pieces: the unfinished line is looked at every 256 characters at the end of a
    piece, of a whole text once. Open upstream.

Source
    NousResearch/hermes-agent, pull request 78551, agent/stream_output_repetition_guard.py @ 675fc112.
"""

from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners._lengths import at_least

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["text"] = "text"
LEVELS = {
    "repeated_lines": "times the most frequent of the last 48 lines is there, where few differ",
    "repeated_tail": "copies of a short unit at the end of an unfinished line",
}
THRESHOLDS = {"repeated_lines": 8, "repeated_tail": 5}
LINE = 40
WINDOW = 48
UNIT = range(2, 81)
KEPT = 4_096
"""Characters of an unfinished line in which copies are counted."""


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed, in characters and lines."""

    chunk: int = 0
    characters: int = 1_200
    distinct: int = 6
    every: int = 256


class Scanner:
    """Reads one visible text."""

    def __init__(self, gates: Gates | None = None) -> None:
        self.levels = dict.fromkeys(LEVELS, 0)
        self._gates = gates or Gates()
        self._lines: deque[str] = deque()
        self._counts: Counter[str] = Counter()
        self._open: list[str] = []
        self._end = ""
        self._fed = self._looked = 0

    def feed(self, delta: str) -> None:
        """Take the next piece."""
        *ended, rest = delta.split("\n")
        for line in ended:
            self._line("".join([*self._open, line]))
            self._fed += len(line) + 1
            self._open, self._end = [], ""
            self._judge()
        self._open.append(rest)
        self._end = (self._end + rest)[-KEPT:]
        self._fed += len(rest)
        if self._fed - self._looked >= self._gates.every:
            self._looked = self._fed
            self._note("repeated_tail", most_copies(self._end))

    def finish(self) -> None:
        """Take the end of the text: nothing waits for it."""

    def _line(self, line: str) -> None:
        plain = " ".join(line.split())
        if len(plain) < LINE or plain.startswith("```") or not any(map(str.isalnum, plain)):
            return
        self._lines.append(plain)
        self._counts[plain] += 1
        if len(self._lines) > WINDOW:
            oldest = self._lines.popleft()
            self._counts[oldest] -= 1
            if not self._counts[oldest]:
                del self._counts[oldest]

    def _judge(self) -> None:
        if self._fed >= self._gates.characters and 0 < len(self._counts) <= self._gates.distinct:
            self._note("repeated_lines", max(self._counts.values()))

    def _note(self, level: str, height: int) -> None:
        if height > 1:
            self.levels[level] = max(self.levels[level], height)


def copies(line: str, size: int) -> int:
    """Count the copies of the last `size` characters of a line, side by side at its end; 0 for a blank unit.

    >>> copies("so on on on ", 3), copies("so on", 2)
    (3, 1)
    """
    unit = line[-size:]
    if len(unit) < size or not unit.strip():
        return 0
    count, end = 1, len(line) - size
    while end >= size and line.endswith(unit, 0, end):
        count, end = count + 1, end - size
    return count


def most_copies(line: str) -> int:
    """Count the copies of the unit of 2 to 80 characters that makes most of them at the end of a line; 1 for none.

    Only units before which the last two characters stand again are counted.

    >>> most_copies("so on on on "), most_copies("so")
    (3, 1)
    """
    end, size = line[-2:], len(line)
    best, at = 1, size - 2
    while at > 0 and (at := line.rfind(end, max(size - 2 - UNIT[-1], 0), at + 1)) >= 0:
        best = max(best, copies(line, size - 2 - at)) if size - 2 - at >= UNIT[0] else best
    return best


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0: long enough, with two equal lines or two copies at the end.

    In pieces, all that are long enough: each piece has an end.
    """
    import numpy as np

    from calib.scanners._lines import same_lines

    ended = at_least(texts, gates.every)
    if gates.chunk:
        return ended | at_least(texts, gates.characters)
    for row in np.flatnonzero(ended).tolist():
        text = texts.strings[row] or ""
        ended[row] = most_copies(text[max(text.rfind("\n") + 1, len(text) - KEPT) :]) > 1
    long = at_least(texts, gates.characters)
    ended[long] |= same_lines(texts.of(long), 2, shortest=LINE)
    return ended
