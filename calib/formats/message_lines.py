"""Message per line: one chat message a line; lines of one `episode_id` are one episode, lines without are one more.

*Recognised by*: an object with a text `role` that holds what it says under `content`, when no other format knows it.

*Turn*, *Reasoning*, *Calls and results*: as in the format `episode_lines`.

*Tokens and times*: as in the format `episode_lines`.

*Outcome and stop*: what a line says about the episode besides the message (`task`, `outcome`, …) is taken from the
first line that says it; a last message of role `exit` gives the stop reason when no line does. Objects without a role
but with a `type` are no messages: their small facts become metadata, the account counts them by their type. Where one
of them names a `recursion_limit` on the steps of a graph, an episode of as many responses and rounds of tools has
reached its step limit: a positive when asked for (`--positive turn_limit,step_limit`), never compared with turns.

*Cannot know*: lines without `episode_id` are taken for one episode a file. Episodes may interleave. Each ends with its
last line, which a first pass over a large file finds; when that line is rejected, with the file. Times (`timestamp`)
that run back are counted; the order of the file counts.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._clock import Clock
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import Decoder, Line, Notices
from calib.formats._reader import Context, Ignored, Open
from calib.formats._record import KNOWN, read_about, scalar_text, whole_number
from calib.formats._small import small
from calib.formats._talk import SAME_RESULTS, Episode, Stretch

SUMMARY = "one chat message a line: an object with `role`, optionally `episode_id`"
RANK = 95
STREAM = True
ELSEWHERE = frozenset(("message", "parts", "text", "sessionID"))
"""Where messages of other forms hold what they say."""
MOST_FACTS = 1000
"""Facts that are kept of records that are no messages: of an episode, and episodes with some that are under way."""
KEEPING = ("run", "session", "start", "end", "meta", "header", "config")
"""How the types of records begin that keep the books of a run; any other may have held a part of it."""


def recognises(value: Any) -> bool:
    """Tell whether a value is a chat message."""
    if not isinstance(value, dict) or not isinstance(value.get("role"), str) or "messages" in value:
        return False
    return "content" in value or "tool_calls" in value or ELSEWHERE.isdisjoint(value)


def episode_id_of(record: Any, keys: tuple[str, ...]) -> str | None:
    """Give the episode id of a message; None for none."""
    return (scalar_text(record["episode_id"]) or None) if "episode_id" in keys else None


def session_of(record: Any) -> str | None:
    """Give what tells the episodes of a file apart."""
    return (scalar_text(record.get("episode_id")) or None) if isinstance(record, dict) else None


class Reader:
    """Reads lines of one file; an episode is given with its last line."""

    def __init__(self, context: Context) -> None:
        self._text = context.text
        self._notices = context.notices
        self._last = context.last
        self._decoder = Decoder()
        self._open: dict[str | None, Open] = {}
        self._facts: dict[str | None, dict[str, Any]] = {}

    def feed(self, line: Line, where: Stretch) -> Iterable[Episode]:
        """Read one line.

        Raises Rejected.
        """
        episode_id = self._decoder.read(line, self._notices, self._message)
        self._open[episode_id].cover(where)
        return (self._finish(episode_id),) if self._last.get(episode_id) == where[0] else ()

    def _message(self, record: Any) -> str | None:
        keys = tuple(record)
        if len(set(keys)) < len(keys):
            raise Reread
        if "role" not in keys:
            self._note(record, keys)
            raise Rejected("bad-message", "expected an object with a text `role`")
        episode_id = episode_id_of(record, keys)
        opened = self._open.get(episode_id) or Open(Transcript(self._text))
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
        return episode_id

    def _note(self, record: Any, keys: tuple[str, ...]) -> None:
        """Keep the small facts of a record that is no message.

        Raises Ignored, unless it has no type.
        """
        kind = record["type"] if "type" in keys else None
        if isinstance(kind, str):
            facts = {key: record[key] for key in keys if key not in ("type", "timestamp", *KNOWN)}
            episode_id = episode_id_of(record, keys)
            told = self._facts.get(episode_id, {})
            for key, fact in small(facts, *facts).items():
                if len(told) < MOST_FACTS:
                    told.setdefault(f"{kind[:40]}.{key}", fact)
            if len(self._facts) < MOST_FACTS:
                self._facts.setdefault(episode_id, told)
            if not kind.startswith(KEEPING):
                self._notices["unknown-record-type"] += 1
            raise Ignored(kind)

    def _finish(self, episode_id: str | None) -> Episode:
        opened = self._open.pop(episode_id)
        opened.about.metadata = {**self._facts.pop(episode_id, {}), **opened.about.metadata}
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
