"""Episode per line: one JSON object a line, with `messages` and, all optional, what is known about the episode."""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import ARRAY, Decoder, Line
from calib.formats._reader import Context
from calib.formats._record import read_about
from calib.formats._talk import Episode, Stretch

SUMMARY = "one episode a line: an object with `messages`"
RANK = 90
STREAM = False
MESSAGES = frozenset(("messages",))


def recognises(value: Any) -> bool:
    """Tell whether a value is an episode: an object with a list of chat messages."""
    return isinstance(value, dict) and isinstance(value.get("messages"), list)


class Reader:
    """Reads lines of one file; each gives one episode."""

    def __init__(self, context: Context) -> None:
        self._text = context.text
        self._notices = context.notices
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
