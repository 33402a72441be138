"""What each share of a sweep could be, with the error that the configuration allows."""

from dataclasses import replace

from calib import stats
from calib.config import Config
from calib.results import Bound, Calibrated, Chosen, Sweep


def decide(found: Sweep, config: Config, held: Calibrated | None = None) -> tuple[Chosen, str]:
    """Tell whether the point counts as chosen on these episodes or as fixed before, and why a claim was refused.

    `before` must be claimed, for the very point that is judged, and none of these episodes may be among those
    the point was chosen on: `held` knows them one by one, `calibrated_on` only as a whole. The reason is empty
    unless a claim was refused.
    """
    if config.chosen != "before":
        return "here", ""
    if found.rule != "given" or config.point not in (None, found.point):
        return "here", f"the configuration fixed another point before, {config.point}" if config.point else ""
    if config.calibrated_on and found.data.startswith(config.calibrated_on):
        return "here", "these are the data that calibrated_on names: the point was chosen on them"
    if held is not None and held.shared:
        return "here", (
            f"{held.shared:,} of these {found.counts.episodes:,} episodes are among those the point was chosen on; "
            "--unseen leaves them out"
        )
    return "before", ""


def bounds(found: Sweep, config: Config) -> dict[str, Bound]:
    """Bound `caught`, `false_fires` and `other_fires`, each end with the error that the configuration allows.

    False fires of a point chosen here get the adjusted bound. Other fires never do, for no rule looks at
    failed episodes; caught does when the point was picked by another rule than the closest pass.
    """
    tally, unknown, counts, alpha = found.tally, found.unknown, found.counts, config.alpha
    here = found.chosen == "here"
    false_fires = _bound(tally.false_fires, unknown.passed, counts.passed, config)
    if here and counts.passed:
        most = tally.false_fires + unknown.passed
        adjusted = stats.adjusted_upper(most, counts.passed, len(found.point.triggers), alpha)
        false_fires = replace(false_fires, upper=adjusted, upper_if_before=false_fires.upper)
    caught = _bound(tally.caught, unknown.turn_limit, counts.turn_limit, config)
    if here and counts.turn_limit:
        caught = replace(caught, lower=stats.lower(tally.caught, counts.turn_limit, alpha / choices(found)))
    other_fires = _bound(tally.other_fires, unknown.failed, counts.failed, config)
    return {"caught": caught, "false_fires": false_fires, "other_fires": other_fires}


def _bound(fired: int, unknown: int, n: int, config: Config) -> Bound:
    lower, upper = stats.bounds_with_unknown(fired, unknown, n, config.alpha) if n else (None, None)
    return Bound(fired, unknown, n, lower, upper, confidence=config.each)


def choices(found: Sweep) -> float:
    """Count the minimal points that a choice by looking at caught could have wrongly certified."""
    if found.chosen == "before" or _is_closest_pass(found):
        return 1.0
    axes = [max(found.tops.get(name, 1), threshold) for name, threshold in found.point.thresholds.items()]
    return float(stats.minimal_points(axes))


def _is_closest_pass(found: Sweep) -> bool:
    """Tell whether the closest-pass rule gives this very point, which then was chosen without a look at caught."""
    if found.rule == "closest_pass":
        return True
    rule = {point.spelling for point in found.operating_points if point.name == "closest_pass"}
    return any(set(spelling.split(" | ")) == set(map(str, found.point.triggers)) for spelling in rule)
