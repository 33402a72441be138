"""How far the numbers of a sweep can be trusted: plain values that reports and gates read and none computes.

Field names are the keys of the object `statistics` of `calib report --to json`; `dataclasses.asdict` makes it.
None is "not computed"; `Statistics.why` then has the reason under the name of the field. Shares are pairs
(x, n), never quotients. A group of None is what records no value, `(none)`.
"""

from dataclasses import dataclass, field
from typing import Literal

Share = tuple[int, int]
"""x of n."""
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


@dataclass(frozen=True)
class Fold:
    """One group held out: the point chosen without it (None: no choice), and what that does to the group."""

    group: str | None
    point: Thresholds | None
    passed: int
    turn_limit: int
    caught: int | None
    false_fires: int | None


@dataclass(frozen=True)
class HeldOut:
    """Sums over the groups for which a point could be chosen; the unknown ones are in no numerator."""

    caught: Share
    false_fires: Share
    unknown_turn_limit: int
    unknown_passed: int


@dataclass(frozen=True)
class Optimism:
    """In-sample share less held-out share; negative false fires: the sample flattered. None: no share."""

    caught: float | None
    false_fires: float | None


@dataclass(frozen=True)
class LeaveOneOut:
    """Choose without one group, by the closest pass, and tally on it, for every group of `by`."""

    by: str
    folds: tuple[Fold, ...]
    held_out: HeldOut
    in_sample: HeldOut
    """The closest pass of all groups on all groups, for comparison."""
    optimism: Optimism


@dataclass(frozen=True)
class Cell:
    """A point tallied on the episodes of one group."""

    caught: Share
    false_fires: Share


@dataclass(frozen=True)
class TransferRow:
    """The point chosen on one group (None: no choice, no cells) and what it does to each group, in order."""

    group: str | None
    point: Thresholds | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Transfer:
    """Choose on the group of the row, tally on the group of the column; the diagonal is in sample."""

    by: str
    groups: tuple[str | None, ...]
    rows: tuple[TransferRow, ...]


@dataclass(frozen=True)
class Percentiles:
    """The smallest thresholds that resampled groups stay at or below with probability 5, 50 and 95 %."""

    p05: int
    p50: int
    p95: int


@dataclass(frozen=True)
class Resampling:
    """The thresholds if `groups` groups were drawn with replacement, computed exactly: sensitivity, no interval."""

    by: str
    groups: int
    percentiles: dict[str, Percentiles]
    probability_unchanged: float | None
    """None: the closest pass belongs to a group in which some detector saw no passed episode."""


@dataclass(frozen=True)
class Relabelled:
    """One label changed alone: what the closest pass would then choose, and do. None: no choice."""

    episode_id: str
    label: str
    becomes: str
    point: Thresholds | None
    caught: int | None
    false_fires: int | None


@dataclass(frozen=True)
class Influence:
    """The single labels that decide the thresholds: how many do, and those that move them most."""

    labels: int
    largest: tuple[Relabelled, ...]


@dataclass(frozen=True)
class Closing:
    """How many single labels, were they wrong, would close a detector's plateau; the first by id."""

    labels: int
    episode_ids: tuple[str, ...]


@dataclass(frozen=True)
class Per1000:
    """Expected of 1,000 episodes; `false_fires` is at most."""

    turn_limit: float
    caught: float
    false_fires: float
    turns_after_fire: float


@dataclass(frozen=True)
class Cost:
    """What the guard is worth, in turns. `prevalence` is the share of turn_limit among turn_limit and passed.

    `break_even_cost`: it pays as long as a false fire costs less than so many turns; None: its bound is 0.
    `break_even_prevalence`: if a false fire costs `run` turns (a whole run), it pays above this prevalence.
    """

    prevalence: float
    turns_per_turn_limit: float
    rate_bound: float
    per_1000: Per1000
    break_even_cost: float | None
    run: int | None
    break_even_prevalence: float | None


@dataclass(frozen=True)
class Baseline:
    """What a rule without a look at the transcript does: `never`, `always` or `turn_count@k`."""

    point: str
    caught: int
    false_fires: int
    other_fires: int
    turns_after_fire: int


@dataclass(frozen=True)
class Baselines:
    """`turn_count` at its closest-pass threshold with the point's own false fires as budget (None: no passed)."""

    never: Baseline
    always: Baseline
    turn_count: Baseline | None
    beats_turn_count: bool | None


@dataclass(frozen=True)
class Paired:
    """Two points on the same episodes of one label: which fire at all, and which earlier where both do.

    The p values are exact and two-sided; None when nothing differs.
    """

    only_first: int
    only_second: int
    both: int
    neither: int
    p: float | None
    earlier: int
    later: int
    same_turn: int
    p_earlier: float | None


@dataclass(frozen=True)
class PairedLabels:
    """A paired comparison for each counted label."""

    turn_limit: Paired
    passed: Paired
    failed: Paired


@dataclass(frozen=True)
class Contribution:
    """What dropping one trigger loses, and of the caught episodes how many it fires first in, alone or tied."""

    caught: int
    false_fires: int
    other_fires: int
    first_alone: int
    tied: int


@dataclass(frozen=True)
class Statistics:
    """The object `statistics`, but for `gate` and `plan`, which are the verdict's.

    `partition`: by label, then by "point" or detector. `at_risk_turns` and `at_risk_upper` (described, never
    gated) are of the passed episodes, by "point" or detector. `caught`, `false_fires` and `other_fires` are on
    the declared `unit`; `by_unit` has those of every unit that the report speaks of, `episode` first.
    """

    confidence: float
    unit: Unit
    chosen: Literal["here", "before"]
    partition: dict[str, dict[str, Status]]
    at_risk_turns: dict[str, int]
    at_risk_upper: dict[str, float | None]
    reachability: tuple[Reachability, ...]
    caught: Rate
    false_fires: Rate
    other_fires: Rate
    by_unit: dict[str, Rates]
    guarantee: dict[str, Guarantee] | None = None
    horizon: tuple[Horizon, ...] | None = None
    leave_one_out: LeaveOneOut | None = None
    transfer: Transfer | None = None
    resampling: Resampling | None = None
    influence: Influence | None = None
    label_path: dict[str, list[int]] | None = None
    """By detector: the threshold if the 0, 1, … 5 closest passes were wrongly called passed."""
    closing_labels: dict[str, Closing] | None = None
    label_noise: None = None
    cost: Cost | None = None
    baselines: Baselines | None = None
    paired_with_turn_count: PairedLabels | None = None
    contribution: dict[str, Contribution] | None = None
    why: dict[str, str] = field(default_factory=dict)
