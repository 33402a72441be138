"""Arms of an experiment for people and programs: verdicts by level, amounts, flips, who lacks a partner."""

import json as jsonlib
import re
from collections.abc import Sequence
from dataclasses import asdict

from calib.arms.comparison import said_left_out
from calib.arms.findings import Comparison, Flip, Key, Level, Measure, Side, Versus
from calib.arms.viable import Viability
from calib.escape import json_text
from calib.escape import markdown as cell
from calib.reports._columns import STUCK, guarded, name, table, wrap
from calib.spelling import NONE, confidence, count, of, plural

LISTED = 20
"""Most flips, and most keys without a partner, that are named."""
SIDES = ("arm", "runs", "passed", "fired", "fired again")
LEVELS = ("level", "units", "better", "worse", "same", "sign test")


def p_value(p: float | None) -> str:
    """Spell a p value with two digits.

    >>> p_value(2.27e-13), p_value(0.25), p_value(None)
    ('p = 2.3e-13', 'p = 0.25', 'nothing differs')
    """
    return "nothing differs" if p is None else f"p = {_two(p)}"


def _two(p: float) -> str:
    return re.sub(r"e-0*", "e-", f"{p:.2g}")


def amount(value: float) -> str:
    """Spell an amount: whole when large.

    >>> amount(5343.04), amount(1144.93), amount(0.34)
    ('5,343', '1,144.9', '0.3')
    """
    return f"{value:,.0f}" if abs(value) >= 2000 or value == int(value) else f"{value:,.1f}"


def percent(change: float | None) -> str:
    """Spell a change with its sign.

    >>> percent(-0.3198), percent(0.00739), percent(None)
    ('-32.0 %', '+0.7 %', '–')
    """
    return NONE if change is None else f"{100 * change:+.1f} %"


def _key(key: Key) -> str:
    return ", ".join(name(part, 24).replace(STUCK, " ") for part in key)


def _sides(found: Comparison) -> list[tuple[str, ...]]:
    return [(name(side.name, 30), *_counts(side)) for side in found.arms]


def _counts(side: Side) -> tuple[str, ...]:
    fires = (NONE if fired is None else count(fired) for fired in (side.fired, side.fired_again))
    return count(side.runs), of(side.passed, side.judged), *fires


def _levels(versus: Versus) -> list[tuple[str, ...]]:
    return [
        (
            name(level.name, 20), count(level.units), count(level.sides.better), count(level.sides.worse),
            count(level.sides.same), p_value(level.sides.p),
        )
        for level in versus.levels
    ]  # fmt: skip


def _limits(versus: Versus, level: float) -> list[str]:
    """Say of each level what its p value cannot say."""
    unknown = [
        f"{plural(each.unknown, 'pair')} without a value of {name(each.name, 20)}: not counted at that level."
        for each in versus.levels
        if each.unknown
    ]
    return [*(line for each in versus.levels if (line := _limit(each, level))), *unknown]


def _limit(level: Level, sure: float) -> str:
    if not level.decides:
        least = f"p cannot be below {_two(level.sides.least_p)}, whatever happens"
        units = f"{name(level.name, 20)}, {plural(level.units, 'unit')}"
        return f"{units}: {least}; at {confidence(sure)} nothing can be shown."
    return "Pairs that share a history or a cluster are not independent trials." if level.name == "pair" else ""


def _amounts(versus: Versus, sure: float) -> list[str]:
    return [line for measure in versus.measures for line in _amount(measure, versus, sure)]


def _amount(measure: Measure, versus: Versus, sure: float) -> list[str]:
    paired = versus.pairs > 0
    over = f"{plural(measure.n[0], 'pair')}" if paired else f"{count(measure.n[0])} and {count(measure.n[1])} runs"
    ratio = f", ratio {measure.sums[1] / measure.sums[0]:.3f}" if measure.sums[0] else ""
    sums = f"sum {amount(measure.sums[0])} → {amount(measure.sums[1])}{ratio}; " if paired else ""
    lines = [
        f"{measure.name}, {over}: {sums}mean {amount(measure.means[0])} → {amount(measure.means[1])} "
        f"({percent(measure.change)}){_spread(measure) if not paired else ''}."
    ]
    if paired:
        lines.append(_difference(measure, sure))
    if paired and versus.outcomes_differ and measure.name != "turns":
        lines.append(f"{measure.name}: outcomes differ, so this compares successes with failures.")
    return lines


def _spread(measure: Measure) -> str:
    """Say that runs differ by more than the means; of unequal numbers the larger has the larger range anyway."""
    equal = measure.n[0] == measure.n[1]
    return "; single runs of one arm differ by more than that, or as much" if measure.within_spread and equal else ""


def _difference(measure: Measure, sure: float) -> str:
    found = measure.difference
    more = f"{of(measure.more or 0, measure.n[0])} pairs {'slower' if measure.name == 'seconds' else 'took more'}"
    if found is None:
        return f"{measure.name}: one pair gives no interval; {more}."
    return (
        f"{measure.name}: mean difference {found.mean:+,.1f} [{found.low:,.1f}, {found.high:,.1f}] "
        f"({confidence(sure)}, t, pairs taken as independent); {more}."
    )


def _again(versus: Versus) -> list[str]:
    found = versus.again
    if found is None or not found.better + found.worse:
        return []
    return [
        f"Fires again after the shared history in {plural(found.worse, 'pair')} only with {name(versus.new, 20)}, in "
        f"{count(found.better)} only with {name(versus.old, 20)}: {p_value(found.p)}."
    ]


def _flip(flip: Flip) -> str:
    turns = " → ".join("never" if turn is None else f"turn {count(turn)}" for turn in flip.fire_turns)
    fires = f"  (fires {turns})" if any(turn is not None for turn in flip.fire_turns) else ""
    episodes = " → ".join(name(one, 30).replace(STUCK, " ") for one in flip.episodes if one)
    return f"{'better' if flip.better else 'worse '}  {_key(flip.key)}{f': {episodes}' if episodes else ''}{fires}"


def _flips(versus: Versus) -> list[str]:
    ordered = sorted(versus.flips, key=lambda flip: flip.better)
    more = [f"{count(len(ordered) - LISTED)} more"] * (len(ordered) > LISTED)
    return [*map(_flip, ordered[:LISTED]), *more]


def _missing(found: Comparison, versus: Versus) -> list[str]:
    lines = []
    for arm, other, keys in ((versus.old, versus.new, versus.alone[0]), (versus.new, versus.old, versus.alone[1])):
        if keys:
            lines.append(
                f"{plural(len(keys), 'run')} of {name(arm, 20)} without a partner in {name(other, 20)}: {_few(keys)}"
            )
    if versus.not_run:
        lines.append(f"{plural(len(versus.not_run), 'pair')} without a verdict on both sides: {_few(versus.not_run)}")
    if found.unkeyed:
        lines.append(f"{plural(found.unkeyed, 'run')} without a value of {', '.join(found.design.pair)}: left out")
    return lines


def _few(keys: Sequence[Key]) -> str:
    more = f"; {count(len(keys) - LISTED)} more" if len(keys) > LISTED else ""
    return "; ".join(map(_key, keys[:LISTED])) + more


def verdict(viable: Viability, rule: str) -> str:
    """Say in one line whether a rule that was declared before holds for an arm."""
    mine, theirs = (f", {n} not run" if n else "" for n in (viable.not_run, viable.reference_not_run))
    return (
        f"{viable.verdict} {name(viable.arm, 20)}: {viable.passes} passes{mine}, {viable.reference_passes} of "
        f"{name(viable.reference, 20)}{theirs} on the same pairs (rule: {rule})"
    )


def _head(found: Comparison) -> str:
    pairs = f", paired by {', '.join(found.design.pair)}" if found.design.pair else ", not paired"
    told = f"compare by {found.design.by}{pairs}: {plural(len(found.arms), 'arm')}"
    if found.design.baseline:
        return told
    return f"{told}; the old arm is {found.arms[0].name}, --baseline NAME makes it another"


def _about(found: Comparison) -> list[str]:
    """Say below the table what `fired` means, where nothing could, and what was left out."""
    lines = [f"fired: at {found.design.point}"] if found.design.point else []
    lines += [
        f"not observable in {count(side.not_observable)} of {count(side.runs)} runs of {name(side.name, 30)}"
        for side in found.arms
        if side.not_observable
    ]
    if found.left_out.episodes:
        lines.append(said_left_out(found.left_out))
    return lines


def render(found: Comparison, width: int = 80) -> str:
    """Show the comparison on a terminal; names are escaped."""
    lines = [*wrap(name(_head(found), 300).replace(STUCK, " "), width), ""]
    lines += table([SIDES, *_sides(found)], (False, True, True, True, True), "")
    for line in _about(found):
        lines += wrap(line, width, "", "  ")
    for versus in found.versus:
        lines += ["", f"{name(versus.new, 30)} against {name(versus.old, 30)}" + _paired(versus)]
        if versus.levels:
            rows = [[part.replace(" ", STUCK) for part in row] for row in (LEVELS, *_levels(versus))]
            lines += table(rows, (False, True, True, True, True, False))
        said = [*_limits(versus, found.design.confidence), *_again(versus), *_amounts(versus, found.design.confidence)]
        for line in [*said, *_missing(found, versus)]:
            lines += wrap(line.replace(" %", f"{STUCK}%"), width, "  ", "    ")
        for line in _flips(versus):
            lines += wrap(line, width, "  ", "          ")
    if found.viable:
        lines += [
            "",
            *(line for each in found.viable for line in wrap(verdict(each, str(found.rule)), width, "", "  ")),
        ]
    return guarded(lines)


def _paired(versus: Versus) -> str:
    return f", {plural(versus.pairs, 'pair')}" if versus.pairs else ""


def render_markdown(found: Comparison) -> str:
    """Write the comparison in Markdown."""
    lines = [f"{cell(_head(found), cell=False)}", "", _row(SIDES), _row(["---", *["---:"] * 4])]
    lines += [_row([cell(row[0].replace(STUCK, " ")), *row[1:]]) for row in _sides(found)]
    if about := _about(found):
        lines += ["", *(f"- {_safe(line)}" for line in about)]
    for versus in found.versus:
        lines += ["", f"#### {cell(versus.new)} against {cell(versus.old)}{_paired(versus)}", ""]
        if versus.levels:
            lines += [_row(LEVELS), _row(["---", *["---:"] * 4, "---"])]
            lines += [_row([cell(row[0].replace(STUCK, " ")), *row[1:]]) for row in _levels(versus)]
            lines.append("")
        said = [*_limits(versus, found.design.confidence), *_again(versus), *_amounts(versus, found.design.confidence)]
        lines += [f"- {_safe(line)}" for line in [*said, *_missing(found, versus), *_flips(versus)]]
    if found.viable:
        lines += ["", *(f"- {_safe(verdict(each, str(found.rule)))}" for each in found.viable)]
    return "\n".join(lines) + "\n"


def _safe(line: str) -> str:
    """Quote a line of ours that holds names of a dump."""
    return cell(line.replace(STUCK, " "), cell=False)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def render_json(found: Comparison) -> str:
    """Write the comparison as one JSON object, every key and every flip named."""
    told = {"schema_version": 1, **asdict(found), "rule": None if found.rule is None else str(found.rule)}
    for versus, each in zip(told["versus"], found.versus, strict=True):
        for level, one in zip(versus["levels"], each.levels, strict=True):
            level |= {"units": one.units, "p": one.sides.p, "least_p": one.sides.least_p}
        if each.again is not None:
            versus["again"]["p"] = each.again.p
    return json_text(jsonlib.dumps(told, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"
