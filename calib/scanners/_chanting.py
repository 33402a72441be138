"""A window of 50 characters that comes again and again: what the chanting rules of Gemini CLI and Qwen Code share."""

import re
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

FENCE = "```"
BLOCK = 25
"""Half a window: every window holds a whole block of this size that begins at a multiple of it."""


class Layout(NamedTuple):
    """How a piece of text looks that begins something new: then all that was tracked is forgotten."""

    begins: re.Pattern[str]
    divider: re.Pattern[str]
    """A piece that is nothing but this is not tracked at all."""


def layout(bullets: str, divider: str) -> Layout:
    """Make the layout of tables, list items, headings and quotes, from the marks of bullets and of dividers."""
    return Layout(
        re.compile(rf"(?:^|\n)(?:\s*(?:\|[^\n]*\||[|+-]{{3,}}|[{bullets}]\s|\d+\.\s)|#+\s|>\s)"),
        re.compile(rf"[{divider}]+"),
    )


class Chanting:
    """Counts how often one window came, where its last 10 occurrences are near each other and alike in between.

    With fewer than 10 the condition is asked of all there are. A piece with an odd number of fences opens or closes
    code, in which nothing is tracked.
    """

    def __init__(self, level: str, layout: Layout, history: int, spacing: int, kinds: int, window: int = 50) -> None:
        self.levels = {level: 0}
        self._level, self._layout = level, layout
        self._history, self._spacing, self._kinds, self._window = history, spacing, kinds, window
        self._code = False
        self._forget()

    def _forget(self) -> None:
        self._text = ""
        self._places: dict[str, int | deque[int]] = {}
        self._next = 0
        self._gone = 0
        """Characters dropped from the front of the text; places count them."""

    def feed(self, delta: str) -> None:
        """Take the next piece."""
        if not delta:
            return
        fences = delta.count(FENCE)
        divider = bool(self._layout.divider.fullmatch(delta))
        if fences or divider or self._layout.begins.search(delta):
            self._forget()
        was = self._code
        self._code ^= fences % 2 == 1
        if was or self._code or divider:
            return
        self._text += delta
        over = len(self._text) - self._history
        if over > 0:
            self._text = self._text[over:]
            self._gone += over
            self._next = max(self._next, self._gone)
            if len(self._places) > 4 * self._history:
                self._places = {
                    window: found
                    for window, found in self._places.items()
                    if (found if isinstance(found, int) else found[-1]) >= self._gone
                }
        self._look()

    def finish(self) -> None:
        """Take the end of the text: nothing waits for it."""

    def _look(self) -> None:
        text, size, gone, places = self._text, self._window, self._gone, self._places
        for at in range(self._next - gone, len(text) - size + 1):
            window = text[at : at + size]
            found = places.get(window)
            if found is None:
                places[window] = at + gone
                continue
            if isinstance(found, int):  # most windows come once: they need no deque
                found = places[window] = deque((found,), 10)
            found.append(at + gone)
            self._judge(found)
        self._next = max(self._next, gone + len(text) - size + 1)

    def _judge(self, found: "deque[int]") -> None:
        """Judge the last occurrences of a window; those dropped from the front do not count."""
        while found[0] < self._gone:
            found.popleft()
        count = len(found)
        if count > self.levels[self._level] and found[-1] - found[0] <= self._spacing * (count - 1):
            places = [place - self._gone for place in found]
            between = {self._text[low:high] for low, high in pairwise(places)}
            if not self._kinds or len(between) <= self._kinds:
                self.levels[self._level] = count


def suspects(texts: "Texts", spacing: int) -> "Flags":
    """Mark the texts in which some 25 characters come again within `spacing`: no window comes twice otherwise."""
    import numpy as np

    found: Flags = texts.echoes.nearest <= texts.bytes_of(spacing)
    for row in np.flatnonzero(found).tolist():
        found[row] = comes_again(texts.strings[row] or "", spacing)
    return found


def comes_again(text: str, spacing: int, block: int = BLOCK) -> bool:
    """Tell whether some block that begins at a multiple of its size stands again at most `spacing` further on.

    Of two equal windows near each other, one holds such a block and the other the same block.

    >>> comes_again("abcdefgh" * 12, 100), comes_again("0123456789" + "x" * 14, 100)
    (True, False)
    """
    find = text.find
    for at in range(0, len(text) - block, block):
        if find(text[at : at + block], at + 1, at + spacing + block) >= 0:
            return True
    return False
