"""The sentences on shares seen: x of n, how far it could be off, and what could not be observed."""

from collections.abc import Mapping

from calib.spelling import NONE, at_least, at_most, confidence, count, plural, share, units
from calib.statistics import Rate, Rates, Unit


def rate_sentences(by_unit: Mapping[Unit, Rates], level: float) -> list[tuple[str, str]]:
    """Say what each share could be, given how little was seen: pairs of name and sentence.

    The sentence on tasks, or another unit, follows the one on episodes: it is what another task may bring.
    """
    spelled = confidence(level)
    episode = by_unit["episode"]
    return [
        ("caught", _interval(episode.caught, "turn_limit", spelled)),
        ("false fires", _false_fires(episode.false_fires, spelled)),
        *(("", _other_unit(unit, rates.false_fires)) for unit, rates in by_unit.items() if unit != "episode"),
        ("other fires", _interval(episode.other_fires, "failed", spelled)),
    ]


def _seen(rate: Rate, label: str) -> str:
    """Say x of n, what share that is, and what could not be observed."""
    if not rate.n:
        return f"{NONE} (no {label} episodes)"
    said = f"{count(rate.fired)} of {units(rate.n, label)}"
    spelled = share(rate.fired, rate.n)
    if spelled and 0 < rate.fired < rate.n:
        said += f", {spelled}"
    if rate.distinct:
        said += f" ({count(rate.distinct[2])} different)"
    if rate.unknown == rate.n:
        return f"{said}: not observable"
    if rate.unknown:
        said += f" ({count(rate.unknown)} not observable: between {count(rate.fired)} and {count(rate.most[0])})"
    return said


def _interval(rate: Rate, label: str, level: str) -> str:
    said = _seen(rate, label)
    if rate.two_sided is None:
        return said
    low, high = rate.two_sided
    return f"{said}: {level} interval {at_least(low).removesuffix(' %')}–{at_most(high)}"


def _false_fires(rate: Rate, level: str) -> str:
    said = _seen(rate, "passed")
    if rate.upper is None or rate.one_sided_upper is None:
        return said
    if rate.adjusted_upper is None:
        return f"{said}: at most {at_most(rate.upper)} ({level})"
    fired, unknown, _ = rate.counted
    budget = f", had {plural(fired + unknown, 'false fire')} been the budget" if fired else ""
    said = f"{said}: at most {at_most(rate.upper)} ({level}, point chosen on these episodes{budget}"
    before = rate.one_sided_upper
    return f"{said}; {at_most(before)} had it been fixed before)" if before < rate.upper else f"{said})"


def _other_unit(unit: Unit, rate: Rate) -> str:
    """Say what may be expected of another task: `by task: 0 of 6 tasks with a passed episode: at most 58.2 %`."""
    hidden = f" ({count(rate.unknown)} not observable)" if rate.unknown else ""
    said = f"by {unit}: {count(rate.fired)} of {units(rate.n, 'passed', unit)}{hidden}"
    return said if rate.upper is None else f"{said}: at most {at_most(rate.upper)} of other {unit}s"
