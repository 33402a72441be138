"""Which labels decide, and what wrong ones could do."""

from dataclasses import dataclass

from calib.statistics._rates import Share, Thresholds


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
class LabelNoise:
    """The least and the greatest that each share could be if at most `share` of each kind of label were wrong.

    `wrong`: how many labels of each kind that is. Over every way to give so many another counted label; what could
    not be observed counts as silent in the least and as fired in the greatest. A share of 0 units is (0, 0).
    """

    share: float
    wrong: dict[str, int]
    least_caught: Share
    greatest_caught: Share
    least_false_fires: Share
    greatest_false_fires: Share
