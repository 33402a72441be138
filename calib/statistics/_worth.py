"""What a point is worth against its cost, against rules that look at nothing, and trigger by trigger."""

from dataclasses import dataclass


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
