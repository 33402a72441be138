"""Rows of a hermes session to turns: what compaction copied counts once, and what the harness wrote is no turn."""

import json
from collections.abc import Sequence
from typing import Any

from calib.formats._calls import calls_of
from calib.formats._codes import Rejected
from calib.formats._inline import TAGGED, split_inline
from calib.formats._parts import hidden_in, reasoning_of, text_of
from calib.formats._record import scalar_text, whole_number
from calib.formats._spent import Watch
from calib.formats._talk import Talk

Row = dict[str, Any]
COMPACTED = "[CONTEXT COMPACTION"
SUMMARY = (COMPACTED, "[CONTEXT SUMMARY]")
LIMIT = "You've reached the maximum number of tool-calling iterations allowed."
HALTED = ("I stopped retrying ", " because it hit the tool-call guardrail (")
CUT = "[thinking truncated: repetition loop detected]"
ENCODED = "\x00json:"
"""What stands before content that is a list."""


def is_summary(row: Row) -> bool:
    """Tell whether a row is the summary that a compaction left."""
    return isinstance(row["content"], str) and row["content"].lstrip().startswith(SUMMARY)


def once(rows: Sequence[Row]) -> list[Row]:
    """Leave out what a compaction wrote again: the first messages before its summary and the last ones behind it.

    >>> a, b, c, d = ({"role": "assistant", "content": text} for text in "abcd")
    >>> summary = {"role": "user", "content": "[CONTEXT COMPACTION] …"}
    >>> "".join(row["content"][0] for row in once([a, b, c, a, summary, b, c, d]))
    'abc[d'
    """
    kept: list[Row] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if is_summary(row):
            del kept[len(kept) - _head(kept) :]
            at += _tail(kept, rows[at:])
        kept.append(row)
    return kept


def _same(row: Row) -> tuple[Any, ...]:
    if row["role"] == "tool" and row.get("tool_call_id"):
        return "tool", row["tool_call_id"]  # old results are shortened when they are copied
    return row["role"], row["content"], row.get("tool_calls"), row.get("tool_call_id")


def _head(kept: Sequence[Row]) -> int:
    """Count the last rows that are the first ones once more."""
    keys = [_same(row) for row in kept]
    return max((n for n in range(1, len(keys) // 2 + 1) if keys[-n:] == keys[:n]), default=0)


def _tail(kept: Sequence[Row], following: Sequence[Row]) -> int:
    """Count the rows that are the last kept ones once more."""
    keys = [_same(row) for row in kept]
    new = [_same(row) for row in following[: len(keys)]]
    return max((n for n in range(1, len(new) + 1) if keys[-n:] == new[:n]), default=0)


class Rows:
    """Tells rows to a talk. `stop` is what the harness wrote about the end: the limit or its guard.

    `cut` counts the turns whose reasoning another guard of hermes cut, so that less of it can be compared.
    """

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.stop: str | None = None
        self.cut = 0
        self._watch = Watch()
        self._closing = False

    def take(self, row: Row) -> None:
        """Take one row.

        Raises Rejected.
        """
        role = row["role"]
        content = decoded(row["content"])
        if is_summary(row):
            self.talk.compacted()
        elif role == "user":
            self._closing = isinstance(content, str) and content.startswith(LIMIT)
            self.stop = "max_iterations_reached" if self._closing else None
            if not self._closing and not row.get("observed"):
                self.talk.user()
        elif role == "assistant":
            self._assistant(row, content)
            return
        elif role == "tool":
            self.talk.result(scalar_text(row.get("tool_call_id")) or None, text_of(content) or "")
        elif role not in ("system", "session_meta"):
            self.talk.notices["unknown-role"] += 1
        self._watch.see(row.get("timestamp"))

    def take_all(self, rows: Sequence[Row]) -> None:
        """Take rows in order.

        Raises Rejected.
        """
        for row in rows:
            self.take(row)

    def _assistant(self, row: Row, content: Any) -> None:
        message = {
            "content": content, "reasoning": row.get("reasoning"), "reasoning_content": row.get("reasoning_content"),
            "tool_calls": _json(row.get("tool_calls")),
        }  # fmt: skip
        calls = calls_of(message)
        text = text_of(content)
        if not calls and text and text.startswith(HALTED[0]) and HALTED[1] in text:
            self.stop = "guardrail_halt"  # the harness wrote this answer
            return
        if self._closing and not calls:  # it was asked to close without tools: no turn of the run
            return
        reasoning, state = reasoning_of(message, content)
        kind = "native"
        if state in ("absent", "empty"):
            reasoning, state, kind = _hidden(row, reasoning, state)
        if text and ">" in text and TAGGED.search(text):
            reasoning, state, inline, text = split_inline(text, reasoning, state, self.talk.notices)
            kind = inline if inline == "inline" else kind
        self.cut += reasoning is not None and CUT in reasoning
        self.talk.turn(reasoning, state, kind, text, calls)
        self.talk.spent(whole_number(row.get("token_count")), self._watch.lap(row.get("timestamp")))


def _hidden(row: Row, reasoning: str | None, state: str) -> tuple[str | None, str, str]:
    """Look at what providers leave of reasoning they do not show."""
    items = [item for item in _list(row.get("codex_reasoning_items")) if isinstance(item, dict)]
    details = [item for item in _list(row.get("reasoning_details")) if isinstance(item, dict)]
    told = [text for item in items if (text := text_of(item.get("summary")))]
    told += [item["summary"] for item in details if isinstance(item.get("summary"), str) and item["summary"].strip()]
    if told:
        return "\n".join(told), "recorded", "summary"
    if any(item.get("encrypted_content") for item in items):
        return None, "encrypted", "native"
    return (None, found, "native") if (found := hidden_in(details)) else (reasoning, state, "native")


def decoded(content: Any) -> Any:
    """Give the content of a row: text, or the list of parts that it encodes."""
    if isinstance(content, str) and content.startswith(ENCODED):
        found = _json(content[len(ENCODED) :])
        return content if found is None else found
    return content


def _json(text: Any) -> Any:
    if isinstance(text, list):  # exports hold what the database spells as text
        return text
    try:
        return json.loads(text) if isinstance(text, str) and text else None
    except (ValueError, RecursionError):
        raise Rejected("bad-message", "a column of a message is no JSON") from None


def _list(text: Any) -> list[Any]:
    try:
        found = _json(text)
    except Rejected:
        return []
    return found if isinstance(found, list) else []
