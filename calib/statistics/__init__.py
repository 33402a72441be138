"""How far the numbers of a sweep can be trusted: plain values that reports and gates read and none computes.

Field names are the keys of the object `statistics` of `calib report --to json`; `dataclasses.asdict` makes it.
None is "not computed"; `Statistics.why` then has the reason under the name of the field. Shares are pairs
(x, n), never quotients. A group of None is what records no value, `(none)`.
"""

from dataclasses import dataclass, field
from typing import Literal

from calib.statistics._groups import (
    Cell,
    Fold,
    HeldOut,
    LeaveOneOut,
    Optimism,
    Percentiles,
    Resampling,
    Transfer,
    TransferRow,
)
from calib.statistics._labels import (
    Closing,
    Influence,
    LabelNoise,
    Relabelled,
)
from calib.statistics._rates import (
    Ahead,
    Guarantee,
    Horizon,
    Rate,
    Rates,
    Reachability,
    Reachable,
    Seen,
    Share,
    Status,
    Thresholds,
    TurnRate,
    Unit,
)
from calib.statistics._worth import (
    Baseline,
    Baselines,
    Contribution,
    Cost,
    Paired,
    PairedLabels,
    Per1000,
)

__all__ = [
    "Ahead",
    "Baseline",
    "Baselines",
    "Cell",
    "Closing",
    "Contribution",
    "Cost",
    "Fold",
    "Guarantee",
    "HeldOut",
    "Horizon",
    "Influence",
    "LabelNoise",
    "LeaveOneOut",
    "Optimism",
    "Paired",
    "PairedLabels",
    "Per1000",
    "Percentiles",
    "Rate",
    "Rates",
    "Reachability",
    "Reachable",
    "Relabelled",
    "Resampling",
    "Seen",
    "Share",
    "Statistics",
    "Status",
    "Thresholds",
    "Transfer",
    "TransferRow",
    "TurnRate",
    "Unit",
]


@dataclass(frozen=True)
class Statistics:
    """The object `statistics`, but for `gate` and `plan`, which are the verdict's.

    `partition`: by label, then by "point" or detector. `at_risk_turns`, `at_risk_turn_rate` (None without such a turn)
    and `at_risk_upper` (described, never gated) are of the passed episodes, by "point" or detector. `caught`,
    `false_fires` and `other_fires` are on the declared `unit`; `by_unit` has those of every unit that the report speaks
    of, `episode` first.
    """

    confidence: float
    unit: Unit
    chosen: Literal["here", "before"]
    partition: dict[str, dict[str, Status]]
    at_risk_turns: dict[str, int]
    at_risk_turn_rate: dict[str, TurnRate | None]
    at_risk_upper: dict[str, float | None]
    reachability: tuple[Reachability, ...]
    caught: Rate
    false_fires: Rate
    other_fires: Rate
    by_unit: dict[Unit, Rates]
    guarantee: dict[Unit, Guarantee] | None = None
    horizon: tuple[Horizon, ...] | None = None
    leave_one_out: LeaveOneOut | None = None
    transfer: Transfer | None = None
    resampling: Resampling | None = None
    influence: Influence | None = None
    label_path: dict[str, list[int]] | None = None
    """By detector: the threshold if the 0, 1, … 5 closest passes were wrongly called passed."""
    closing_labels: dict[str, Closing] | None = None
    label_noise: tuple[LabelNoise, ...] | None = None
    cost: Cost | None = None
    baselines: Baselines | None = None
    paired_with_turn_count: PairedLabels | None = None
    contribution: dict[str, Contribution] | None = None
    why: dict[str, str] = field(default_factory=dict)
