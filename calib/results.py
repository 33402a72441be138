"""What a sweep found: plain values that every report, plot and gate reads and none computes.

A threshold axis runs from 1 to `top`, one above the highest peak of any counted episode, where the
detector never fires. `high` and `width` are None when a plateau reaches `top`: any higher value does
the same.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from calib.point import Point
from calib.statistics import Statistics

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
    """Episodes of each label that did not fire and could not be observed: never counted as silent."""

    turn_limit: int = 0
    passed: int = 0
    failed: int = 0


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
class Curve:
    """One detector alone: fires of each label at each threshold from 1 to `top`."""

    thresholds: list[int]
    caught: list[int]
    false_fires: list[int]
    other_fires: list[int]


@dataclass(frozen=True)
class Lost:
    """What ingest could not keep, over the whole corpus."""

    records: int = 0
    bytes: int = 0
    of_bytes: int = 0
    by_code: dict[str, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Share of the input bytes that were rejected."""
        return self.bytes / self.of_bytes if self.of_bytes else 0.0


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
    far_corner: Tally | None
    support: dict[str, Support]
    near_misses: tuple[NearMiss, ...]
    operating_points: tuple[OperatingPoint, ...]
    curves: dict[str, Curve]
    tops: dict[str, int]
    not_observable: dict[str, int]
    warnings: tuple[str, ...]
    lost: Lost
    episodes: "pl.DataFrame"
    surface: "pl.DataFrame"
    could_save: Savings | None = None
    """What an edit could save at most; None where nobody looked into the corpus for it."""


@dataclass(frozen=True)
class Bound:
    """A share with its exact one-sided bounds; None where nothing can be said."""

    fired: int
    unknown: int
    n: int
    lower: float | None
    upper: float | None
    upper_if_before: float | None = None
    """For a point chosen here: the plain bound that a point fixed before would have."""
    confidence: float = 0.95
    """What each end holds with: the declared confidence, or more where one of several checks may err."""


@dataclass(frozen=True)
class Drift:
    """How one detector's later peaks compare with those the point was chosen on; passed episodes it could observe.

    `above` of the `later` episodes went higher than `highest`, the highest of the `calibrated` ones; `p` is the
    probability of at least so many if nothing changed.
    """

    detector: str
    calibrated: int
    highest: int
    later: int
    above: int
    p: float


@dataclass(frozen=True)
class HeldOut:
    """The episodes a point was chosen on, against those it is judged on.

    `shared` of the present episodes are among the `calibrated` ones, by content. `rule` chose the point.
    """

    data: str
    rule: str
    calibrated: int
    shared: int
    drift: tuple[Drift, ...]


@dataclass(frozen=True)
class LimitResult:
    """One limit of the gate: its name, the limit (a number, and as written), what was found, and its verdict.

    `name` carries the detector where there is one limit for each: `min_plateau_width.repeated_plan`.
    """

    name: str
    limit: float
    limit_text: str
    found: str
    verdict: Literal["PASS", "FAIL", "INCONCLUSIVE"]

    @property
    def line(self) -> str:
        """Give the limit as one line: `PASS max_false_fire_rate 1 %: 0 of 635, at most 0.745 %`."""
        return f"{self.verdict} {self.name} {self.limit_text}: {self.found}"


@dataclass(frozen=True)
class Verdict:
    """The gate's answer; `exit_code` and `line` come from one function."""

    verdict: Literal["PASS", "FAIL", "INCONCLUSIVE", "nothing gated"]
    exit_code: int
    line: str
    limits: tuple[LimitResult, ...] = ()


@dataclass(frozen=True)
class Moved:
    """What changed against a stored report: one line each, episodes by name."""

    lines: tuple[str, ...]
    baseline_signature: str


@dataclass(frozen=True)
class Report:
    """A sweep with its bounds, its gate and its comparison: the one value every report prints."""

    sweep: Sweep
    bounds: dict[str, Bound]
    """`caught`, `false_fires`, `other_fires`."""
    verdict: Verdict
    moved: Moved | None = None
    statistics: Statistics | None = None
    held: HeldOut | None = None
    """None where it is not on record which episodes the point was chosen on."""
    refused: str = ""
    """Why a point that was claimed to be fixed before counts as chosen here; empty where it was not claimed."""
