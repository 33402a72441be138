"""Notices with the first few lines at which each was noticed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

PLACES = 3
"""Lines that are kept of each notice of a source."""


class Noticed(Counter[str]):
    """Counts notices; `line` is where the reader is, 0 where that says nothing.

    >>> found = Noticed()
    >>> for found.line in (3, 9, 9, 41, 50):
    ...     found["bom"] += 1
    >>> found["bom"], found.places
    (5, {'bom': [3, 9, 41]})
    """

    def __init__(self) -> None:
        super().__init__()
        self.line = 0
        self.places: dict[str, list[int]] = {}

    def __setitem__(self, code: str, count: int) -> None:
        if self.line and count > self.get(code, 0):
            known = self.places.setdefault(code, [])
            if len(known) < PLACES and self.line not in known:
                known.append(self.line)
        super().__setitem__(code, count)

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Count what another counter holds, here."""
        items = other.items() if isinstance(other, Mapping) else Counter(other).items()
        for code, count in (*items, *more.items()):
            self[code] += count

    def clear(self) -> None:
        """Begin again."""
        super().clear()
        self.places.clear()

    def lines(self, before: int) -> dict[str, list[int]]:
        """Give the places of what is counted, as lines of the file; `before` lines precede the first that was read."""
        return {
            code: [line + before for line in sorted(self.places[code])] for code in sorted(self.places) if self[code]
        }


def first_places(several: Iterable[Mapping[str, Sequence[int]]]) -> dict[str, list[int]]:
    """Give the first lines of each notice over several parts of a source."""
    found: dict[str, set[int]] = {}
    for places in several:
        for code, lines in places.items():
            found.setdefault(code, set()).update(lines)
    return {code: sorted(found[code])[:PLACES] for code in sorted(found)}
