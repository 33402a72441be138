"""The sentences on plateaus: how wide, who ends them, what lies just beside them."""

from collections.abc import Callable

from calib.reports._words import headline
from calib.results import NearMiss, Plateau, Support, Sweep
from calib.spelling import count, plural, run, short

Shown = Callable[[str], str]
"""Makes one text of a dump safe for the sink; only the report knows its sink."""


def plateau(name: str, found: Plateau, support: Support | None, shown: Shown) -> str:
    """Say where a plateau runs and what ends it.

    `repeated_plan 7–39, 33 wide: 6 fires on ep-12 (passed), 40 loses ep-31`
    """
    if found.high is None:
        head = f"{name} {run(found.low, None)}, no upper end"
    else:
        head = f"{name} {run(found.low, found.high)}, {count(found.width or 0)} wide"
    said = ends(found, support, shown)
    return f"{head}: {said}" if said else head


def ends(found: Plateau, support: Support | None, shown: Shown) -> str:
    """Say what ends a plateau: `6 fires on ep-12 (passed), 40 loses ep-31`."""
    return ", ".join(end for end in (_below(found, support, shown), _above(found, support, shown)) if end)


def _below(found: Plateau, support: Support | None, shown: Shown) -> str:
    if not found.below:
        return ""
    closest = support.closest_pass if support else None
    if closest is None or closest.peak != found.low - 1:
        return f"below {found.low}: {found.below}"
    more = f" and {closest.ties - 1} more" if closest.ties > 1 else ""
    _, also, caught = found.below.partition(" and ")
    return f"{closest.peak} fires on {shown(closest.episode_id)}{more} (passed{'; ' if also else ''}{caught})"


def _above(found: Plateau, support: Support | None, shown: Shown) -> str:
    if found.high is None or not found.above:
        return ""
    loss = support.first_loss if support else None
    if loss is None or loss.peak != found.high:
        return f"{found.high + 1}: {found.above}"
    more = f" and {loss.ties - 1} more" if loss.ties > 1 else ""
    return f"{found.high + 1} loses {shown(loss.episode_id)}{more}"


def rectangle(found: Sweep) -> str:
    """Say how large the block of equal counts is, and how far corner and single plateaus differ from it."""
    block = found.rectangle
    if block is None:
        return ""
    sides = " × ".join(f"{name} {run(low, block.high[name])}" for name, low in block.low.items())
    return f"{sides}: {plural(block.pairs, 'pair')} with the same counts"


def far_corner(found: Sweep) -> str:
    """Say what happens where all plateaus end at once."""
    corner = found.far_corner
    if corner is None:
        return ""
    ends = {name: found.tops.get(name, p.low) if p.high is None else p.high for name, p in found.plateaus.items()}
    at = " | ".join(f"{name}@{end}" for name, end in ends.items())
    same = (corner.caught, corner.false_fires) == (found.tally.caught, found.tally.false_fires)
    counts = found.counts
    said = headline(corner, counts.turn_limit, counts.passed, counts.failed)
    return f"{short(at)}: {said}" + ("" if same else "; one at a time the plateaus hold, together they do not")


KINDS = {"false_fire": "lower", "catch": "lower", "loss": "raise"}
EFFECTS = {"false_fire": "false fire on", "catch": "also catches", "loss": "loses"}


def near_miss(found: NearMiss, shown: Shown, most: int = 3) -> str:
    """Say what one to three steps would change, and whose episode it is."""
    ids = [shown(one) for one in found.episode_ids[:most]]
    more = f" and {count(len(found.episode_ids) - most)} more" if len(found.episode_ids) > most else ""
    return f"{KINDS[found.kind]} {found.detector} by {found.steps}: {EFFECTS[found.kind]} {', '.join(ids)}{more}"
