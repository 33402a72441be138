"""Mask what changes in a plan that is otherwise said again: numbers, times, ids, white space.

Two texts with the same masked form are near duplicates. What is masked, in this order, in each word that holds a digit,
after letters and white space of the whole text:

==========  ==========================================================================  ==========================
mark        what it stands for                                                          such as
==========  ==========================================================================  ==========================
`<time>`    a date, a clock time, or both in one word                                   `2026-10-27T14:03:59Z`, `14:03`
`<n>`       an id, or the part of a word that is one: a UUID; 7 hexadecimal digits and  `1f3a9c2`, `0xdeadbeef`,
            letters or more; `0x` and such; in a word of 12 letters and digits or more  `job-0000000a`,
            with 3 changes between the two, each part that has both                     `call_g1H2k3M4n5P6`
`<n>`       every other run of digits, with `.` and `,` inside it                       `42`, `step_3`, `1,024.5`
one blank   a run of white space; at both ends it goes                                  line breaks, indentation
NFC         letters composed as Unicode's NFC has them: one text however it is encoded  `e` and U+0301 for `é`
==========  ==========================================================================  ==========================

An id is marked as a number is, for one commit in 27 has seven digits and no letter: two marks would take the same plan
about two commits for two plans.

Letters stay as they are: plans that name another file, tool or function are other plans. The time it takes is linear
in the length of the text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import normalize

WORD = re.compile(r"(?<![^\s\"'`()\[\]{}<>,;=])[^\s\"'`()\[\]{}<>,;=]*[0-9][^\s\"'`()\[\]{}<>;=]*")
TIME = re.compile(
    r"(?:\d{4}-\d\d?-\d\d?|\d{1,2}/\d{1,2}/\d{2,4})(?:[T_](?:\d\d?:?){2,3}(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
)
UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
HEXADECIMAL = re.compile(
    r"(?<![A-Za-z0-9])(?:0[xX][0-9a-fA-F]+|(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{7,}+)(?![A-Za-z0-9])"
)
MIXED = re.compile(r"[A-Za-z0-9_-]{12,}")
PART = re.compile(r"(?<![A-Za-z0-9<])(?=[0-9]*[A-Za-z])(?=[A-Za-z]*[0-9])[A-Za-z0-9]++")
CHANGE = re.compile(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])")
NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
ENDS = ".,:!?"


def mask(text: str) -> str:
    r"""Give the masked form of a text; texts without digits only lose white space.

    >>> mask("  Step 3:  run the\n  12 tests at 14:03 for 1f3a9c2.")
    'Step <n>: run the <n> tests at <time> for <n>.'
    """
    if not text.isascii():
        text = normalize("NFC", text)
    return " ".join([part if part.isalpha() else _masked(part) for part in text.split()])


@lru_cache(1 << 16)
def _masked(part: str) -> str:
    return WORD.sub(lambda word: _mark(word[0]), part)


def _mark(word: str) -> str:
    """Mask one word; punctuation at its end stays.

    >>> _mark("step_3,"), _mark("1,024.5"), _mark("2026-10-27"), _mark("0xff"), _mark("call_g1H2k3M4")
    ('step_<n>,', '<n>', '<time>', '<n>', 'call_<n>')
    """
    bare = word.rstrip(ENDS)
    end = word[len(bare) :]
    if TIME.fullmatch(bare):
        return "<time>" + end
    plain = HEXADECIMAL.sub("<n>", UUID.sub("<n>", bare))
    if MIXED.fullmatch(bare) and len(CHANGE.findall(bare)) >= 3:
        plain = PART.sub("<n>", plain)
    return NUMBER.sub("<n>", plain) + end


def same_masked(sizes: Iterable[int], reasoning: Sequence[str | None]) -> list[int | None]:
    """Give for each turn the first of its episode with the same masked reasoning; null where nothing is left.

    `sizes` are the turns of each episode.

    >>> same_masked([3, 1], ["step 1", " step  2 ", None, "step 3"])
    [0, 0, None, 0]
    """
    found: list[int | None] = []
    first = 0
    for size in sizes:
        found += _in_episode(reasoning[first : first + size])
        first += size
    return found


def _in_episode(texts: Sequence[str | None]) -> list[int | None]:
    """Mask only texts that may equal another one: equal masked forms have equal ends."""
    ends = [_ends(text) if text else None for text in texts]
    often = Counter(ends)
    seen: dict[str, int] = {}
    known: dict[str | None, str] = {}
    found: list[int | None] = []
    for turn, (text, end) in enumerate(zip(texts, ends, strict=True)):
        if text is None or end is None:
            found.append(None)
        elif often[end] == 1:
            found.append(turn)
        else:
            masked = known[text] if text in known else known.setdefault(text, mask(text))
            found.append(seen.setdefault(masked, turn))
    return found


def _ends(text: str) -> tuple[str, str] | None:
    """Mask the first and the last three words of a text; None where there is no word."""
    first, last = text.split(None, 3)[:3], text.rsplit(None, 3)[-3:]
    return (mask(" ".join(first)), mask(" ".join(last))) if first else None
