"""Runs of one character in a text that comes in pieces."""

import re
from collections.abc import Iterator

from calib.scanners._trips import Tally

BRACKETS = "「」『』"
FORMATTING = frozenset("-=*_|+#~`")
"""Characters that layout repeats; white space is passed over too."""

Run = tuple[int, str, int]
"""Where a run begins, its character, its length."""


class Runs:
    """Counts runs of brackets and of other characters; layout and white space do not count."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._char, self._start, self._length = "", 0, 0
        least = tally.floors["guard_brackets"]
        self._brackets = re.compile("|".join(f"{each}{{{least},}}" for each in BRACKETS))

    def feed(self, delta: str, base: int) -> None:
        """Take a piece that begins at offset `base`."""
        lead = len(delta) - len(delta.lstrip(self._char)) if self._char else 0
        if lead:
            self._length += lead
            self._note(self._start, self._char, self._length)
            if lead == len(delta):
                return
        last = delta[-1]
        tail = len(delta) - len(delta.rstrip(last))
        for start, char, length in self._inside(delta[lead : len(delta) - tail]):
            self._note(base + lead + start, char, length)
        self._char, self._start, self._length = last, base + len(delta) - tail, tail
        self._note(self._start, last, tail)

    def _note(self, start: int, char: str, length: int) -> None:
        if char in BRACKETS:
            self._tally.note("guard_brackets", length, start)
        elif char not in FORMATTING and not char.isspace():
            self._tally.note("guard_characters", length, start)

    def _inside(self, text: str) -> list[Run]:
        found = [(run.start(), run[0][0], len(run[0])) for run in self._brackets.finditer(text)]
        return sorted([*found, *long_runs(text, self._tally.floors["guard_characters"])])


def long_runs(text: str, least: int) -> Iterator[Run]:
    """Find the runs of at least `least` characters, looking at few of the others.

    A run so long covers a whole stretch of half that length that begins at a multiple of it.

    >>> list(long_runs("ab" + "x" * 9 + "c", 8))
    [(2, 'x', 9)]
    """
    step = max(least // 2, 1)
    end = 0
    for at in range(0, len(text) - step + 1, step):
        char = text[at]
        if at < end or char != text[at + step - 1] or text[at : at + step] != char * step:
            continue
        start = len(text[end:at].rstrip(char)) + end
        end = len(text) - len(text[at:].lstrip(char))
        if end - start >= least:
            yield start, char, end - start
