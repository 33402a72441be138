"""Episodes whose texts are to be read before they are let go, some at a time."""

from calib.formats._talk import REASONING_CHARS, TEXT_CHARS, Episode
from calib.ingest.identity import Stamp

MOST = 2_000_000
"""Characters that are held at a time."""


class Unread:
    """For a corpus that does not store texts as recorded: what is read off them goes into the turns in their place."""

    def __init__(self, stamp: Stamp) -> None:
        self._stamp = stamp
        self._begin()

    def _begin(self) -> None:
        self._episodes: list[Episode] = []
        self._characters = 0

    def add(self, episode: Episode) -> None:
        """Take a finished episode, and read those taken when they are many."""
        if self._stamp.as_recorded:
            return
        self._episodes.append(episode)
        self._characters += sum(turn[REASONING_CHARS] + turn[TEXT_CHARS] for turn in episode.turns)
        if self._characters > MOST:
            from calib.ingest.scanned import count  # its patterns take time to compile

            count(self._episodes, self._stamp.text)
            self._begin()
