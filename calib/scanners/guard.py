"""The reasoning guard of note 003: characters, quotes, words or symbols that swell inside one reasoning stream.

Counts
    Eight things in one text, each only where its gates hold: the longest run of a corner bracket (`guard_brackets`) and
    of another character that layout does not repeat (`guard_characters`), net unclosed opening quotes (`guard_litter`),
    the longest run of an article or filler (`guard_cue_words`) and of another word (`guard_words`), neighbouring equal
    words (`guard_pairs`), the longest run of a symbol (`guard_symbols`), neighbouring "=" (`guard_equals`).

Fires when
    One of them reaches its threshold: 12, 160, 20, 10, 25, 8, 30, 5. Below a floor a count is none: 4, 40, 10, 5, 8, 4,
    8, 3. The text is cut where the loop begins.

Why
    A stream that has degenerated is worth nothing, and a provider that wants it back in the next request spreads it
    over all further turns.

Blind spots
    Loops of sentences or paragraphs, languages written without white space (words), text whose layout repeats.

Differs from
    The note's prose in five places, where this follows the published code; `prose` reads them as the note says them.
    The published guard stops at the first sub-rule that fires; this counts on, so that every threshold can be judged.

Source
    "fix(agent): cut degenerate thinking-stream runs, quote litter and word loops before storage and echo" (note 003);
    NousResearch/hermes-agent, agent/repetition_guard.py @ 1452f9798a90e4e3e3f5e2edd00b208f135af5df.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from calib.scanners._lengths import at_least
from calib.scanners._litter import Litter
from calib.scanners._runs import Runs
from calib.scanners._tokens import Tokens
from calib.scanners._trips import Tally, Trip

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["reasoning"] = "reasoning"
LEVELS = {
    "guard_brackets": "longest run of one corner bracket",
    "guard_characters": "longest run of one other character, layout and white space aside",
    "guard_litter": "opening corner quotes less closing ones, where they are dense",
    "guard_cue_words": "longest run of the, an or hmm while one word dominates",
    "guard_words": "longest run of another word while one word dominates",
    "guard_pairs": "neighbouring equal words at an article or filler while one word dominates more",
    "guard_symbols": "longest run of one token of symbols",
    "guard_equals": 'neighbouring pairs of "=" while "=" dominates',
}
THRESHOLDS = {
    "guard_brackets": 12, "guard_characters": 160, "guard_litter": 20, "guard_cue_words": 10, "guard_words": 25,
    "guard_pairs": 8, "guard_symbols": 30, "guard_equals": 5,
}  # fmt: skip
"""The published ones."""
FLOORS = {
    "guard_brackets": 4, "guard_characters": 40, "guard_litter": 10, "guard_cue_words": 5, "guard_words": 8,
    "guard_pairs": 4, "guard_symbols": 8, "guard_equals": 3,
}  # fmt: skip
"""Below these a level is 0."""


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed: counts of characters and words, shares in percent or per mille."""

    chunk: int = 0
    """Characters of a piece; 0 feeds the text whole."""
    prose: bool = False
    """Read the note's prose where the published code says something else."""
    litter_characters: int = 600
    litter_permille: int = 15
    litter_bin: int = 200
    litter_quotes: int = 5
    words: int = 50
    share: int = 30
    pair_words: int = 60
    pair_share: int = 40
    tokens: int = 50
    equals_share: int = 35


class Scanner:
    """Reads one reasoning stream. `trip` is the first sub-rule to reach its threshold, and where to cut."""

    def __init__(self, gates: Gates | None = None, thresholds: Mapping[str, int] = THRESHOLDS) -> None:
        gates = gates or Gates()
        self._tally = Tally(FLOORS, {**THRESHOLDS, **thresholds})
        self._fed = 0
        self._runs = Runs(self._tally)
        self._tokens = Tokens(self._tally, gates)
        self._litter = Litter(self._tally, gates)
        self.levels = self._tally.levels

    @property
    def trip(self) -> Trip | None:
        """The sub-rule that fired first, with the offset of the cut; None while all are silent."""
        return self._tally.trip

    def feed(self, delta: str) -> None:
        """Take the next piece: first its characters, then its words, then its quotes, as the published guard does."""
        if delta:
            self._runs.feed(delta, self._fed)
            self._tokens.feed(delta, self._fed)
            self._litter.feed(delta, self._fed)
            self._fed += len(delta)

    def finish(self) -> None:
        """Take the end of the text."""
        self._tokens.finish(self._fed)


def trip(text: str, gates: Gates | None = None, thresholds: Mapping[str, int] = THRESHOLDS) -> Trip | None:
    """Give the sub-rule that fires on a text and the offset of the cut, or None.

    >>> trip("Steps.\\n" + "「" * 30 + "go" + "」" * 30)
    Trip(level='guard_brackets', offset=7)
    """
    from calib.scanners import pieces

    scanner = Scanner(gates, thresholds)
    for piece in pieces(text, gates.chunk if gates else 0):
        scanner.feed(piece)
        if scanner.trip:
            return scanner.trip
    scanner.finish()
    return scanner.trip


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0; all of them where other gates than the published ones hold."""
    if replace(gates, prose=False) != Gates():
        return at_least(texts, 1)
    return texts.words.guard
