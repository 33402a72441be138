"""Which of several episodes of one id counts, and whether one is a longer copy of another.

A session that went on is often kept twice: as it was, and as it is; and a sub-agent is told in short in the file of its
parent. The longest copy is the episode. Copies are told by what a corpus stores with and without text: the lengths,
equalities and tools of each turn.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

import msgspec

COLUMNS = (
    "reasoning_state", "reasoning_chars", "same_reasoning_as", "text_chars", "same_text_as", "tools", "same_calls_as",
)  # fmt: skip
"""The columns of `turns` that tell copies."""
PLACES = (1, 3, 4, 6, 7, 8, 10)
"""Where they stand in `Episode.turns`."""
TOKEN = 8


class Said(Protocol):
    """An episode that claims an id: a hash of all that is said of it, and its chain."""

    @property
    def content(self) -> str: ...  # noqa: D102
    @property
    def chain(self) -> str: ...  # noqa: D102


T = TypeVar("T", bound=Said)


def chain_of(task: str | None, arm: str | None, turns: Iterable[Sequence[Any]]) -> str:
    """Give 8 hexadecimal digits for what the episode is about, and for each turn 4 for its reasoning, 4 for the rest.

    A turn without the field of reasoning reads `absent` or `empty`, as its later turns have it; here it is one.
    """
    found = [blake2b(msgspec.json.encode((task, arm)), digest_size=4).hexdigest()]
    for state, *values in turns:
        thought = ("" if state in ("absent", "empty") else state, *values[:2])
        found += (blake2b(msgspec.json.encode(part), digest_size=2).hexdigest() for part in (thought, values[2:]))
    return "".join(found)


def extends(longer: str, shorter: str) -> bool:
    """Tell whether an episode goes on where another ends; the last turn of that may be unfinished.

    >>> first, second = ("recorded", 3, 0, 0, None, ["f"], 0), ("recorded", 5, 1, 0, None, [], None)
    >>> one, two = (chain_of("t", None, turns) for turns in ([first], [first, second]))
    >>> extends(two, one), extends(one, two), extends(one, one)
    (True, False, False)
    """
    if len(longer) <= len(shorter):
        return False
    whole = shorter if len(shorter) <= 2 * TOKEN else shorter[: -TOKEN // 2]
    return longer.startswith(whole)


def chosen(claims: Sequence[T]) -> T:
    """Choose of the episodes of one id, in the order of (source, line): the longest copy of the first."""
    first = claims[0]
    longer = [one for one in claims if extends(one.chain, first.chain)]
    return max([first, *longer], key=lambda one: len(one.chain))


def fate(source: str, line: int, winner: Said, other: Said) -> tuple[str, str]:
    """Give code and reason for an episode whose id another one, at `source`:`line`, has."""
    if winner.content == other.content:
        return "duplicate-episode", f"the same episode stands at {source}:{line}"
    if extends(winner.chain, other.chain):
        return "duplicate-episode", f"a longer copy of the episode stands at {source}:{line}"
    return "episode-id-conflict", f"another episode of this id stands at {source}:{line}"
