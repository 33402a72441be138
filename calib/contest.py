"""What a duel found: plain values that its reports and its plot read and none computes."""

from dataclasses import dataclass

from calib.point import Point
from calib.results import Counts, FireTurns, Lost, Tally, Unknown


@dataclass(frozen=True)
class DuelSide:
    """One rule of a duel at one point."""

    point: Point
    tally: Tally
    of: Unknown
    """How many episodes of each label it could be observed in, or fired in."""
    at_most: float
    """Upper bound of the share of passed episodes it fires in; adjusted where the point was chosen on them."""
    fire_turn: FireTurns
    turns_after_fire: int
    beats_turn_count: bool
    """Does it save more turns of turn_limit episodes than a plain turn limit with as few false fires?"""
    first: int = 0
    """turn_limit episodes in which no rival fired before it."""
    only: int = 0
    """turn_limit episodes that no rival catches."""
    only_episodes: tuple[str, ...] = ()
    """The first of them by id."""
    given: bool = False
    """Are these thresholds the user's, not published ones? Then they count as chosen on these episodes."""


@dataclass(frozen=True)
class Contender:
    """One rule of a duel. A side is None where no threshold was published, or no passed episode can be observed."""

    name: str
    published: DuelSide | None
    closest: DuelSide | None
    hidden: Unknown
    """Episodes of each label in which it is not observable."""
    measure: bool = False
    """`always`, `never` and `turn_count` are no rivals."""
    called: bool = True
    """Does some episode make a call that it looks at? Where none does, that it fires nowhere says nothing of it."""


@dataclass(frozen=True)
class Duel:
    """Rules on the same episodes, the best first."""

    counts: Counts
    confidence: float
    data: str
    contenders: tuple[Contender, ...]
    lost: Lost
    differ: int | None = None
    """How many passed episodes bounds count, where too many look like copies of others."""
