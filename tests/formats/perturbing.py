"""Which leaves of made records change a column: one place at a time."""

import json
from collections.abc import Sequence
from typing import Any

from tests.formats.reading import changed, rows, told


def unheard(format: str, records: Sequence[Any], *places: str) -> list[str]:
    """The places (keys and list indices joined by dots, the record's index first) whose change changes nothing."""
    before = rows(told(format, records))
    return [place for place in places if rows(told(format, _with(records, place))) == before]


def _with(records: Sequence[Any], place: str) -> list[Any]:
    other = json.loads(json.dumps(records))  # what the records share stands apart
    box: Any = other
    *way, last = place.split(".")
    for step in way:
        box = box[int(step) if isinstance(box, list) else step]
    key: Any = int(last) if isinstance(box, list) else last
    box[key] = changed(box[key])
    made: list[Any] = other
    return made
