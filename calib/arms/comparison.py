"""Runs to findings: pairs and who lacks a partner, verdicts at each level, sums and means, flips.

A level is what is counted as one unit: the pair, the distinct prefix, the cluster. A unit's verdict is the sign of its
better minus its worse pairs. Formulas and words: note 000, sections 6.1 to 6.5.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from calib.arms.findings import Comparison, Flip, Level, Measure, Side, Versus
from calib.arms.runs import NOT_RECORDED, OLD, Design, LeftOut, Run
from calib.arms.viable import Rule, Viability
from calib.errors import NothingMatched, UsageError, near
from calib.escape import visible
from calib.stats.paired import (
    MeanDifference,
    Sides,
    change,
    collapsed,
    mean_difference,
    sides,
    viability,
    within_spread,
)

Pairs = list[tuple[Run, Run]]
AMOUNTS = ("seconds", "tokens", "turns")


def compare(
    runs: Iterable[Run], design: Design, rule: Rule | None = None, left_out: LeftOut | None = None
) -> Comparison:
    """Compare every arm with the baseline; `left_out` tells what a selection took from the runs.

    Raises NothingMatched for fewer than two arms, UsageError for an unknown baseline, for a pair that has two runs of
    one arm, and for a rule without pairs.
    """
    if rule is not None and not design.pair:
        raise UsageError("--viable: expected --pair KEY[,KEY…], for a rule is judged on the same pairs, found none")
    listed = list(runs)
    keyed = [run for run in listed if NOT_RECORDED not in run.key]
    arms = sorted({run.arm for run in keyed}, key=str.encode)
    gone = left_out or LeftOut()
    if len(arms) < 2:
        why = f"; {said_left_out(gone)}" if gone.episodes else ""
        raise NothingMatched(f"compare: expected at least two arms by {visible(design.by)}, found {len(arms)}{why}")
    old = design.baseline or next((name for name in OLD if name in arms), arms[0])
    for name in (old, *((rule.reference, *([rule.arm] if rule.arm else [])) if rule else ())):
        if name not in arms:
            raise _unknown(name, arms, gone)
    sets = {name: [run for run in keyed if run.arm == name] for name in arms}
    if design.pair:
        _once(keyed)
    found = tuple(_versus(sets[old], sets[name], design) for name in arms if name != old)
    viable = tuple(_viable(sets, name, rule) for name in arms if rule and _judged(rule, name)) if rule else ()
    ordered = [old, *(name for name in arms if name != old)]
    told = tuple(_side(sets[name], design) for name in ordered)
    return Comparison(design, told, found, len(listed) - len(keyed), rule, viable, gone)


def said_left_out(gone: LeftOut) -> str:
    """Say what was left out: `48 excluded by calib.toml: arm=screen`.

    >>> said_left_out(LeftOut(50, (("calib.toml", "arm=a"), ("calib.toml", "arm=b"), ("--where", "n_turns > 3"))))
    '50 excluded by calib.toml: arm=a, arm=b; --where: n_turns > 3'
    """
    words: dict[str, list[str]] = {}
    for source, text in gone.by:
        words.setdefault(source, []).append(visible(text)[:80])
    return f"{gone.episodes:,} excluded by " + "; ".join(f"{who}: {', '.join(said)}" for who, said in words.items())


def _unknown(name: str, arms: Sequence[str], gone: LeftOut) -> UsageError:
    why = f" any more ({said_left_out(gone)})" if name in gone.arms else ""
    return UsageError(f"no arm named {visible(name)[:80]!r}{why}; there are {near(name, list(map(visible, arms)))}")


def _judged(rule: Rule, name: str) -> bool:
    return name == rule.arm if rule.arm is not None else name != rule.reference


def _once(runs: Sequence[Run]) -> None:
    seen = Counter((run.arm, run.key) for run in runs)
    (arm, key), times = max(seen.items(), key=lambda one: one[1])
    if times > 1:
        shown = visible(", ".join(key))[:80]
        raise UsageError(
            f"--pair: expected one run of each arm for a pair, found {times} of {visible(arm)[:80]} for {shown}; "
            "name a further key that tells them apart"
        )


def _side(runs: Sequence[Run], design: Design) -> Side:
    judged = [run for run in runs if run.passed is not None]
    passed = sum(bool(run.passed) for run in judged)
    return Side(
        runs[0].arm, len(runs), len(judged), passed,
        _true(run.fired for run in runs), _true(run.fires_again for run in runs),
        sum(run.fired is None for run in runs) if design.point else 0,
    )  # fmt: skip


def _true(flags: Iterable[bool | None]) -> int | None:
    """Count what is true; None when nothing is known."""
    known = [flag for flag in flags if flag is not None]
    return sum(known) if known else None


def _versus(old: Sequence[Run], new: Sequence[Run], design: Design) -> Versus:
    names = old[0].arm, new[0].arm
    if not design.pair:
        measures = tuple(filter(None, (_unpaired(old, new, name) for name in AMOUNTS)))
        return Versus(*names, 0, ((), ()), (), (), None, measures, False, ())
    partners = {run.key: run for run in new}
    met = {run.key for run in old} & partners.keys()
    both = sorted(((run, partners[run.key]) for run in old if run.key in met), key=lambda pair: pair[0].key)
    judged = [pair for pair in both if pair[0].passed is not None and pair[1].passed is not None]
    alone = tuple(tuple(sorted(run.key for run in runs if run.key not in met)) for runs in (old, new))
    changes = [bool(two.passed) - bool(one.passed) for one, two in judged]
    return Versus(
        *names, len(both), (alone[0], alone[1]),
        tuple(one.key for one, two in both if one.passed is None or two.passed is None) if judged else (),
        _levels(judged, changes, design), _again(both),
        tuple(filter(None, (_paired(both, name, design) for name in AMOUNTS))),
        any(changes),
        tuple(_flip(one, two) for (one, two), changed in zip(judged, changes, strict=True) if changed),
    )  # fmt: skip


def _flip(one: Run, two: Run) -> Flip:
    return Flip(one.key, (one.name, two.name), bool(two.passed), (one.fire_turn, two.fire_turn))


def _levels(pairs: Pairs, changes: Sequence[int], design: Design) -> tuple[Level, ...]:
    if not pairs:
        return ()
    prefixes = [one.prefix if one.prefix == two.prefix else None for one, two in pairs]
    groups: list[tuple[str, Callable[[int], object]]] = [("pair", lambda at: at)]
    if any(prefixes):
        groups.append(("distinct prefix", lambda at: prefixes[at] or at))
    clusters = [two.cluster if one.cluster is None else one.cluster for one, two in pairs]
    if design.cluster and any(cluster is not None for cluster in clusters):
        groups.append((design.cluster, lambda at: clusters[at]))
    made = []
    for name, group in groups:
        told = [at for at in range(len(pairs)) if group(at) is not None]
        counted = sides(collapsed([changes[at] for at in told], [repr(group(at)) for at in told]))
        made.append(Level(name, counted, counted.least_p <= 1 - design.confidence, len(pairs) - len(told)))
    return tuple(made)


def _again(pairs: Pairs) -> Sides | None:
    """Count the pairs in which the detectors fire again on one side only; worse is the new side."""
    known = [(one, two) for one, two in pairs if one.fires_again is not None and two.fires_again is not None]
    return sides(bool(one.fires_again) - bool(two.fires_again) for one, two in known) if known else None


def _amounts(runs: Iterable[Run], name: str) -> list[float]:
    return [value for run in runs if (value := getattr(run, name)) is not None]


def _unpaired(old: Sequence[Run], new: Sequence[Run], name: str) -> Measure | None:
    before, after = _amounts(old, name), _amounts(new, name)
    return _measure(name, before, after) if before and after else None


def _measure(
    name: str, before: list[float], after: list[float],
    difference: MeanDifference | None = None, more: int | None = None,
) -> Measure:  # fmt: skip
    return Measure(
        name, (len(before), len(after)), (sum(before), sum(after)), (fmean(before), fmean(after)),
        change(before, after), within_spread(before, after), difference, more,
    )  # fmt: skip


def _paired(pairs: Pairs, name: str, design: Design) -> Measure | None:
    """Compare an amount over the pairs in which both sides recorded it."""
    known = [
        (x, y) for one, two in pairs if (x := getattr(one, name)) is not None and (y := getattr(two, name)) is not None
    ]
    if not known:
        return None
    before, after = [x for x, _ in known], [y for _, y in known]
    differences = [y - x for x, y in known]
    more = sum(difference > 0 for difference in differences)
    return _measure(name, before, after, mean_difference(differences, 1 - design.confidence), more)


def _viable(sets: dict[str, list[Run]], name: str, rule: Rule) -> Viability:
    """Judge an arm on the pairs that both arms have; where there is none, nothing is known."""
    met = {run.key for run in sets[name]} & {run.key for run in sets[rule.reference]}
    mine, theirs = ([run for run in sets[arm] if run.key in met] for arm in (name, rule.reference))
    passes, reference = (sum(run.passed is True for run in runs) for runs in (mine, theirs))
    not_run, unsure = (sum(run.passed is None for run in runs) for runs in (mine, theirs))
    verdict = viability(passes, not_run, reference, rule.margin, unsure) if mine else "INCONCLUSIVE"
    return Viability(name, rule.reference, passes, not_run, reference, rule.margin, verdict, unsure)
