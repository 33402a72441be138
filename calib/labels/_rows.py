"""One row of a labels file: which episode it is about, and what it says.

Column names are read without case; `-` and blanks are `_`. The first column of a list that is not empty counts:

========================  ====================================================================================
which episode             `episode_id`; `source`, `path`, `file`; `task`, `task_id`, `instance_id`, `episode`; `arm`
outcome                   `outcome`, `resolved`, `success`, `passed`, `correct`, `score`, `reward`
why it stopped            `stop_reason`, `exit_status`, `termination_reason`, `exit_reason`
label                     `label`: one of the five, given outright
========================  ====================================================================================

Outcomes are words (pass, failed, resolved …), truth values, or exactly 0 or 1; `label` takes the words, too. A `reward`
from 0 to 1 is a pass when it is 1, else a fail; a `score` in between says nothing. Columns of a row that give different
outcomes contradict each other: the row is told and not used. Every other column, and every outcome under another name
than `outcome`, goes into the metadata of the episode, raw.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calib.escape import visible
from calib.labels._columns import KEYS, OUTCOME_COLUMNS, STOP_COLUMNS, plain
from calib.labels._outcomes import outcome_of, outcome_of_reward
from calib.labels._stops import squashed
from calib.tables import LABELS

NO_NUMBERS = ("outcome", "resolved", "success", "passed", "correct")
"""Columns of an outcome in which anything but a pass or a fail is told."""
LONGEST_CELL = 10_000
"""Characters of a cell; a longer one is no label."""


@dataclass(frozen=True)
class Said:
    """What a labels file says about one episode; `where` is file:row. `conflict` tells of rows that disagree.

    `odd_outcome`: where an outcome should stand is something else.
    """

    where: str
    outcome: str = "unknown"
    stop_reason: str | None = None
    label: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    conflict: str = ""
    odd_outcome: bool = False

    def agrees(self, other: "Said") -> bool:
        """Tell whether two rows say the same about the end of an episode."""
        return (self.outcome, self.stop_reason, self.label) == (other.outcome, other.stop_reason, other.label)


@dataclass(frozen=True)
class Row:
    """A row that could be read. The keys are None where the row has none."""

    said: Said
    episode_id: str | None = None
    source: str | None = None
    task: str | None = None
    arm: str | None = None


@dataclass(frozen=True)
class LabelFile:
    """The rows of a labels file, and one line for each row or cell that could not be used.

    `oddity` is what is odd about its columns, empty for nothing.
    """

    name: str
    rows: tuple[Row, ...] = ()
    faults: tuple[str, ...] = ()
    oddity: str = ""


class Unusable(Exception):  # noqa: N818 - a verdict on a row, not an error of the program
    """A row that cannot be used. The message is one line without file and row."""


def shown(text: str) -> str:
    r"""Quote text of a file in a message: one line, at most 40 characters.

    >>> shown("x\n" + "y" * 100)
    "'x\\x0ayyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…'"
    """
    safe = visible(text[:200])
    return f"'{safe}'" if len(safe) <= 40 else f"'{safe[:39]}…'"


NO_KEY = "expected an episode_id, a source or a task, found none; row not used"


def row_of(cells: Mapping[str, Any], where: str) -> tuple[Row, list[str]]:
    """Read one row; gives it and what was noticed about its cells, without file and row.

    Raises Unusable when it names no episode, a label that is none, or contradicts itself.
    """
    named = by_name(cells)
    keys = {key: _text(key, named, names) for key, names in KEYS.items()}
    if not any(keys[key] for key in ("episode_id", "source", "task")):
        raise Unusable(NO_KEY)
    outcome, noticed = outcome_in(named)
    label = _label(named)
    if label is not None and _impossible(label, outcome):
        raise Unusable(f"label {label} contradicts outcome {outcome}; row not used")
    stop_reason = _text("stop_reason", named, STOP_COLUMNS)
    used = {name for names in KEYS.values() for name in names} | {"label", "stop_reason"}
    used |= set() if any(said.startswith("outcome:") for said in noticed) else {"outcome"}
    metadata = {name: value for name, value in named.items() if name not in used}
    return Row(Said(where, outcome, stop_reason, label, metadata, odd_outcome=bool(noticed)), **keys), noticed


def by_name(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Give the cells that hold something by their column's plain name."""
    named: dict[str, Any] = {}
    for column, value in cells.items():
        if value is None or value == "":
            continue
        if isinstance(value, str) and len(value) > LONGEST_CELL:
            raise Unusable(f"{shown(column)}: longer than {LONGEST_CELL} characters; row not used")
        named.setdefault(plain(column), value)
    return named


def _text(key: str, named: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    value = next((named[name] for name in names if name in named), None)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(int(value)) if isinstance(value, int) or value.is_integer() else repr(value)
    raise Unusable(f"{key}: expected text, found {type(value).__name__}; row not used")


def outcome_in(named: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Read the outcome of a row, and what was noticed about its cells.

    Raises Unusable when columns contradict each other.
    """
    found = {}
    odd = {}
    for name in OUTCOME_COLUMNS:
        if name in named:
            said = named[name]
            word = outcome_of_reward(said) if name == "reward" else outcome_of(said)
            if word != "unknown":
                found[name] = word
            elif name in NO_NUMBERS and not _says_unknown(said):
                odd[name] = f"{name}: expected pass or fail, found {shown(str(said))}; kept as metadata"
    if len(set(found.values())) > 1:
        told = ", ".join(f"{name} says {word}" for name, word in found.items())
        raise Unusable(f"{told}; row not used")
    return next(iter(found.values()), "unknown"), [odd[name] for name in odd if name == "outcome" or not found]


_LABELS = {squashed(label): label for label in LABELS}
NO_WORDS = ("true", "false", "1", "0", "10", "00")
"""Spelled so, an outcome is a pass or a fail, but of a label it may be meant the other way round."""


def _says_unknown(said: Any) -> bool:
    return isinstance(said, str) and said.strip().lower() in ("unknown", "none", "null", "nan", "n/a")


def _label(named: Mapping[str, Any]) -> str | None:
    said = named.get("label")
    if said is None:
        return None
    word = said.strip() if isinstance(said, str) else ""
    outcome = outcome_of(word) if squashed(word) not in NO_WORDS else "unknown"
    label = _LABELS.get(squashed(word)) or (outcome if outcome in LABELS else None)
    if label is None:
        raise Unusable(f"label: expected one of {', '.join(LABELS)}, found {shown(str(said))}; row not used")
    return label


def _impossible(label: str, outcome: str) -> bool:
    return (label == "passed" and outcome == "failed") or (label in ("failed", "turn_limit") and outcome == "passed")
