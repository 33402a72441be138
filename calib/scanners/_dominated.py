"""How much of a text repeats word for word: hermes' three ways to tell, as one number in percent."""

from collections import Counter

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
    counts: Counter[str] = Counter()
    counts.update(text[at : at + WINDOW] for at in range(len(text) - WINDOW + 1))
    most = max(counts.values())
    return most * WINDOW * 100 // len(text) if most >= COPIES else 0


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
