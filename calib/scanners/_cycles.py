"""Exact copies side by side at the end of a text or of a list of words."""

from collections.abc import Iterator, Sequence

KNOWN = 16
"""Characters at the end whose earlier occurrences tell which periods are possible."""


def cycles(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Give each period of the end of a text, with the copies it makes: two at least, over 32 characters or more.

    Periods rise. What repeats with a period p over p + 16 characters has its last 16 standing p earlier too.

    >>> list(cycles("ab" * 20, 3)), list(cycles("abcdefgh" * 5, 10))
    ([(2, 20)], [(8, 5)])
    """
    end = text[-KNOWN:]
    at = len(text) - KNOWN
    while at > 0:
        at = text.rfind(end, max(len(text) - KNOWN - longest, 0), at + KNOWN - 1)
        if at < 0:
            return
        period = len(text) - KNOWN - at
        if found := _copies(text, period):
            yield period, found


def _copies(text: str, period: int) -> int:
    """Count whole copies of the last `period` characters, side by side at the end."""
    unit, count = text[-period:], 1
    end = len(text) - period
    while end >= period and text.endswith(unit, 0, end):
        count, end = count + 1, end - period
    return count if count > 1 else 0


def word_cycles(words: Sequence[str], longest: int) -> Iterator[tuple[int, int]]:
    """Give each period of the end of a list of words, with the copies it makes, two at least. Periods rise.

    >>> list(word_cycles("go on and on and on and".split(), 4))
    [(2, 3)]
    """
    size = len(words)
    longest = min(longest, size // 2)
    last = words[-1] if words else ""
    for period in [at for at, word in enumerate(words[-2 : -longest - 2 : -1], 1) if word == last]:
        at = size - 1
        while at >= period and words[at] == words[at - period]:
            at -= 1
        same = size - 1 - at
        if same >= period:
            yield period, same // period + 1


def periods(text: str) -> tuple[int, int]:
    """Give the shortest unit of which the end of a text holds two copies or more: in characters, and in words.

    0 for none. Units are of up to 1,024 characters, of 16 or more where there are only two copies, and 128 words.

    >>> periods("first we go on and on and on and on")
    (7, 2)
    """
    characters = next((period for period, _ in cycles(text, 1_024)), 0)
    return characters, next((period for period, _ in word_cycles(text.split(), 128)), 0)
