"""What a sweep found, by label, threshold and episode."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from calib.point import Point
from calib.results._lost import Lost

if TYPE_CHECKING:
    import polars as pl

Chosen = Literal["here", "before"]
"""Was the point chosen on these episodes (adjusted bounds) or fixed before (plain bounds)?"""


@dataclass(frozen=True)
class Counts:
    """Episodes by label, after selection; `excluded` were left out by --where and --exclude."""

    turn_limit: int = 0
    passed: int = 0
    failed: int = 0
    censored: int = 0
    unlabelled: int = 0
    excluded: int = 0

    @property
    def episodes(self) -> int:
        """Episodes that were selected."""
        return self.turn_limit + self.passed + self.failed + self.censored + self.unlabelled


@dataclass(frozen=True)
class Tally:
    """What a point does to each label. Tallies of disjoint groups add up."""

    caught: int = 0
    missed: int = 0
    false_fires: int = 0
    other_fires: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.caught + other.caught,
            self.missed + other.missed,
            self.false_fires + other.false_fires,
            self.other_fires + other.other_fires,
        )


@dataclass(frozen=True)
class Unknown:
    """Episodes of each label that did not fire, could have, and were not observable: never counted as silent."""

    turn_limit: int = 0
    passed: int = 0
    failed: int = 0


@dataclass(frozen=True)
class Distinct:
    """Episodes of a label with each content counted once, however many names it stands under."""

    fired: int
    unknown: int
    n: int


@dataclass(frozen=True)
class FireTurns:
    """Fire turns of the caught episodes; None when nothing was caught. An even median is a mean of two."""

    min: int | None = None
    median: float | None = None
    max: int | None = None


@dataclass(frozen=True)
class Savings:
    """What the `caught` episodes took after their fires: the most that an edit could save, for a stop saves all of it.

    `tokens` and `seconds` are sums over the `tokens_of` and `seconds_of` episodes that recorded them, None over none.
    """

    caught: int
    turns: int
    tokens: int | None
    tokens_of: int
    seconds: float | None
    seconds_of: int


@dataclass(frozen=True)
class Plateau:
    """The longest run of thresholds around the point's with its (caught, false fires), others held."""

    low: int
    high: int | None
    width: int | None
    below: str = ""
    """What one step below `low` does, in words: `one more false fire`; empty when low is 1."""
    above: str = ""
    """What one step above `high` does, in words: `one caught fewer`; empty when high is None."""


@dataclass(frozen=True)
class SupportEpisode:
    """An episode that ends a plateau; `ties` counts all that share its peak."""

    episode_id: str
    peak: int
    ties: int = 1


@dataclass(frozen=True)
class Support:
    """The episodes on either side of a threshold, and the steps to each (None: no such episode)."""

    closest_pass: SupportEpisode | None = None
    first_loss: SupportEpisode | None = None
    margin_below: int | None = None
    margin_above: int | None = None


@dataclass(frozen=True)
class Rectangle:
    """The largest block of pairs around the point with its (caught, false fires), both ends included."""

    low: dict[str, int]
    high: dict[str, int | None]
    pairs: int


@dataclass(frozen=True)
class Region:
    """All pairs reached from the point by single steps with its (caught, false fires); `low` and `high` span them."""

    low: dict[str, int]
    high: dict[str, int | None]
    pairs: int


@dataclass(frozen=True)
class NearMiss:
    """Episodes `steps` short of a change if one detector's threshold moved.

    `kind`: `false_fire` and `catch` if lowered by `steps`, `loss` if raised by `steps`.
    """

    detector: str
    kind: Literal["false_fire", "catch", "loss"]
    steps: int
    episode_ids: tuple[str, ...]


@dataclass(frozen=True)
class OperatingPoint:
    """A row of the table of points worth knowing; `spelling` is the point, `never`, `always` or `turn_count@k`."""

    name: str
    spelling: str
    tally: Tally
    fire_turn: FireTurns
    turns_after_fire: int


@dataclass(frozen=True)
class CostBand:
    """The point worth most while a false fire costs from `low` to below `high` turns (None: any more).

    Costs are exact, as numerator and denominator.
    """

    low: tuple[int, int]
    high: tuple[int, int] | None
    point: dict[str, int]
    false_fires: int
    turns_after_fire: int


@dataclass(frozen=True)
class Curve:
    """One detector alone: fires of each label at each threshold from 1 to `top`."""

    thresholds: list[int]
    caught: list[int]
    false_fires: list[int]
    other_fires: list[int]

    @property
    def closest_pass(self) -> int | None:
        """The lowest threshold without a false fire."""
        return next((k for k, n in zip(self.thresholds, self.false_fires, strict=True) if not n), None)


@dataclass(frozen=True)
class Sweep:
    """Everything one sweep found.

    `episodes`: one row per selected episode, sorted by id: `episode_id`, `label`, `n_turns`, `fire_turn`,
    `fired_by` and `<detector>_peak`, `_fire_turn`, `_observable`.
    `surface`: one row per threshold combination (see the contract in README).
    `group`: `model=x` when this is one table of `--by model`, else empty.
    `data`: SHA-256 over what the numbers rest on; the signature ends with its first digits.
    """

    signature: str
    data: str
    group: str
    counts: Counts
    point: Point
    rule: Literal["closest_pass", "given", "published"]
    """How the point came about; `published`: nothing passed that every detector could observe, so nothing chose."""
    chosen: Chosen
    confidence: float
    tally: Tally
    unknown: Unknown
    fire_turn: FireTurns
    turns_after_fire: int
    plateaus: dict[str, Plateau]
    rectangle: Rectangle | None
    region: Region | None
    far_corner: Tally | None
    support: dict[str, Support]
    near_misses: tuple[NearMiss, ...]
    operating_points: tuple[OperatingPoint, ...]
    cost_bands: tuple[CostBand, ...]
    """Of the thresholds swept; empty without turn_limit or without passed episodes."""
    curves: dict[str, Curve]
    tops: dict[str, int]
    not_observable: dict[str, int]
    warnings: tuple[str, ...]
    lost: Lost
    episodes: "pl.DataFrame"
    surface: "pl.DataFrame"
    distinct: Mapping[str, Distinct] = field(default_factory=dict)
    """What bounds count, by label, where too many episodes of a label repeat others; other labels are not in it."""
    could_save: Savings | None = None
    """What an edit could save at most; None where nobody looked into the corpus for it."""

    def seen(self, label: str) -> tuple[int, int, int]:
        """Give fired, unknown and all episodes of a label: `turn_limit`, `passed` or `failed`."""
        tally, unknown, counts = self.tally, self.unknown, self.counts
        return {
            "turn_limit": (tally.caught, unknown.turn_limit, counts.turn_limit),
            "passed": (tally.false_fires, unknown.passed, counts.passed),
            "failed": (tally.other_fires, unknown.failed, counts.failed),
        }[label]

    def blind(self, label: str) -> list[str]:
        """List the triggers of the point that could be observed in no episode of a label, where there is one."""
        its = self.episodes.filter(self.episodes["label"] == label)
        return [name for name in self.point.thresholds if len(its) and not its[f"{name}_observable"].any()]

    def counted(self, label: str) -> tuple[int, int, int]:
        """Give the same as bounds count it: each content once where too many episodes repeat others."""
        once = self.distinct.get(label)
        return (once.fired, once.unknown, once.n) if once else self.seen(label)
