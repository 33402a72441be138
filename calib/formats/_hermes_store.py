"""The tables of a hermes state.db, read as they lie: nothing is written, no lock is taken, no code of the file runs."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]
MESSAGE = (
    "id", "session_id", "role", "content", "tool_call_id", "tool_calls", "reasoning", "reasoning_content",
    "reasoning_details", "codex_reasoning_items", "observed", "active", "compacted",
)  # fmt: skip
NEEDED = {"sessions": {"id"}, "messages": {"id", "session_id", "role", "content"}}


class Store:
    """An open database. Raises sqlite3.Error for one that is damaged, ValueError for one of another program."""

    def __init__(self, path: Path) -> None:
        where = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._db = sqlite3.connect(where, uri=True)
        try:
            self._db.text_factory = lambda data: data.decode("utf-8", "replace")
            self._db.execute("PRAGMA trusted_schema = OFF")
            self._columns = {name: self._columns_of(name) for name in NEEDED}
            if any(not needed <= set(self._columns[name]) for name, needed in NEEDED.items()):
                raise ValueError("no sessions and messages")
        except (sqlite3.Error, ValueError):
            self._db.close()
            raise

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def _columns_of(self, table: str) -> list[str]:
        """List the columns of a plain table; nothing for a view or a virtual table, which may run code."""
        found = self._db.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
        if found is None or not str(found[0]).upper().startswith("CREATE TABLE"):
            return []
        return [str(row[1]) for row in self._db.execute(f"PRAGMA table_info({table})")]

    def sessions(self) -> list[Row]:
        """List the sessions in the order in which they were made."""
        names = [name for name in self._columns["sessions"] if name != "system_prompt"]
        rows = self._db.execute(f"SELECT {_quoted(names)} FROM sessions ORDER BY rowid")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def messages(self, session: Any) -> Iterator[Row]:
        """Give the messages of a session by id, for clocks go back; without those that were taken back (rewound)."""
        names = [name for name in MESSAGE if name in self._columns["messages"]]
        chosen = f"SELECT {_quoted(names)} FROM messages WHERE session_id = ? ORDER BY id"
        for row in self._db.execute(chosen, (session,)):
            message = dict(zip(names, row, strict=True))
            if message.get("active", 1) or message.get("compacted"):
                yield message


def _quoted(names: Sequence[str]) -> str:
    return ", ".join('"' + name.replace('"', '""') + '"' for name in names)


@dataclass
class Lineage:
    """Sessions that continue one another across compression: one episode. `parent` is the root of its caller's."""

    sessions: list[Row]
    parent: Any = None
    branched_from: Any = None

    @property
    def root(self) -> Any:
        """The id of its first session."""
        return self.sessions[0]["id"]


def lineages(sessions: Sequence[Row]) -> list[Lineage]:
    """Put together the sessions that compression split; tell sub-agents and branches from them."""
    known = {session["id"]: session for session in sessions}
    following: dict[Any, Any] = {}
    for session in sessions:
        before = known.get(session.get("parent_session_id"))
        marked = config_of(session)
        continues = before is not None and before.get("end_reason") == "compression"
        if continues and not {"_branched_from", "_delegate_from"} & marked.keys():
            following.setdefault(session.get("parent_session_id"), session["id"])
    continued = set(following.values())
    found: list[Lineage] = []
    owner: dict[Any, Any] = {}
    for session in sessions:
        if session["id"] not in continued:
            found.append(Lineage(_chain(session, known, following)))
            owner |= {one["id"]: session["id"] for one in found[-1].sessions}
    for session in sessions:  # a ring of sessions has no first one
        if session["id"] not in owner:
            found.append(Lineage([session]))
            owner[session["id"]] = session["id"]
    for lineage in found:
        _settle(lineage, known, owner)
    return found


def _chain(session: Row, known: dict[Any, Row], following: dict[Any, Any]) -> list[Row]:
    chain = [session]
    while (name := following.get(chain[-1]["id"])) is not None and all(one["id"] != name for one in chain):
        chain.append(known[name])
    return chain


def _settle(lineage: Lineage, known: dict[Any, Row], owner: dict[Any, Any]) -> None:
    first = lineage.sessions[0]
    marked = config_of(first)
    above = first.get("parent_session_id")
    if marked.get("_branched_from") is not None:
        lineage.branched_from = marked["_branched_from"]
    elif above is not None and known.get(above, {}).get("end_reason") == "branched":
        lineage.branched_from = above
    else:
        caller = marked.get("_delegate_from", above)
        lineage.parent = owner.get(caller, caller) if caller != first["id"] else None


def config_of(session: Row) -> dict[str, Any]:
    """Give the configuration that a session began with: an object, or its text."""
    found = session.get("model_config") or "{}"
    try:
        found = found if isinstance(found, dict) else json.loads(found)
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
