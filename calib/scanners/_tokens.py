"""Runs of words and of symbols in a text that comes in pieces."""

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from calib.scanners._trips import Tally

if TYPE_CHECKING:
    from calib.scanners.guard import Gates

TOKENS = re.compile(r"\S+")
CUES = frozenset(("the", "a", "an", "hmm"))
"""Words that a degenerating model swallows: they count sooner than others."""
STRIPPED = ".,;:!?()[]{}<>\"'`*_-—…「」『』+=#~^|/\\"
NO_WORDS = frozenset(("true", "false", "none", "null"))
HELD = 64
"""The last token of a piece waits for the next piece if it is at most this long."""
SYMBOL = 20
"""Longest token that counts as a symbol."""
PILE = 10
"""The "=" at which their litter is held to begin."""

Kind = Literal["word", "symbol", ""]


@lru_cache(1 << 16)
def kind_of(token: str, one_letter: bool) -> tuple[Kind, str]:
    """Tell what a token counts as: a word in its plain form, a symbol, or nothing.

    >>> kind_of("**The", False), kind_of("->", False), kind_of("a", False), kind_of("xx", False), kind_of("é1!", False)
    (('word', 'the'), ('symbol', '->'), ('', ''), ('', ''), ('word', 'é1'))
    """
    word = token.strip(STRIPPED).lower()
    long_enough = len(word) >= 2 or (one_letter and word in CUES)
    if long_enough and any(map(str.isalpha, word)) and word not in NO_WORDS and word.strip("x"):
        return "word", word
    if len(token) <= SYMBOL and not any(map(str.isalnum, token)):
        return "symbol", token
    return "", ""


class Tokens:
    """Counts runs and neighbouring pairs of words and of symbols.

    In the published reading the dominant word may be another than the repeated one, pairs are of any words, the last
    token of a text never counts unless white space follows it, and no word has one letter; `gates.prose` reads these
    four as the note says them.
    """

    def __init__(self, tally: Tally, gates: "Gates") -> None:
        self._tally, self._gates = tally, gates
        self._held = ""
        self._words: Counter[str] = Counter()
        self._pairs: Counter[str] = Counter()
        self._count = self._most = self._all_pairs = 0
        self._last: tuple[Kind, str] = ("", "")
        self._run = self._start = 0
        self._symbols = self._equals = self._equal_pairs = 0
        self._pile = -1

    def feed(self, delta: str, base: int) -> None:
        """Take a piece that begins at offset `base`."""
        data = self._held + delta
        base -= len(self._held)
        self._held = ""
        one_letter = self._gates.prose
        end = len(data)
        for token in TOKENS.finditer(data):
            at, stop = token.span()
            if stop == end and end - at <= HELD:
                self._held = token[0]
                break
            self._take(kind_of(token[0], one_letter), base + at)

    def finish(self, end: int) -> None:
        """Take the end of the text: its last token counts only in the note's prose."""
        if self._held and self._gates.prose:
            self._take(kind_of(self._held, True), end - len(self._held))

    def _take(self, found: tuple[Kind, str], at: int) -> None:
        same = found == self._last and found[0] != ""
        if same:
            self._run += 1
        else:
            self._last, self._run, self._start = found, 1, at
        if found[0] == "word":
            self._word(found[1], same)
        elif found[0]:
            self._symbol(found[1], same, at)

    def _word(self, word: str, same: bool) -> None:
        gates, cue = self._gates, word in CUES
        self._count += 1
        self._words[word] += 1
        self._most = max(self._most, self._words[word])
        self._all_pairs += same
        self._pairs[word] += same
        if not same and not cue:
            return  # neither a run nor, for the pairs, a cue word
        share = (self._words[word] if gates.prose else self._most) * 100
        if self._count >= gates.words and share >= gates.share * self._count:
            self._tally.note("guard_cue_words" if cue else "guard_words", self._run, self._start)
        if cue and self._count >= gates.pair_words and share >= gates.pair_share * self._count:
            pairs = self._pairs[word] if gates.prose else self._all_pairs
            self._tally.note("guard_pairs", pairs, self._start)

    def _symbol(self, symbol: str, same: bool, at: int) -> None:
        gates = self._gates
        self._symbols += 1
        if symbol == "=":
            self._equals += 1
            self._equal_pairs += same
            if self._pile < 0 or self._equals == PILE:
                self._pile = at
        self._tally.note("guard_symbols", self._run, self._start)
        tokens = self._count + self._symbols
        if tokens >= gates.tokens and self._equals * 100 >= gates.equals_share * tokens:
            self._tally.note("guard_equals", self._equal_pairs, max(self._pile, 0))
