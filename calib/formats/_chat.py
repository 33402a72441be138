"""Chat messages to turns and calls: the part that both native forms share.

A turn is a message of role `assistant`. Everything a detector compares is compared here, once and
exactly: one dictionary per episode maps each trimmed text to the first turn that had it.
"""

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import msgspec

from calib.formats._calls import Call, calls_of
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import Notices
from calib.formats._parts import reasoning_of, text_of
from calib.formats._record import About

HEAD = 200
SILENT = frozenset(("system", "developer"))

Turn = list[Any]
"""reasoning, state, reasoning_chars, same_reasoning_as, text, text_chars, same_text_as, tools, same_calls_as,
same_results_as, user_before: the columns of `turns` after episode_id and turn."""
STATE, SAME_RESULTS = 1, 9
CallRow = list[Any]
"""turn, call, tool, arguments, result_chars, result_head, is_error: the columns of `calls` after episode_id."""
RESULT_CHARS, RESULT_HEAD, IS_ERROR = 4, 5, 6

Stretch = tuple[int, int, int]
"""Line number (from 1), first byte and length of a run of input lines."""


@dataclass(slots=True)
class Episode:
    """One finished episode. `line` numbers are relative to where the reader began."""

    about: About
    turns: list[Turn]
    calls: list[CallRow]
    digest: str
    stretches: list[Stretch] = field(default_factory=list)


class Transcript:
    """Takes the messages of one episode in order; `finish` gives its turns and calls."""

    def __init__(self, text: bool) -> None:
        self.notices: Notices = Counter()
        self._text = text
        self._turns: list[Turn] = []
        self._calls: list[CallRow] = []
        self._user = False
        self._field_seen = self._field_missing = False
        self._reasonings: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._call_lists: dict[Any, int] = {}
        self._result_lists: dict[Any, int] = {}
        self._ids: dict[str, int] = {}
        self._open: list[Call] = []
        self._rows: list[CallRow] = []
        self._results: list[str | None] = []

    def add(self, message: Any) -> None:
        """Take one message: a view or a dict.

        Raises Rejected when it is no message, Reread when a view of it is not enough.
        """
        try:
            role = message["role"]
        except KeyError:
            raise Rejected("bad-message", "a message has no text `role`") from None
        except (TypeError, IndexError):
            raise Rejected("bad-message", "a message is no object") from None
        if role == "assistant":
            self._add_turn(fields_of(message))
        elif role == "tool" or role == "function":
            self._add_result(fields_of(message))
        else:  # most bytes stand here, and only that they do is of interest
            if len(message) != len(set(message)):
                raise Reread
            if role == "user":
                self._user = True
            elif not isinstance(role, str):
                raise Rejected("bad-message", "a message has no text `role`")
            elif role not in SILENT:
                self.notices["unknown-role"] += 1

    def _add_turn(self, message: dict[str, Any]) -> None:
        # First everything that may refuse the message, then what changes the episode.
        calls = calls_of(message)
        text = content = message.get("content")
        if content is not None and not isinstance(content, str):
            text = text_of(content)
        reasoning, state = reasoning_of(message, content)
        self._end_turn()
        if state == "absent":
            self._field_missing = True
        elif state in ("recorded", "empty"):
            self._field_seen = True
        index = len(self._turns)
        same_reasoning = same_text = same_calls = None
        reasoning_chars = text_chars = 0
        if reasoning:
            reasoning_chars = len(reasoning)
            if trimmed := reasoning.strip():
                same_reasoning = self._reasonings.setdefault(trimmed, index)
        if text:
            text_chars = len(text)
            if trimmed := text.strip():
                same_text = self._texts.setdefault(trimmed, index)
        if calls:
            same_calls = self._add_calls(calls, index)
        if not self._text:
            reasoning = text = None
        tools = [call[1] or "" for call in calls]
        self._turns.append(
            [reasoning, state, reasoning_chars, same_reasoning, text, text_chars, same_text,
             tools, same_calls, None, self._user]
        )  # fmt: skip
        self._user = False

    def _add_calls(self, calls: list[Call], index: int) -> int:
        self._open = calls
        said = self._text
        self._rows = [
            [index, at, tool, arguments if said else None, None, None, None]
            for at, (_, tool, arguments, _, _) in enumerate(calls)
        ]
        self._calls += self._rows
        self._results = [None] * len(calls)
        for call_id, _, _, _, broken in calls:
            if broken:
                self.notices["args-not-json"] += 1
            if call_id is not None and self._ids.setdefault(call_id, index) != index:
                self.notices["call-id-reused"] = 1
        if len(calls) > 1 and len({call.id for call in calls if call.id}) < sum(bool(call.id) for call in calls):
            self.notices["call-id-duplicate"] += 1
        return self._call_lists.setdefault(tuple([call[3] for call in calls]), index)

    def _add_result(self, message: dict[str, Any]) -> None:
        text = message.get("content")
        if not isinstance(text, str):
            text = text_of(text) or ""
        at = self._answered(message.get("tool_call_id"))
        if at is None:
            self.notices["orphan-tool-result"] += 1
            self._results.append(text)
            return
        self._results[at] = text
        row = self._rows[at]
        row[RESULT_CHARS] = len(text)
        if self._text:
            row[RESULT_HEAD] = text[:HEAD]
        marked = message.get("is_error")
        if isinstance(marked, bool):
            row[IS_ERROR] = marked

    def _answered(self, call_id: Any) -> int | None:
        """Find the call of the open turn that a result answers: the first of its id without a result, else in order."""
        in_order = None
        for at, row in enumerate(self._rows):
            if row[RESULT_CHARS] is None:
                own = self._open[at].id
                if call_id is None or own == call_id:
                    return at
                if own is None and in_order is None:
                    in_order = at
        return in_order

    def _end_turn(self) -> None:
        if self._results:
            results = tuple([text for text in self._results if text is not None])
            if results and self._turns:
                at = len(self._turns) - 1
                self._turns[at][SAME_RESULTS] = self._result_lists.setdefault(results, at)
            self._results = []
        for row in self._rows:
            if row[RESULT_CHARS] is None:
                self.notices["missing-tool-result"] += 1
        self._rows = []

    def finish(self, about: About) -> Episode:
        """End the episode. A turn without the reasoning field is `empty` when other turns carry it."""
        self._end_turn()
        if self._field_missing and self._field_seen:
            for turn in self._turns:
                if turn[STATE] == "absent":
                    turn[STATE] = "empty"
        return Episode(about, self._turns, self._calls, digest_of(self._turns, self._calls))


def fields_of(message: Any) -> dict[str, Any]:
    """Build the dict of a message.

    Raises Reread when a key is doubled in it, in one of its calls or in their functions: the dict would hide that.
    """
    if message.__class__ is dict:
        return message
    fields: dict[str, Any] = message.as_dict()
    if len(fields) != len(message):
        raise Reread
    calls = fields.get("tool_calls")
    if calls and calls.__class__ is list:
        for view, call in zip(message["tool_calls"], calls, strict=True):
            if call.__class__ is dict:
                inner = call.get("function")
                if len(view) != len(call) or (inner.__class__ is dict and len(view["function"]) != len(inner)):
                    raise Reread
    return fields


def digest_of(turns: list[Turn], calls: list[CallRow]) -> str:
    """Hash what detectors see of a transcript: lengths, equalities, states and tools, never text."""
    seen = [
        [[turn[1:4], turn[5:]] for turn in turns],
        [[call[0], call[2], call[RESULT_CHARS], call[IS_ERROR]] for call in calls],
    ]
    return blake2b(msgspec.json.encode(seen), digest_size=16).hexdigest()
