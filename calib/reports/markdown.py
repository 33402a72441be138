"""The report in Markdown, for pull-request comments and step summaries: the verdict first, details folded in order.

Every text of a dump stands in a code span, so it makes no link, image, tag, mention or table cell.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from calib import escape
from calib.reports import _held as held
from calib.reports import _plateaus as plateaus
from calib.reports import _statistics as statistics
from calib.reports import _words as words
from calib.reports._plain import plain
from calib.reports._rates import rate_sentences
from calib.results import Report, Sweep
from calib.spelling import count, detector, run

LONGEST = 60
QUIET = re.compile(r"[\w .,;:%()=–+|-]*")
"""Characters that mean nothing to Markdown between words."""

ACTS = re.compile(r"[<>`*\[\]~&$\\]|__")
"""Characters that mean something to Markdown within words."""


def render(report: Report | Sequence[Report]) -> str:
    """Give the Markdown of one report, or of the reports of `--by`, which begin with a table of all."""
    reports = [report] if isinstance(report, Report) else list(report)
    worst = words.worst(reports)
    blocks = [block for one in reports for block in _blocks(one, alone=len(reports) == 1)]
    if len(reports) > 1:
        heads = ("group", "point", "caught", "false fires", "other fires", "median fire turn", "plateaus wide")
        rows = [
            (escape.markdown(_short(one.sweep.group or "(all)")), *map(_named, words.comparison_row(one.sweep)))
            for one in reports
        ]
        blocks.insert(0, _table(heads, rows))
    return "\n\n".join([f"**{_plain(worst.verdict)}** {_line(worst.line)}", *blocks]) + "\n"


def _short(text: str) -> str:
    return escape.terminal(text, LONGEST) or "''"


def _line(text: str) -> str:
    """Show a line outside tables that may hold text of a dump."""
    return escape.markdown(text, cell=False)


def _quiet(text: str) -> str:
    """Show words of our own, in a code span where a name among them could act."""
    return _plain(text) if QUIET.fullmatch(text) else escape.markdown(text)


def _plain(text: str) -> str:
    """Show words of our own, in which no character means anything to Markdown but `|`."""
    return text.replace("|", "\\|")


def _named(text: str) -> str:
    """Show a cell of our own words that may spell a rule: in a code span where its tool names could act."""
    return escape.markdown(text) if ACTS.search(text) else _plain(text)


def _sentence(text: str, found: Sweep) -> str:
    """Show a sentence of our own: the rules that it spells in code spans, as texts of a dump in it already are."""
    rules = sorted((name for name in found.point.thresholds if "(" in name), key=len, reverse=True)
    spelled = "|".join(rf"{re.escape(name)}(?:@[0-9]+)?" for name in rules)
    parts = re.split(rf"(`[^`]*`{'|' * bool(rules)}{spelled})", text)  # every other part is one that was split at
    return "".join(
        (part if part[:1] == "`" else escape.markdown(part, cell=False)) if at % 2 else _plain(part)
        for at, part in enumerate(parts)
    )


def _blocks(report: Report, alone: bool) -> Iterator[str]:
    found = report.sweep
    labelled = found.counts.turn_limit or found.counts.passed
    lacking = words.missing_labels(found)
    heading = "### calib" if alone else f"### {_line(_short(found.group or '(all)'))}"
    yield heading
    yield f"**{_plain(words.headline_of(found) if labelled else lacking)}**"
    yield _plain(plain(report))
    yield _facts(report)
    yield _ladder(report)
    if lacking:
        yield f"Highest levels ({_plain(lacking)}):"
        yield _table(("peaks of", "label", "episodes", *words.QUANTILES), _all_plain(words.level_rows(found)))
    if labelled:
        yield _plateaus(found)
        yield from _neighbours(found)
        heads = ("operating point", "", "caught", "false fires", "other fires", "fire turn", "turns after fire")
        yield _table(heads, _all_plain([words.row(point, found) for point in found.operating_points]))
        yield _evidence(report)
    yield from _gate(report)
    yield _grounds(found)


def _ladder(report: Report) -> str:
    heads = ("", "rung", "what is known, and what it needs")
    rows = [
        ("✓" if rung.reached else "", f"{at} {rung.name}", _quiet(words.rung_said(rung)))
        for at, rung in enumerate(report.ladder.rungs)
    ]
    said = words.rung(report.ladder)
    return f"{said[0].upper()}{said[1:]}.\n\n{_table(heads, rows)}"


def _evidence(report: Report) -> str:
    said = statistics.sentences(report, lambda text: _line(_short(text)))
    lines = [_sentence(f"{title}: {sentence}" if title else sentence, report.sweep) for title, sentence in said]
    return f"What the counts rest on:\n\n{_list(lines)}"


def _facts(report: Report) -> str:
    found = report.sweep
    facts = [
        ("point", f"{_line(str(found.point))} ({words.chosen(found)})"),
        ("episodes", words.episodes(found)),
        *rate_sentences(report.statistics.by_unit, report.statistics.confidence),
        ("fire turns", words.fired_turns(found)),
        ("could save", words.could_save(found)),
        ("note", words.against_turn_count(found)),
        *((title, _line(said)) for title, said in held.facts(report)),
    ]
    return _list(f"{title}: {said}" if title else said for title, said in facts if said)


def _plateaus(found: Sweep) -> str:
    heads = ("detector", "threshold", "plateau", "width", "what ends it")
    rows = []
    for name, plateau in found.plateaus.items():
        width = "no upper end" if plateau.width is None else count(plateau.width)
        ends = plateaus.ends(plateau, found.support.get(name), lambda text: escape.markdown(_short(text)))
        threshold = str(found.point.thresholds[name])
        rows.append((_named(detector(name)), threshold, run(plateau.low, plateau.high), width, ends))
    more = [("rectangle", plateaus.rectangle(found)), ("far corner", plateaus.far_corner(found))]
    said = _list(f"{title}: {_line(text) if ACTS.search(text) else _plain(text)}" for title, text in more if text)
    return _table(heads, rows) + (f"\n\n{said}" if said else "")


def _neighbours(found: Sweep) -> Iterator[str]:
    if found.near_misses:
        yield "Near misses:\n\n" + _list(
            _sentence(plateaus.near_miss(near, lambda text: _line(_short(text))), found) for near in found.near_misses
        )


def _gate(report: Report) -> Iterator[str]:
    if report.verdict.limits:
        rows = [
            (limit.verdict, *map(escape.markdown, (limit.name, limit.limit_text, limit.found)))
            for limit in report.verdict.limits
        ]
        yield _table(("gate", "limit", "", "found"), rows)
    if report.moved is not None:
        since = f"Since {_line(report.moved.baseline_signature)}:"
        yield f"{since}\n\n{_list(map(_line, report.moved.lines or ('nothing moved',)))}"


def _grounds(found: Sweep) -> str:
    facts = [
        ("not seen", _sentence(words.not_observable(found), found)),
        ("lost input", _plain(words.lost(found))),
        *(("warning", _line(warning)) for warning in found.warnings),
        ("signature", _line(found.signature)),
    ]
    return "What this rests on:\n\n" + _list(f"{title}: {said}" for title, said in facts if said)


def _all_plain(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [tuple(map(_named, row)) for row in rows]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
