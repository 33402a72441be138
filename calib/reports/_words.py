"""The sentences that every report says, whatever its form.

Numbers are spelled by `calib.spelling`; no text of a dump is in them.
"""

from collections.abc import Sequence
from decimal import Decimal

from calib.results import Ladder, Lost, OperatingPoint, Report, Rung, Sweep, Tally, Verdict
from calib.spelling import (
    NONE,
    count,
    in_sample,
    of,
    percent,
    plural,
    short,
    turn,
    turns,
)

WORST = ("FAIL", "INCONCLUSIVE", "PASS", "nothing gated")


def worst(reports: Sequence[Report]) -> Verdict:
    """Give the worst of several verdicts, the first of equals: the one that stands for all."""
    return min((one.verdict for one in reports), key=lambda verdict: WORST.index(verdict.verdict))


def headline(tally: Tally, positives: int, passed: int, failed: int) -> str:
    """Say the three counts.

    >>> headline(Tally(30, 0, 0, 1), 30, 635, 42)
    '30/30 caught, 0/635 false fires, 1/42 other fires'
    """
    return (
        f"{of(tally.caught, positives)} caught, {of(tally.false_fires, passed)} false fires, "
        f"{of(tally.other_fires, failed)} other fires"
    )


def headline_of(found: Sweep) -> str:
    """Say the three counts of a sweep, and that they are in sample when they are.

    Published thresholds, shown where no passed episode chooses any, were not chosen on these episodes.
    """
    said = headline(found.tally, found.counts.turn_limit, found.counts.passed, found.counts.failed)
    hidden = [label for label in ("turn_limit", "passed", "failed") if _blind(found, label)]
    said += f"; no {' and no '.join(hidden)} episode could be observed" if hidden else ""
    return said + in_sample(found)


def _blind(found: Sweep, label: str) -> bool:
    """Tell whether nothing is known of any episode of a label: then 0 fires are no silence."""
    unknown: int = getattr(found.unknown, label)
    n: int = getattr(found.counts, label)
    return 0 < unknown == n


def chosen(found: Sweep) -> str:
    """Say how the point came about, and that it was fixed before these episodes when it was."""
    if found.rule == "given":
        rule = "given"
    elif found.rule == "closest_pass":
        rule = "closest pass: one step above the highest passing peak"
    else:
        rule = "the published thresholds, for no passed episode that can be observed chooses any"
    return rule if found.chosen == "here" else f"{rule}; fixed before these episodes"


def episodes(found: Sweep) -> str:
    """Count the episodes: `707 episodes: 30 turn_limit, 635 passed, 42 failed; 48 excluded`."""
    counts = found.counts
    always = [("turn_limit", counts.turn_limit), ("passed", counts.passed), ("failed", counts.failed)]
    rare = [("censored", counts.censored), ("unlabelled", counts.unlabelled)]
    sizes = [f"{count(n)} {label}" for label, n in [*always, *((label, n) for label, n in rare if n)]]
    excluded = f"; {count(counts.excluded)} excluded" if counts.excluded else ""
    return f"{plural(counts.episodes, 'episode')}: {', '.join(sizes)}{excluded}"


def rung(found: Ladder) -> str:
    """Name the rung that the data reach."""
    if found.rung < 0:
        return "how far to trust this: not at all yet"
    said = f"how far to trust this: rung {found.rung} of {len(found.rungs) - 1}, {found.rungs[found.rung].name}"
    return f"{said}; next: {found.next.name}" if found.next else said


def rung_said(found: Rung) -> str:
    """Say what is known at a rung, and what it still needs."""
    if found.reached:
        return found.said
    return f"{found.said}; needs {found.needs}" if found.said else f"needs {found.needs}"


def row(point: OperatingPoint, found: Sweep) -> tuple[str, ...]:
    """Spell an operating point: name, point, caught, false fires, other fires, fire turns, turns after the fire."""
    counts, tally = found.counts, point.tally
    return (
        point.name.replace("_", " "),
        short(point.spelling) if point.spelling != point.name else "",
        of(tally.caught, counts.turn_limit),
        of(tally.false_fires, counts.passed),
        of(tally.other_fires, counts.failed),
        turns(point.fire_turn),
        count(point.turns_after_fire),
    )


def against_turn_count(found: Sweep) -> str:
    """Say so when stopping after a fixed number of turns, with no more false fires, saves as many turns."""
    if not found.counts.passed:
        return ""  # nothing says how many false fires the turn count would have
    for point in found.operating_points:
        if point.name == "turn_count" and found.tally.caught and point.turns_after_fire >= found.turns_after_fire:
            theirs, ours = count(point.turns_after_fire), count(found.turns_after_fire)
            return f"does not beat plain turn count: {point.spelling} saves {theirs} turns, this point {ours}"
    return ""


def lost(found: Sweep) -> str:
    """Say how much of the input ingest could not keep."""
    return lost_input(found.lost)


def lost_input(gone: Lost) -> str:
    """Say how much of the input is gone."""
    if not gone.records and not gone.bytes:
        return f"none of {plural(gone.of_bytes, 'byte')}"
    codes = ", ".join(f"{code} {count(number)}" for code, number in sorted(gone.by_code.items()))
    part = percent(Decimal(gone.bytes) / Decimal(gone.of_bytes)) if gone.of_bytes else NONE
    said = f"{plural(gone.records, 'record')}, {count(gone.bytes)} of {plural(gone.of_bytes, 'byte')} ({part})"
    return f"{said}: {codes}" if codes else said


def not_observable(found: Sweep) -> str:
    """Say how many episodes did not record what a detector needs."""
    each = [f"{name} in {plural(n, 'episode')}" for name, n in found.not_observable.items() if n]
    unknown = found.unknown
    open_ones = [("turn_limit", unknown.turn_limit), ("passed", unknown.passed), ("failed", unknown.failed)]
    sizes = ", ".join(f"{count(n)} {label}" for label, n in open_ones if n)
    return "; ".join([*each, *([f"unknown at this point: {sizes}"] if sizes else [])])


def missing_labels(found: Sweep) -> str:
    """Say which rates cannot be given, or nothing."""
    counts = found.counts
    lacking = [label for label, n in (("turn_limit", counts.turn_limit), ("passed", counts.passed)) if not n]
    if not lacking:
        return ""
    rates = {"turn_limit": "nothing to catch", "passed": "no false-fire rate"}
    return f"no {' and no '.join(lacking)} episodes: {', '.join(rates[label] for label in lacking)}"


def fired_turns(found: Sweep) -> str:
    """Say when the caught episodes fire and how many turns they had left."""
    if found.fire_turn.min is None:
        return ""
    at = found.fire_turn
    after = plural(found.turns_after_fire, "turn")
    return f"min {turn(at.min)}, median {turn(at.median)}, max {turn(at.max)}; {after} after the fire in all"


def could_save(found: Sweep) -> str:
    """Say what an edit could save at most, or nothing where nobody looked."""
    saved = found.could_save
    if saved is None or not saved.caught:
        return ""
    amounts = [plural(saved.turns, "turn")]
    for value, n, what in ((saved.tokens, saved.tokens_of, "token"), (saved.seconds, saved.seconds_of, "second")):
        if value is not None:
            of_all = "" if n == saved.caught else f" in the {count(n)} of {count(saved.caught)} that record them"
            amounts.append(plural(round(value), what) + of_all)
    silent = [what for n, what in ((saved.tokens_of, "tokens"), (saved.seconds_of, "seconds")) if not n]
    said = f"at most {', '.join(amounts)} (upper bound: all that came after the fires)"
    return f"{said}; {' and '.join(silent)} not recorded" if silent else said


QUANTILES = {"min": 0.0, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95, "99 %": 0.99, "max": 1.0}


def level_rows(found: Sweep) -> list[tuple[str, ...]]:
    """Give the distribution of peaks by detector and label: detector, label, episodes, then the quantiles.

    A quantile is the lowest peak that at least this share of the episodes does not exceed.
    """
    rows: list[tuple[str, ...]] = []
    frame = found.episodes
    for name in (column.removesuffix("_peak") for column in frame.columns if column.endswith("_peak")):
        seen = frame.filter(frame[f"{name}_observable"])
        for label in ("turn_limit", "passed", "failed", "censored", "unlabelled"):
            peaks = seen.filter(seen["label"] == label)[f"{name}_peak"].sort()
            if len(peaks):
                places: Sequence[int] = [max(0, -int(-len(peaks) * q // 1) - 1) for q in QUANTILES.values()]
                rows.append((name, label, count(len(peaks)), *(count(int(peaks[place])) for place in places)))
    return rows


def comparison_row(found: Sweep) -> tuple[str, ...]:
    """Spell one group of several: episodes, point, caught, false fires, other fires, median fire turn, plateaus."""
    counts, tally = found.counts, found.tally
    widths = ", ".join("open" if p.width is None else count(p.width) for p in found.plateaus.values())
    return (
        short(str(found.point)),
        of(tally.caught, counts.turn_limit),
        of(tally.false_fires, counts.passed),
        of(tally.other_fires, counts.failed),
        turn(found.fire_turn.median),
        widths,
    )
