"""Messages of mini-swe-agent as turns."""

import re
from collections.abc import Sequence
from typing import Any

from calib.formats._calls import Call, calls_of
from calib.formats._canonical import canonical
from calib.formats._codes import Rejected
from calib.formats._commands import command_call
from calib.formats._decode import json_text
from calib.formats._parts import text_of
from calib.formats._small import as_list, at, text_at
from calib.formats._spent import Watch, tokens_in
from calib.formats._talk import Talk
from calib.formats._thought import Native, native_of, spoken

RETURNED = re.compile(r"\s*<returncode>(-?[0-9]+)</returncode>")
"""How a result of version 1 begins, which has no field for it."""
FENCED = re.compile(r"```(?:bash|mswea_bash_command)\s*\n(.*?)\n?```", re.DOTALL)


class Messages(Talk):
    """A talk that is told in messages of mini-swe-agent."""

    def __init__(self, text: bool) -> None:
        super().__init__(text)
        self.model: str | None = None
        self.exit_status: str | None = None
        self._fenced = False
        self._watch = Watch()

    def take(self, message: Any) -> None:
        """Take one message.

        Raises Rejected when it is none.
        """
        if not isinstance(message, dict):
            raise Rejected("bad-message", "a message is no object")
        role, time = message.get("role"), at(message, "extra", "timestamp")
        if role == "assistant":
            self._answer(message)
            self.spent(tokens_in(at(message, "extra", "response", "usage")), self._watch.lap(time))
            return
        if role is None and message.get("object") == "response":
            self._response(message)
            self.spent(tokens_in(message.get("usage")), self._watch.lap(time))
            return
        self._watch.see(time)
        self._other(role, message)

    def _other(self, role: Any, message: dict[str, Any]) -> None:
        if role is None and message.get("type") == "function_call_output":
            self._result(message.get("call_id"), message, message.get("output"))
        elif role == "tool":
            self._result(message.get("tool_call_id"), message, message.get("content"))
        elif role == "user":
            self._user_says(message)
        elif role == "exit":
            self.exit_status = text_at(message, "extra", "exit_status") or self.exit_status
        elif not isinstance(role, str):
            raise Rejected("bad-message", "a message has no text `role`")
        elif role not in ("system", "developer"):
            self.notices["unknown-role"] += 1

    def _answer(self, message: dict[str, Any]) -> None:
        content, extra = message.get("content"), message.get("extra")
        self.model = self.model or text_at(extra, "response", "model")
        calls, visible = calls_of(message), text_of(content)
        self._fenced = False
        if not calls:
            calls = _actions(at(extra, "actions"))
            block = _block(visible)
            if block is not None and visible is not None:
                calls = calls or [command_call("bash", block[1])]
                self._fenced = True
                before, after = visible[: block.start()], visible[block.end() :].strip()
                said = spoken(native_of(message, content), before, True, self.notices)
                text = "\n".join(part for part in (said.text, after) if part) or None
                self.turn(said.reasoning, said.state, said.kind, text, calls)
                return
            self._fenced = bool(calls)
        said = spoken(native_of(message, content), visible, False, self.notices)
        self.turn(said.reasoning, said.state, said.kind, said.text, calls)

    def _response(self, message: dict[str, Any]) -> None:
        self.model = self.model or text_at(message, "model")
        self._fenced = False
        items = [item for item in as_list(message.get("output")) if isinstance(item, dict)]
        texts = [text for item in items if item.get("type") == "message" and (text := text_of(item.get("content")))]
        calls = [_called(item) for item in items if item.get("type") in ("function_call", "custom_tool_call")]
        native = _native(items)
        if not calls:
            calls = _actions(at(message, "extra", "actions"))
        said = spoken(native, "\n".join(texts) or None, False, self.notices)
        self.turn(said.reasoning, said.state, said.kind, said.text, calls)

    def _user_says(self, message: dict[str, Any]) -> None:
        """Take a user message: in version 1 the one that follows an action is its result."""
        if self._fenced:
            self._fenced = False
            self._result(None, message, message.get("content"))
        elif not self.turns or (text_at(message, "extra", "interrupt_type") or "").startswith("User"):
            self.user()

    def _result(self, call_id: Any, message: dict[str, Any], content: Any) -> None:
        code, text = at(message, "extra", "returncode"), text_of(content) or ""
        failed = code != 0 if isinstance(code, int) and not isinstance(code, bool) else None
        if failed is None and (told := RETURNED.match(text)):
            failed = told[1] != "0"
        self.result(call_id if isinstance(call_id, str) else None, text, failed)


def _block(text: str | None) -> "re.Match[str] | None":
    """Find the action of a text: its only bash block. With more than one the harness runs none."""
    found = list(FENCED.finditer(text)) if text and "```" in text else []
    return found[0] if len(found) == 1 else None


def _actions(actions: Any) -> list[Call]:
    return [
        command_call("bash", command, text_at(action, "tool_call_id"))
        for action in as_list(actions)
        if isinstance(command := at(action, "command"), str)
    ]


def _called(item: dict[str, Any]) -> Call:
    tool, raw = text_at(item, "name"), item.get("arguments", item.get("input"))
    text = raw if raw is None or isinstance(raw, str) else json_text(raw)
    spelled = None if text is None else canonical(text)
    return Call(text_at(item, "call_id"), tool, text, (tool, spelled), spelled.__class__ is str and text != "")


def _native(items: Sequence[dict[str, Any]]) -> Native:
    found = [native_of({"responses_reasoning_item": item}) for item in items if item.get("type") == "reasoning"]
    return max(found, key=lambda native: native.state == "recorded", default=Native())
