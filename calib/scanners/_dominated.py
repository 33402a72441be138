"""How much of a text repeats word for word: hermes' three ways to tell, as one number in percent."""

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

SHORTEST = 400
WINDOW = 60
COPIES = 5
ANCHORS = 32
MATCHES = 8


def dominated(text: str) -> int:
    """Give the percentage of a text that repeats; 0 for fewer than 400 characters, at most 100.

    The highest of: a trimmed line that is there 5 times; a window of 60 characters that is, overlapping or not; an
    exact cycle of 5 copies around one of 32 evenly spaced windows.

    >>> dominated("the same line again and again\\n" * 40), dominated("short " * 20)
    (100, 0)
    """
    if len(text) < SHORTEST:
        return 0
    return min(max(_lines(text), _windows(text), _cycle(text)), 100)


def _lines(text: str) -> int:
    counts = Counter(map(str.strip, text.splitlines()))
    return max((n * len(line) * 100 // len(text) for line, n in counts.items() if n >= COPIES), default=0)


def _windows(text: str) -> int:
    if not _block_often(text):
        return 0
    counts: Counter[str] = Counter()
    counts.update(text[at : at + WINDOW] for at in range(len(text) - WINDOW + 1))
    most = max(counts.values())
    return most * WINDOW * 100 // len(text) if most >= COPIES else 0


def _block_often(text: str) -> bool:
    """Tell whether half a window that begins at a multiple of its size is there often enough: each window holds one."""
    half = WINDOW // 2
    for start in range(0, len(text) - half + 1, half):
        at, block = start, text[start : start + half]
        for copies in range(2, COPIES + 1):
            at = text.find(block, at + 1)
            if at < 0:
                break
            if copies == COPIES:
                return True
    return False


def _cycle(text: str) -> int:
    last = len(text) - WINDOW
    step = max(1, (last + ANCHORS - 2) // (ANCHORS - 1))
    best = 0
    seen: list[tuple[int, int, int]] = []
    for start in sorted({*range(0, last + 1, step), last}):
        anchor, after = text[start : start + WINDOW], start + 1
        for _ in range(MATCHES):
            match = text.find(anchor, after)
            if match < 0:
                break
            period, after = match - start, match + 1
            if any(low <= start < high and period % known == 0 for low, high, known in seen):
                continue
            low, high = _around(text, start, period)
            seen.append((low, high, period))
            if high - low >= COPIES * period:
                best = max(best, (high - low) * 100 // len(text))
    return best


def _around(text: str, start: int, period: int) -> tuple[int, int]:
    """Give the stretch around `start` in which every character equals the one a period further on."""
    low, high = start, start + WINDOW
    while low > 0 and text[low - 1] == text[low - 1 + period]:
        low -= 1
    while high + period < len(text) and text[high] == text[high + period]:
        high += 1
    return low, high + period


def suspects_of(texts: "Texts", long: "Flags", tail: int | None) -> "Flags":
    """Mark those of the long texts of whose end so many characters can repeat; of any part of it for None.

    A window that is there twice and a cycle of one are echoes: 60 characters have 50 bytes. Equal lines that are a
    hundredth of the text have so many bytes.
    """
    import numpy as np

    from calib.scanners._lines import same_lines

    chosen = texts.of(long)
    size = chosen.characters if tail is None else np.minimum(chosen.characters, tail)
    reach = chosen.bytes if tail is None else chosen.bytes_of(tail)
    least = np.full(len(size), SHORTEST) if tail is None else size
    found = np.zeros(len(texts), np.bool_)
    found[long] = (texts.echoes_of(long, chosen).latest <= reach) | same_lines(chosen, COPIES, share=least // 100)
    return found
