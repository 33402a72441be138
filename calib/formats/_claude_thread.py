"""One conversation of a Claude Code session while it is read."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from calib.formats._claude import Chain
from calib.formats._decode import Notices
from calib.formats._record import About
from calib.formats._talk import Episode, Stretch, Talk

STOPPED = "[Request interrupted by user"
TOKENS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class Thread:
    """One conversation under way."""

    def __init__(self, about: About) -> None:
        self.about = about
        self.notices: Notices = Counter()
        self.chain = Chain(self.notices)
        self.stretches: list[Stretch] = []
        self.last_user: str = ""
        self.ended: str | None = None
        self.time: datetime | None = None
        self.before: datetime | None = None
        """Times of the last record and of the one before it."""

    def at(self, time: Any) -> None:
        """Note the time of a record."""
        if not isinstance(time, str):
            return
        try:
            now = datetime.fromisoformat(time)
        except ValueError:
            self.notices["bad-timestamp"] += 1
            return
        now = now if now.tzinfo else now.replace(tzinfo=UTC)
        if self.time is not None and now < self.time:
            self.notices["time-went-back"] += 1
        self.before, self.time, self.ended = self.time, now, time

    def episode(self, text: bool) -> Episode:
        """End it."""
        responses = [response for response in self.chain.responses if response.is_turn]
        models = list(dict.fromkeys(response.model for response in responses if response.model))
        about = self.about
        about.model = models[0] if models else None
        if len(models) > 1:
            about.metadata["models"] = models
        if self.ended:
            about.metadata["ended"] = self.ended
        if about.stop_reason is None:
            if self.last_user.startswith(STOPPED):
                about.stop_reason = "interrupted"
            elif responses:
                about.stop_reason = responses[-1].stop
        for name in TOKENS:
            used = [count for response in responses if isinstance(count := response.usage.get(name), int)]
            if used:
                about.metadata[name] = sum(used)
        talk = Talk(text, self.notices)
        self.chain.tell(talk)
        episode = talk.finish(about)
        episode.stretches = self.stretches
        return episode
