"""From the limits of a configuration to one verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import fields

from calib.config import Config, Limits
from calib.errors import ConfigurationError, Exit
from calib.gate._certify import certified
from calib.gate._limits import JUDGES, Outcome
from calib.gate._works import shown
from calib.results import LimitResult, Sweep, Verdict
from calib.spelling import cannot_fire, count, plural
from calib.spelling import confidence as declared
from calib.statistics import Reachability, Statistics

EXITS: dict[Outcome, Exit] = {
    "FAIL": Exit.GATE_FAILED, "INCONCLUSIVE": Exit.INCONCLUSIVE, "PASS": Exit.FINE,
}  # fmt: skip
"""The gravest outcome first."""


def judge(found: Sweep, known: Statistics, config: Config) -> Verdict:
    """Judge a sweep by every limit that the configuration sets; the exit code follows from the verdict.

    `known` has the rates on the declared unit, at the confidence of each check. No limit: `nothing gated`, exit 0.
    A guard that did not show that it works is INCONCLUSIVE by a result of its own, whatever limits it keeps.
    Raises ConfigurationError for a limit on a detector the point lacks, and for a point with a trigger that cannot
    fire: a guard that does nothing would pass every limit on false fires.
    """
    limits = tuple(_judged(found, known, config))
    if not limits:
        line = f"verdict: nothing gated (calib report --init writes limits that hold now; exit {Exit.FINE:d})"
        return Verdict("nothing gated", Exit.FINE, line)
    check_reachable(known.reachability)
    limits += tuple(shown(found, known.reachability, config.limits))
    outcomes = [limit.verdict for limit in limits]
    outcome = next(each for each in EXITS if each in outcomes)
    lost = any(limit.name == "max_rejected" and limit.verdict == "FAIL" for limit in limits)
    code = Exit.TOO_MUCH_LOST if lost else EXITS[outcome]
    of = f"{count(outcomes.count(outcome))} of {plural(len(limits), 'limit')}"
    line = f"verdict: {outcome} ({of}; {_confidence(config)}; exit {code:d})"
    return Verdict(outcome, code, line, limits, certified(found, known, config))


def _confidence(config: Config) -> str:
    """Say what the verdict holds with, and what each check has to hold with for that."""
    if config.checks == 1:
        return f"{declared(config.confidence)} confidence, one check"
    return (
        f"{declared(config.confidence)} confidence over {count(config.checks)} checks, {declared(config.each)} in each"
    )


def check_reachable(audited: Sequence[Reachability]) -> None:
    """Refuse to judge a trigger that cannot fire under any turn limit of the data: a ConfigurationError."""
    for name in dict.fromkeys(each.detector for each in audited):
        audits = [each for each in audited if each.detector == name]
        if all(each.status == "cannot fire" for each in audits):
            raise ConfigurationError(
                f"gate: {cannot_fire(audits[-1])}; lower it, or leave the detector out of the point"
            )


def _judged(found: Sweep, known: Statistics, config: Config) -> Iterator[LimitResult]:
    for each in fields(Limits):
        limit = getattr(config.limits, each.name)
        if limit is None:
            continue
        for judged in JUDGES[each.name](found, known, config, limit):
            asked = limit[judged.detector] if isinstance(limit, dict) else limit
            name = f"{each.name}.{judged.detector}" if judged.detector else each.name
            written = count(asked) if isinstance(asked, int) else declared(asked)
            yield LimitResult(name, asked, written, judged.found, judged.outcome, judged.plan)
