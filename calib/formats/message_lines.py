"""Message per line: one chat message a line; lines of one `episode_id` are one episode, lines without are one more.

What a line says about the episode besides the message (task, outcome, ...) is taken from the first line that
says it. Episodes may interleave. Each ends with its last line, which a first pass over the file finds; when that
line is rejected, with the file.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import Decoder, Line
from calib.formats._reader import Context, Open
from calib.formats._record import KNOWN, read_about, scalar_text
from calib.formats._talk import Episode, Stretch

SUMMARY = "one chat message a line: an object with `role`, optionally `episode_id`"
RANK = 95
STREAM = True


def recognises(value: Any) -> bool:
    """Tell whether a value is a chat message."""
    return isinstance(value, dict) and isinstance(value.get("role"), str) and "messages" not in value


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
            raise Rejected("bad-message", "expected an object with a text `role`")
        episode_id = episode_id_of(record, keys)
        opened = self._open.get(episode_id) or Open(Transcript(self._text))
        opened.talk.add(record)
        if said := [key for key in keys if key in KNOWN]:
            opened.about.fill(read_about(record, said, frozenset(), opened.talk.notices))
        self._open[episode_id] = opened
        return episode_id

    def _finish(self, episode_id: str | None) -> Episode:
        opened = self._open.pop(episode_id)
        episode = opened.end()
        self._notices.update(opened.talk.notices)
        return episode

    def finish(self) -> Iterator[Episode]:
        """Give the episodes that are still open, in order of their first lines."""
        for episode_id in list(self._open):
            yield self._finish(episode_id)
