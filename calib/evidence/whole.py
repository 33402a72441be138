"""Everything said of one sweep, put together."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from calib.escape import visible
from calib.evidence.fired import Flags
from calib.evidence.guarantee import guarantees, horizon, void
from calib.evidence.held_out import leave_one_out, transfer
from calib.evidence.influence import closing_labels, influence, label_path
from calib.evidence.noise import label_noise
from calib.evidence.rates import Choice, at_risk_upper, rates, status, turn_rate
from calib.evidence.reachability import reachability
from calib.evidence.resampling import resampling
from calib.evidence.sample import Groups, Sample
from calib.evidence.worth import against_turn_count, baselines, contribution, cost
from calib.levels import Integers
from calib.repeats import contents, different
from calib.results import Sweep
from calib.risk import Standing, at_point, by_trigger
from calib.score import Scored
from calib.selection import group_codes
from calib.statistics import Rates, Statistics, Status, Unit

LABELS = ("turn_limit", "passed", "failed")
MOST_GROUPS = 100
"""Groups beyond which no transfer matrix is given: nobody reads 10,000 cells."""

Values = dict[str, Any]
"""Fields of `Statistics` by name."""
Why = dict[str, str]
"""Why a field is None, by its name."""


@dataclass(frozen=True)
class _Given:
    """What the parts of the statistics start from."""

    scored: Scored
    found: Sweep
    unit: Unit
    alpha: float
    labels: dict[str, Flags]
    triggers: dict[str, Standing]
    point: Standing
    sample: Sample
    thresholds: Integers
    choice: Choice
    contents: Integers | None
    """The content of each episode, where too many passed ones repeat others."""

    @property
    def standing(self) -> dict[str, Standing]:
        """Where episodes stand, by "point" and detector."""
        return {"point": self.point, **self.triggers}


def statistics(
    scored: Scored, found: Sweep, unit: Unit = "episode", by: str = "", confidence: float | None = None
) -> Statistics:
    """Say how far a sweep can be trusted.

    `scored` is what was swept. `unit` is what counts as drawn independently. `by` groups what is held out and
    transferred to: a column or metadata key; the unit, or `task` where that is the episode, by default. `confidence`
    is what each bound holds with, the sweep's by default. Raises UsageError for an unknown key.
    """
    declared = found.confidence if confidence is None else confidence
    triggers = by_trigger(scored, found.point)
    given = _Given(
        scored=scored,
        found=found,
        unit=unit,
        alpha=float(1 - Fraction(repr(declared))),
        labels={label: scored.labelled(label) for label in LABELS},
        triggers=triggers,
        point=at_point(triggers),
        sample=Sample.of(scored, tuple(triggers)),
        thresholds=np.array(list(found.point.thresholds.values()), np.int64),
        choice=Choice.of(found),
        contents=contents(scored) if "passed" in found.distinct else None,
    )
    why: Why = {}
    by_unit = _by_unit(given)
    return Statistics(
        confidence=declared,
        unit=unit,
        chosen=found.chosen,
        caught=by_unit[unit].caught,
        false_fires=by_unit[unit].false_fires,
        other_fires=by_unit[unit].other_fires,
        by_unit=by_unit,
        reachability=reachability(scored, found.point),
        **_at_risk(given),
        **_promised(given, by_unit, why),
        **_grouped(given, by or (unit if unit != "episode" else "task"), why),
        **_labels(given, why),
        **_worth(given, by_unit, why),
        why=why,
    )


def _units(given: _Given) -> dict[Unit, Integers | None]:
    """Give the units to speak of, and which of each an episode is; tasks, where they repeat, unasked."""
    units: dict[Unit, Integers | None] = {"episode": None}
    tasks = given.scored.episodes.filter(given.labels["passed"])["task"].drop_nulls()
    wanted: tuple[Unit, ...] = (given.unit, "task") if tasks.n_unique() < len(tasks) else (given.unit,)
    for unit in wanted:
        if unit not in units:
            units[unit] = group_codes(given.scored.episodes, unit)[1].to_numpy()
    return units


def _alike(given: _Given) -> dict[Unit, Integers | None]:
    """Give the units, and of episodes that repeat others each content as one."""
    units = _units(given)
    units["episode"] = given.contents
    return units


def _by_unit(given: _Given) -> dict[Unit, Rates]:
    found = _units(given).items()
    once = given.found.distinct
    return {
        unit: rates(given.point, given.labels, codes, given.choice, given.alpha, once if codes is None else None)
        for unit, codes in found
    }


def _at_risk(given: _Given) -> Values:
    """Tell the episodes that could have fired from those that could not, and bound the rate of the former."""
    lengths, passed = given.scored.turns, given.labels["passed"]
    partition = {
        label: {name: status(one, among) for name, one in given.standing.items()}
        for label, among in given.labels.items()
    }
    chosen_here = {"point": given.choice.triggers}
    turns = {name: int(one.turns_at_risk(lengths)[passed].sum()) for name, one in given.standing.items()}
    return {
        "partition": partition,
        "at_risk_turns": turns,
        "at_risk_turn_rate": {
            name: None if "passed" in given.found.distinct else turn_rate(each.fired, turns[name], given.alpha)
            for name, each in partition["passed"].items()
        },
        "at_risk_upper": {
            name: at_risk_upper(_once(given, one, each), given.alpha, chosen_here.get(name))
            for (name, one), each in zip(given.standing.items(), partition["passed"].values(), strict=True)
        },
    }


def _once(given: _Given, standing: Standing, status: Status) -> Status:
    """Count each content once where passed episodes repeat others."""
    if given.contents is None:
        return status
    passed, numbers = given.labels["passed"], given.contents
    fired, at_risk = (different(numbers, passed & each) for each in (standing.fired, standing.at_risk))
    return replace(status, fired=fired, at_risk=at_risk)


def _promised(given: _Given, by_unit: dict[Unit, Rates], why: Why) -> Values:
    """Give the guarantee of the closest pass where it holds, and look ahead."""
    reason = void(given.sample, given.thresholds, given.found.chosen == "before")
    promised = None if reason else guarantees(given.sample, _alike(given), given.alpha)
    if reason:
        why["guarantee"] = reason
    ahead = [horizon(unit, each, promised[unit] if promised else None) for unit, each in by_unit.items()]
    found = tuple(each for each in ahead if each)
    if not found:
        why["horizon"] = "no passed episode that could be observed"
    return {"guarantee": promised, "horizon": found or None}


def _grouped(given: _Given, by: str, why: Why) -> Values:
    """Hold groups out, transfer between them, and draw them again."""
    groups, shown = Groups.of(given.scored, by), visible(by)[:80]
    names = ("leave_one_out", "transfer", "resampling")
    if len(groups.names) < 2:
        one = f"one {shown}" if groups.names and groups.names[0] is not None else f"no {shown} recorded"
        why |= dict.fromkeys(names, f"{one}: nothing to hold out")
        return {}
    folds, matrix = leave_one_out(given.sample, groups), None
    if len(groups.names) > MOST_GROUPS:
        why["transfer"] = f"{len(groups.names):,} groups of {shown}; a matrix is given up to {MOST_GROUPS}"
    else:
        matrix = transfer(given.sample, groups)
    draws = resampling(given.sample, groups)
    if folds is None:
        why["leave_one_out"] = _NO_CHOICE
    if draws is None:
        why["resampling"] = f"fewer than two groups of {shown} with a passed episode that every detector could observe"
    return {"leave_one_out": folds, "transfer": matrix, "resampling": draws}


_NO_CHOICE = "no passed episode that every detector could observe: nothing chooses thresholds"


def _labels(given: _Given, why: Why) -> Values:
    """Find the labels that decide."""
    deciding = influence(given.sample)
    if deciding is None:
        why["influence"] = _NO_CHOICE
    return {
        "influence": deciding,
        "label_path": label_path(given.sample),
        "closing_labels": closing_labels(given.sample, given.thresholds),
        "label_noise": label_noise(given.point, given.labels),
    }


def _worth(given: _Given, by_unit: dict[Unit, Rates], why: Why) -> Values:
    """Weigh the point against its cost and against rules that look at nothing."""
    found, counted = given.found, np.logical_or.reduce(list(given.labels.values()))
    limits = given.scored.episodes["turn_limit"].filter(counted).unique().to_list()
    run = limits[0] if len(limits) == 1 else None
    weighed, base = cost(found, by_unit["episode"].false_fires, run), baselines(found)
    if weighed is None:
        why["cost"] = "needs turn_limit and passed episodes"
    paired = None
    if base.turn_count:
        paired = against_turn_count(given.scored, found.point, base.turn_count)
    else:
        why["paired_with_turn_count"] = "no passed episode: nothing says how many false fires a turn count may have"
    return {
        "cost": weighed,
        "baselines": base,
        "paired_with_turn_count": paired,
        "contribution": contribution(given.triggers, given.labels),
    }
