"""Tool calls of an assistant message, in each of the spellings of the chat form."""

import json
from typing import Any, NamedTuple

import msgspec

from calib.formats._canonical import canonical
from calib.formats._codes import DEEPEST, Rejected
from calib.formats._decode import HUGE, json_text, shallow


class Call(NamedTuple):
    """One call: its id, tool and arguments as recorded, and the key by which equal calls are found."""

    id: str | None
    tool: str | None
    arguments: str | None
    key: tuple[str | None, bytes | str | None]
    broken: bool | str
    """What is wrong with the arguments, as the code of a notice; True for a text that is no JSON."""


def calls_of(message: dict[str, Any]) -> list[Call]:
    """List the calls of a message: `tool_calls`, also as one JSON text or one call alone, else the old `function_call`.

    Raises Rejected.

    >>> [call.tool for call in calls_of({"tool_calls": '[{"id": "c", "function": {"name": "ls", "arguments": "{}"}}]'})]
    ['ls']
    """
    listed = message.get("tool_calls")
    if listed and not isinstance(listed, list):
        listed = _read(listed)
    if listed and isinstance(listed, list):
        return [_call(item) for item in listed]
    old = message.get("function_call")
    if isinstance(old, str) and old:
        old = _decoded(old)
    return [_made(None, old, "arguments")] if isinstance(old, dict) else []


def _read(listed: Any) -> Any:
    """Read calls that are no list: a text that some writers make of it, or a single call.

    Raises Rejected for a text that is no JSON.
    """
    if isinstance(listed, str) and listed.strip() not in ("", "None"):
        listed = _decoded(listed)
        if listed.__class__ not in (list, dict, type(None)):
            raise Rejected("bad-message", "the tool calls are no list")
    return [listed] if isinstance(listed, dict) and listed else listed


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _call(item: Any) -> Call:
    if item.__class__ is dict:  # what nearly all are
        function, call_id = item.get("function"), item.get("id")
        if function.__class__ is dict and (call_id.__class__ is str or call_id is None):
            return _made(call_id, function, "arguments")
    if isinstance(item, str):  # some writers encode each call once more
        item = _decoded(item)
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
    >>> made_call(None, "ls", '"{}"')
    Call(id=None, tool='ls', arguments='"{}"', key=('ls', b'{}'), broken='args-double-encoded')
    """
    text = arguments
    if text.__class__ is str:
        spelled = canonical(text)
        if spelled[:1] == b"{":
            if len(spelled) > HUGE:  # both bytes and the text of them would be too much
                spelled = spelled.decode()  # type: ignore[union-attr]
            return Call(call_id, tool, text, (tool, spelled), False)
    elif text is None:
        return Call(call_id, tool, None, (tool, None), False)
    else:
        written = _written(text)
        if written is not None:
            return Call(call_id, tool, written.decode(), (tool, written), False)
        text = json_text(shallow(text))
        return Call(call_id, tool, text, (tool, canonical(text)), False)
    if spelled.__class__ is str:
        return Call(call_id, tool, text, (tool, spelled), text != "")
    if spelled[:2] == b'"{':
        inner = canonical(json.loads(spelled))
        if inner[:1] == b"{":
            return Call(call_id, tool, text, (tool, inner), "args-double-encoded")
    return Call(call_id, tool, text, (tool, spelled), "" if spelled[:1] == b"~" else "args-not-object")


def _written(arguments: Any) -> bytes | None:
    """Write arguments as compact JSON; None for what the fast encoder cannot write: an integer of over 64 bits.

    Raises Rejected when they nest deeper than the limit, which short ones cannot.
    """
    try:
        written: bytes = _encode(arguments)
    except RecursionError:
        raise Rejected("too-deep") from None
    except (OverflowError, ValueError):
        return None
    if len(written) >= 2 * DEEPEST:
        shallow(arguments)
    return written


_encode = msgspec.json.Encoder(order="sorted").encode
