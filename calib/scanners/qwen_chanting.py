"""Qwen Code's content loop: one window of 50 characters ten times, close together.

Counts
    How often a window of 50 characters of the visible text came, at most 10, where the mean distance of the last
    occurrences is at most 75 characters.

Fires when
    10 of them are reached.

Why
    A model that chants repeats its sentences word for word.

Blind spots
    Reasoning is never looked at; sentences longer than 75 characters; off by default upstream.

Differs from
    Gemini CLI's rule, from which it comes: 1,000 characters of history, closer, no look at what stands between, and
    dividers that are dividers.

Source
    QwenLM/qwen-code, packages/core/src/services/loopDetectionService.ts
    @ 00aa71b4a0a37df1c392eb9b90e1c53d008fdce5.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners import _chanting

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

READS: Literal["text"] = "text"
LEVELS = {"qwen_chanting": "times one window of 50 characters came, up to 10, close together"}
THRESHOLDS = {"qwen_chanting": 10}
LAYOUT = _chanting.layout("*+-", r"+\-_=*\u2500-\u257f")


@dataclass(frozen=True)
class Gates:
    """What the published rule holds fixed, in characters."""

    chunk: int = 0
    history: int = 1000
    spacing: int = 75


class Scanner(_chanting.Chanting):
    """Reads one visible text."""

    def __init__(self, gates: Gates | None = None) -> None:
        gates = gates or Gates()
        super().__init__("qwen_chanting", LAYOUT, gates.history, gates.spacing, 0)


def suspects(texts: "Texts", gates: Gates) -> "Flags":
    """Mark the texts that can have a level above 0."""
    return _chanting.suspects(texts, gates.spacing)
