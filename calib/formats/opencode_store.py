"""OpenCode's own store: a file for each session, message and part, in `session/`, `message/` and `part/` of one folder.

*Recognised by*: an object with `id` that is a session (`projectID`, `directory` and `time`), a message (`sessionID`,
`role` and `time`, but no content) or a part (`sessionID`, `messageID` and a `type`). The files of a session are one
episode, whichever of the three folders they lie in; a line of a file may be such an object, too.

*Turn*: as in an export (`calib formats opencode`): each step of an assistant message, or the message without steps.
Messages follow each other in the order of their files' names, and so do the parts of a message: both are named by the
time at which they began.

*Reasoning*: as in an export: native, summary, encrypted or withheld.

*Calls and results*: as in an export: `tool` parts, with what came of them.

*Tokens and times*: as in an export: of the step, else of the message.

*Outcome and stop*: as in an export: no outcome; the error, else the `reason` of the last step, else `finish`.

*Cannot know*: parts whose message is gone are ignored, and counted as `part-without-message`; a session without a
message is no episode. Files of lists of work to do and of differences are no transcripts. Newer versions keep all of it
in a database, which is not read: export it.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from calib.formats._reader import Context, Given, Passed, Records, check
from calib.formats._talk import Episode, Stretch, stretch
from calib.formats.opencode import session_of_messages

SUMMARY = "OpenCode's own store: files of sessions, messages and parts"
RANK = 43
STREAM = False
BUNDLE = True
NEVER = frozenset(("content", "info", "messages", "parts"))
"""Where other forms hold what was said."""
ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
Placed = tuple[Any, Stretch]
"""A record, and where it stands."""


def recognises(value: Any) -> bool:
    """Tell whether a value is a session, a message or a part of the store."""
    return _kind(value) != ""


def _kind(value: Any) -> str:
    if not isinstance(value, dict) or not NEVER.isdisjoint(value) or not _is_id(value.get("id")):
        return ""
    if not _is_id(value.get("sessionID")):
        stands = isinstance(value.get("projectID"), str) and isinstance(value.get("directory"), str)
        return "session" if stands and isinstance(value.get("time"), dict) else ""
    if isinstance(value.get("messageID"), str):
        return "part" if isinstance(value.get("type"), str) else ""
    return "message" if value.get("role") in ("user", "assistant") and isinstance(value.get("time"), dict) else ""


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def group(value: Any) -> str:
    """Name the session to which a record belongs."""
    return str(value["id"] if _kind(value) == "session" else value["sessionID"])


def home(file: Path) -> Path:
    """Give the folder that holds all files of the store, of one of them: `session/PROJECT/x.json` and its like."""
    return file.parents[2] if len(file.parents) > 2 else file.parent


class Reader(Records):
    """Reads the records of sessions; each session is given at the end."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._sessions: dict[str, dict[str, list[Placed]]] = {}

    def record(self, value: Any, where: Stretch) -> Iterable[Given]:
        """Take one record.

        Raises Rejected.
        """
        kind = _kind(value)
        check(kind, "no-messages", "expected a session, a message or a part of OpenCode's store")
        found = self._sessions.setdefault(group(value), {"session": [], "message": [], "part": []})
        found[kind].append((value, where))
        return ()

    def finish(self) -> Iterator[Given]:
        """Give the sessions, in the order of their first records."""
        for name, found in self._sessions.items():
            yield from self._session(name, found)

    def _session(self, name: str, found: dict[str, list[Placed]]) -> Iterator[Given]:
        messages = {value["id"]: {"info": value, "parts": []} for value, _ in found["message"]}
        if not messages:
            yield from (Passed("session-without-messages", where[2]) for _, where in found["session"])
        covered = [where for kind in ("session", "message") if messages for _, where in found[kind]]
        for value, where in found["part"]:
            if value["messageID"] in messages:
                messages[value["messageID"]]["parts"].append(value)
                covered.append(where)
            else:
                yield Passed("part-without-message", where[2])
        if messages:
            info = found["session"][-1][0] if found["session"] else {"id": name}
            session = {"info": info, "messages": list(messages.values())}
            yield self._episode(session, sorted(covered, key=lambda one: one[1]))

    def _episode(self, session: dict[str, Any], covered: list[Stretch]) -> Episode:
        talk, about = session_of_messages(session, self.text)
        episode = talk.finish(about)
        for where in covered:
            stretch(episode.stretches, where)
        self.notices.update(talk.notices)
        return episode
