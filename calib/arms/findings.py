"""The words of a comparison: levels, amounts, flips, sides."""

from dataclasses import dataclass, field

from calib.arms.runs import Design, LeftOut
from calib.arms.viable import Rule, Viability
from calib.stats.paired import MeanDifference, Sides

Key = tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """The verdicts of one level. `decides` is False when no outcome of so many units could be significant.

    `unknown` counts the pairs that belong to no unit, for nobody recorded their cluster.
    """

    name: str
    sides: Sides
    decides: bool
    unknown: int = 0

    @property
    def units(self) -> int:
        """How many units there are."""
        return self.sides.better + self.sides.worse + self.sides.same


@dataclass(frozen=True)
class Measure:
    """An amount in both arms. `change` is that of the mean; the paired fields are None where nothing is paired.

    `more` counts the pairs in which the new arm took more, `n` the runs of each side that recorded it.
    """

    name: str
    n: tuple[int, int]
    sums: tuple[float, float]
    means: tuple[float, float]
    change: float | None
    within_spread: bool
    difference: MeanDifference | None = None
    more: int | None = None


@dataclass(frozen=True)
class Flip:
    """A pair in which one arm passes and the other does not, with the episodes of both and their fire turns."""

    key: Key
    episodes: tuple[str, str]
    better: bool
    fire_turns: tuple[int | None, int | None]


@dataclass(frozen=True)
class Side:
    """One arm: its runs, its passes among those with a verdict, how many fired at all and again (None: not known).

    `not_observable` counts the runs that count as neither fired nor silent, for the point sees nothing in them.
    """

    name: str
    runs: int
    judged: int
    passed: int
    fired: int | None
    fired_again: int | None
    not_observable: int = 0


@dataclass(frozen=True)
class Versus:
    """An arm against the old one. `alone` lists the keys of each that have no partner, `not_run` those without verdict.

    `levels` and `again` (the pairs in which only one side fires again) are empty where nothing is paired.
    """

    old: str
    new: str
    pairs: int
    alone: tuple[tuple[Key, ...], tuple[Key, ...]]
    not_run: tuple[Key, ...]
    levels: tuple[Level, ...]
    again: Sides | None
    measures: tuple[Measure, ...]
    outcomes_differ: bool
    flips: tuple[Flip, ...]


@dataclass(frozen=True)
class Comparison:
    """All arms, each against the baseline, and the verdicts of a rule declared before."""

    design: Design
    arms: tuple[Side, ...]
    versus: tuple[Versus, ...]
    unkeyed: int
    """Runs that lack a value of a pairing key and were left out."""
    rule: Rule | None = None
    viable: tuple[Viability, ...] = ()
    left_out: LeftOut = field(default_factory=LeftOut)
