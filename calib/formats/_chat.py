"""Chat messages to turns and calls: the part that both native forms share.

A turn is a message of role `assistant`. Everything a detector compares is compared here, once and
exactly: one dictionary per episode maps each trimmed text to the first turn that had it.
"""

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from calib.formats._calls import Call, calls_of
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import ARRAY, OBJECT, Notices
from calib.formats._parts import REASONING_KEYS, hidden_in, reasoning_of, text_of, thoughts_of
from calib.formats._record import About

HEAD = 200
SILENT = frozenset(("system", "developer"))
RESULT = frozenset(("tool", "function"))

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


class Shape(NamedTuple):
    """What the keys of a message tell: which of them matter, and whether one is doubled."""

    doubled: bool
    role: bool
    content: bool
    calls: bool
    legacy: bool
    answers: bool
    marked: bool
    reasoning: tuple[str, ...]
    details: bool


_shapes: dict[tuple[str, ...], Shape] = {}


def shape_of(keys: tuple[str, ...]) -> Shape:
    """Give the shape of a message's keys; remembered, for few shapes occur."""
    shape = _shapes.get(keys)
    if shape is None:
        if len(_shapes) > 4096:
            _shapes.clear()
        reasoning = tuple(key for key in REASONING_KEYS if key in keys)
        shape = Shape(
            doubled=len(set(keys)) < len(keys), role="role" in keys, content="content" in keys,
            calls="tool_calls" in keys, legacy="function_call" in keys, answers="tool_call_id" in keys,
            marked="is_error" in keys, reasoning=reasoning, details="reasoning_details" in keys,
        )  # fmt: skip
        _shapes[keys] = shape
    return shape


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
        self._ids: set[str] = set()
        self._open: list[Call] = []
        self._rows: list[CallRow] = []
        self._results: list[str | None] = []

    def add(self, message: Any) -> None:
        """Take one message: a view or a dict.

        Raises Rejected when it is no message, Reread when a view of it is not enough.
        """
        if not isinstance(message, OBJECT):
            raise Rejected("bad-message", "a message is no object")
        shape = shape_of(tuple(message))
        if shape.doubled:
            raise Reread
        role = message["role"] if shape.role else None
        if role == "assistant":
            self._add_turn(message, shape)
        elif role == "user":
            self._user = True
        elif role in RESULT:
            self._add_result(message, shape)
        elif not isinstance(role, str):
            raise Rejected("bad-message", "a message has no text `role`")
        elif role not in SILENT:
            self.notices["unknown-role"] += 1

    def _add_turn(self, message: Any, shape: Shape) -> None:
        # First everything that may refuse the message, then what changes the episode.
        calls = calls_of(message, shape) if shape.calls or shape.legacy else []
        content = message["content"] if shape.content else None
        text = content if isinstance(content, str) else text_of(content)
        reasoning, state = _reasoning(message, shape, content)
        self._end_turn()
        self._field_missing |= state == "absent"
        self._field_seen |= state in ("recorded", "empty")
        index = len(self._turns)
        self._open = calls
        self._turns.append(
            [reasoning if self._text else None, state, len(reasoning) if reasoning else 0,
             _first(self._reasonings, reasoning, index),
             text if self._text else None, len(text) if text else 0, _first(self._texts, text, index),
             [call.tool or "" for call in calls], self._add_calls(calls, index) if calls else None, None, self._user]
        )  # fmt: skip
        self._user = False

    def _add_calls(self, calls: list[Call], index: int) -> int:
        said = self._text
        self._rows = [
            [index, at, call.tool, call.arguments if said else None, None, None, None] for at, call in enumerate(calls)
        ]
        self._calls += self._rows
        self._results = [None] * len(calls)
        if broken := sum([call.broken for call in calls]):
            self.notices["args-not-json"] += broken
        ids = [call.id for call in calls if call.id is not None]
        if len(ids) > 1 and len(set(ids)) < len(ids):
            self.notices["call-id-duplicate"] += 1
        if not self._ids.isdisjoint(ids):
            self.notices["call-id-reused"] = 1
        self._ids.update(ids)
        return self._call_lists.setdefault(tuple([call.key for call in calls]), index)

    def _add_result(self, message: Any, shape: Shape) -> None:
        content = message["content"] if shape.content else None
        text = (content if isinstance(content, str) else text_of(content)) or ""
        at = self._answered(message["tool_call_id"] if shape.answers else None)
        if at is None:
            self.notices["orphan-tool-result"] += 1
            self._results.append(text)
            return
        self._results[at] = text
        row = self._rows[at]
        row[RESULT_CHARS] = len(text)
        if self._text:
            row[RESULT_HEAD] = text[:HEAD]
        if shape.marked:
            marked = message["is_error"]
            row[IS_ERROR] = marked if isinstance(marked, bool) else None

    def _answered(self, call_id: Any) -> int | None:
        """Find the call of the open turn that a result answers: the first of its id without a result, else in order."""
        waiting = [at for at, row in enumerate(self._rows) if row[RESULT_CHARS] is None]
        if call_id is None:
            return waiting[0] if waiting else None
        for at in waiting:
            if self._open[at].id == call_id:
                return at
        return next((at for at in waiting if self._open[at].id is None), None)

    def _end_turn(self) -> None:
        results = [text for text in self._results if text is not None]
        if results and self._turns:
            at = len(self._turns) - 1
            self._turns[at][SAME_RESULTS] = self._result_lists.setdefault(tuple(results), at)
        missing = sum([row[RESULT_CHARS] is None for row in self._rows])
        if missing:
            self.notices["missing-tool-result"] += missing
        self._rows, self._results = [], []

    def finish(self, about: About) -> Episode:
        """End the episode. A turn without the reasoning field is `empty` when other turns carry it."""
        self._end_turn()
        if self._field_missing and self._field_seen:
            for turn in self._turns:
                if turn[STATE] == "absent":
                    turn[STATE] = "empty"
        return Episode(about, self._turns, self._calls, digest_of(self._turns, self._calls))


def _first(seen: dict[str, int], text: str | None, index: int) -> int | None:
    """Give the first turn with the same trimmed text, this one when it is new, None for no text."""
    if text and (trimmed := text.strip()):
        return seen.setdefault(trimmed, index)
    return None


def _reasoning(message: Any, shape: Shape, content: Any) -> tuple[str | None, str]:
    """Give the first reasoning that is not empty, and its state."""
    fields = [message[key] for key in shape.reasoning]
    texts = [value if isinstance(value, str) else None if value is None else reasoning_of(value) for value in fields]
    if isinstance(content, ARRAY):
        fields.append(content)
        texts.append(thoughts_of(content))
    for text in texts:
        if text and text.strip():
            return text, "recorded"
    if shape.details:
        fields.append(message["reasoning_details"])
    if hidden := next((state for value in fields if (state := hidden_in(value))), ""):
        return None, hidden
    empty = next((text for text in texts if text is not None), None)
    return empty, "absent" if empty is None else "empty"


def digest_of(turns: list[Turn], calls: list[CallRow]) -> str:
    """Hash what detectors see of a transcript: lengths, equalities, states and tools, never text."""
    seen = [
        [[turn[1:4], turn[5:]] for turn in turns],
        [[call[0], call[2], call[RESULT_CHARS], call[IS_ERROR]] for call in calls],
    ]
    return blake2b(msgspec.json.encode(seen), digest_size=16).hexdigest()
