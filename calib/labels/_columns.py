"""Which columns of a labels file tell how an episode ended, and what to say when none does or one is misspelled."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from calib.escape import visible

KEYS = {
    "episode_id": ("episode_id",),
    "source": ("source", "path", "file"),
    "task": ("task", "task_id", "instance_id", "episode"),
    "arm": ("arm",),
}
OUTCOME_COLUMNS = ("outcome", "resolved", "success", "passed", "correct", "score", "reward")
STOP_COLUMNS = ("stop_reason", "exit_status", "termination_reason", "exit_reason")
ENDS = (*OUTCOME_COLUMNS, *STOP_COLUMNS, "label")
ALIKE = 0.8
"""How near a name must be to that of a column to be taken for its misspelling: `outcme` is, `exit_code` is not."""
LISTED = 5
"""Most columns that are named."""


def plain(column: str) -> str:
    """Give the name by which a column is known.

    >>> plain(" Exit-Status ")
    'exit_status'
    """
    return column.strip().lower().replace("-", "_").replace(" ", "_")


def listed(columns: Iterable[str]) -> str:
    """Name some columns in a message."""
    names = [f"'{visible(name[:200])[:40]}'" for name in columns]
    return ", ".join(names[:LISTED]) + (", …" if len(names) > LISTED else "") if names else "none"


def oddity(columns: Iterable[str]) -> str:
    """Say in one line that no column tells how an episode ended, or that one nearly does; else give nothing.

    >>> oddity(["task", "outcome"]), oddity(["task", "Outcome", "labels"])
    ('', "'labels' goes into the metadata; is 'label' meant?")
    >>> oddity(["task", "outcme"])
    "no column tells how an episode ended, found 'task', 'outcme': is 'outcme' meant as 'outcome'? (docs/labels.md)"
    """
    names = list(columns)
    known = {plain(name) for name in names}
    keys = {key for group in KEYS.values() for key in group}
    missing = [name for name in ENDS if name not in known]
    slips = [(name, near) for name in names if plain(name) not in keys if (near := _near(plain(name), missing))]
    if known.isdisjoint(ENDS):
        asked = f": is {listed([slips[0][0]])} meant as '{slips[0][1]}'?" if slips else ""
        return f"no column tells how an episode ended, found {listed(names)}{asked} (docs/labels.md)"
    return "; ".join(f"{listed([name])} goes into the metadata; is '{near}' meant?" for name, near in slips[:LISTED])


def _near(name: str, columns: Iterable[str]) -> str:
    """Give the column that a name is a misspelling of, or nothing."""
    ranked = [(SequenceMatcher(None, name, column).ratio(), column) for column in columns if name not in ENDS]
    alike, nearest = max(ranked, default=(0.0, ""))
    return nearest if alike >= ALIKE else ""
