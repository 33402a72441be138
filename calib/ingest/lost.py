"""What was rejected of a part: row by row, and in sum."""

from typing import Any

from calib.formats._codes import CODES
from calib.ingest.parts import Reject

TOLD = 20
"""Rejects of a source that are told one by one."""
ALONE = 1000
"""Rejects of a part that have a row each, whatever stands beside them."""


class Lost(list[Reject]):
    """The rejects of a part."""

    def add(self, lost: Reject) -> None:
        """Note a bad line. Beyond the first ones, lines of one code side by side make one row: a flood stays small."""
        if len(self) > ALONE and lost.line:
            line, offset, size, code, reason, records = self[-1]
            if line and code == lost.code and offset + size == lost.offset:
                reason = reason if reason == lost.reason else CODES[code]
                self[-1] = Reject(line, offset, size + lost.bytes, code, reason, records + 1)
                return
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
