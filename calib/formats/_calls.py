"""Tool calls of an assistant message, in each of the spellings of the chat form."""

import json
from typing import Any, NamedTuple

import msgspec

from calib.formats._canonical import canonical
from calib.formats._codes import Rejected
from calib.formats._decode import json_text, shallow


class Call(NamedTuple):
    """One call: its id, tool and arguments as recorded, and the key by which equal calls are found."""

    id: str | None
    tool: str | None
    arguments: str | None
    key: tuple[str | None, bytes | str | None]
    broken: bool
    """Whether the arguments are a text that is no JSON."""


def calls_of(message: dict[str, Any]) -> list[Call]:
    """List the calls of a message: `tool_calls`, else the old `function_call`.

    Raises Rejected.
    """
    listed = message.get("tool_calls")
    if listed and isinstance(listed, list):
        return [_call(item) for item in listed]
    old = message.get("function_call")
    return [_made(None, old, "arguments")] if isinstance(old, dict) else []


def _call(item: Any) -> Call:
    if isinstance(item, str):  # some writers encode each call once more
        try:
            item = json.loads(item)
        except (ValueError, RecursionError):
            item = None
    if not isinstance(item, dict):
        raise Rejected("bad-message", "a tool call is no object")
    call_id = item.get("id")
    if call_id is not None and not isinstance(call_id, str):
        call_id = json_text(shallow(call_id))
    function = item.get("function")
    if isinstance(function, dict):
        return _made(call_id, function, "arguments")
    custom = item.get("custom")
    if isinstance(custom, dict):
        return _made(call_id, custom, "input")
    return _made(call_id, item, "arguments")


def _made(call_id: str | None, inner: dict[str, Any], arguments: str) -> Call:
    tool = inner.get("name")
    if not isinstance(tool, str):
        tool = None
    return made_call(call_id, tool, inner.get(arguments))


def made_call(call_id: str | None, tool: str | None, arguments: Any) -> Call:
    """Make a call from its id, its tool and its arguments as recorded: text, or any other JSON value.

    >>> made_call("c1", "ls", {"b": 1, "a": 2}).arguments
    '{"a":2,"b":1}'
    """
    text = arguments
    if text is None:
        return Call(call_id, tool, None, (tool, None), False)
    if not isinstance(text, str):
        try:
            written = _encode(shallow(text))
            return Call(call_id, tool, written.decode(), (tool, written), False)
        except (OverflowError, ValueError):  # an integer of over 64 bits
            text = json_text(text)
    spelled = canonical(text)
    return Call(call_id, tool, text, (tool, spelled), spelled.__class__ is str and text != "")


_encode = msgspec.json.Encoder(order="sorted").encode
