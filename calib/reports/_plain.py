"""The report in two or three sentences, for a reader who knows no statistics.

What was caught and stopped wrongly, how bad it may be and for what it holds, and what would make it surer. No figure
stands here that the report does not give in full.
"""

from calib.ladder import FEW, never_called
from calib.results import Report
from calib.spelling import at_most, count, plural
from calib.statistics import Rate


def plain(report: Report) -> str:
    """Say what to believe of a point after this report, and what to do next; no text of a dump is in it.

    `On these episodes it catches 30 of the 30 that ran out of turns and stops none of the 635 that passed. …`
    """
    counts = report.sweep.counts
    if not counts.turn_limit and not counts.passed:
        return "Nothing can be judged: no episode is labelled as passed or as out of turns (docs/labels.md)."
    said = [_seen(report), _choice(report), _bound(report), _idle(report), _next(report)]
    return " ".join(sentence for sentence in said if sentence)


def _seen(report: Report) -> str:
    """Say what happened on these episodes."""
    rates = report.statistics.by_unit["episode"]
    said = []
    if rates.caught.n:
        said.append(f"catches {_of(rates.caught, 'that ran out of turns')}")
    if rates.false_fires.n and rates.false_fires.unknown == rates.false_fires.n:
        said.append(f"may stop any of the {count(rates.false_fires.n)} that passed, for none could be observed")
    elif rates.false_fires.n:
        said.append(f"wrongly stops {_of(rates.false_fires, 'that passed')}")
    return f"On these episodes the point {' and '.join(said)}."


def _of(rate: Rate, what: str) -> str:
    """Spell a share: `none of the 635 that passed (3 could not be observed)`."""
    hidden = f" ({count(rate.unknown)} could not be observed)" if rate.unknown else ""
    fired = count(rate.fired) if rate.fired else "none"
    return f"{'all' if rate.fired == rate.n > 1 else f'{fired} of the'} {count(rate.n)} {what}{hidden}"


def _choice(report: Report) -> str:
    """Say whether these episodes flatter the point."""
    found = report.sweep
    if found.chosen == "before":
        return "It was fixed before, without them." if report.held else "It is said to have been fixed before them."
    if found.rule == "published":
        return "Its thresholds are the published ones, for nothing here chooses any."
    known = found.rule == "closest_pass" or (report.held is not None and report.held.shared > 0)
    how = "was" if known else "counts as"
    return f"It {how} chosen on these very episodes, so it looks better than it is."


def _bound(report: Report) -> str:
    """Say how many good episodes may be stopped, and for which."""
    rates = report.statistics.by_unit
    bound = rates["episode"].false_fires.upper
    if bound is None:
        return "How often it would stop good ones is not known."
    few = "There are too few to say more than that up to" if bound > FEW else "Up to"
    one_in = f" (1 in {count(int(1 / bound))})" if 0 < bound <= FEW else ""
    said = f"{few} {at_most(bound)} of good episodes{one_in} may be stopped if new ones are like these"
    uppers = {unit: its.false_fires.upper for unit, its in rates.items() if unit != "episode"}
    others = [f"up to {at_most(upper)} of other {unit}s may see one stopped" for unit, upper in uppers.items() if upper]
    return f"{', and '.join([said, *others])}."


def _idle(report: Report) -> str:
    """Say so where it is not worth having."""
    found, base = report.sweep, report.statistics.baselines
    if not found.counts.turn_limit:
        return "Nothing shows that it catches anything: none of them ran out of turns."
    if not found.tally.caught:
        return "As it is, it is no guard."
    if never_called(report.statistics):
        return "One of its triggers cannot fire here at all, so nothing shows what that one does."
    if base is not None and base.beats_turn_count is False:
        return "A plain limit on turns would save as many."
    return ""


def _next(report: Report) -> str:
    """Say what would make it surer."""
    if report.verdict.verdict == "FAIL":
        failed = sum(limit.verdict == "FAIL" for limit in report.verdict.limits)
        return f"It breaks {plural(failed, 'limit')} of the gate."
    rung = report.ladder.next
    return f"To know more: {rung.needs}." if rung else ""
