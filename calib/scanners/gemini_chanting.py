"""Gemini CLI's content loop: one window of 50 characters ten times, near each other.

Counts
    How often a window of 50 characters of the visible text came, at most 10, where the mean distance of the last
    occurrences is at most 250 characters and at most 5 different texts stand between them.

Fires when
    10 of them are reached.

Why
    A model that chants repeats its sentences word for word.

Blind spots
    Reasoning is never looked at. A table, list item, heading, quote or fence in a piece forgets all before it, and code
    is not tracked; "- " begins no list item there. A piece of nothing but digits, capitals and some punctuation counts
    as a divider: a stream of pieces "SELECT" is never seen. Both for want of an escape in the published expressions.

Differs from
    The published rule only in the size of the pieces: whole by default, `chunk` for a stream.

Source
    google-gemini/gemini-cli, packages/core/src/services/loopDetectionService.ts
    @ 5411f113cafae26161b4969b0237b8e1e024e2c2.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners import _chanting

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["text"] = "text"
LEVELS = {"gemini_chanting": "times one window of 50 characters came, up to 10"}
THRESHOLDS = {"gemini_chanting": 10}
LAYOUT = _chanting.layout("*+", "+-_=*\u2500-\u257f")


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed, in characters."""

    chunk: int = 0
    history: int = 5000
    spacing: int = 250
    kinds: int = 5


class Scanner(_chanting.Chanting):
    """Reads one visible text."""

    def __init__(self, gates: Gates | None = None) -> None:
        gates = gates or Gates()
        super().__init__("gemini_chanting", LAYOUT, gates.history, gates.spacing, gates.kinds)


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0."""
    return _chanting.suspects(texts, gates.spacing)
