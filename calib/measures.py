"""What can be measured of one text without a rule: columns for those who look for one.

None is a detector. They depend on the length of the text, and healthy and looping texts overlap: ordinary prose of 400
words already compresses by 2.5.

===================  ==================================================================================================
column               meaning
===================  ==================================================================================================
`compression`        bytes in UTF-8 divided by bytes after zlib, times 100
`rep_2` … `rep_4`    share of word n-grams that came before in the text, per mille: 1 - different / all
`distinct_1` … `_3`  share of different word n-grams, per mille of all n-grams
`period_characters`  characters of the shortest unit that makes two or more copies at the end; 0 for none
`period_words`       words of such a unit
===================  ==================================================================================================

Words are what white space separates. A text too short for an n-gram has null. Sources: Whisper (compression); Welleck
et al. and Su et al. (rep-n); Li et al. (distinct-n).
"""

import zlib

from calib.scanners import periods

COLUMNS = (
    "compression", "rep_2", "rep_3", "rep_4", "distinct_1", "distinct_2", "distinct_3", "period_characters",
    "period_words",
)  # fmt: skip


def measures(text: str) -> dict[str, int | None]:
    """Measure one text.

    >>> measures("go on and on " * 8)["rep_4"], measures("go on and on " * 8)["period_words"]
    (863, 4)
    """
    words = text.split()
    distinct = {n: _distinct(words, n) for n in range(1, 5)}
    characters, of_words = periods(text)
    data = text.encode("utf-8", "replace")
    found: dict[str, int | None] = {"compression": len(data) * 100 // len(zlib.compress(data)) if data else None}
    found |= {f"rep_{n}": None if (share := distinct[n]) is None else 1000 - share for n in (2, 3, 4)}
    found |= {f"distinct_{n}": distinct[n] for n in (1, 2, 3)}
    return found | {"period_characters": characters, "period_words": of_words}


def _distinct(words: list[str], n: int) -> int | None:
    """Give the share of different n-grams, per mille."""
    total = len(words) - n + 1
    return len(set(zip(*(words[at:] for at in range(n)), strict=False))) * 1000 // total if total > 0 else None
