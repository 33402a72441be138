"""What an edit takes out of an episode's requests: blocks, characters, tokens, and what a prompt cache keeps.

Everything follows from sums over turns, so that all requests of an episode cost what one costs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import msgspec

from calib.edits._message import Message, reasoning_of
from calib.edits.requests import Edited
from calib.formats._small import at


@dataclass(frozen=True)
class Removed:
    """What one request lacks.

    `characters` are those of the removed reasoning, trimmed; `tokens` are what the servers reported for it, None where
    one did not. The first `same_messages` messages, `same_characters` of compact JSON, are those of the request as it
    was: what stands before the first change, so what a prompt cache can keep.
    """

    request: int
    messages: int
    blocks: int
    characters: int
    tokens: int | None
    same_messages: int
    same_characters: int


@dataclass(frozen=True)
class Account:
    """An episode under an edit: one row for each request, and whether the detectors would fire again.

    `fire_turn` is None when nothing fires: then nothing is edited. `fires_again` is the turn at which the operating
    point fires on the edited view when it begins anew after the fire turn; None for never, or without a point.
    """

    episode_id: str
    turns: int
    by: str
    provider: str
    fire_turn: int | None
    rows: tuple[Removed, ...]
    fires_again: int | None

    @property
    def first_changed(self) -> int | None:
        """The first request that differs from what was sent."""
        return next((row.request for row in self.rows if row.blocks), None)

    @property
    def total(self) -> tuple[int, int, int | None]:
        """Blocks, characters and tokens that all requests together lack."""
        tokens = [row.tokens for row in self.rows]
        whole = None if any(part is None for part in tokens) else sum(part or 0 for part in tokens)
        return sum(row.blocks for row in self.rows), sum(row.characters for row in self.rows), whole


def tokens_of(message: Message) -> int | None:
    """Give the reasoning tokens that the server reported for an answer, where the message holds its usage.

    >>> tokens_of({"usage": {"completion_tokens_details": {"reasoning_tokens": 25}}}), tokens_of({})
    (25, None)
    """
    for usage in (message.get("usage"), at(message, "extra", "response", "usage")):
        for details in ("completion_tokens_details", "output_tokens_details"):
            found = at(usage, details, "reasoning_tokens")
            if isinstance(found, int):
                return found
    return None


class Ledger:
    """Sums over the turns of an edited history."""

    def __init__(self, edited: Edited) -> None:
        self._edited = edited
        lost = [_lost(pairs) for pairs in edited.after]
        self._blocks, self._characters, self._tokens, self._unknown = (
            list(accumulate((row[column] for row in lost), initial=0)) for column in range(4)
        )
        self._first_change = edited.first_change
        sizes = (len(msgspec.json.encode(message).decode()) + 1 for message in edited.history.messages)
        self._sizes = list(accumulate(sizes, initial=0))

    def row(self, number: int, first: int) -> Removed:
        """Give what request `number` lacks."""
        history = self._edited.history
        fixed, end = self._edited.fixed_from(number, first), history.end(number)
        turns = history.turn_of[fixed - 1] + 1 if fixed else 0
        if turns and not self._edited.changes_turn(turns - 1, number):
            turns -= 1
        same = self._first_change if self._blocks[turns] else end
        tokens = None if self._unknown[turns] else self._tokens[turns]
        return Removed(number, end, self._blocks[turns], self._characters[turns], tokens, same, self._sizes[same])

    def rows(self, first: int) -> Iterator[Removed]:
        """Give a row for each request from `first` on, up to the last that was sent."""
        last = max(self._edited.history.turns - 1, first)
        return (self.row(number, first) for number in range(first, last + 1))


def _lost(pairs: Sequence[tuple[Message, Message | None]]) -> tuple[int, int, int, int]:
    """Give blocks, characters and known tokens that a turn loses, and whether its tokens are not known."""
    if all(made is message for message, made in pairs):
        return 0, 0, 0, 0
    before = sum(len(reasoning_of(message) or "") for message, _ in pairs)
    after = sum(len(reasoning_of(made) or "") for _, made in pairs if made is not None)
    known = [found for message, _ in pairs if (found := tokens_of(message)) is not None]
    return (1, before - after, 0, 1) if after or not known else (1, before - after, sum(known), 0)
