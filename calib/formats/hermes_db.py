"""hermes-agent's state.db: an SQLite database with the tables `sessions` and `messages`.

*Recognised by*: an SQLite file with these two tables; any other SQLite file is of an unknown format. It is opened
read-only; what is committed in a write-ahead log beside it (`-wal`, up to 128 MiB) is read with it, from a copy in the
corpus folder that is removed again. A log that cannot be read, or that changes meanwhile, is counted: then the database
is taken as it lies on disk.

*Turn*: a message of role `assistant`, in the order of ids. Messages that were taken back (`active` 0, not compacted) do
not count. What a compaction wrote again counts once, its summary is no turn. Neither are the answer to the request to
close after the iteration limit, and the notice of hermes' own guard.

*Reasoning*: `reasoning_content` or `reasoning` (native), `<think>` at the beginning of the text (inline), summaries in
`reasoning_details` and `codex_reasoning_items` (summary), which are encrypted otherwise.

*Calls and results*: `tool_calls` (JSON text); results are the rows of role `tool` by `tool_call_id`.

*Tokens and times*: `token_count` of a message; the time from the message before it (`timestamp`).

*Outcome and stop*: no outcome. The stop reason is `max_iterations_reached` when the run was asked to close for its
limit, `guardrail_halt` when hermes' guard stopped it, else the last session's `end_reason`. The turn limit is
`max_iterations` of `model_config`. Sessions that compression split are one episode, named after the first; delegated
sessions are children of their caller's; a branch is an episode of its own without what it copied.

*Cannot know*: the task and its outcome. A page of the file belongs to no one episode, so each is charged with an equal
share of its bytes.
"""

import math
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._hermes_rows import COMPACTED, Rows, is_summary, once
from calib.formats._hermes_store import Lineage, Store, config_of, lineages
from calib.formats._reader import Fault, Given, Passed, Records
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._talk import Episode, Talk
from calib.formats._wal import committed, laid_over, uses_log

SUMMARY = "hermes-agent's state.db (SQLite)"
RANK = 10
STREAM = False
MAGIC = b"SQLite format 3\x00"
BESIDE = ("state.db-wal", "state.db-shm")
BESIDE_BYTES = 128 << 20
FACTS = (
    "source", "started_at", "ended_at", "end_reason", "input_tokens", "output_tokens", "reasoning_tokens",
    "api_call_count", "estimated_cost_usd", "rewind_count",
)  # fmt: skip


def recognises(value: Any) -> bool:
    """Tell whether a JSON value is of this format: none is."""
    return False


def beside(name: str) -> tuple[str, ...]:
    """Name the write-ahead log of a database."""
    return () if name == "state.db" else (f"{name}-wal",)


class Reader(Records):
    """Gives one episode for each lineage of sessions."""

    def open(self, path: Path, size: int) -> Iterator[Given]:
        """Read one database.

        Raises OSError.
        """
        with path.open("rb"):  # a file that cannot be read is no damaged database
            pass
        with self._with_log(path) as whole:
            yield from self._opened(whole, size)

    @contextmanager
    def _with_log(self, path: Path) -> Iterator[Path]:
        """Give the database to read: a copy when something is committed in its write-ahead log."""
        copy = None
        try:
            copy = self._copied(path)
        except OSError:
            self.notices["rows-not-read"] += 1
        try:
            yield copy or path
        finally:
            if copy:
                copy.unlink(missing_ok=True)

    def _copied(self, path: Path) -> Path | None:
        beside = path.with_name(f"{path.name}-wal")
        log = self.context.beside.get(beside.name, b"")
        pages = committed(log)
        folder = self.context.folder
        if pages is None or folder is None:
            self.notices["rows-not-read"] += bool(log) or (beside.exists() and beside.stat().st_size > 0)
            return None
        if not pages.total or not uses_log(path):  # nothing that was not copied into the database, or a leftover
            return None
        copy = laid_over(path, log, pages, folder)
        if _holds(beside, log):
            return copy
        copy.unlink()
        raise OSError("written to meanwhile")

    def _opened(self, path: Path, size: int) -> Iterator[Given]:
        try:
            store = Store(path)
        except ValueError:
            yield Fault("unknown-format", "an SQLite database that is no state.db of hermes", 0, size)
            return
        except sqlite3.Error:
            yield Fault("unreadable", "the database is damaged", 0, size)
            return
        try:
            yield from self._lineages(store, size)
        finally:
            store.close()

    def _lineages(self, store: Store, size: int) -> Iterator[Given]:
        try:
            found = lineages(store.sessions())
        except sqlite3.Error:
            yield Fault("unreadable", "the sessions of the database are damaged", 0, size)
            return
        if not found:
            yield Passed("database-without-sessions", size)
        by_id = {session["id"]: lineage for lineage in found for session in lineage.sessions}
        for at, lineage in enumerate(found):
            first, end = size * at // len(found), size * (at + 1) // len(found)
            try:
                yield self._episode(store, lineage, by_id, (at + 1, first, end - first))
            except Rejected as fault:
                yield Fault(fault.code, fault.reason, first, end - first, at + 1)
            except sqlite3.Error:
                yield Fault("unreadable", "the messages of a session are damaged", first, end - first, at + 1)

    def _episode(
        self, store: Store, lineage: Lineage, by_id: dict[Any, Lineage], where: tuple[int, int, int]
    ) -> Episode:
        rows = _rows(store, lineage)
        if origin := by_id.get(lineage.branched_from):
            rows = rows[_copied(rows, _rows(store, origin)) :]
        told = Rows(Talk(self.text, self.notices))
        for row in once(rows):
            told.take(row)
        about = _about(lineage, told.stop)
        if told.cut:
            about.metadata["reasoning_cut"] = told.cut
        episode = told.talk.finish(about)
        episode.stretches.append(where)
        return episode


def _holds(path: Path, data: bytes) -> bool:
    """Tell whether a file holds just these bytes, without holding them twice."""
    with path.open("rb") as file:
        for at in range(0, len(data), 1 << 20):
            if file.read(1 << 20) != data[at : at + (1 << 20)]:
                return False
        return not file.read(1)


def _rows(store: Store, lineage: Lineage) -> list[dict[str, Any]]:
    """List the messages of all its sessions; where one begins without a summary, an empty one stands for it."""
    rows: list[dict[str, Any]] = []
    for number, session in enumerate(lineage.sessions):
        own = list(store.messages(session["id"]))
        if number and not any(is_summary(row) for row in own):
            rows.append({"role": "user", "content": COMPACTED})
        rows += own
    return rows


def _copied(rows: list[dict[str, Any]], before: list[dict[str, Any]]) -> int:
    """Count the rows that a branch copied from where it began."""
    count = 0
    for own, other in zip(rows, before, strict=False):
        if any(own.get(key) != other.get(key) for key in ("role", "content", "tool_calls", "tool_call_id")):
            break
        count += 1
    return count


def _about(lineage: Lineage, stop: str | None) -> About:
    first, last = lineage.sessions[0], lineage.sessions[-1]
    about = About(
        episode_id=scalar_text(first["id"]),
        model=next((text for one in lineage.sessions if (text := scalar_text(one.get("model")))), None),
        stop_reason=stop or scalar_text(last.get("end_reason")),
        turn_limit=whole_number(config_of(first).get("max_iterations")) or None,
        parent=scalar_text(lineage.parent) if lineage.parent is not None else None,
    )
    facts = {key: last.get(key) for key in FACTS} | {"started_at": first.get("started_at")}
    facts["sessions"] = len(lineage.sessions)
    facts["branched_from"] = lineage.branched_from
    about.metadata = {key: fact for key, fact in facts.items() if _is_scalar(fact)}
    return about


def _is_scalar(fact: Any) -> bool:
    return isinstance(fact, (str, int)) or (isinstance(fact, float) and math.isfinite(fact))
