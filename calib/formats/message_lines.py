"""Message per line: one chat message a line; lines of one `episode_id` are one episode, lines without are one more.

*Recognised by*: an object with a text `role` that holds what it says under `content`, when no other format knows it.

*Turn*, *Reasoning*, *Calls and results*: as in the format `episode_lines`. In an old session of hermes-agent, which
begins with a line of role `session_meta`, what hermes wrote itself is no turn, as in the format `hermes_session`.

*Tokens and times*: as in the format `episode_lines`.

*Outcome and stop*: what a line says about the episode besides the message (`task`, `outcome`, …) is taken from the
first line that says it; a last message of role `exit` gives the stop reason when no line does. Objects without a role
but with a `type` are no messages: what they say about the end counts, as in `episode_lines` under its other names, too;
other small facts become metadata, the account counts them by their type. Where one
of them names a `recursion_limit` on the steps of a graph, an episode of as many responses and rounds of tools has
reached its step limit: a positive when asked for (`--positive turn_limit,step_limit`), never compared with turns.

*Cannot know*: lines without `episode_id` are taken for one episode a file, unless `session_id`, `conversation_id` or
`thread_id` differ: then each of these is one, and all but the first are named FILE#ID. Episodes may interleave. Each
ends with its last line, which a first pass over a large file finds; when that line is rejected, with the file. Times
(`timestamp`) that run back are counted; the order of the file counts.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._clock import Clock
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import Decoder, Line, Notices
from calib.formats._ending import fill_ending
from calib.formats._hermes_lines import HEAD, HermesTranscript
from calib.formats._reader import Context, Ignored, Open
from calib.formats._record import KNOWN, About, read_about, scalar_text, whole_number
from calib.formats._small import small
from calib.formats._talk import SAME_RESULTS, Episode, Stretch

SUMMARY = "one chat message a line: an object with `role`, optionally `episode_id`"
RANK = 95
STREAM = True
ELSEWHERE = frozenset(("message", "parts", "text", "sessionID"))
"""Where messages of other forms hold what they say."""
IDS = ("episode_id", "session_id", "sessionId", "conversation_id", "thread_id")
"""What names the episode of a message; only the first is an id that holds beyond the file."""
Session = tuple[str, str] | None
MOST_FACTS = 1000
"""Facts that are kept of records that are no messages: of an episode, and episodes with some that are under way."""
KEEPING = ("run", "session", "start", "end", "meta", "header", "config")
"""How the types of records begin that keep the books of a run; any other may have held a part of it."""


def recognises(value: Any) -> bool:
    """Tell whether a value is a chat message."""
    if not isinstance(value, dict) or not isinstance(value.get("role"), str) or "messages" in value:
        return False
    return "content" in value or "tool_calls" in value or ELSEWHERE.isdisjoint(value)


def session_of(record: Any) -> Session:
    """Give what tells the episodes of a file apart: the key of an id, and the id."""
    if isinstance(record, dict):
        for key in IDS:
            if key in record and (found := scalar_text(record[key])):
                return key, found
    return None


class Reader:
    """Reads lines of one file; an episode is given with its last line."""

    def __init__(self, context: Context) -> None:
        self._text = context.text
        self._notices = context.notices
        self._last = context.last
        self._decoder = Decoder()
        self._open: dict[Session, Open] = {}
        self._facts: dict[Session, About] = {}
        self._source = context.source
        self._session: Session = None
        self._sessions: set[Session] = set()

    def feed(self, line: Line, where: Stretch) -> Iterable[Episode]:
        """Read one line.

        Raises Rejected.
        """
        episode_id = self._decoder.read(line, self._notices, self._message)
        self._open[episode_id].cover(where)
        return (self._finish(episode_id),) if self._last.get(episode_id) == where[0] else ()

    def _message(self, record: Any) -> Session:
        keys = tuple(record)
        if len(set(keys)) < len(keys):
            raise Reread
        if "role" not in keys:
            self._note(record, keys)
            raise Rejected("bad-message", "expected an object with a text `role`")
        named = [key for key in IDS if key in keys]
        episode_id = self._session_now(session_of({key: record[key] for key in named}) if named else None)
        opened = self._open.get(episode_id) or self._begun(episode_id, record["role"])
        known = [key for key in keys if key in KNOWN]
        if not known or (len(known) == 1 and opened.about.episode_id is not None and known[0] == "episode_id"):
            opened.talk.add(record)  # nothing new about the episode
        else:
            notices = Notices()
            about = read_about(record, known, frozenset(), notices)
            opened.talk.add(record)  # after all that may refuse the line: it must leave no turn behind
            opened.talk.notices.update(notices)
            opened.about.fill(about)
        if "timestamp" in keys:
            opened.state.setdefault("clock", Clock()).at(record["timestamp"], opened.talk.notices)
        self._open[episode_id] = opened
        self._see(episode_id)
        return episode_id

    def _session_now(self, said: Session) -> Session:
        """Give the session of a message: one that names none goes on with that before it, or with the first to come."""
        if said is None and self._session in self._open:
            return self._session
        if said is not None and said[0] != "episode_id" and not self._sessions and None in self._open:
            self._open[said] = self._open.pop(None)
        return said

    def _begun(self, episode: Session, role: Any) -> Open:
        """Begin an episode; the second one of a file that is told by a session's id is named after both."""
        opened = Open(HermesTranscript(self._text) if role == HEAD else Transcript(self._text))
        if episode is not None and episode[0] != "episode_id" and self._sessions:
            opened.about.episode_id = f"{self._source}#{episode[1]}"
        return opened

    def _see(self, episode: Session) -> None:
        """Note that a file goes on with another session, or comes back to an earlier one."""
        if episode is None or episode[0] == "episode_id" or episode == self._session:
            return
        if self._sessions:
            self._notices["mixed-sessions" if episode in self._sessions else "session-changes"] += 1
        self._sessions.add(episode)
        self._session = episode

    def _note(self, record: Any, keys: tuple[str, ...]) -> None:
        """Keep the small facts of a record that is no message.

        Raises Ignored, unless it has no type.
        """
        kind = record["type"] if "type" in keys else None
        if isinstance(kind, str):
            facts = {key: record[key] for key in keys if key not in ("type", "timestamp", *KNOWN)}
            episode = session_of({key: record[key] for key in keys if key in IDS})
            if len(self._facts) < MOST_FACTS or episode in self._facts:
                told = self._facts.setdefault(episode, About())
                told.fill(
                    read_about(record, [key for key in keys if key in KNOWN], frozenset(("metadata",)), Notices())
                )
                facts = small(facts, *facts)
                fill_ending(told, facts, self._notices)
                for key, fact in facts.items():
                    if len(told.metadata) < MOST_FACTS:
                        told.metadata.setdefault(f"{kind[:40]}.{key}", fact)
            if not kind.startswith(KEEPING):
                self._notices["unknown-record-type"] += 1
            raise Ignored(kind)

    def _finish(self, episode_id: Session) -> Episode:
        opened = self._open.pop(episode_id)
        for key in (episode_id, None) if episode_id or self._sessions else list(self._facts):
            opened.about.fill(self._facts.get(key, About()))
        if episode_id is not None:
            self._facts.pop(episode_id, None)
        opened.about.stop_reason = opened.about.stop_reason or opened.talk.exit
        episode = opened.end()
        _count_steps(episode)
        self._notices.update(opened.talk.notices)
        return episode

    def finish(self) -> Iterator[Episode]:
        """Give the episodes that are still open, in order of their first lines."""
        for episode_id in list(self._open):
            yield self._finish(episode_id)


def _count_steps(episode: Episode) -> None:
    """Count the steps of a graph where a limit on those is named: each response is one, and each round of tools."""
    facts = episode.about.metadata
    limits = [whole_number(fact) for key, fact in facts.items() if key.rpartition(".")[2] == "recursion_limit"]
    if limits and limits[0]:
        episode.about.step_limit = limits[0]
        episode.about.n_steps = len(episode.turns) + sum(turn[SAME_RESULTS] is not None for turn in episode.turns)
