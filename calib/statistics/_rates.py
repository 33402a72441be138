"""Rates with their bounds, who could have fired at all, and what the closest pass guarantees."""

from dataclasses import dataclass
from typing import Literal

Share = tuple[int, int]
"""x of n."""
Seen = tuple[int, int, int]
"""Fired, unknown and all."""
Unit = Literal["episode", "task", "model", "arm"]
"""What is taken as drawn independently from one population."""
Thresholds = dict[str, int]
"""Threshold by detector, in the order of the triggers."""
Reachable = Literal[
    "not observable", "tool never called", "cannot fire", "no episode long enough", "last turn only", "reachable"
]


@dataclass(frozen=True)
class Rate:
    """A share of units: what is known of it, and exact bounds at the declared confidence.

    The lower bounds take the `unknown` units as silent, the upper ones as fired. All bounds are None when
    there is no unit, or none that could be observed.
    """

    n: int
    fired: int
    unknown: int
    least: Share
    most: Share
    known_only: Share
    two_sided: tuple[float, float] | None
    one_sided_lower: float | None
    one_sided_upper: float | None
    adjusted_upper: float | None = None
    """False fires of a point chosen here: holds however the point was picked. None: the plain bound is due."""
    adjusted_lower: float | None = None
    """Caught of a point picked here by another rule than the closest pass. None: the plain bound is due."""
    distinct: Seen | None = None
    """Fired, unknown and all with each content counted once; None where episodes do not repeat others."""

    @property
    def counted(self) -> Seen:
        """Fired, unknown and all as the bounds count them."""
        return self.distinct or (self.fired, self.unknown, self.n)

    @property
    def upper(self) -> float | None:
        """The upper bound that is due."""
        return self.one_sided_upper if self.adjusted_upper is None else self.adjusted_upper

    @property
    def lower(self) -> float | None:
        """The lower bound that is due."""
        return self.one_sided_lower if self.adjusted_lower is None else self.adjusted_lower


@dataclass(frozen=True)
class Rates:
    """The three shares on one unit.

    A task (model, arm) counts as a false fire when one of its passed episodes fires, as another fire when one
    of its failed episodes does, and as caught only when all of its turn_limit episodes are.
    """

    caught: Rate
    false_fires: Rate
    other_fires: Rate


@dataclass(frozen=True)
class Status:
    """Episodes of one label at one trigger or at the point.

    fired + at_risk_silent + too_short + unknown is the number of episodes; at_risk = fired + at_risk_silent.
    """

    fired: int
    at_risk_silent: int
    too_short: int
    unknown: int
    at_risk: int


@dataclass(frozen=True)
class TurnRate:
    """Fires per 1,000 turns at risk if they come at a constant rate: a description, never gated or compared.

    An episode adds at most one fire, and `turns` depends on the threshold.
    """

    fired: int
    turns: int
    two_sided: tuple[float, float]
    one_sided_upper: float


@dataclass(frozen=True)
class Reachability:
    """Can a trigger fire under one turn limit (None: none recorded, judged by the longest episode)?"""

    detector: str
    threshold: int
    turn_limit: int | None
    status: Reachable
    highest_level: int | None
    """The level that the turn limit allows; None: the detector cannot say."""
    earliest_fire_turn: int | None
    turns_left: int | None


@dataclass(frozen=True)
class Guarantee:
    """What the closest-pass rule promises on one unit.

    `budgets`: by detector, how many of the highest peaks were declared to be disregarded. `marginal`: a new
    passed unit fires with at most this probability, on average. `conditional_upper`: the false-fire rate of
    this very point is at most this, at the declared confidence.
    """

    n: int
    budgets: dict[str, int]
    M: int
    marginal: float
    conditional_upper: float


@dataclass(frozen=True)
class Ahead:
    """At least one of the next `units` passed units fires with at most this probability."""

    units: int
    at_least_one: float


@dataclass(frozen=True)
class Horizon:
    """False fires to come. `basis`: the guarantee of the closest pass, or the plain bound of a rate."""

    unit: Unit
    basis: Literal["closest_pass", "bound"]
    ahead: tuple[Ahead, ...]
    units_to_a_false_fire: float | None
    """On average at least so many passed units to a false fire; None: the bound is 0."""
