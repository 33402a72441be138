"""What was rejected of a part, row by row and in sum, and what was ignored, in sum."""

from collections.abc import Iterable
from typing import Any

from calib.formats._codes import CODES
from calib.ingest.parts import Reject

TOLD = 20
"""Rejects of a source that are told one by one."""
ALONE = 1000
"""Rejects of a part that have a row each, whatever stands beside them."""
MOST = 10_000
"""Rows of a part beyond which all further rejects of a code make one: no flood takes more room than this."""
KINDS, OTHER = 100, "other types"
"""Types of ignored records that a part counts one by one, and what the others are counted as."""


class Skipped(dict[str, dict[str, int]]):
    """Records and bytes of a part that belong to no episode by design, by the type of the record."""

    def add(self, kind: str, size: int) -> None:
        """Count a record."""
        kind = kind[:80] if kind[:80] in self or len(self) < KINDS else OTHER
        counts = self.setdefault(kind, {"records": 0, "bytes": 0})
        counts["records"] += 1
        counts["bytes"] += size

    @property
    def bytes(self) -> int:
        """The bytes of all of them."""
        return sum(counts["bytes"] for counts in self.values())


class Lost(list[Reject]):
    """The rejects of a part."""

    def __init__(self, rejects: Iterable[Reject] = ()) -> None:
        super().__init__()
        self._scattered: dict[str, int] = {}
        self._empty: dict[tuple[int, str], int] = {}
        for reject in rejects:
            self.append(reject)

    def append(self, lost: Reject) -> None:
        """Add a row; records without bytes of their own make one for each place and code."""
        if not lost.bytes:
            at = self._empty.setdefault((lost.offset, lost.code), len(self))
            if at < len(self):
                self[at] = self[at]._replace(records=self[at].records + lost.records)
                return
        super().append(lost)

    @property
    def many(self) -> bool:
        """Whether no further reject has words of its own."""
        return len(self) > ALONE

    def add(self, lost: Reject) -> None:
        """Note a reject. Beyond the first ones, lines of one code side by side make one row; in the end all of a code.

        A row of lines that are not side by side has no line of its own, and the offset of the first.
        """
        if self.many:
            line, offset, size, code, _, records = lost
            before = self[-1]
            if before.line and line and before.code == code and before.offset + before.bytes == offset:
                self[-1] = _both(before, size, records, before.line, before.offset)
                return
            if len(self) >= MOST:
                at = self._scattered.setdefault(code, len(self))
                if at < len(self):
                    self[at] = _both(self[at], size, records, None, min(self[at].offset, offset))
                    return
            lost = Reject(line, offset, size, code, CODES[code], records)
        self.append(lost)

    def by_code(self) -> dict[str, dict[str, int]]:
        """Count records and bytes by code."""
        rejected: dict[str, dict[str, int]] = {}
        for reject in sorted(self, key=lambda one: one.code):
            counts = rejected.setdefault(reject.code, {"records": 0, "bytes": 0})
            counts["records"] += reject.records
            counts["bytes"] += reject.bytes
        return rejected

    def told(self) -> list[Any]:
        """Give line and reason of those that are told one by one."""
        ordered = sorted(self, key=lambda one: one.offset)
        return [(one.line, one.reason) for one in ordered[:TOLD]]


def _both(one: Reject, size: int, records: int, line: int | None, offset: int) -> Reject:
    return Reject(line, offset, one.bytes + size, one.code, CODES[one.code], one.records + records)
