"""What each tool of a corpus does, for a terminal: the ones that nobody places first."""

import re
from collections.abc import Mapping

from calib.reports._columns import guarded, name, table, wrap
from calib.spelling import count, plural, share
from calib.tools import KINDS, Map, Placed

ORDER: tuple[Placed, ...] = ("unplaced", *KINDS)
WIDEST = 40
"""Most cells of an action's name."""
PLAIN = re.compile(r"[\w.:+/@-]+")
"""Names that can be written in the file as they are."""
SHOWN = 3
"""Most names of an example."""
WIDTH = 80

RULE = (
    "A turn only reads when it has a call, every action of every call reads or is neutral, and at least one reads. "
    "An action that nobody places does not read."
)

LEGEND = {
    "reads": "looks at something and changes nothing",
    "writes": "changes files or the world",
    "tests": "runs checks of the work",
    "other": "does anything else: runs a program, asks, ends",
    "neutral": "counts for nothing beside other actions: cd, echo, a list of work to do",
    "unplaced": "nobody says",
}
"""What the words of the first column mean."""


def render(counts: Mapping[str, int], tools: Map, width: int = WIDTH) -> str:
    """Show each action with what it does, in how many calls it stands, and where that is said.

    `counts` has the number of calls by action. Names are escaped; no line is wider than `width` cells.
    """
    total = sum(counts.values())
    unplaced = [action for action in counts if tools.kind(action) == "unplaced"]
    lost = sum(counts[action] for action in unplaced)
    head = f"tools  {plural(len(counts), 'action')} in {plural(total, 'place')}"
    head += f"; {count(lost)} not placed" + (f" ({share(lost, total)})" if lost and share(lost, total) else "")
    if not counts:
        return guarded(["tools  no turn of the corpus has a call"])
    rows = [("does", "calls", "action", "said by")]
    for action in sorted(counts, key=lambda each: (ORDER.index(tools.kind(each)), -counts[each], each)):
        place = tools.place(action)
        rows.append((place.kind, count(counts[action]), name(action, WIDEST), place.source))
    lines = [head, *wrap(RULE, width, "       ", "       "), "", *table(rows, (False, True, False, False)), ""]
    for kind in dict.fromkeys(row[0] for row in rows[1:]):
        lines += wrap(f"{kind:<8}  {LEGEND[kind]}", width, "  ", " " * 12)
    if unmet := tools.unmet(counts):
        some = ", ".join(name(each, WIDEST) for each in unmet[:SHOWN]) + (", …" if len(unmet) > SHOWN else "")
        lines += ["", *wrap(f"Named by you, but of no call: {some}", width)]
    if unplaced and not tools.only:
        lines += ["", *_advice(sorted(unplaced, key=lambda each: (-counts[each], each)), width)]
    return guarded(lines)


def _advice(unplaced: list[str], width: int) -> list[str]:
    """Say how to place what is not placed, with the most frequent names as they are written in the file."""
    known = [action for action in unplaced if PLAIN.fullmatch(action)]
    if not known:
        return wrap("What ends in ? could not be read, or says no known sub-command.", width)
    names = ", ".join(f'"{name(action, 40)}"' for action in known[:SHOWN])
    return [
        *wrap("Not placed: say what they do in calib.toml, each in one of the lists, such as", width),
        "  [tools]",
        f"  reads = [{names}]" if len(names) < width - 12 else f'  reads = ["{name(known[0], 40)}"]',
    ]
