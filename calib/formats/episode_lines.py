"""Episode per line: one JSON object a line, with `messages` and, all optional, what is known about the episode."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from calib.formats._chat import Episode, Stretch, Transcript
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import ARRAY, Decoder, Line, Notices
from calib.formats._record import read_about

SUMMARY = "one episode a line: an object with `messages`"
STREAM = False
MESSAGES = frozenset(("messages",))


def recognises(keys: frozenset[str]) -> bool:
    """Tell whether a record with these keys is an episode."""
    return "messages" in keys


class Reader:
    """Reads lines of one file; each gives one episode."""

    def __init__(self, text: bool, notices: Notices, last_lines: Mapping[str | None, int] | None = None) -> None:
        self._text = text
        self._notices = notices
        self._decoder = Decoder()

    def feed(self, line: Line, where: Stretch) -> Iterable[Episode]:
        """Read one line.

        Raises Rejected.
        """
        episode = self._decoder.read(line, self._notices, self._episode)
        episode.stretches.append(where)
        return (episode,)

    def _episode(self, record: Any) -> Episode:
        keys = tuple(record)
        if len(set(keys)) < len(keys):
            raise Reread
        if "messages" not in keys:
            raise Rejected("no-messages", "expected an object with a list `messages`")
        transcript = Transcript(self._text)
        about = read_about(record, keys, MESSAGES, transcript.notices)
        messages = record["messages"]
        if not isinstance(messages, ARRAY):
            raise Rejected("no-messages", "`messages` is no list")
        for message in messages:
            transcript.add(message)
        episode = transcript.finish(about)
        self._notices.update(transcript.notices)
        return episode

    def finish(self) -> Iterator[Episode]:
        """Give what is still open: nothing."""
        return iter(())
