"""What a Claude Code session file says, record by record, sorted into conversations."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from calib.formats._claude import name_or_none
from calib.formats._claude_thread import Thread
from calib.formats._reader import Context, check
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._talk import Episode, Stretch, stretch

HARNESS = ("<command-", "<local-command-", "Caveat: The messages below", "<system-reminder>", "<bash-",
           "<task-notification", "<user-memory-input", "[Request interrupted by user", "<user-prompt-submit-hook",
           "<session-start-hook", "Stop hook feedback:")  # fmt: skip
"""How user records begin that the harness, or a hook in it, wrote."""
CLEARED = "<command-name>/clear<"
COPIED = "copied-record"
UUID = 36
WINDOW = 200_000
"""Records among which copies are surely found; more are not remembered, so that a file may be of any size."""
FACTS = {"version": "version", "cwd": "cwd", "gitBranch": "git_branch", "entrypoint": "entrypoint"}

Key = tuple[str | None, str | None]
"""Session and chain; the main chain is None."""


class Log:
    """The conversations of a file. Methods take a record and give why it was ignored, or nothing when it was kept."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._threads: dict[Key, Thread] = {}
        self._titles: dict[str | None, tuple[int, str]] = {}
        self._roots: dict[str | None, dict[str, str]] = {}
        self._sessions: set[str | None] = set()
        self._session: str | None = "\n"
        self._seen: set[str | tuple[str, int]] = set()
        self._seen_before: set[str | tuple[str, int]] = set()

    def message(self, record: dict[str, Any], where: Stretch, key: Key | None = None) -> str:
        """Take a `user` or `assistant` record.

        Raises Rejected.
        """
        message = record.get("message")
        check(isinstance(message, dict), "bad-message", "`message` is no object")
        assert isinstance(message, dict)
        check("content" in message, "bad-message", "a message has no `content`")
        key = key or self._key(record)
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            return "synthetic-message"
        if isinstance(record.get("forkedFrom"), dict):
            return "copied-history"
        content = message["content"]
        if self._is_copy(record, content):
            self._context.notices["duplicate-record"] += 1
            return COPIED
        thread = self._thread(key, record, where)
        if record["type"] == "assistant":
            timed = record.get("timestamp") == thread.ended  # else the thread's times are those of other records
            thread.chain.respond(message, *((thread.before, thread.time) if timed else ()))
            thread.last_user = ""
        else:
            self._user(thread, record, content)
        return ""

    def _user(self, thread: Thread, record: dict[str, Any], content: Any) -> None:
        origin = record.get("origin")
        kind = origin.get("kind") if isinstance(origin, dict) else None
        said = _first_text(content)
        summary = record.get("isCompactSummary") is True
        if summary:
            thread.chain.compacted()
        if said.startswith(CLEARED) and thread.chain.responses:
            thread.chain.compacted()
        real = not summary and record.get("isMeta") is not True and not said.startswith(HARNESS)
        thread.chain.ask(content, real and kind != "task-notification")
        if said:
            thread.last_user = said

    def progress(self, record: dict[str, Any], where: Stretch) -> str:
        """Take a `progress` record: the message of a sub-agent, or nothing of interest."""
        data = record.get("data")
        data = data if isinstance(data, dict) else {}
        told, agent = data.get("message"), data.get("agentId")
        if not (isinstance(told, dict) and isinstance(agent, str) and told.get("type") in ("user", "assistant")):
            return _kind("progress", data.get("type"))
        facts = {name: value for name, value in record.items() if name in FACTS}
        return self.message({**facts, **told}, where, (session_of(record), agent))

    def attachment(self, record: dict[str, Any], where: Stretch) -> str:
        """Take an `attachment` record: the end at the turn limit, or a queued message of the user."""
        held = record.get("attachment")
        held = held if isinstance(held, dict) else {}
        kind = held.get("type")
        if kind == "max_turns_reached":
            about = self._thread(self._key(record), record, where).about
            about.stop_reason = kind
            about.turn_limit = whole_number(held.get("maxTurns"))
            return ""
        origin = held.get("origin")
        human = not isinstance(origin, dict) or origin.get("kind") in (None, "human")
        if kind == "queued_command" and held.get("commandMode") == "prompt" and human:
            self._thread(self._key(record), record, where).chain.user()
            return ""
        return _kind("attachment", kind)

    def housekeeping(self, record: dict[str, Any], where: Stretch) -> str:
        """Take a `system` record: a compaction, or nothing of interest."""
        key = self._key(record)
        if record.get("subtype") != "compact_boundary":
            return _kind("system", record.get("subtype"))
        if self._is_copy(record, ""):
            return COPIED
        self._thread(key, record, where).chain.compacted()
        return ""

    def other(self, record: dict[str, Any]) -> str:
        """Take any other record: a title is remembered."""
        self._key(record)
        for rank, name in enumerate(("aiTitle", "customTitle")):
            title, session = record.get(name), session_of(record)
            if isinstance(title, str) and title and rank >= self._titles.get(session, (0, ""))[0]:
                self._titles[session] = (rank, title)
        return scalar_text(record.get("type")) or "untyped"

    def _is_copy(self, record: dict[str, Any], content: Any) -> bool:
        name = record.get("uuid")
        if not isinstance(name, str):
            return False
        mark = name if len(name) == UUID else (name, hash(_print(content)))  # a short name may be used twice
        if mark in self._seen or mark in self._seen_before:
            return True
        self._seen.add(mark)
        if len(self._seen) >= WINDOW:
            self._seen_before, self._seen = self._seen, set()
        return False

    def _key(self, record: dict[str, Any]) -> Key:
        agent, side = record.get("agentId"), record.get("isSidechain")
        if isinstance(agent, str) and (side is True or side is None):
            return session_of(record), agent
        if side is not True:
            return session_of(record), None
        session, name, parent = session_of(record), record.get("uuid"), record.get("parentUuid")
        roots = self._roots.setdefault(session, {})
        root = roots.get(parent) if isinstance(parent, str) else None
        root = root or (name if isinstance(name, str) else "side")
        if isinstance(name, str):
            roots[name] = root
        return session, root

    def _thread(self, key: Key, record: dict[str, Any], where: Stretch) -> Thread:
        thread = self._threads.get(key)
        if thread is None:
            thread = self._threads[key] = self._begun(key, record)
        stretch(thread.stretches, where)
        if key[0] != self._session:
            self._change(key[0])
        thread.at(record.get("timestamp"))
        return thread

    def _change(self, session: str | None) -> None:
        if self._sessions:
            back = session in self._sessions
            self._context.notices["mixed-sessions" if back else "session-changes"] += 1
        self._sessions.add(session)
        self._session = session

    def _begun(self, key: Key, record: dict[str, Any]) -> Thread:
        about = self._about(key)
        about.metadata.update(
            {known: record[name] for name, known in FACTS.items() if isinstance(record.get(name), str)}
        )
        if time := name_or_none(record.get("timestamp")):
            about.metadata["started"] = time
        return Thread(about)

    def _about(self, key: Key) -> About:
        session, agent = key
        if agent is None:
            return About(episode_id=session)
        source = self._context.source
        parent = session or source
        if session == f"agent-{agent}":  # such a file does not name the session, but the folder it lies in does
            path = PurePosixPath(source)
            parent = path.parent.parent.name if path.parent.name == "subagents" else session
        about = About(episode_id=f"{session or source}/{agent}", parent=parent)
        about.metadata["agent"] = agent
        return about

    def sessions(self) -> list[str | None]:
        """List the sessions that are still open."""
        return list(dict.fromkeys(session for session, _ in self._threads))

    def end(self, session: str | None) -> Iterator[Episode]:
        """Give the episodes of a session."""
        title = self._titles.pop(session, None)
        self._roots.pop(session, None)
        for key in [key for key in self._threads if key[0] == session]:
            thread = self._threads.pop(key)
            if title and key[1] is None:
                thread.about.metadata["title"] = title[1]
            episode = thread.episode(self._context.text)
            self._context.notices.update(thread.notices)
            yield episode


def session_of(record: dict[str, Any]) -> str | None:
    """Give the session of a record."""
    return name_or_none(record.get("sessionId"))


def _kind(kind: str, sub: Any) -> str:
    return f"{kind}.{sub}" if isinstance(sub, str) else kind


def _first_text(content: Any) -> str:
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text")
        content = next(texts, None)
    return content if isinstance(content, str) else ""


def _print(content: Any) -> Any:
    """Give something by which equal contents are equal, and different ones hardly ever."""
    if not isinstance(content, list):
        return str(content)
    marks = ("id", "tool_use_id", "text", "thinking", "signature", "data")
    blocks = [block for block in content if isinstance(block, dict)]
    return tuple(str(next((block[mark] for mark in marks if block.get(mark)), block.get("type"))) for block in blocks)
