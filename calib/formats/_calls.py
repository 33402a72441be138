"""Tool calls of an assistant message, in each of the spellings of the chat form."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from calib.formats._canonical import canonical
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import ARRAY, OBJECT, json_text, plain

if TYPE_CHECKING:
    from calib.formats._chat import Shape


class Call(NamedTuple):
    """One call: its id, tool and arguments as recorded, and the key by which equal calls are found."""

    id: str | None
    tool: str | None
    arguments: str | None
    key: tuple[str | None, bytes | str | None]

    @property
    def broken(self) -> bool:
        """Whether the arguments are a text that is no JSON."""
        return bool(self.arguments) and isinstance(self.key[1], str)


def calls_of(message: Any, shape: "Shape") -> list[Call]:
    """List the calls of a message: `tool_calls`, else the old `function_call`."""
    value = message["tool_calls"] if shape.calls else None
    if isinstance(value, ARRAY):
        calls = [_call(item) for item in value]
        if calls:
            return calls
    if shape.legacy and isinstance(old := message["function_call"], OBJECT):
        return [_made(None, old, "arguments")]
    return []


def _call(item: Any) -> Call:
    if isinstance(item, str):  # some writers encode each call once more
        try:
            item = json.loads(item)
        except (ValueError, RecursionError):
            item = None
    if not isinstance(item, OBJECT):
        raise Rejected("bad-message", "a tool call is no object")
    keys = _keys(item)
    call_id = item["id"] if "id" in keys else None
    call_id = call_id if isinstance(call_id, str) or call_id is None else str(plain(call_id))
    for name, arguments in (("function", "arguments"), ("custom", "input")):
        if name in keys and isinstance(inner := item[name], OBJECT):
            return _made(call_id, inner, arguments)
    return _made(call_id, item, "arguments")


def _made(call_id: str | None, inner: Any, arguments: str) -> Call:
    keys = _keys(inner)
    tool = inner["name"] if "name" in keys else None
    tool = tool if isinstance(tool, str) else None
    given = inner[arguments] if arguments in keys else None
    if given is None:
        return Call(call_id, tool, None, (tool, None))
    text = given if isinstance(given, str) else json_text(plain(given))
    return Call(call_id, tool, text, (tool, canonical(text)))


def _keys(item: Any) -> tuple[str, ...]:
    keys = tuple(item)
    if len(set(keys)) < len(keys):
        raise Reread
    return keys
