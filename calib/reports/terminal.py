"""The report on a terminal: plain text in 80 columns, the verdict as its last line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from calib.reports import _held as held
from calib.reports import _plateaus as plateaus
from calib.reports import _statistics as statistics
from calib.reports import _strip as drawing
from calib.reports import _words as words
from calib.reports._columns import cells, guarded, name, safe, table, wrap
from calib.reports._plain import plain
from calib.reports._points import points
from calib.reports._rates import rate_sentences
from calib.results import Ladder, Report, Sweep
from calib.spelling import detector
from calib.statistics import Rates, Unit

Style = Literal["", "strong", "marks", "PASS", "FAIL", "INCONCLUSIVE", "nothing gated"]
SGR = {"strong": "1", "PASS": "32", "FAIL": "31;1", "INCONCLUSIVE": "33"}
MARKS = {drawing.FALSE: "33", drawing.SAME: "34", drawing.POINT: "1"}
LEGEND = {
    drawing.POINT: "point",
    drawing.SAME: "same counts",
    drawing.FALSE: "more false fires",
    drawing.LOST: "fewer caught",
    drawing.MORE: "more caught",
    drawing.FEWER: "fewer false fires",
}

REACHED, MISSING = "✓", "·"


@dataclass(frozen=True)
class Line:
    """A line of the report and what it is, for colour."""

    text: str
    style: Style = ""


Lines = Iterator[Line]


def render(report: Report | Sequence[Report], width: int = 80, colour: bool = False) -> str:
    """Give the text of one report, or of several, which end with a table of all; the verdict is the last line.

    `width` is in cells and at least 40. Without `colour` there is no escape sequence in it.
    """
    reports = [report] if isinstance(report, Report) else list(report)
    width = max(40, width)
    lines = [line for one in reports for line in _block(one.sweep, one.statistics.by_unit, width, one)]
    lines += _comparison([one.sweep for one in reports], width)
    worst = words.worst(reports)
    return _text([*lines, Line(safe(worst.line), worst.verdict)], colour)


def render_sweeps(swept: Sequence[Sweep], rates: Sequence[Rates], width: int = 80, colour: bool = False) -> str:
    """Give the text of one sweep, or of several (the groups of `--by`), with no gate and so no verdict."""
    width = max(40, width)
    pairs = zip(swept, rates, strict=True)
    lines = [line for one, its in pairs for line in _block(one, {"episode": its}, width)]
    return _text([*lines, *_comparison(swept, width)][:-1], colour)


def _text(lines: Sequence[Line], colour: bool) -> str:
    plain = guarded(line.text for line in lines)
    if not colour:
        return plain
    painted = [_painted(text, line.style) for text, line in zip(plain.split("\n"), lines, strict=False)]
    return "\n".join(painted) + "\n"


def _painted(text: str, style: Style) -> str:
    if style == "marks":
        return "".join(f"\x1b[{MARKS[mark]}m{mark}\x1b[0m" if mark in MARKS else mark for mark in text)
    return f"\x1b[{SGR[style]}m{text}\x1b[0m" if style in SGR and text else text


def _block(found: Sweep, rates: Mapping[Unit, Rates], width: int, report: Report | None = None) -> Lines:
    """Tell the story of one table: what was counted, what it may be, how far the cliffs are, what it rests on.

    A report adds how far that can be trusted, and its gate.
    """
    if found.group:
        yield Line(f"== {name(found.group, width - 3)}", "strong")
    lacking = words.missing_labels(found)
    labelled = found.counts.turn_limit or found.counts.passed
    yield from _wrapped(words.headline_of(found) if labelled else lacking, width, "strong")
    if report is not None:
        yield from map(Line, wrap(plain(report), width, "", ""))
    yield Line("")
    yield from _facts(found, rates, width, report)
    if report is not None:
        yield from _ladder(report.ladder, width)
    yield from _levels(found, lacking, width)
    if labelled:
        yield from _plateaus(found, width)
        yield from _neighbours(found, width)
        yield from _points(found, width)
    if report is not None and labelled:
        yield from _evidence(report, width)
    yield from _grounds(found, width)
    if report is not None:
        yield from _gate(report, width)
    yield Line("")


def _wrapped(text: str, width: int, style: Style = "", indent: str = "") -> Lines:
    for line in wrap(text, width, indent, indent + "  "):
        yield Line(line, style)


def _facts(found: Sweep, rates: Mapping[Unit, Rates], width: int, report: Report | None) -> Lines:
    facts = [
        ("point", f"{found.point} ({words.chosen(found)})"),
        ("episodes", words.episodes(found)),
        *rate_sentences(rates, report.statistics.confidence if report else found.confidence),
        ("fire turns", words.fired_turns(found)),
        ("could save", words.could_save(found)),
        ("note", words.against_turn_count(found)),
        *((title, safe(said)) for title, said in (held.facts(report) if report else [])),
    ]
    yield from _named(facts, width)


def _ladder(found: Ladder, width: int) -> Lines:
    """Say how far to trust the numbers: what each rung says, and what the first that is missing needs."""
    yield Line("")
    yield Line(words.rung(found), "strong")
    for at, rung in enumerate(found.rungs):
        mark = REACHED if rung.reached else MISSING
        yield from (Line(line) for line in wrap(words.rung_said(rung), width, f"{mark} {at} {rung.name:<14}", " " * 18))


def _evidence(report: Report, width: int) -> Lines:
    """Say what the counts rest on and what they are worth."""
    yield Line("")
    yield Line("what the counts rest on", "strong")
    yield from _named(statistics.sentences(report, lambda text: name(text, 32)), width)


def _named(facts: Sequence[tuple[str, str]], width: int) -> Lines:
    """Write pairs of a name and a sentence, the sentences under each other; empty sentences are left out."""
    for title, said in facts:
        if said:
            for line in wrap(said, width, f"{title:<13}", " " * 13):
                yield Line(line)


def _levels(found: Sweep, lacking: str, width: int) -> Lines:
    """Show how the peaks are distributed, where there are no rates to show."""
    if not lacking:
        return
    rows = [("peaks of", "label", "episodes", *words.QUANTILES), *words.level_rows(found)]
    right = (False, False, *[True] * 8)
    others = max(map(cells, table([("", *row[1:]) for row in rows], right)))
    yield Line("")
    yield from _wrapped(f"highest levels ({lacking})", width, "strong")
    yield from map(Line, table([(name(row[0], max(width - others, 12)), *row[1:]) for row in rows], right))


def _plateaus(found: Sweep, width: int) -> Lines:
    yield Line("")
    yield Line("plateaus (one threshold moved, the others held)", "strong")
    used = set()
    for at in found.plateaus:
        yield from _wrapped(plateaus.plateau(at, found.plateaus[at], found.support.get(at), name), width, "", "  ")
        marks, ticks = drawing.strip(found, at, width - 4)
        used |= set(marks)
        yield Line(f"  {marks}", "marks")
        yield Line(f"  {ticks}")
    yield from _wrapped(_legend(used), width, "", "  ")
    block, corner = plateaus.rectangle(found), plateaus.far_corner(found)
    yield from _named([("rectangle", block), ("far corner", corner)], width)
    yield from _map(found, width)


def _legend(used: set[str]) -> str:
    return "  ".join(f"{mark} {said}".replace(" ", "\x00") for mark, said in LEGEND.items() if mark in used)


def _map(found: Sweep, width: int) -> Lines:
    rows, names = drawing.small_map(found), list(found.point.thresholds)
    if rows:
        yield Line("")
        yield Line(f"{detector(names[0])} to the right, {detector(names[1])} upwards", "strong")
        yield from (Line(f"  {row}", "marks") for row in rows)
        yield Line("  × more false fires  █ as many caught, no more false fires  ▓▒░ caught lost")
    elif len(names) > 2:
        yield from _wrapped(f"no map of {len(names)} detectors: name two of them, such as {names[0]} {names[1]}", width)


def _neighbours(found: Sweep, width: int) -> Lines:
    if found.near_misses:
        yield Line("")
        yield Line("near misses", "strong")
        for near in found.near_misses:
            yield from _wrapped(plateaus.near_miss(near, lambda text: name(text, 24)), width, "", "  ")


def _points(found: Sweep, width: int) -> Lines:
    title, lines = points(found, width)
    yield Line("")
    yield Line(title, "strong")
    yield from map(Line, lines)


def _grounds(found: Sweep, width: int) -> Lines:
    """Say what the numbers rest on and what is missing from them."""
    yield Line("")
    yield from _named(
        [
            ("not seen", words.not_observable(found)),
            ("lost input", words.lost(found)),
            *(("warning", safe(warning)) for warning in found.warnings),
            ("signature", safe(found.signature)),
        ],
        width,
    )


def _gate(report: Report, width: int) -> Lines:
    moved = report.moved
    if moved is not None:
        yield Line("")
        yield from _wrapped(f"since {safe(moved.baseline_signature)}", width, "strong")
        for said in moved.lines or ("nothing moved",):
            yield from _wrapped(safe(said), width, "", "  ")
    if report.verdict.limits:
        yield Line("")
        yield Line(f"gate: {report.verdict.verdict}", report.verdict.verdict)
        for limit in report.verdict.limits:
            yield from _wrapped(safe(limit.line), width, limit.verdict, "  ")


def _comparison(swept: Sequence[Sweep], width: int) -> Lines:
    """Set several sweeps side by side; nothing for one."""
    if len(swept) < 2:
        return
    heads = ("", "point", "caught", "false", "other", "median", "wide")
    rows = [(name(one.group or "(all)", 24), *words.comparison_row(one)) for one in swept]
    lines = table([heads, *rows], (False, False, True, True, True, True, True))
    if max(map(cells, lines)) > width:
        short = [(row[0], *(cell.partition("/")[0] for cell in row[2:])) for row in rows]
        lines = table([(heads[0], *heads[2:]), *short], (False, True, True, True, True, True))
    yield Line("groups (median: fire turn; wide: plateaus)", "strong")
    yield from map(Line, lines)
    yield Line("")
