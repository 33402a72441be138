"""What an ingest did, for a terminal: what was read, what came out, and where every byte went."""

from calib.escape import terminal
from calib.ingest.account import IngestSummary
from calib.labels import LIMIT_KINDS
from calib.reports._columns import STUCK, wrap
from calib.spelling import count, plural
from calib.tables import LABELS, REASONING_FORMS

LISTED = 5
"""Most source names of a kind."""


def _named(what: str, names: tuple[str, ...]) -> list[str]:
    if not names:
        return []
    shown = ", ".join(terminal(name, 40) for name in names[:LISTED])
    more = f" and {count(len(names) - LISTED)} more" if len(names) > LISTED else ""
    return [line.replace(STUCK, " ") for line in wrap(shown + more, 80, f"{what:<10} ", " " * 11)]


def _counted(counts: dict[str, int], order: tuple[str, ...]) -> str:
    known = [name for name in order if counts.get(name)]
    return ", ".join(f"{count(counts[name])} {name}" for name in known) or "none"


def _bytes(summary: IngestSummary) -> list[str]:
    """Add the account up in front of the reader's eyes."""
    account = summary.account
    lines = [
        f"bytes      {count(account.bytes)} read = {count(account.kept)} kept + {count(account.lost_bytes)} rejected"
        f" + {count(account.blank)} blank" + (f" + {count(account.ignored_bytes)} ignored" if account.ignored else "")
    ]
    for code, found in account.rejected.items():
        lines.append(f"  rejected {code}: {plural(found['records'], 'record')}, {plural(found['bytes'], 'byte')}")
    lines += _ignored(account.ignored)
    for code, times in summary.notices.items():
        said = f"{code}: {plural(times, 'time')}, kept{_where(summary, code)}"
        lines += [line.replace(STUCK, " ") for line in wrap(said, 80, "  noticed  ", " " * 11)]
    if account.rejected or summary.notices:
        lines.append("  calib ingest --explain CODE says what a code means and what to do about it")
    return lines


def _ignored(ignored: dict[str, dict[str, int]]) -> list[str]:
    """Name the kinds of record that belong to no episode: of many those with most bytes, and how many more."""
    kinds = list(ignored.items())
    if len(kinds) > LISTED + 1:
        kinds.sort(key=lambda each: (-each[1]["bytes"], each[0]))
    shown, rest = (kinds[:LISTED], kinds[LISTED:]) if len(kinds) > LISTED + 1 else (kinds, [])
    lines = [f"  ignored  {terminal(kind, 40)}: {plural(one['records'], 'record')}, by design" for kind, one in shown]
    if rest:
        records, size = (sum(one[what] for _, one in rest) for what in ("records", "bytes"))
        lines.append(
            f"  ignored  {count(len(rest))} other kinds: {plural(records, 'record')}, {plural(size, 'byte')}, by design"
        )
    return lines


def _where(summary: IngestSummary, code: str) -> str:
    """Name the first lines of a notice, in the source that has most of it."""
    first = next((one for one in summary.noticed if one[1] == code), ("", code, 0, ()))
    source, _, times, at = first
    if not at:
        return ""
    more = ", …" if times > len(at) else ""
    line = "line" if len(at) == 1 and not more else "lines"
    return f" ({terminal(source, 40)}: {line} {', '.join(map(count, at))}{more})"


def render(summary: IngestSummary) -> str:
    """Show the state of the corpus after an ingest; source names are escaped."""
    lines = [
        f"corpus     {plural(summary.episodes, 'episode')}, {plural(summary.turns, 'turn')}, "
        f"{plural(summary.calls, 'call')} from {plural(summary.sources, 'source')}",
        *_named("added", summary.added),
        *_named("grown", summary.grown),
        *_named("replaced", summary.replaced),
        *_named("remade", summary.remade),
        *_named("unchanged", summary.unchanged),
    ]
    for name, found in summary.formats.items():
        lines.append(f"format     {name}: {plural(found.episodes, 'episode')}, {plural(found.turns, 'turn')}")
    lines.append(f"labels     {_counted(summary.labels, LABELS)}")
    if summary.stops:
        lines.append(
            f"stops      {_counted(summary.stops, LIMIT_KINDS)}: not counted as turn_limit; --positive names them"
        )
    for name, forms in summary.reasoning.items():
        lines.append(f"reasoning  {name}: {_counted(forms, REASONING_FORMS)}")
    lines += [] if summary.reasoning else ["reasoning  none"]
    return "\n".join([*lines, *_bytes(summary)]) + "\n"
