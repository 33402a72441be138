"""The transcript of one episode while it is read: what a turn is, what equals what, which result answers which call.

Everything a detector compares is compared here, once and exactly: one dictionary per episode maps each trimmed text to
the first turn that had it. Failing results are compared without their times too (`calib/times.py`). A format says
`user`, `turn`, `result` and `compacted` in the order of the transcript, then `finish`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import itemgetter
from typing import Any

import msgspec

from calib.formats._calls import Call
from calib.formats._decode import Notices
from calib.formats._record import About
from calib.times import Failures
from calib.tools import actions_of

HEAD = 200

Turn = list[Any]
"""The columns of `turns` after episode_id and turn: reasoning, state, kind, reasoning_chars, same_reasoning_as,
text, text_chars, same_text_as, tools, actions, same_calls_as, same_results_as, orphan_results, user_before,
after_compaction, output_tokens, milliseconds."""
REASONING, STATE, KIND, REASONING_CHARS, TEXT, TEXT_CHARS, TOOLS, ACTIONS = 0, 1, 2, 3, 5, 6, 8, 9
SAME_RESULTS, ORPHANS, TOKENS, MILLISECONDS = 11, 12, 15, 16
WIDTH = MILLISECONDS + 1
CallRow = list[Any]
"""The columns of `calls` after episode_id: turn, call, tool, arguments, canonical, result_chars, result_head,
is_error, same_call_as, same_result_as, same_written_call_as, same_failure_as."""
RESULT_CHARS, RESULT_HEAD, IS_ERROR, SAME_CALL, SAME_RESULT, SAME_WRITTEN, SAME_FAILURE = 5, 6, 7, 8, 9, 10, 11

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


def stretch(stretches: list[Stretch], where: Stretch) -> None:
    """Add the bytes of a line to an episode's; neighbouring lines make one stretch."""
    if stretches:
        line, first, size = stretches[-1]
        if first + size == where[1]:
            stretches[-1] = (line, first, size + where[2])
            return
    stretches.append(where)


class Talk:
    """Takes one episode in order. `text=False` keeps no text of calls, and compares it all the same.

    The texts of turns are kept in any case: what rules read off them is counted when the episode is written.
    """

    def __init__(self, text: bool, notices: Notices | None = None) -> None:
        self.notices: Notices = Counter() if notices is None else notices
        self._text = text
        self._turns: list[Turn] = []
        self._calls: list[CallRow] = []
        self._user = self._compacted = False
        self._early = 0
        """Results before the first turn: the turn that made the calls is lost. The first turn counts them."""
        self._reasonings: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._call_lists: dict[Any, int] = {}
        self._result_lists: dict[Any, int] = {}
        self._known_calls: dict[Any, int] = {}
        self._written: list[str | None] = []
        self._spellings: dict[tuple[int, str | None], int] = {}
        self._known_results: dict[str, int] = {}
        self._failures = Failures()
        self._ids: dict[str, int] = {}
        self._open: Sequence[Call] = ()
        self._first_call = 0
        self._rows: list[CallRow] = []
        self._results: list[str | None] = []

    @property
    def turns(self) -> int:
        """How many turns were taken."""
        return len(self._turns)

    def user(self) -> None:
        """Note that a user message stands here."""
        self._user = True

    def compacted(self) -> None:
        """Note that the history was compacted here. Runs go on across it; the next turn is marked."""
        self._compacted = True

    def turn(
        self, reasoning: str | None, state: str, kind: str | None, text: str | None, calls: Sequence[Call] = ()
    ) -> None:
        """Take one model response.

        `state` is `recorded`, `empty`, `withheld`, `encrypted` or `absent`; `kind` is `native`, `inline`, `thought`
        or `summary` for reasoning that is recorded, else None. A turn without the field is `absent` whatever other
        turns carry; whether an episode shows its reasoning is asked of all its turns, not of one.
        """
        if self._results:
            self._end_turn()
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
        tools: list[str] = []
        actions: list[str] = []
        if calls:
            same_calls = self._add_calls(calls, index)
            for _, tool, arguments, _, _ in calls:
                tools.append(tool or "")
                actions += actions_of(tool, arguments)
        self._turns.append(
            [reasoning, state, kind if state == "recorded" else None, reasoning_chars, same_reasoning,
             text, text_chars, same_text, tools, actions, same_calls, None, self._early, self._user, self._compacted,
             None, None]
        )  # fmt: skip
        self._user = self._compacted = False
        self._early = 0

    def spent(self, output_tokens: int | None, milliseconds: int | None) -> None:
        """Note what the last turn cost, where the transcript says it; `milliseconds` since the record before it."""
        self._turns[-1][TOKENS] = output_tokens
        self._turns[-1][MILLISECONDS] = milliseconds

    def _add_calls(self, calls: Sequence[Call], index: int) -> int:
        self._open = calls
        self._first_call = place = len(self._calls)
        rows: list[CallRow] = []
        for own, (call_id, tool, arguments, key, broken) in enumerate(calls, place):
            self._written.append(arguments)
            first = self._known_calls.setdefault(key, own)
            written = own if first == own else self._first_written(first, own)
            said, meant = (arguments, spelling(key[1])) if self._text else (None, None)
            rows.append([index, own - place, tool, said, meant, None, None, None, first, None, written, None])
            if broken:
                self.notices[broken if isinstance(broken, str) else "args-not-json"] += 1
            if call_id is not None and self._ids.setdefault(call_id, index) != index:
                self.notices["call-id-reused"] = 1
        self._calls += rows
        self._rows = rows
        self._results = [None] * len(rows)
        if len(rows) == 1:
            return self._call_lists.setdefault(rows[0][SAME_CALL], index)
        ids = [call.id for call in calls if call.id]
        if len(set(ids)) < len(ids):
            self.notices["call-id-duplicate"] += 1
        return self._call_lists.setdefault(tuple([row[SAME_CALL] for row in rows]), index)

    def _first_written(self, first: int, own: int) -> int:
        """Find the first call that is written as this one; `first` is the first of those that mean the same."""
        written = self._written[own]
        return first if written == self._written[first] else self._spellings.setdefault((first, written), own)

    def result(self, call_id: str | None, text: str, is_error: bool | None = None) -> None:
        """Take the result of a call of the open turn; a result without an id answers the first that waits."""
        at = self._answered(call_id)
        if at is None:
            self.notices["orphan-tool-result"] += 1
            self._results.append(text)
            if self._turns:
                self._turns[-1][ORPHANS] += 1
            else:
                self._early += 1
            return
        self._results[at] = text
        row = self._rows[at]
        row[RESULT_CHARS] = len(text)
        if self._text:
            row[RESULT_HEAD] = text[:HEAD]
        row[IS_ERROR] = is_error

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
        if not self._results:
            return
        if self._turns and (results := tuple([text for text in self._results if text is not None])):
            at = len(self._turns) - 1
            self._turns[at][SAME_RESULTS] = self._result_lists.setdefault(results, at)
        # In the order of the calls, not of the results: what is first must stand first.
        for place, (row, result) in enumerate(zip(self._rows, self._results, strict=False), self._first_call):
            if result is None:
                self.notices["missing-tool-result"] += 1
            else:
                row[SAME_RESULT] = self._known_results.setdefault(result, place)
                if row[IS_ERROR]:
                    row[SAME_FAILURE] = self._failures.first(result, place)
        self._results = []
        self._rows = []

    def finish(self, about: About) -> Episode:
        """End the episode."""
        self._end_turn()
        return Episode(about, self._turns, self._calls, digest_of(self._turns, self._calls))


def spelling(key: bytes | str | None) -> str | None:
    """Give canonical arguments as text."""
    return key.decode("utf-8", "replace") if isinstance(key, bytes) else key


_SEEN_OF_TURN = itemgetter(1, 3, 4, 6, 7, 8, 10, 11, 13)
_SEEN_OF_CALL = itemgetter(0, 2, RESULT_CHARS, IS_ERROR)


def digest_of(turns: list[Turn], calls: list[CallRow]) -> str:
    """Hash what detectors see of a transcript: lengths, equalities, states and tools, never text."""
    seen = list(map(_SEEN_OF_TURN, turns)), list(map(_SEEN_OF_CALL, calls))
    return blake2b(msgspec.json.encode(seen), digest_size=16).hexdigest()
