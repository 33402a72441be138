"""oh-my-pi's guard on thinking: exact cycles, paragraphs said again, paragraphs that say nothing new.

Counts
    `thinking_cycle`: how far an exact cycle at the end has come, in percent of what fires: 4 copies and 180 characters
    for units of 2 to 60 characters, 3 copies and 1,024 characters for longer ones; units without a letter or pictograph
    do not count.
    `thinking_cluster`: of the last 16 paragraphs, how many are nearly the same as this one, itself included; 0 where no
    other is.
    `thinking_stall`: paragraphs in a row with at most a fifth of new words and no new name of a file or a variable.

Fires when
    100, 4 or 8 is reached, of the paragraphs from the eighth on.

Why
    A runaway that rewords itself has no exact repeat.

Blind spots
    The paragraphs of other scripts than Latin have no words here; the published guard looks at paragraphs for Gemini,
    DeepSeek and Grok only.

Differs from
    The published guard in the size of the pieces: the end is looked at every 128 characters at the end of a piece, of a
    whole text once; what is code and what is a name are told more simply.

Source
    can1357/oh-my-pi, packages/ai/src/utils/thinking-loop.ts @ 011fbca4bb86e8b94b6500c7c069a07805ba39b0.
"""

import re
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from calib.scanners._cycles import cycles
from calib.scanners._lengths import at_least

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["reasoning"] = "reasoning"
LEVELS = {
    "thinking_cycle": "how far an exact cycle at the end has come, in percent",
    "thinking_cluster": "paragraphs of the last 16 that are nearly the same",
    "thinking_stall": "paragraphs in a row without new words or names",
}
THRESHOLDS = {"thinking_cycle": 100, "thinking_cluster": 4, "thinking_stall": 8}
TAIL, LONGEST, SHORT = 4_096, 1_024, 60
BOUNDARY = re.compile(r"\n\s*\n")
SEGMENT = 700
FENCE, INDENT, CODE_ENDS = "```", ("  ", "\t"), tuple("{}[](;,>")
ITEM = re.compile(r"(?:[-*+]|\d+[.)])[ \t]")
TITLE = re.compile(r"#{1,6}[ \t]|(?:\*{2,3}).+?\*{2,3}$")
REFERENCE = re.compile(r"`[^`]+`|[\w/.-]+", re.ASCII)
MIXED = re.compile(r"[a-z][A-Z]")
WORD = re.compile(r"[a-z0-9]+")
BLANKED = {code: " " for code in range(128) if not chr(code).isalnum()}
DIGIT = re.compile("[0-9]")


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed: characters, paragraphs, percent."""

    chunk: int = 0
    every: int = 128
    characters: int = 60
    warm_up: int = 8
    similar: int = 80
    new: int = 20


class Scanner:
    """Reads one reasoning stream."""

    def __init__(self, gates: Gates | None = None) -> None:
        self.levels = dict.fromkeys(LEVELS, 0)
        self._gates = gates or Gates()
        self._tail, self._since = "", 0
        self._pending = ""
        self._trigrams: deque[frozenset[tuple[str, ...]]] = deque(maxlen=16)
        self._words: deque[frozenset[str]] = deque(maxlen=8)
        self._said: deque[str] = deque(maxlen=8)
        self._known: set[tuple[str, ...]] = set()
        self._ever: set[str] = set()
        self._paragraphs = self._stalled = 0

    def feed(self, delta: str) -> None:
        """Take the next piece."""
        self._tail += delta
        self._since += len(delta)
        if self._since >= self._gates.every:
            self._since = 0
            self._tail = self._tail[-TAIL:]
            self._cycle()
        self._pending += delta
        at = 0
        while end := BOUNDARY.search(self._pending, at):
            self._segments(self._pending[at : end.start()])
            at = end.end()
        while len(self._pending) - at > SEGMENT:
            self._segments(self._pending[at : at + SEGMENT])
            at += SEGMENT
        self._pending = self._pending[at:]

    def finish(self) -> None:
        """Take the end of the text: its last paragraph counts."""
        self._cycle()
        self._segments(self._pending)
        self._pending = ""

    def _cycle(self) -> None:
        for period, copies in cycles(self._tail, min(LONGEST, len(self._tail) // 3)):
            least, characters = (4, 180) if period <= SHORT else (3, 1_024)
            if period >= 2 and any(map(_says, self._tail[-period:])):
                self._note("thinking_cycle", min(copies * 100 // least, copies * period * 100 // characters))

    def _segments(self, raw: str) -> None:
        for at in range(0, len(raw), SEGMENT):
            self._paragraph("\n".join(filter(_is_prose, raw[at : at + SEGMENT].split("\n"))))

    def _paragraph(self, said: str) -> None:
        gates = self._gates
        words = _words(said)
        if len(" ".join(words)) < gates.characters:
            return
        trigrams: frozenset[tuple[str, ...]] = frozenset(zip(words, words[1:], words[2:], strict=False)) or frozenset(
            [tuple(words)]
        )
        alike, different = self._alike(trigrams), frozenset(words)
        self._stalled = self._stalled + 1 if self._nothing_new(different, said) else 0
        self._trigrams.append(trigrams)
        self._words.append(different)
        self._said.append(said)
        self._paragraphs += 1
        if self._paragraphs >= gates.warm_up:
            self._note("thinking_cluster", alike)
            self._note("thinking_stall", self._stalled)

    def _alike(self, trigrams: frozenset[tuple[str, ...]]) -> int:
        """Count the paragraphs of the last 16 that are nearly the same, itself included; 0 when no other is.

        Few paragraphs are: with most trigrams new to the whole text it needs no look at each.
        """
        percent = self._gates.similar
        before = len(self._known)
        self._known |= trigrams
        if (len(trigrams) - len(self._known) + before) * 100 < percent * len(trigrams):
            return 0
        found = sum(_alike(trigrams, other, percent) for other in self._trigrams)
        return found + 1 if found else 0

    def _nothing_new(self, words: frozenset[str], said: str) -> bool:
        most = self._gates.new * len(words)
        before = len(self._ever)
        self._ever |= words
        if not before or (len(self._ever) - before) * 100 > most:
            return False  # the first, or so many are new to the whole text
        fresh = len(words.difference(*self._words))
        return fresh * 100 <= most and not _names(said).difference(*map(_names, self._said))

    def _note(self, level: str, height: int) -> None:
        self.levels[level] = max(self.levels[level], height)


def _words(said: str) -> list[str]:
    """List the words of a paragraph, in small letters, numbers left out."""
    small = said.lower()
    words = small.translate(BLANKED).split() if small.isascii() else WORD.findall(small)
    return [word for word in words if not word.isdigit()] if DIGIT.search(small) else words


def _says(character: str) -> bool:
    """Tell letters and pictographs from other marks."""
    return character.isalpha() or character >= "\U0001f000" or "\u2600" <= character <= "\u27bf"


def _is_prose(line: str) -> bool:
    """Tell a line of prose from a title and from code: fenced, indented and no list item, or ending as code ends."""
    plain = line.strip()
    if plain.startswith(FENCE) or plain.endswith(CODE_ENDS) or TITLE.match(plain):
        return False
    return not line.startswith(INDENT) or bool(ITEM.match(line.lstrip()))


@lru_cache(16)
def _names(said: str) -> frozenset[str]:
    """Give what a paragraph refers to by name."""
    return frozenset(word.strip("`").lower() for word in REFERENCE.findall(said) if _names_something(word))


def _names_something(word: str) -> bool:
    """Tell whether a word refers to something: code, a path, a file, a variable."""
    if word.startswith("`") or word.count("/") >= 2 or "_" in word.strip("_") or MIXED.search(word):
        return True
    stem, dot, ending = word.strip(".-/").rpartition(".")
    return bool(dot) and len(stem) >= 2 and ending[:1].isalpha() and len(ending) <= 5


def _alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]], percent: int) -> bool:
    shared = len(one & other)
    return shared * 100 >= percent * (len(one) + len(other) - shared)


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0: with paragraphs enough, or an end that stood before.

    A paragraph ends at two line breaks or after 700 characters, and has 60 of words. In pieces, every text: each piece
    has an end.
    """
    import numpy as np

    if gates.chunk:
        return at_least(texts, 1)
    long = at_least(texts, gates.warm_up * gates.characters)
    for row in np.flatnonzero(long).tolist():
        said = map(len, BOUNDARY.split(texts.strings[row] or ""))
        pieces = sum(size // SEGMENT + (size % SEGMENT >= gates.characters) for size in said)
        long[row] = pieces >= gates.warm_up
    return long | texts.end_again
