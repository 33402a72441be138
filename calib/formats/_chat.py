"""Chat messages of the OpenAI form: what both native forms and many harnesses write.

A turn is a message of role `assistant`. `<think>` blocks in the text are taken out of it as inline reasoning.
"""

import re
from typing import Any

from calib.formats._calls import calls_of
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import Notices, json_text, shallow
from calib.formats._inline import TAGGED, split_inline
from calib.formats._parts import text_of
from calib.formats._spent import Watch, tokens_in
from calib.formats._talk import Talk
from calib.formats._thought import native_of

SILENT = frozenset(("system", "developer"))
ROLES = {
    "assistant": "assistant", "ai": "assistant", "model": "assistant", "user": "user", "human": "user", "tool": "tool",
    "function": "function", "system": "system", "developer": "developer",
}  # fmt: skip
"""Roles in other spellings; what is none of these is not known."""
TWICE = ("reasoning_content", "reasoning")
"""Two names of one field; servers that write both write the same."""
MARKUP = re.compile(r"(?m)^\s*<(?:tool_call>|function_calls>|function=|invoke name=)")
"""Where the markup of a call stands in a text: the server did not take it for one."""


class Transcript(Talk):
    """A talk that is told in chat messages. `exit` is what a harness's last message, of role `exit`, says."""

    exit: str | None = None

    def __init__(self, text: bool, notices: Notices | None = None) -> None:
        super().__init__(text, notices)
        self.watch = Watch()

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
            self.add_turn(fields_of(message))
        elif role == "tool" or role == "function":
            self._add_result(fields_of(message))
        elif role == "exit":
            self._add_exit(fields_of(message))
        else:  # most bytes stand here, and only that they do is of interest
            self._add_other(role, message)

    def _add_other(self, role: Any, message: Any) -> None:
        keys = set(message)
        if len(message) != len(keys):
            raise Reread
        if "timestamp" in keys:
            self.watch.see(message["timestamp"])
        if role == "user":
            self._user = True
        elif not isinstance(role, str):
            raise Rejected("bad-message", "a message has no text `role`")
        elif role not in SILENT:
            known = ROLES.get(role.lower())
            if known is None:
                self.notices["unknown-role"] += 1
            elif known != role:
                self.add({**fields_of(message), "role": known})

    def add_turn(self, message: dict[str, Any]) -> None:
        """Take one assistant message."""
        # First everything that may refuse the message, then what changes the episode.
        calls = calls_of(message)
        content = message.get("content")
        text = content if content is None or isinstance(content, str) else self._text_of(content)
        if not text and isinstance(refused := message.get("refusal"), str):
            text = refused or text
        reasoning, state, kind = native_of(message, content)
        if "reasoning" in message and "reasoning_content" in message:
            told = {said.strip() for key in TWICE if isinstance(said := message[key], str) and said.strip()}
            self.notices["reasoning-conflict"] += len(told) > 1
        if text and ">" in text:
            if TAGGED.search(text):
                reasoning, state, found, text = split_inline(text, reasoning, state, self.notices)
                kind = found if found == "inline" else kind
            if text and not calls and MARKUP.search(text):
                self.notices["call-markup-in-text"] += 1
        self.turn(reasoning, state, kind, text, calls)
        usage, time = message.get("usage"), message.get("timestamp")
        if usage is not None or time is not None:
            self.spent(tokens_in(usage), self.watch.lap(time))

    def _text_of(self, content: Any) -> str | None:
        """Give the text of content that is no text; of a shape that is not known, its JSON."""
        text = text_of(content)
        if content is not None and (not isinstance(content, list) or not _has_parts(content)):
            self.notices["content-shape"] += 1
            return json_text(shallow(content)) if text is None else text
        return text

    def _add_exit(self, message: dict[str, Any]) -> None:
        extra = message.get("extra")
        status = extra.get("exit_status") if isinstance(extra, dict) else None
        said = status if isinstance(status, str) else text_of(message.get("content"))
        self.exit = (said or "").strip().partition("\n")[0][:200] or None

    def _add_result(self, message: dict[str, Any]) -> None:
        text = message.get("content")
        if not isinstance(text, str):
            text = self._text_of(text) or ""
        self.watch.see(message.get("timestamp"))
        marked = message.get("is_error")
        self.result(message.get("tool_call_id"), text, marked if isinstance(marked, bool) else None)


def _has_parts(content: list[Any]) -> bool:
    """Tell whether a list holds parts, or nothing."""
    return not content or any(isinstance(part, (dict, str)) for part in content)


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
