"""Chosen here or fixed before: what a point may be judged as."""

from calib.config import Config
from calib.evidence.rates import Choice, rate
from calib.results import Calibrated, Chosen, Sweep
from calib.statistics import Rates


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


def rates_of(found: Sweep, alpha: float) -> Rates:
    """Bound the three shares of a sweep by its counts: what `Statistics` says of episodes, without the rest.

    False fires of a point chosen here get the adjusted bound. Other fires never do, for no rule looks at
    failed episodes; caught does when the point was picked by another rule than the closest pass.
    """
    tally, unknown, counts, choice = found.tally, found.unknown, found.counts, Choice.of(found)
    return Rates(
        caught=rate(tally.caught, unknown.turn_limit, counts.turn_limit, alpha, minimal=choice.minimal),
        false_fires=rate(tally.false_fires, unknown.passed, counts.passed, alpha, triggers=choice.triggers),
        other_fires=rate(tally.other_fires, unknown.failed, counts.failed, alpha),
    )
