"""Message per line: one chat message a line; lines of one `episode_id` are one episode, lines without are one more.

What a line says about the episode besides the message (task, outcome, ...) is taken from the first line that
says it. Episodes may interleave. Each ends with its last line, which a first pass over the file finds; when that
line is rejected, with the file.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from calib.formats._chat import Episode, Stretch, Transcript
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import Decoder, Line, Notices
from calib.formats._record import KNOWN, About, read_about, scalar_text

SUMMARY = "one chat message a line: an object with `role`, optionally `episode_id`"
STREAM = True


def recognises(keys: frozenset[str]) -> bool:
    """Tell whether a record with these keys is a message."""
    return "role" in keys and "messages" not in keys


def episode_id_of(record: Any, keys: tuple[str, ...]) -> str | None:
    """Give the episode id of a message; None for none."""
    return (scalar_text(record["episode_id"]) or None) if "episode_id" in keys else None


def last_lines(lines: Iterable[tuple[int, Line]]) -> dict[str | None, int]:
    """Find the last line of each episode: the first pass over a file."""
    decoder, last = Decoder(), dict[str | None, int]()
    for number, line in lines:
        try:
            last[decoder.read(line, Notices(), lambda record: episode_id_of(record, tuple(record)))] = number
        except Rejected:
            continue
    return last


class _Open:
    def __init__(self, text: bool) -> None:
        self.transcript = Transcript(text)
        self.about = About()
        self.stretches: list[Stretch] = []

    def cover(self, where: Stretch) -> None:
        """Note the bytes of a line; neighbouring lines make one stretch."""
        if self.stretches:
            line, first, size = self.stretches[-1]
            if first + size == where[1]:
                self.stretches[-1] = (line, first, size + where[2])
                return
        self.stretches.append(where)


class Reader:
    """Reads lines of one file; an episode is given with its last line."""

    def __init__(self, text: bool, notices: Notices, last_lines: Mapping[str | None, int] | None = None) -> None:
        self._text = text
        self._notices = notices
        self._last = last_lines or {}
        self._decoder = Decoder()
        self._open: dict[str | None, _Open] = {}

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
        opened = self._open.get(episode_id) or _Open(self._text)
        opened.transcript.add(record)
        if said := [key for key in keys if key in KNOWN]:
            opened.about.fill(read_about(record, said, frozenset(), opened.transcript.notices))
        self._open[episode_id] = opened
        return episode_id

    def _finish(self, episode_id: str | None) -> Episode:
        opened = self._open.pop(episode_id)
        episode = opened.transcript.finish(opened.about)
        episode.stretches = opened.stretches
        self._notices.update(opened.transcript.notices)
        return episode

    def finish(self) -> Iterator[Episode]:
        """Give the episodes that are still open, in order of their first lines."""
        for episode_id in list(self._open):
            yield self._finish(episode_id)
