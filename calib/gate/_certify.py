"""Which points are certified at a declared limit: what may be picked among them costs no further look at the data."""

from calib import stats
from calib.config import Config
from calib.evidence.rates import Choice
from calib.results import Certified, Sweep
from calib.statistics import Statistics


def certified(found: Sweep, known: Statistics, config: Config) -> Certified | None:
    """Certify every point of the point's detectors at the limit on false fires, on the declared unit.

    None without such a limit, for a point fixed before (its own bound is narrower), and where nothing was observed.
    """
    limit, triggers, rate = config.limits.max_false_fire_rate, Choice.of(found).triggers, known.false_fires
    if limit is None or triggers is None or rate.upper is None:
        return None
    fired, unknown, n = rate.counted
    budget = stats.largest_budget(n, limit, triggers, config.alpha)
    inside = budget is not None and fired + unknown <= budget
    return Certified(
        limit=limit,
        unit=known.unit,
        n=n,
        triggers=triggers,
        budget=budget,
        needed=stats.further_silent(0, 0, limit, config.alpha, triggers) if budget is None else None,
        pairs=found.rectangle.pairs if inside and found.rectangle and triggers == 2 else None,
    )
