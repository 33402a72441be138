"""What a report says of a sweep: its drift, its gate, what moved, how far to trust it."""

from dataclasses import dataclass
from typing import Literal

from calib.results._sweep import Chosen, Sweep
from calib.statistics import Rate, Statistics, Unit


@dataclass(frozen=True)
class Drift:
    """How one detector's later peaks compare with those the point was chosen on; passed episodes it could observe.

    `above` of the `later` episodes went higher than `highest`, the highest of the `calibrated` ones; `p` is the
    probability of at least so many if nothing changed, `sign` whether that is too little to be chance.
    """

    detector: str
    calibrated: int
    highest: int
    later: int
    above: int
    p: float
    sign: bool


@dataclass(frozen=True)
class Mix:
    """What kind of episodes they are: how many of each counted label, and the median of their turns (None: none)."""

    turn_limit: int
    passed: int
    failed: int
    median_turns: float | None


@dataclass(frozen=True)
class Calibrated:
    """The episodes a point was chosen on, against those it is judged on.

    `shared` of the present episodes are among the `calibrated` ones, by content, or go on where one of them ended.
    `rule` chose the `point`.
    """

    data: str
    rule: str
    point: dict[str, int]
    calibrated: int
    shared: int
    drift: tuple[Drift, ...]
    then: Mix | None
    """None in a record that does not say."""
    now: Mix
    changed: tuple[str, ...] = ()
    """The detectors of the point that count something else now: another rule, or other tools that read."""


@dataclass(frozen=True)
class Plan:
    """The fewest further episodes of a label until a limit passes, and the condition under which they do.

    `further` is None where no number of them will do; `said` is the whole in words.
    """

    label: str
    further: int | None
    condition: str
    said: str


@dataclass(frozen=True)
class Planned:
    """A limit and what would decide it, for a point fixed before or chosen on the episodes themselves."""

    limit: float
    chosen: Chosen
    plan: Plan


@dataclass(frozen=True)
class Outlook:
    """How far some counts are from limits. `share` is of a point of `triggers` triggers, of episodes of one label.

    Of caught episodes there is one plan a limit: the closest-pass rule never looks at them.
    """

    label: Literal["passed", "turn_limit"]
    confidence: float
    share: Rate
    triggers: int
    planned: tuple[Planned, ...]


@dataclass(frozen=True)
class LimitResult:
    """One limit of the gate: its name, the limit (a number, and as written), what was found, and its verdict.

    `name` carries the detector where there is one limit for each: `min_plateau_width.repeated_plan`. `plan` says
    what would decide an INCONCLUSIVE rate.
    """

    name: str
    limit: float
    limit_text: str
    found: str
    verdict: Literal["PASS", "FAIL", "INCONCLUSIVE"]
    plan: Plan | None = None

    @property
    def line(self) -> str:
        """Give the limit as one line: `PASS max_false_fire_rate 1 %: 0 of 635, at most 0.745 %`."""
        return f"{self.verdict} {self.name} {self.limit_text}: {self.found}"


@dataclass(frozen=True)
class Certified:
    """Which points chosen on these episodes keep a declared limit on false fires, all of them at once.

    Every point of the same `triggers` detectors with at most `budget` false fires among `n` units, what could not be
    observed counted as fired; None: not even one without any, which takes `needed` units. `pairs`: how many pairs of
    thresholds around the point that is known of; None for another number of detectors, or a point that is none of them.
    """

    limit: float
    unit: Unit
    n: int
    triggers: int
    budget: int | None
    needed: int | None
    pairs: int | None


@dataclass(frozen=True)
class Verdict:
    """The gate's answer; `exit_code` and `line` come from one function.

    `certified` is None for a point fixed before, and without a limit on the rate of false fires.
    """

    verdict: Literal["PASS", "FAIL", "INCONCLUSIVE", "nothing gated"]
    exit_code: int
    line: str
    limits: tuple[LimitResult, ...] = ()
    certified: Certified | None = None


@dataclass(frozen=True)
class Moved:
    """What changed against a stored report: one line each, episodes by name."""

    lines: tuple[str, ...]
    baseline_signature: str


@dataclass(frozen=True)
class Rung:
    """One step of trust: what is known there, and what it still needs (empty when it is reached)."""

    name: str
    reached: bool
    said: str
    needs: str


@dataclass(frozen=True)
class Ladder:
    """How far the numbers of a report can be trusted: `rung` is the highest below which none is missing, -1 none."""

    rung: int
    rungs: tuple[Rung, ...]

    @property
    def next(self) -> Rung | None:
        """The first rung that is not reached."""
        return self.rungs[self.rung + 1] if self.rung + 1 < len(self.rungs) else None


@dataclass(frozen=True)
class Report:
    """A sweep, how far it can be trusted, its gate and its comparison: the one value every report prints."""

    sweep: Sweep
    statistics: Statistics
    ladder: Ladder
    verdict: Verdict
    moved: Moved | None = None
    held: Calibrated | None = None
    """None where it is not on record which episodes the point was chosen on."""
    notes: tuple[str, ...] = ()
    """What a reader must know of how the point came about: a claim that is refused, a record that is missing."""
