"""How numbers are spelled wherever people read them: counts, shares, bounds, turns, operating points.

Shares have three significant digits, bounds are rounded outward, 0 % and 100 % appear only when exact, a share
of fewer than 20 is not spelled at all, a share of none is `–`.
"""

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

from calib.point import SHORT
from calib.results import FireTurns, Sweep

if TYPE_CHECKING:
    from calib.statistics import Reachability

FEW = 20
"""Fewer than this many episodes give no percentage of their own."""
NONE = "–"
UNRECORDED = "no number will do until"
"""How the plan of a limit begins that more of the same kind of episodes cannot decide."""
DECLARED = 6
"""Digits up to which a confidence was written by somebody; more come from a division."""


def count(number: int) -> str:
    """Group the digits of a count.

    >>> count(89535)
    '89,535'
    """
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """Count things.

    >>> plural(1, "episode"), plural(2, "false fire"), plural(2, "pass", "passes")
    ('1 episode', '2 false fires', '2 passes')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def of(fired: int, n: int) -> str:
    """Spell x/n; `–` when there is nothing to count.

    >>> of(30, 30), of(0, 0)
    ('30/30', '–')
    """
    return f"{count(fired)}/{count(n)}" if n else NONE


def in_sample(found: Sweep) -> str:
    """Mark counts that come from the episodes that chose the point, or are of published thresholds."""
    if found.chosen == "before":
        return ""
    return " (published thresholds)" if found.rule == "published" else " (in sample)"


def percent(share: Decimal, rounding: str = ROUND_HALF_EVEN) -> str:
    """Spell a share with three significant digits; what is not 0 or 1 never shows as 0 % or 100 %.

    >>> percent(Decimal("0.0238")), percent(Decimal(1)), percent(Decimal("0.99999"))
    ('2.38 %', '100 %', '99.999 %')
    """
    if share in (0, 1):
        return "100 %" if share else "0 %"
    value = share * 100
    for digits in range(3, 20):
        step = Decimal(1).scaleb(value.adjusted() - digits + 1)
        rounded = value.quantize(step, rounding=rounding)
        if 0 < rounded < 100:
            return f"{rounded.quantize(Decimal(1).scaleb(rounded.adjusted() - digits + 1)):f} %"
    return "100 %" if rounding == ROUND_CEILING else "0 %"


def share(fired: int, n: int) -> str:
    """Spell a share seen: `–` of none, nothing of fewer than 20.

    >>> share(1, 42), share(0, 635), share(3, 19), share(0, 0), share(99_999, 100_000)
    ('2.38 %', '0 %', '', '–', '99.999 %')
    """
    if n == 0:
        return NONE
    return percent(Decimal(fired) / Decimal(n)) if n >= FEW else ""


def at_most(bound: float) -> str:
    """Spell an upper bound, rounded up.

    >>> at_most(0.0074486659725), at_most(0.004706577), at_most(1.0), at_most(0.0999999)
    ('0.745 %', '0.471 %', '100 %', '10.0 %')
    """
    return percent(Decimal(repr(bound)), ROUND_CEILING)


def at_least(bound: float) -> str:
    """Spell a lower bound, rounded down.

    >>> at_least(0.904966), at_least(0.0), at_least(1.0)
    ('90.4 %', '0 %', '100 %')
    """
    return percent(Decimal(repr(bound)), ROUND_FLOOR)


def confidence(level: float) -> str:
    """Spell a confidence level as declared; one that was computed is rounded down.

    >>> confidence(0.95), confidence(0.9995), confidence(1 - 0.05 / 30)
    ('95 %', '99.95 %', '99.8 %')
    """
    exact = (Decimal(repr(level)) * 100).normalize()
    return f"{exact:f} %" if len(exact.as_tuple().digits) <= DECLARED else percent(exact / 100, ROUND_FLOOR)


def p_value(p: float) -> str:
    """Spell a p-value with two significant digits, never as 0.

    >>> p_value(0.00479), p_value(2.31e-13), p_value(1.0), p_value(0.0)
    ('0.0048', '2.3e-13', '1', 'below 1e-300')
    """
    if p == 1:
        return "1"
    if p <= 0:
        return "below 1e-300"
    return (
        f"{Decimal(repr(p)).quantize(Decimal(1).scaleb(Decimal(repr(p)).adjusted() - 1)):f}"
        if p >= 1e-4
        else f"{p:.1e}"
    )


def turn(value: float | None) -> str:
    """Spell a fire turn or a median of two.

    >>> turn(14.0), turn(12.5), turn(1004), turn(None)
    ('14', '12.5', '1,004', '–')
    """
    return NONE if value is None else f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def turns(found: FireTurns) -> str:
    """Spell least, median and greatest fire turn."""
    return f"{turn(found.min)} / {turn(found.median)} / {turn(found.max)}" if found.min is not None else NONE


def short(spelling: str) -> str:
    """Shorten an operating point by the notes' labels, which the command line accepts too.

    >>> short("repeated_plan@7 | search_run@35")
    'T2@7 | T1@35'
    """
    for name, alias in SHORT.items():
        spelling = spelling.replace(f"{name}@", f"{alias}@")
    return spelling


def detector(name: str) -> str:
    """Name a detector with its label in the notes.

    >>> detector("repeated_plan"), detector("loop_guard")
    ('repeated_plan (T2)', 'loop_guard')
    """
    return f"{name} ({SHORT[name]})" if name in SHORT else name


def run(low: int, high: int | None) -> str:
    """Spell a run of thresholds.

    >>> run(7, 39), run(7, 7), run(7, None)
    ('7–39', '7', 'from 7 on')
    """
    return f"from {low} on" if high is None else f"{low}–{high}" if high > low else f"{low}"


def units(number: int, label: str, unit: str = "episode", more: str = "") -> str:
    """Count units that have an episode of a label; `more` stands before the noun.

    >>> units(1, "passed"), units(64, "passed", more="more "), units(6, "passed", "task")
    ('1 passed episode', '64 more passed episodes', '6 tasks with a passed episode')
    """
    if unit == "episode":
        return f"{count(number)} {more}{label} episode{'s' * (number != 1)}"
    return f"{count(number)} {more}{unit}{'s' * (number != 1)} with a {label} episode"


def percent_of(probability: float) -> str:
    """Spell a probability, rounded to nearest.

    >>> percent_of(4 / 9)
    '44.4 %'
    """
    return percent(Decimal(repr(probability)))


def thresholds(point: Mapping[str, int]) -> str:
    """Spell an operating point given by its thresholds.

    >>> thresholds({"repeated_plan": 7, "search_run": 35})
    'repeated_plan@7 | search_run@35'
    """
    return " | ".join(f"{name}@{threshold}" for name, threshold in point.items())


def cannot_fire(found: "Reachability") -> str:
    """Say why a trigger cannot fire: `repeated_plan@64 cannot fire: a turn limit of 64 allows level 63`."""
    longest = "the longest episode" if found.turn_limit is None else f"a turn limit of {count(found.turn_limit)}"
    return f"{found.detector}@{found.threshold} cannot fire: {longest} allows level {count(found.highest_level or 0)}"


def can_fire(found: "Reachability") -> str:
    """Say from which turn a trigger can fire, or why it cannot."""
    name = f"{found.detector}@{found.threshold}"
    of = f"of {count(found.turn_limit)}" if found.turn_limit is not None else "of the longest episode"
    if found.status == "cannot fire":
        return cannot_fire(found)
    if found.status == "last turn only":
        return f"{name} can fire only at the last turn {of}, too late to save anything"
    if found.status != "reachable":
        limit = (
            "without a turn limit" if found.turn_limit is None else f"with a turn limit of {count(found.turn_limit)}"
        )
        why = f": {found.status}"
        if found.status == "tool never called":
            why = " cannot fire here: no call is one that it looks at"
        return f"{name}{why} (episodes {limit})"
    if found.earliest_fire_turn is None:
        return f"{name} can fire, the detector cannot say how early"
    return f"{name} from turn {found.earliest_fire_turn} on, with {plural(found.turns_left or 0, 'turn')} {of} left"
