"""What other groups would have chosen, and how that would have done."""

from dataclasses import dataclass

from calib.statistics._rates import Share, Thresholds


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
