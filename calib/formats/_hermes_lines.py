"""A hermes session of the old form: its messages one a line, without an object around them."""

from typing import Any

from calib.formats._chat import Transcript, fields_of
from calib.formats._hermes_rows import HALTED, LIMIT, SUMMARY

HEAD = "session_meta"
"""Role of the line that such a session begins with."""


class HermesTranscript(Transcript):
    """Chat messages. What hermes wrote itself is no turn; `exit` is the limit or the guard that it tells of."""

    _closing = False

    def add(self, message: Any) -> None:
        """Take one message.

        Raises Rejected and Reread.
        """
        told = fields_of(message)
        role, said = told.get("role"), told.get("content")
        text = said.lstrip() if isinstance(said, str) else ""
        alone = role == "assistant" and not told.get("tool_calls")
        if role == HEAD:
            return
        if text.startswith(SUMMARY):
            self.compacted()
        elif role == "user" and text.startswith(LIMIT):
            self._closing, self.exit = True, "max_iterations_reached"
        elif alone and text.startswith(HALTED[0]) and HALTED[1] in text:
            self.exit = "guardrail_halt"
        elif not (alone and self._closing):  # it was asked to close without tools: no turn of the run
            if role == "user":
                self._closing, self.exit = False, None
            super().add(message)
