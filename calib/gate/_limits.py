"""One judge for each limit: what was found, and what follows from it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from calib.config import Config
from calib.errors import ConfigurationError
from calib.evidence.rates import Choice
from calib.gate._plan import all_blind, plan_caught, plan_silent
from calib.results import Plan, Sweep
from calib.spelling import at_least, at_most, count, plural
from calib.statistics import Rate, Statistics, Unit

Outcome = Literal["PASS", "FAIL", "INCONCLUSIVE"]


@dataclass(frozen=True)
class Judgement:
    """What one limit came to; `detector` is empty for a limit on the point, `plan` None unless it would decide."""

    outcome: Outcome
    found: str
    detector: str = ""
    plan: Plan | None = None


Judged = Iterator[Judgement]
Judge = Callable[[Sweep, Statistics, Config, Any], Judged]


def _outcome(passes: bool, fails: bool) -> Outcome:
    return "PASS" if passes else "FAIL" if fails else "INCONCLUSIVE"


def _seen(rate: Rate, of: str = "") -> str:
    """Say x of n, or between which two x lies, and how many of them differ where many repeat others."""
    differ = f" ({count(rate.distinct[2])} different)" if rate.distinct else ""
    if not rate.unknown:
        return f"{count(rate.fired)} of {count(rate.n)}{of}{differ}"
    least, most = count(rate.fired), count(rate.most[0])
    return f"between {least} and {most} of {count(rate.n)}{of} ({count(rate.unknown)} not observable){differ}"


def _max_false_fires(found: Sweep, known: Statistics, config: Config, limit: int) -> Judged:
    rate = known.by_unit["episode"].false_fires
    if not rate.n:
        yield Judgement("INCONCLUSIVE", "no passed episode")
        return
    outcome = _outcome(rate.most[0] <= limit, rate.fired > limit)
    bound = "" if rate.upper is None else f", at most {at_most(rate.upper)}"
    yield Judgement(outcome, f"{_seen(rate, _named(rate, 'passed episode'))}{bound}")


def _named(rate: Rate, one: str) -> str:
    return f" {one}{'s' * (rate.n != 1)}"


def _min_caught(found: Sweep, known: Statistics, config: Config, limit: int) -> Judged:
    rate = known.by_unit["episode"].caught
    if not rate.n:
        yield Judgement("INCONCLUSIVE", "no turn_limit episode")
        return
    yield Judgement(
        _outcome(rate.fired >= limit, rate.most[0] < limit), _seen(rate, _named(rate, "turn_limit episode"))
    )


def _min_plateau_width(found: Sweep, known: Statistics, config: Config, limit: int | dict[str, int]) -> Judged:
    for name in limit if isinstance(limit, dict) else found.plateaus:
        if name not in found.plateaus:
            raise ConfigurationError(
                f"gate.min_plateau_width: expected detectors of the point {found.point}, found {name}; "
                "leave it out, or add it to the point"
            )
        plateau, least = found.plateaus[name], limit[name] if isinstance(limit, dict) else limit
        if plateau.width is not None:
            words = f"{plateau.low}–{plateau.high}, {count(plateau.width)} wide"
            yield Judgement(_outcome(plateau.width >= least, plateau.width < least), words, name)
        elif not found.counts.turn_limit:
            yield Judgement("INCONCLUSIVE", f"from {plateau.low} on; no turn_limit episode could end it", name)
        else:
            yield Judgement("PASS", f"from {plateau.low} on, no upper end", name)


def _at_least(label: str) -> Judge:
    def judged(found: Sweep, known: Statistics, config: Config, limit: int) -> Judged:
        n = getattr(found.counts, label)
        more = f"; {count(limit - n)} more would decide it" if n < limit else ""
        yield Judgement(_outcome(n >= limit, False), f"{plural(n, f'{label} episode')}{more}")

    return judged


def _max_rate(name: str, label: str) -> Judge:
    def judged(found: Sweep, known: Statistics, config: Config, limit: float) -> Judged:
        rate, unit = getattr(known, name), known.unit
        triggers = (Choice.of(found).triggers or 1) if name == "false_fires" else 1
        plan = plan_silent(rate, limit, config.alpha, triggers, label, unit, found.blind(label))
        if rate.lower is None or rate.upper is None:
            yield _nothing(rate, label, unit, plan)
        elif rate.lower > limit:
            yield Judgement("FAIL", f"{_seen(rate, _units(unit, rate))}, at least {at_least(rate.lower)}")
        else:
            seen = f"{_seen(rate, _units(unit, rate))}, at most {at_most(rate.upper)}{_choice(rate)}"
            yield _rated(rate.upper <= limit, seen, plan)

    return judged


def _units(unit: Unit, rate: Rate) -> str:
    """Name the units that are counted, unless they are episodes."""
    return "" if unit == "episode" else _named(rate, unit)


def _nothing(rate: Rate, label: str, unit: Unit, plan: Plan) -> Judgement:
    """Say that no unit, or none that could be observed, bears on a limit."""
    if rate.n:
        return Judgement("INCONCLUSIVE", f"{_seen(rate, _units(unit, rate))}: not observable", plan=plan)
    return Judgement("INCONCLUSIVE", f"no {label} episode; {plan.said}", plan=plan)


def _rated(passes: bool, words: str, plan: Plan) -> Judgement:
    """Tell what was found, and what would decide it where it is not enough."""
    return Judgement("PASS", words) if passes else Judgement("INCONCLUSIVE", f"{words}; {plan.said}", plan=plan)


def _choice(rate: Rate) -> str:
    """Say that a bound pays for the choice of the point."""
    if rate.adjusted_upper is None or rate.one_sided_upper is None:
        return ""
    before = f"; {at_most(rate.one_sided_upper)} had it been fixed before"
    return f" (point chosen on these episodes{before if rate.one_sided_upper < rate.adjusted_upper else ''})"


def _min_caught_rate(found: Sweep, known: Statistics, config: Config, limit: float) -> Judged:
    rate, unit = known.caught, known.unit
    alpha, blind = config.alpha / Choice.of(found).minimal, all_blind(found, "turn_limit")
    plan = plan_caught(rate, limit, alpha, "turn_limit", unit, blind)
    if rate.lower is None or rate.upper is None:
        yield _nothing(rate, "turn_limit", unit, plan)
    elif rate.upper < limit:
        yield Judgement("FAIL", f"{_seen(rate, _units(unit, rate))}, at most {at_most(rate.upper)}")
    else:
        picked = " (point picked on these episodes)" if rate.adjusted_lower is not None else ""
        words = f"{_seen(rate, _units(unit, rate))}, at least {at_least(rate.lower)}{picked}"
        yield _rated(rate.lower >= limit, words, plan)


def _max_rejected(found: Sweep, known: Statistics, config: Config, limit: float) -> Judged:
    lost = found.lost
    outcome = _outcome(lost.rate <= limit, lost.rate > limit)
    yield Judgement(outcome, f"{count(lost.bytes)} of {plural(lost.of_bytes, 'byte')} of input rejected")


JUDGES: dict[str, Judge] = {
    "max_false_fires": _max_false_fires,
    "min_caught": _min_caught,
    "min_plateau_width": _min_plateau_width,
    "min_passed": _at_least("passed"),
    "min_turn_limit": _at_least("turn_limit"),
    "max_false_fire_rate": _max_rate("false_fires", "passed"),
    "max_other_fire_rate": _max_rate("other_fires", "failed"),
    "min_caught_rate": _min_caught_rate,
    "max_rejected": _max_rejected,
}
