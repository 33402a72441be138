"""Chat messages into turns, by the very code that reads dumps: a monitor sees what an ingest would store."""

from collections.abc import Sequence
from typing import Any

from calib.formats._calls import Call
from calib.formats._chat import Transcript
from calib.formats._codes import Rejected, Reread
from calib.formats._talk import IS_ERROR, MILLISECONDS, TOKENS
from calib.live._seen import Called
from calib.live.monitor import Monitor

USER, COMPACTED = 13, 14
"""Where the columns `user_before` and `after_compaction` stand in a turn."""


class NotUnderstood(Exception):  # noqa: N818 - a verdict on a message, not an error of the program
    """A message that no reader takes for one."""


class Listener(Transcript):
    """Takes the messages of one episode in order and tells a monitor each turn that is whole.

    A turn is whole when the next one begins, or when `settle` says that nothing more belongs to it.
    """

    def __init__(self, monitor: Monitor) -> None:
        super().__init__(text=False)
        self.monitor = monitor
        self._said: tuple[str | None, str | None] | None = None

    def hear(self, message: Any) -> None:
        """Take one message.

        Raises NotUnderstood; then nothing has been taken.
        """
        try:
            self.add(message)
        except (Rejected, Reread) as verdict:
            raise NotUnderstood from verdict

    def turn(
        self, reasoning: str | None, state: str, kind: str | None, text: str | None, calls: Sequence[Call] = ()
    ) -> None:
        """Take one model response."""
        self.settle()
        super().turn(reasoning, state, kind, text, calls)
        self._said = reasoning, text

    def settle(self) -> None:
        """Say that the last turn is whole: a request is about to be sent."""
        self._end_turn()

    def _end_turn(self) -> None:
        if self._said is not None:
            reasoning, text = self._said
            self._said = None
            row = self._turns[-1]
            results = self._results
            called = [
                Called(call.tool, call.arguments, result, each[IS_ERROR])
                for call, each, result in zip(self._open, self._rows, results, strict=False)
            ]
            self.monitor.turn(
                reasoning, called, text, user=row[USER], compaction=row[COMPACTED],
                output_tokens=row[TOKENS], milliseconds=row[MILLISECONDS],
                orphans=[text for text in results[len(called) :] if text is not None],
            )  # fmt: skip
        super()._end_turn()
