"""Calls that are written into the text of an answer, in the syntaxes that models are trained on.

`<tool_call>` around a JSON object or a list of such; `<function=NAME>` with `<parameter=KEY>` (Qwen3-Coder), with or
without `<tool_call>`; `<invoke name="NAME">` with `<parameter name="KEY">`, alone or in `<function_calls>`; a fenced
block that is named after a call, or a JSON block with a name and arguments; `[TOOL_CALLS]` before a JSON list. What
cannot be understood is a call all the same, with its raw text as arguments. The time is in proportion to the text.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from calib.formats._calls import Call, made_call

SIGN = re.compile(r"[<\[`]")
START = re.compile(
    r"<tool_call>(?=\s*[^\s`'\")])|<(?:\w+:)?function_calls>|<(?:\w+:)?invoke(?=\s+name=)|<function(?==)|\[TOOL_CALLS\]"
    r"|```[ \t]*(?P<fence>\w*)[ \t]*\r?$",
    re.MULTILINE,
)
"""Every branch begins with a SIGN, which is rare in text, so that the search skips to it."""
CLOSE = {
    "tool_call": re.compile("</tool_call>"),
    "function_calls": re.compile(r"</(?:\w+:)?function_calls>"),
    "invoke": re.compile(r"</(?:\w+:)?invoke>"),
    "function": re.compile("</function>"),
    "fence": re.compile(r"^[ \t]*```[ \t]*\r?$", re.MULTILINE),
}
FENCES = frozenset(("tool_call", "tool_calls", "tool_code", "tool", "function_call", "function", "action"))
NAMED = re.compile(r"""["'](?:name|tool|function|action)["']\s*:\s*["']([^"'\n]{1,200})["']""")
FUNCTION = re.compile(r"<function=([^>\n]{1,200})>")
INVOKE = re.compile(r"""<(?:\w+:)?invoke\s+name=["']?([^"'>\n]{1,200})["']?\s*>""")
PARAMETER = re.compile(r"""<(?:\w+:)?parameter(?:=|\s+name=)["']?([^>"'\n]{1,200})["']?\s*>""")
CLOSE_PARAMETER = re.compile(r"</(?:\w+:)?(?:parameter|function|invoke)>")
NAMES = ("name", "tool", "tool_name", "function_name", "function", "action")
ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input")


_decode = msgspec.json.Decoder().decode


class Found(NamedTuple):
    """The calls of a text, and the text around them."""

    text: str
    calls: list[Call]


def calls_in(text: str) -> Found:
    """Take the calls out of a text.

    >>> found = calls_in('Look.\\n<tool_call>\\n{"name": "ls", "arguments": {"p": 1}}\\n</tool_call>')
    >>> found.text, found.calls[0].tool, found.calls[0].arguments
    ('Look.', 'ls', '{"p":1}')
    >>> calls_in("<tool_call><function=ls><parameter=p>\\na\\n</parameter></function></tool_call>").calls[0].arguments
    '{"p":"a"}'
    """
    calls: list[Call] = []
    rest: list[str] = []
    at = 0
    while opened := _start(text, at):
        if opened["fence"] is not None and opened.start() and not text[opened.start() - 1].isspace():
            rest.append(text[at : opened.end()])
            at = opened.end()
            continue
        body, end, closed = _block(text, opened)
        made = _made(opened, body) if closed or body.lstrip().startswith(("{", "[", "<")) else None
        if made is None:  # a fence around something else, a tag that is only talked about
            rest.append(text[at:end])
        else:
            rest.append(text[at : opened.start()])
            calls += made
        at = end
    if not calls:
        return Found(text, [])
    return Found("".join((*rest, text[at:])).strip(), calls)


def _start(text: str, at: int) -> "re.Match[str] | None":
    while sign := SIGN.search(text, at):
        if opened := START.match(text, sign.start()):
            return opened
        at = sign.end()
    return None


def _block(text: str, opened: re.Match[str]) -> tuple[str, int, bool]:
    """Give what stands in a block, where it ends, and whether it is closed; one that is not ends with the text."""
    mark = "fence" if opened["fence"] is not None else re.sub(r"\W|.*:", "", opened[0])
    first = opened.start() if mark in ("invoke", "function") else opened.end()
    closed = CLOSE[mark].search(text, opened.end()) if mark in CLOSE else None
    if closed is None:
        return text[first:], len(text), False
    return text[first : closed.start()], closed.end(), True


def _made(opened: re.Match[str], body: str) -> list[Call] | None:
    """Make the calls of a block; None for a fenced block that is no call."""
    fence = opened["fence"]
    if fence is not None and fence.lower() not in FENCES:
        return _only_a_call(body) if fence.lower() in ("json", "") else None
    if FUNCTION.search(body):
        return list(_from_tags(body, FUNCTION))
    if INVOKE.search(body):
        return list(_from_tags(body, INVOKE))
    return from_json(body)


def _only_a_call(body: str) -> list[Call] | None:
    value = value_in(body)
    listed = value if isinstance(value, list) else [value]
    sure = [isinstance(one, dict) and _name(one) is not None and _arguments(one) is not None for one in listed]
    return [call_of(one) for one in listed] if sure and all(sure) else None


def from_json(body: str) -> list[Call]:
    """Read calls that are a JSON object, a list of such, or one a line; anything else is a call by its raw text."""
    value = value_in(body)
    if isinstance(value, dict):
        return [call_of(value)]
    listed = value if isinstance(value, list) else [value_in(line) for line in body.strip().split("\n")]
    if listed and all(isinstance(one, dict) for one in listed):
        return [call_of(one) for one in listed]
    named = NAMED.search(body[:2000])
    return [made_call(None, named[1] if named else None, body.strip())]


def value_in(text: str) -> Any:
    """Give the JSON value that a text is; None for any other text."""
    for decode in (_decode, json.loads):  # what the fast decoder refuses may still be JSON
        try:
            return decode(text)
        except (ValueError, RecursionError):
            pass
    return None


def call_of(value: dict[str, Any]) -> Call:
    """Make a call of a JSON object with a name and arguments.

    >>> call_of({"name": "ls", "arguments": '{"a": 1}', "id": "c1"})[:3]
    ('c1', 'ls', '{"a": 1}')

    Raises Rejected when the arguments nest too deep.
    """
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    call_id = value.get("id", value.get("tool_call_id"))
    return made_call(call_id if isinstance(call_id, str) else None, _name(inner), _arguments(inner))


def _name(value: dict[str, Any]) -> str | None:
    return next((name for key in NAMES if isinstance(name := value.get(key), str) and name), None)


def _arguments(value: dict[str, Any]) -> Any:
    return next((value[key] for key in ARGUMENTS if value.get(key) is not None), None)


def _from_tags(body: str, head: re.Pattern[str]) -> Iterator[Call]:
    """Read calls whose parameters are tags; a call without parameters may hold a JSON object instead."""
    heads = list(head.finditer(body))
    ends = [*(one.start() for one in heads[1:]), len(body)]
    for named, end in zip(heads, ends, strict=True):
        part = body[named.end() : end]
        tags = list(PARAMETER.finditer(part))
        stops = [*(tag.start() for tag in tags[1:]), len(part)]
        given = {tag[1].strip(): _inside(part[tag.end() : stop]) for tag, stop in zip(tags, stops, strict=False)}
        bare = "" if tags else _inside(part).strip()
        yield made_call(None, named[1].strip(), bare if bare.startswith("{") else given)


def _inside(text: str) -> str:
    """Give what stands before the closing tag, without one line feed at either end."""
    closed = CLOSE_PARAMETER.search(text)
    return (text[: closed.start()] if closed else text).removeprefix("\n").removesuffix("\n")
