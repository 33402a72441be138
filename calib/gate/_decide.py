"""Chosen here or fixed before: what a point may be judged as."""

from calib.config import Config
from calib.escape import visible
from calib.evidence import rates as evidence
from calib.evidence.rates import Choice
from calib.results import Calibrated, Chosen, Sweep
from calib.spelling import thresholds
from calib.statistics import Rates


def decide(found: Sweep, config: Config, held: Calibrated | None = None) -> tuple[Chosen, str]:
    """Tell whether the point counts as chosen on these episodes or as fixed before, and what to know of that.

    `before` must be claimed, for the very point that is judged, and none of these episodes may be among those the
    point was chosen on. `held` knows them one by one; where `calibrated_on` says that there are such episodes and
    the record of them is gone, nobody can tell, and the point counts as chosen here. The note says why a claim was
    refused, or that nothing on record bears it out.
    """
    if config.chosen != "before" or found.rule != "given":
        return "here", ""
    if refused := _refused(found, config, held):
        return "here", refused
    if held is None:
        return "before", "nothing on record says which episodes chose the point; that it was others is only claimed"
    return "before", ""


def _refused(found: Sweep, config: Config, held: Calibrated | None) -> str:
    if config.point not in (None, found.point):
        return f"the configuration fixed another point before, {config.point}"
    if config.calibrated_on and found.data.startswith(config.calibrated_on):
        return "these are the data that calibrated_on names: the point was chosen on them"
    if held is None:
        return _no_record(config) if config.calibrated_on else ""
    if held.point != found.point.thresholds:
        return f"the record is of another point, {thresholds(held.point)}: write both again with --init"
    if held.changed:
        return (
            f"{' and '.join(held.changed)} no longer {'counts' if len(held.changed) == 1 else 'count'} what the record "
            "says, for [detectors], [tools] or --reads changed: write both again with --init"
        )
    if held.shared:
        return (
            f"{held.shared:,} of these {found.counts.episodes:,} episodes are among those the point was chosen on, "
            "go on where one of them ended, or look exactly like one, as short runs may; --unseen leaves them out"
        )
    return ""


def _no_record(config: Config) -> str:
    from calib.calibration import record_path  # only a gate that lacks its record asks, and no sweep

    name = visible(record_path(config.source).name) if config.source else "the record of calibrated_on"
    return (
        f"{name} is missing, so nobody can tell whether these episodes chose the point: bring it back, or write both "
        "files again with --init on the episodes that chose it"
    )


def rates_of(found: Sweep, alpha: float) -> Rates:
    """Bound the three shares of a sweep by its counts: what `Statistics` says of episodes, without the rest."""
    seen = {label: found.seen(label) for label in ("turn_limit", "passed", "failed")}
    return evidence.rates_of(seen, Choice.of(found), alpha, found.distinct)
