"""The log of a proxy: a line for each request that was understood, which `calib ingest` reads as `proxy_log`.

A line holds the messages that are new since the line it names under `after`, so that a log grows with the transcripts
and not with the requests; a process names only lines that it wrote itself. No header of a request is ever written.
"""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from calib.files import Appending
from calib.live._answer import Answer
from calib.live._judge import Verdict

VERSION = 1
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Policy:
    """What the proxy was told to do, as every line says it."""

    point: str
    edit: str
    shadow: bool


@dataclass(frozen=True)
class Outcome:
    """What came of a request. `answer` is None when the server gave none that can be read."""

    answer: Answer | None
    status: int | None
    delivered: bool
    milliseconds: int
    failure: str | None = None


class Log:
    """Appends lines to a file that several processes share."""

    def __init__(self, path: str | Path, policy: Policy) -> None:
        self._file = Appending(path)
        self._policy = policy
        self._numbers = count()
        self._writer = os.urandom(6).hex()

    def write(self, verdict: Verdict, outcome: Outcome) -> None:
        """Tell of one request.

        Raises OSError; then the file is as it was.
        """
        known = verdict.known
        after, told = (known.line, known.told) if known.told <= len(verdict.raw) else (None, 0)
        line = f"{self._writer}-{next(self._numbers)}"
        self._file.append(_encode(self._record(verdict, outcome, line, after, told)) + b"\n")
        if len(verdict.raw) >= known.told:
            known.line, known.told = line, len(verdict.raw)

    def _record(self, verdict: Verdict, outcome: Outcome, line: str, after: str | None, told: int) -> dict[str, Any]:
        fire = verdict.fire
        return {
            "calib_proxy": VERSION, "line": line, "after": after,
            "task": verdict.task, "named": verdict.known.named,
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "point": self._policy.point, "edit": self._policy.edit, "shadow": self._policy.shadow,
            "turns": verdict.turns, "levels": verdict.levels,
            "fire_turn": fire.turn if fire else None, "fired_by": list(fire.detectors) if fire else [],
            "edited": verdict.body is not None, "removed_bytes": verdict.removed,
            "status": outcome.status, "delivered": outcome.delivered, "milliseconds": outcome.milliseconds,
            "failure": outcome.failure,
            "messages": [msgspec.Raw(_one_line(raw)) for raw in verdict.raw[told:]],
            "response": outcome.answer,
        }  # fmt: skip


def _one_line(raw: bytes) -> bytes:
    """Give a message without line ends: in JSON they only stand between values."""
    return raw.replace(b"\n", b" ").replace(b"\r", b" ")
