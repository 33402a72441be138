"""An episode's turns as a table for people or programs. This output shows transcript text: it was asked for."""

import json as jsonlib
from collections import Counter
from dataclasses import asdict

from calib.escape import json_text, terminal, visible
from calib.escape import markdown as cell
from calib.point import SHORT
from calib.reports._columns import cells, guarded, pad, wrap
from calib.trace import Call, Row, Trace

SHORT_RESULT, SHORT_RESULTS = 24, 80
"""Most characters of a line that is shown as the result, and of the whole result; of others the length is."""
LISTED = 5
"""Results of a row that are listed one by one."""
EXCERPT = 60
"""Most characters of a call or of reasoning in a Markdown cell."""


def _turns(row: Row) -> str:
    mark = "*" if row.fired else ""
    return mark + (f"{row.first}" if row.first == row.last else f"{row.first}–{row.last}")


def _call(row: Row) -> str:
    """Name the calls: a single one with its arguments, many by their number, `more` when rows above have the same."""
    if not row.calls:
        return "(no call)"
    arguments = ", ".join(dict.fromkeys(call.arguments for call in row.calls if call.arguments))
    if row.first == row.last and len(row.calls) == 1:
        return f"{row.calls[0].tool} {arguments}".strip()
    many = "more" if row.more else "×"
    names = " + ".join(
        f"{n} {many} {tool}" if n > 1 else tool for tool, n in Counter(call.tool for call in row.calls).items()
    )
    return f"{names}: {arguments}" if arguments else names


def _one_result(call: Call) -> str:
    """Show a short result, the first line of one that is not long, else its length."""
    if call.result_chars is None:
        return "no result"
    if not call.result_chars:
        return "empty"
    first, line_feed, _ = (call.result or "").partition("\n")
    if call.result is not None and len(first) <= SHORT_RESULT and call.result_chars <= SHORT_RESULTS:
        return f"{first} …" if line_feed else first
    return f"{call.result_chars} chars"


def _result(row: Row) -> str:
    """Show up to five results, of more how many are alike."""
    results = [_one_result(call) for call in row.calls]
    if len(results) <= LISTED:
        return ", ".join(results)
    counts = Counter(results)
    if counts["empty"]:
        other = len(results) - counts["empty"]
        return f"{counts['empty']} empty" + (f", {other} nonempty" if other else "")
    same, times = counts.most_common(1)[0]
    if times == 1:
        return f"{len(results)} results"
    return f"{times} × {same}" + (f", {len(results) - times} others" if times < len(results) else "")


def _levels(row: Row) -> str:
    return " ".join(f"{SHORT.get(name, name)} {level}" for name, level in row.levels.items())


def _headline(trace: Trace) -> str:
    fire = "never fires" if trace.fire_turn is None else f"fires at turn {trace.fire_turn}"
    return f"{trace.label}, {trace.n_turns} turns, {trace.point} {fire}"


def _fired(row: Row) -> str:
    return f"fires: {' | '.join(row.fired)}" if row.fired else ""


def _others(trace: Trace) -> list[str]:
    """Say of the detectors that do not fire first where they would have."""
    found = {name: turn for name, turn in trace.reached.items() if turn != trace.fire_turn or turn is None}
    return [
        f"{name} alone: " + ("never" if turn is None else f"turn {turn}")
        for name, turn in found.items()
        if len(trace.reached) > 1
    ]


def render(trace: Trace, width: int = 80) -> str:
    """Show the table in `width` columns; `*` marks the fire turn."""
    rows = [(_turns(r), _call(r), _result(r), r.reasoning, _levels(r)) for r in trace.rows]
    first = max([4, *(len(row[0]) for row in rows)])
    last = min(max([5, *(cells(row[4]) for row in rows)]), width // 4)
    room = width - first - last - 8
    middle = (room * 3 // 8, room * 3 // 10, room - room * 3 // 8 - room * 3 // 10)
    lines = [terminal(trace.episode_id, width - 2), *wrap(visible(_headline(trace)), width), ""]
    for row in [("turn", "call", "result", "reasoning", "level"), *rows]:
        columns = [*(_lines(text, size) for text, size in zip(row[1:4], middle, strict=True)), _all(row[4], last)]
        for at in range(max(map(len, columns))):
            turn = row[0] if at == 0 else ""
            texts = [column[at] if at < len(column) else "" for column in columns]
            padded = [pad(text, size) for text, size in zip(texts, (*middle, last), strict=True)]
            lines.append(f"{turn:>{first}}  {'  '.join(padded)}".rstrip())
    notes = [f"* turn {row.first} {_fired(row)}" for row in trace.rows if row.fired] + _others(trace)
    return guarded([*lines, *([""] if notes else []), *notes])


def _lines(text: str, size: int) -> list[str]:
    """Break the beginning of a text at its blanks into at most two lines of `size` cells."""
    shown = visible(text[: 4 * size])
    if cells(shown) <= size:
        return [shown]
    first, *rest = wrap(shown, size)
    if cells(first) > size:  # a word that is longer than the column
        return [_start(shown, size)]
    return [first, _start(" ".join(rest), size)]


def _all(text: str, size: int) -> list[str]:
    """Break a text at its blanks into lines; a word that is longer than a line is cut."""
    return [_start(line, size) for line in wrap(visible(text), size)]


def _start(text: str, size: int) -> str:
    """Show the beginning of a text in at most `size` cells."""
    shown = visible(text)
    if cells(shown) <= size:
        return shown
    shown = shown[: size - 1]
    while cells(shown) > size - 1:
        shown = shown[:-1]
    return shown + "…"


def render_markdown(trace: Trace) -> str:
    """Write the table in Markdown."""
    lines = [f"### {cell(trace.episode_id)}", "", _headline(trace), ""]
    lines += ["| turn | call | result | reasoning | level | |", "|---|---|---|---|---|---|"]
    for row in trace.rows:
        said = [cell(_start(text, EXCERPT)) for text in (_call(row), _result(row), row.reasoning)]
        mark = "**" if row.fired else ""
        lines.append(f"| {mark}{_turns(row).strip('*')}{mark} | {' | '.join(said)} | {_levels(row)} | {_fired(row)} |")
    return "\n".join([*lines, *(f"\n{line}" for line in _others(trace))]) + "\n"


def render_json(trace: Trace) -> str:
    """Write the table as one JSON object, text whole."""
    found = {**asdict(trace), "point": str(trace.point)}
    return json_text(jsonlib.dumps(found, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"
