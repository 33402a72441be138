"""An episode's turns as a table for people or programs. This output shows transcript text: it was asked for."""

import json as jsonlib
from collections import Counter
from dataclasses import asdict

from calib.escape import json_text, terminal, visible
from calib.escape import markdown as cell
from calib.point import SHORT
from calib.trace import Call, Row, Trace

EXCERPT = 60
"""Most characters of a call or of reasoning in a Markdown cell."""


def _turns(row: Row) -> str:
    mark = "*" if row.fired else ""
    return mark + (f"{row.first}" if row.first == row.last else f"{row.first}–{row.last}")


def _call(row: Row) -> str:
    if not row.calls:
        return "(no call)"
    count = row.last - row.first + 1
    names = " + ".join(f"{n} × {tool}" if n > 1 else tool for tool, n in Counter(c.tool for c in row.calls).items())
    arguments = ", ".join(dict.fromkeys(call.arguments for call in row.calls if call.arguments))
    if count == 1 and len(row.calls) == 1:
        return f"{names} {arguments}".strip()
    return f"{names}: {arguments}" if arguments else names


def _one_result(call: Call) -> str:
    if call.result_chars is None:
        return "no result"
    if call.result is not None and call.result_chars <= 24 and "\n" not in call.result:
        return call.result or "empty"
    return f"{call.result_chars} chars"


def _result(row: Row) -> str:
    if len(row.calls) > 3:
        recorded = [call for call in row.calls if call.result_chars is not None]
        return f"{len(recorded)} results"
    return ", ".join(_one_result(call) for call in row.calls)


def _levels(row: Row) -> str:
    return " ".join(f"{SHORT.get(name, name)} {level}" for name, level in row.levels.items())


def _headline(trace: Trace) -> str:
    fire = "never fires" if trace.fire_turn is None else f"fires at turn {trace.fire_turn}"
    return f"{trace.label}, {trace.n_turns} turns, {trace.point} {fire}"


def _fired(row: Row) -> str:
    return f"fires: {' | '.join(row.fired)}" if row.fired else ""


def render(trace: Trace, width: int = 80) -> str:
    """Show the table in `width` columns; `*` marks the fire turn."""
    lines = [f"{terminal(trace.episode_id, width - 2)}", _headline(trace), ""]
    rows = [(_turns(r), _call(r), _result(r), r.reasoning, _levels(r), _fired(r)) for r in trace.rows]
    first = max([len(row[0]) for row in rows], default=4)
    last = max([len(row[4]) for row in rows], default=6)
    room = width - max(first, 4) - last - 8
    middle = (room * 2 // 5, room // 5, room - room * 2 // 5 - room // 5)
    heads = ("turn", "call", "result", "reasoning", "level")
    for row in [heads, *(row[:5] for row in rows)]:
        cells = [_start(text, size).ljust(size) for text, size in zip(row[1:4], middle, strict=True)]
        lines.append(f"{row[0]:>{max(first, 4)}}  {'  '.join(cells)}  {row[4]}".rstrip())
    notes = [f"* turn {row.first} {_fired(row)}" for row in trace.rows if row.fired]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"


def _start(text: str, size: int) -> str:
    shown = visible(text)
    return shown if len(shown) <= size else shown[: size - 1] + "…"


def render_markdown(trace: Trace) -> str:
    """Write the table in Markdown."""
    lines = [f"### {cell(trace.episode_id)}", "", _headline(trace), ""]
    lines += ["| turn | call | result | reasoning | level | |", "|---|---|---|---|---|---|"]
    for row in trace.rows:
        cells = [cell(_start(text, EXCERPT)) for text in (_call(row), _result(row), row.reasoning)]
        mark = "**" if row.fired else ""
        lines.append(f"| {mark}{_turns(row).strip('*')}{mark} | {' | '.join(cells)} | {_levels(row)} | {_fired(row)} |")
    return "\n".join(lines) + "\n"


def render_json(trace: Trace) -> str:
    """Write the table as one JSON object, text whole."""
    found = {**asdict(trace), "point": str(trace.point)}
    return json_text(jsonlib.dumps(found, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"
