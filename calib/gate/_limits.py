"""One judge for each limit: what was found, and what follows from it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from calib.config import Config
from calib.errors import ConfigurationError
from calib.gate._bounds import choices
from calib.gate._plan import plan_caught, plan_silent
from calib.results import Bound, Plan, Sweep
from calib.spelling import at_least, at_most, count, plural

Outcome = Literal["PASS", "FAIL", "INCONCLUSIVE"]


@dataclass(frozen=True)
class Judgement:
    """What one limit came to; `detector` is empty for a limit on the point, `plan` None unless it would decide."""

    outcome: Outcome
    found: str
    detector: str = ""
    plan: Plan | None = None


Judged = Iterator[Judgement]


def _outcome(passes: bool, fails: bool) -> Outcome:
    return "PASS" if passes else "FAIL" if fails else "INCONCLUSIVE"


def _seen(bound: Bound, of: str = "") -> str:
    """Say x of n, or between which two x lies."""
    if not bound.unknown:
        return f"{count(bound.fired)} of {count(bound.n)}{of}"
    least, most = count(bound.fired), count(bound.fired + bound.unknown)
    return f"between {least} and {most} of {count(bound.n)}{of} ({count(bound.unknown)} not observable)"


def _max_false_fires(found: Sweep, config: Config, bound: dict[str, Bound], limit: int) -> Judged:
    false_fires = bound["false_fires"]
    if false_fires.upper is None:
        yield Judgement("INCONCLUSIVE", "no passed episode")
        return
    outcome = _outcome(false_fires.fired + false_fires.unknown <= limit, false_fires.fired > limit)
    yield Judgement(outcome, f"{_seen(false_fires, ' passed episodes')}, at most {at_most(false_fires.upper)}")


def _min_caught(found: Sweep, config: Config, bound: dict[str, Bound], limit: int) -> Judged:
    caught = bound["caught"]
    if not caught.n:
        yield Judgement("INCONCLUSIVE", "no turn_limit episode")
        return
    outcome = _outcome(caught.fired >= limit, caught.fired + caught.unknown < limit)
    yield Judgement(outcome, _seen(caught, " turn_limit episodes"))


def _min_plateau_width(found: Sweep, config: Config, bound: dict[str, Bound], limit: int | dict[str, int]) -> Judged:
    for name in limit if isinstance(limit, dict) else found.plateaus:
        if name not in found.plateaus:
            raise ConfigurationError(
                f"gate.min_plateau_width: expected detectors of the point {found.point}, found {name}"
            )
        plateau, least = found.plateaus[name], limit[name] if isinstance(limit, dict) else limit
        if plateau.width is not None:
            words = f"{plateau.low}–{plateau.high}, {count(plateau.width)} wide"
            yield Judgement(_outcome(plateau.width >= least, plateau.width < least), words, name)
        elif not found.counts.turn_limit:
            yield Judgement("INCONCLUSIVE", f"from {plateau.low} on; no turn_limit episode could end it", name)
        else:
            yield Judgement("PASS", f"from {plateau.low} on, no upper end", name)


def _at_least(label: str) -> Callable[..., Judged]:
    def judged(found: Sweep, config: Config, bound: dict[str, Bound], limit: int) -> Judged:
        n = getattr(found.counts, label)
        more = f"; {count(limit - n)} more would decide it" if n < limit else ""
        yield Judgement(_outcome(n >= limit, False), f"{plural(n, f'{label} episode')}{more}")

    return judged


def _max_rate(name: str, label: str) -> Callable[..., Judged]:
    def judged(found: Sweep, config: Config, bound: dict[str, Bound], limit: float) -> Judged:
        share = bound[name]
        here = name == "false_fires" and found.chosen == "here"
        plan = plan_silent(share, limit, config.alpha, len(found.point.triggers) if here else 1, label)
        if share.lower is None or share.upper is None:
            yield Judgement("INCONCLUSIVE", f"no {label} episode; {plan.said}", plan=plan)
        elif share.lower > limit:
            yield Judgement("FAIL", f"{_seen(share)}, at least {at_least(share.lower)}")
        else:
            yield _rated(share.upper <= limit, f"{_seen(share)}, at most {at_most(share.upper)}{_choice(share)}", plan)

    return judged


def _rated(passes: bool, words: str, plan: Plan) -> Judgement:
    """Tell what was found, and what would decide it where it is not enough."""
    return Judgement("PASS", words) if passes else Judgement("INCONCLUSIVE", f"{words}; {plan.said}", plan=plan)


def _choice(share: Bound) -> str:
    """Say that a bound pays for the choice of the point."""
    if share.upper_if_before is None:
        return ""
    return f" (point chosen on these episodes; {at_most(share.upper_if_before)} had it been fixed before)"


def _min_caught_rate(found: Sweep, config: Config, bound: dict[str, Bound], limit: float) -> Judged:
    share = bound["caught"]
    alpha = config.alpha / choices(found)
    plan = plan_caught(share, limit, alpha, "turn_limit")
    if share.lower is None or share.upper is None:
        yield Judgement("INCONCLUSIVE", f"no turn_limit episode; {plan.said}", plan=plan)
    elif share.upper < limit:
        yield Judgement("FAIL", f"{_seen(share)}, at most {at_most(share.upper)}")
    else:
        picked = " (point picked on these episodes)" if alpha < config.alpha else ""
        yield _rated(share.lower >= limit, f"{_seen(share)}, at least {at_least(share.lower)}{picked}", plan)


def _max_rejected(found: Sweep, config: Config, bound: dict[str, Bound], limit: float) -> Judged:
    lost = found.lost
    outcome = _outcome(lost.rate <= limit, lost.rate > limit)
    yield Judgement(outcome, f"{count(lost.bytes)} of {plural(lost.of_bytes, 'byte')} of input rejected")


JUDGES: dict[str, Callable[[Sweep, Config, dict[str, Bound], Any], Judged]] = {
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
