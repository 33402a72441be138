"""Entries of the ShareGPT form to turns: `from` and `value`, with thinking, calls and results inside the texts."""

from typing import Any

from calib.formats._calls import Call, calls_of
from calib.formats._chat import SILENT, Transcript
from calib.formats._codes import Rejected
from calib.formats._decode import json_text
from calib.formats._inline import CLOSE, TAGGED, split_inline
from calib.formats._markup import calls_in, from_json, value_in
from calib.formats._parts import text_of
from calib.formats._thought import Native, native_of

USERS = frozenset(("human", "user"))
MODELS = frozenset(("gpt", "assistant", "model", "bot", "chatgpt", "ai", "agent"))
RESULTS = frozenset(("tool", "function", "observation", "function_response", "tool_response", "ipython"))
CALLS = frozenset(("function_call", "tool_call"))
ROLES = USERS | MODELS | RESULTS | CALLS | SILENT
OPENED, CLOSED = "<tool_response>", "</tool_response>"

Message = dict[str, Any]


def role_of(entry: Any) -> str | None:
    """Give the role of an entry."""
    role = entry.get("from", entry.get("role")) if isinstance(entry, dict) else None
    return role.lower() if isinstance(role, str) else None


def value_of(entry: Message) -> Any:
    """Give the text of an entry, under any of its names."""
    for key in ("value", "content", "text"):
        if (value := entry.get(key)) is not None:
            return value
    return None


class Told(Transcript):
    """A talk that is told in entries. A harness that writes entries of its own overrides `human` and `answer`."""

    def entry(self, entry: Any) -> None:
        """Take one entry.

        Raises Rejected.
        """
        role = role_of(entry)
        if role is None:
            raise Rejected("bad-message", "an entry has no text `from` or `role`")
        value = value_of(entry)
        if role in MODELS:
            self._answered_by(entry, value)
        elif role in CALLS:
            text = value if isinstance(value, str) else json_text(value)
            self.answer(None, "absent", "native", None, from_json(text))
        elif role in RESULTS:
            self._results_in(value, entry.get("tool_call_id"))
        elif role in USERS:
            self._user_says(value)
        elif role not in SILENT:
            self.notices["unknown-role"] += 1

    def human(self, text: str) -> None:
        """Take what a user says."""
        self.user()

    def answer(self, reasoning: str | None, state: str, kind: str, text: str | None, calls: list[Call]) -> None:
        """Take what the model says."""
        self.turn(reasoning, state, kind, text, calls)

    def _answered_by(self, entry: Message, value: Any) -> None:
        calls: list[Call] = []
        text, native = value, Native()
        if len(entry) > 2 or value.__class__ is not str:
            calls, text, native = calls_of(entry), text_of(value), native_of(entry, value)
        reasoning, state, kind = native
        if text and ">" in text and TAGGED.search(text):
            whole = text
            reasoning, state, found, text = split_inline(whole, reasoning, state, self.notices)
            kind = found if found == "inline" else kind
            if found == "inline" and reasoning and not text and not CLOSE.search(whole):
                reasoning, calls = calls_in(reasoning)  # it acts without having closed its reasoning
                state = "recorded" if reasoning.strip() else "empty"
        if text and not calls:
            text, calls = calls_in(text)
        self.answer(reasoning, state, kind, text, calls)

    def _user_says(self, value: Any) -> None:
        text = text_of(value) or ""
        if OPENED not in text:
            self.human(text)
            return
        self._results_in(text, None)
        if rest := _responses_in(text)[1].strip():
            self.human(rest)

    def _results_in(self, value: Any, call_id: Any) -> None:
        text = value if isinstance(value, str) else text_of(value)
        if text is None:
            text = "" if value is None else json_text(value)
        blocks = _responses_in(text)[0] if "<" in text and OPENED in text else []
        for found, content in (_answers(block) for block in blocks):
            self.result(found, content)
        if not blocks:
            self.result(call_id if isinstance(call_id, str) else None, text)


def _responses_in(text: str) -> tuple[list[str], str]:
    """Give what stands in the responses of a text, and what stands around them.

    >>> _responses_in("a<tool_response>b</tool_response>c<tool_response>d")
    (['b', 'd'], 'ac')
    """
    if text.startswith(OPENED) and text.endswith(CLOSED) and text.find(OPENED, 1) < 0 and text.count(CLOSED) == 1:
        return [text[len(OPENED) : -len(CLOSED)]], ""  # the usual case, without copies
    around, *pieces = text.split(OPENED)
    blocks = []
    for piece in pieces:
        block, _, rest = piece.partition(CLOSED)
        blocks.append(block)
        around += rest
    return blocks, around


def _answers(block: str) -> tuple[str | None, str]:
    """Read a response: a JSON object with `content` and perhaps the call's id, else its text."""
    value = value_in(block)
    if not isinstance(value, dict) or "content" not in value:
        return None, block.strip()
    content, call_id = value["content"], value.get("tool_call_id")
    text = content if isinstance(content, str) else json_text(content)
    return call_id if isinstance(call_id, str) and call_id else None, text
