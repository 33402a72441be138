"""What a record says about its episode besides the messages."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from calib.formats._decode import Notices, json_text, plain
from calib.labels import outcome_of

TEXTS = ("episode_id", "task", "model", "arm", "outcome", "stop_reason")
KNOWN = frozenset((*TEXTS, "turn_limit", "metadata"))
LARGEST = 2**31 - 1


@dataclass(slots=True)
class About:
    """Everything about an episode but its turns; None where the dump does not say."""

    episode_id: str | None = None
    task: str | None = None
    model: str | None = None
    arm: str | None = None
    outcome: str | None = None
    stop_reason: str | None = None
    turn_limit: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    parent: str | None = None
    """Id of the episode whose sub-agent this one is."""
    n_steps: int | None = None
    step_limit: int | None = None
    """Steps of another kind than turns, such as nodes of a graph, and the limit on those, where the dump names one."""
    torn: bool = False
    """Whether the transcript ends in a torn record, so that it may have gone on."""

    @property
    def outcome_word(self) -> str:
        """`passed`, `failed` or `unknown`."""
        return outcome_of(self.outcome)

    def metadata_text(self) -> str:
        """Every other key as a JSON object; an outcome that is neither pass nor fail is kept in it."""
        other = self.metadata
        if self.outcome is not None and self.outcome_word == "unknown":
            other = {"outcome": self.outcome, **other}
        if self.torn:
            other = {**other, "ends_truncated": True}
        return json_text(other) if other else "{}"

    def fill(self, other: "About") -> None:
        """Take what is still missing from a later record of the same episode."""
        for name in (*TEXTS, "turn_limit"):
            if getattr(self, name) is None:
                setattr(self, name, getattr(other, name))
        self.metadata = {**other.metadata, **self.metadata}


def read_about(record: Any, keys: Iterable[str], skip: frozenset[str], notices: Notices) -> About:
    """Read the known keys of a record and keep every other one but `skip` under metadata.

    A known key whose value has another type is kept under metadata and counted as `wrong-type`.
    """
    about = About()
    other: dict[str, Any] = {}
    for key in keys:
        if key in skip:
            continue
        value = plain(record[key])
        if key not in KNOWN:
            other[key] = value
        elif value is not None and not _take(about, key, value):
            notices["wrong-type"] += 1
            other[key] = value
    for key, value in other.items():  # the record's own metadata keeps its names
        about.metadata[f"record.{key}" if key in about.metadata else key] = value
    return about


def _take(about: About, key: str, value: Any) -> bool:
    if key == "metadata":
        if not isinstance(value, dict):
            return False
        about.metadata = dict(value)
        return True
    taken = whole_number(value) if key == "turn_limit" else scalar_text(value)
    if taken is None:
        return False
    setattr(about, key, taken or None)  # an empty text says nothing; 0 turns are no limit
    return True


def scalar_text(value: Any) -> str | None:
    """Write a text, number or truth value as text; None for anything else.

    >>> scalar_text(12), scalar_text(True), scalar_text("x"), scalar_text([1])
    ('12', 'true', 'x', None)
    """
    if isinstance(value, str):
        return value
    return json_text(value) if isinstance(value, (bool, int, float)) else None


def whole_number(value: Any) -> int | None:
    """Read a whole number from 0 to 2**31 - 1, also when written as text or as 64.0; else None.

    >>> whole_number("64"), whole_number(64.0), whole_number(True), whole_number(-1), whole_number("many")
    (64, 64, None, None, None)
    """
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= LARGEST else None
