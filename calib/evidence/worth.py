"""Is the guard worth having: its cost in turns, rules that look at nothing, and what each trigger adds."""

import numpy as np
from numpy.typing import NDArray

from calib.evidence.fired import paired_labels, turn_count
from calib.point import Point
from calib.results import OperatingPoint, Sweep
from calib.risk import NEVER, Standing
from calib.score import Scored
from calib.statistics import Baseline, Baselines, Contribution, Cost, PairedLabels, Per1000, Rate
from calib.stats.cost import break_even_cost, break_even_prevalence

Flags = NDArray[np.bool_]


def cost(found: Sweep, false_fires: Rate, run: int | None) -> Cost | None:
    """Weigh turns saved against false fires, at the mix of labels of these episodes; None without both labels.

    False fires enter with their upper bound, never with the share seen: with 0 seen any detector would pay. Turns
    after the fire are the most that stopping saves. `run`: turns of a whole run, the cost of one stopped wrongly.
    """
    limit, passed, rate = found.counts.turn_limit, found.counts.passed, false_fires.upper
    if not limit or not passed or rate is None:
        return None
    prevalence, saved = limit / (limit + passed), found.turns_after_fire / limit
    each = Per1000(
        turn_limit=1000 * prevalence,
        caught=1000 * prevalence * found.tally.caught / limit,
        false_fires=1000 * (1 - prevalence) * rate,
        turns_after_fire=1000 * prevalence * saved,
    )
    return Cost(
        prevalence=prevalence,
        turns_per_turn_limit=saved,
        rate_bound=rate,
        per_1000=each,
        break_even_cost=break_even_cost(prevalence, saved, rate),
        run=run,
        break_even_prevalence=break_even_prevalence(run, saved, rate) if run else None,
    )


def baselines(found: Sweep) -> Baselines:
    """Give never, always and plain turn count, and whether the point saves more turns than counting them does."""
    rows = {row.name: row for row in found.operating_points}
    count = _baseline(rows["turn_count"]) if found.counts.passed else None
    return Baselines(
        never=_baseline(rows["never"]),
        always=_baseline(rows["always"]),
        turn_count=count,
        beats_turn_count=None if count is None else found.turns_after_fire > count.turns_after_fire,
    )


def _baseline(row: OperatingPoint) -> Baseline:
    tally = row.tally
    return Baseline(row.spelling, tally.caught, tally.false_fires, tally.other_fires, row.turns_after_fire)


def against_turn_count(scored: Scored, point: Point, baseline: Baseline) -> PairedLabels:
    """Compare a point with its plain turn count on the same episodes."""
    threshold = int(baseline.point.rpartition("@")[2])
    return paired_labels(scored, scored.fire_turns(point), turn_count(scored, threshold))


def contribution(triggers: dict[str, Standing], labels: dict[str, Flags]) -> dict[str, Contribution]:
    """Say of each trigger what it alone fires on, and of the caught episodes which it fires first in."""
    found = {}
    first = np.minimum.reduce([one.turn for one in triggers.values()])
    firsts = np.add.reduce([one.turn == first for one in triggers.values()], dtype=np.int64)
    caught = labels["turn_limit"] & (first < NEVER)
    for name, one in triggers.items():
        others = [other.fired for key, other in triggers.items() if key != name]
        alone = one.fired & ~np.logical_or.reduce([np.zeros(len(first), np.bool_), *others])
        leads = caught & (one.turn == first)
        counts = [alone & labels[label] for label in ("turn_limit", "passed", "failed")]
        counts += [leads & (firsts == 1), leads & (firsts > 1)]
        found[name] = Contribution(*(int(np.count_nonzero(each)) for each in counts))
    return found
