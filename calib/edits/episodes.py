"""Episodes of dumps under an edit: where the edit begins, the requests as JSON, and the account of each episode."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from operator import is_not
from typing import Any

import msgspec

from calib.detectors import Detector
from calib.edits._providers import Provider, usual
from calib.edits.account import Account, Ledger
from calib.edits.dumps import Saved
from calib.edits.fires import fire_turns, told
from calib.edits.requests import Edit, Edited, cut_loops
from calib.formats._codes import Rejected
from calib.formats._talk import Episode
from calib.point import Point
from calib.tools import Map

BATCH = 64
"""Episodes that are scored at a time."""


@dataclass(frozen=True)
class Wish:
    """What is wanted: the edit, the provider's rules (None: those that the history suggests), and where it begins.

    The edit begins after `turn`, else after the turn at which `point` fires; `own` are the detectors of calib.toml.
    `chunk` is the size of the pieces in which the edit `guard` reads a block, 0 for the whole.
    """

    by: str
    provider: Provider | None
    point: Point | None
    turn: int | None
    reads: Map
    own: Mapping[str, Detector] = field(default_factory=dict)
    chunk: int = 0


@dataclass
class Plan:
    """An episode with the turn after which its history is edited; None for never."""

    saved: Saved
    fire_turn: int | None
    edited: Edited
    wish: Wish

    @property
    def first(self) -> int:
        """The first request that is edited; beyond all when nothing fires."""
        return self.edited.history.turns + 1 if self.fire_turn is None else self.fire_turn + 1

    def sent(self, numbers: Sequence[int] | None = None) -> Iterator[dict[str, Any]]:
        """Give requests by number, each as a JSON object: the episode's id, the number, what else was sent, messages.

        Without numbers the first one that is edited, none when nothing fires.
        """
        turns = self.edited.history.turns
        wanted = ([self.first] if self.first <= turns else []) if numbers is None else numbers
        for number in wanted:
            if number <= turns:
                messages = self.edited.request(number, self.first)
                name = {"episode_id": self.saved.episode_id, "request": number}
                yield {**name, **self.saved.body, self.saved.place: messages}

    def edits(self, number: int) -> bool:
        """Tell whether a request differs from what was sent."""
        history = self.edited.history
        before, now = history.messages[: history.end(number)], self.edited.request(number, self.first)
        return len(now) != len(before) or any(map(is_not, now, before))

    def all_numbers(self) -> range:
        """Number every request that was sent, and the one after the fire turn."""
        turns = self.edited.history.turns
        return range(max(turns, self.first + 1 if self.first <= turns else 0))


def plans(found: Iterable[Saved], wish: Wish, problem: Callable[[str], None] = print) -> Iterator[Plan]:
    """Decide for each history where its edit begins; a few are held at a time.

    `problem` is told of histories that are passed over because a message of theirs cannot be read.
    """
    stream = iter(found)
    while batch := list(islice(stream, BATCH)):
        read = [(saved, episode) for saved in batch if (episode := _told(saved, problem)) is not None]
        turns = _turns([episode for _, episode in read], wish)
        for (saved, _), turn in zip(read, turns, strict=True):
            rules = wish.provider or usual(saved.messages)
            history = saved.history
            yield Plan(saved, turn, Edited(history, Edit(wish.by, rules, partial(cut_loops, chunk=wish.chunk))), wish)


def _told(saved: Saved, problem: Callable[[str], None]) -> Episode | None:
    try:
        return told(saved.messages, saved.format)
    except Rejected as error:
        problem(f"episode {saved.episode_id[:80]}: {error.code}; passed over")
        return None


def _turns(episodes: Sequence[Episode], wish: Wish) -> list[int | None]:
    if wish.point is not None:
        return fire_turns(episodes, wish.point, wish.reads, wish.own)
    return [wish.turn if wish.turn is not None and wish.turn < len(one.turns) else None for one in episodes]


def accounts(made: Iterable[Plan]) -> Iterator[Account]:
    """Count for each episode what its edit takes out of each request."""
    stream = iter(made)
    while batch := list(islice(stream, BATCH)):
        fired = [plan for plan in batch if plan.fire_turn is not None]
        again = dict(zip(map(id, fired), _again(fired), strict=True))
        for plan in batch:
            edited = plan.edited
            rows = tuple(Ledger(edited).rows(plan.first)) if plan.fire_turn is not None else ()
            yield Account(
                plan.saved.episode_id, edited.history.turns, edited.edit.by, edited.edit.provider.name,
                plan.fire_turn, rows, again.get(id(plan)),
            )  # fmt: skip


def _again(fired: Sequence[Plan]) -> list[int | None]:
    """Tell where the operating point, begun anew after the fire turn, fires on what the edit leaves."""
    wish = fired[0].wish if fired else None
    if wish is None or wish.point is None:
        return [None] * len(fired)
    later = [told(plan.edited.view(plan.first), plan.saved.format) for plan in fired]
    return [
        None if turn is None else plan.first + turn
        for plan, turn in zip(fired, fire_turns(later, wish.point, wish.reads, wish.own), strict=True)
    ]


def encoded(request: dict[str, Any]) -> bytes:
    """Write a request as one line of JSON."""
    return msgspec.json.encode(request) + b"\n"
