"""Attributes of OpenTelemetry spans, and the messages that GenAI spans hold in their several spellings."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from calib.formats._calls import Call, calls_of, made_call
from calib.formats._codes import Rejected
from calib.formats._decode import Notices, json_text
from calib.formats._parts import reasoning_of, text_of
from calib.formats._record import scalar_text

Attributes = dict[str, Any]
DEEPEST = 50
ROLES = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
THOUGHT = re.compile(r'"type":\s*"(?:reasoning|thinking)"|"reasoning(?:_content)?":')
"""Where reasoning begins in a text that was cut."""
CUT = "\0cut"
"""Key of a message whose text was cut."""
WITHHELD = {"reasoning_details": [{"type": "redacted"}]}
_decode = msgspec.json.Decoder().decode


def objects(value: Any) -> list[dict[str, Any]]:
    """Give the objects of a list; none of anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def attributes_of(listed: Any) -> Attributes:
    """Give a list of OTLP attributes as a dict.

    >>> attributes_of([{"key": "n", "value": {"intValue": "3"}}, {"key": "b", "value": {"boolValue": True}}])
    {'n': 3, 'b': True}
    """
    found: Attributes = {}
    for pair in listed if listed.__class__ is list else ():
        if pair.__class__ is dict and "key" in pair:
            value = pair.get("value")
            if value.__class__ is dict and len(value) == 1 and "stringValue" in value:  # nearly all
                found[str(pair["key"])] = value["stringValue"]
            else:
                found[str(pair["key"])] = value_of(value)
    return found


def value_of(value: Any, depth: int = 0) -> Any:
    """Give the Python value of an OTLP value."""
    if not isinstance(value, dict) or depth > DEEPEST:
        return value
    for kind, inner in value.items():
        if kind == "intValue":
            text = str(inner)
            return int(text) if text.lstrip("-").isdecimal() and len(text) < 20 else inner
        if kind in ("arrayValue", "kvlistValue"):
            items = inner.get("values") if isinstance(inner, dict) else None
            listed = items if isinstance(items, list) else []
            if kind == "arrayValue":
                return [value_of(item, depth + 1) for item in listed]
            found = [item for item in listed if isinstance(item, dict) and "key" in item]
            return {str(item["key"]): value_of(item.get("value"), depth + 1) for item in found}
        if kind in ("stringValue", "doubleValue", "boolValue", "bytesValue"):
            return inner
    return None


def unflattened(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """Gather what was written as `PREFIX.0.key`, `PREFIX.1.key`, … in order; numbers in a key make lists.

    >>> unflattened({"p.0.role": "user", "p.1.calls.0.id": "a", "q": 1}, "p")
    [{'role': 'user'}, {'calls': [{'id': 'a'}]}]
    """
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if not key.startswith(prefix + "."):
            continue
        *path, last = key[len(prefix) + 1 :].split(".")
        at = tree
        for name in path[:DEEPEST]:
            inner = at.setdefault(name, {})
            at = inner if isinstance(inner, dict) else {}
        at.setdefault(last, value)
    listed = _listed(tree)
    return listed if isinstance(listed, list) else []


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(key.isdecimal() for key in value):
        return [_listed(value[key]) for key in sorted(value, key=int)]
    return {key: _listed(inner) for key, inner in value.items()}


def messages_in(value: Any, notices: Notices) -> list[dict[str, Any]] | None:
    """Give a list of messages that is recorded as such or as JSON text; None for nothing.

    Text that is no whole JSON, as a length limit leaves it, is given as the text of one message, and reasoning that
    begins in it as withheld.
    """
    if isinstance(value, str):
        try:
            value = _decode(value)
        except (ValueError, RecursionError):
            cut = value.lstrip()[:1] in ("[", "{")
            notices["attribute-cut"] += cut
            return [{"role": "", "content": value, CUT: cut, **(WITHHELD if cut and THOUGHT.search(value) else {})}]
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return None if value is None else [{"role": "", "content": str(value)}]
    return [item if isinstance(item, dict) else {"role": "", "content": str(item)} for item in value]


@dataclass
class Said:
    """One message: its reasoning, text, calls, and the results it carries."""

    role: str = ""
    reasoning: str | None = None
    state: str = "absent"
    text: str | None = None
    calls: list[Call] = field(default_factory=list)
    results: list[tuple[str | None, str]] = field(default_factory=list)
    finish: str | None = None
    cut: bool = False
    """Whether the rest of it, such as calls, is not recorded."""


def said_in(message: dict[str, Any]) -> Said:
    """Read a message of any spelling: with parts, like a chat message, or unflattened."""
    inner = message.get("message")  # a choice, or OpenInference's wrapper
    if isinstance(inner, str):
        inner = next(iter(messages_in(inner, Notices()) or ()), None)
    outer = message
    if isinstance(inner, dict):
        message = inner
    role = scalar_text(message.get("role")) or ""
    finish = scalar_text(outer.get("finish_reason")) or scalar_text(message.get("finish_reason"))
    parts = message.get("parts")
    said = _of_parts(parts) if isinstance(parts, list) else _of_chat(message)
    said.role, said.finish, said.cut = role, finish, outer.get(CUT) is True
    return said


def _of_parts(parts: list[Any]) -> Said:
    said = Said()
    texts: list[str] = []
    thoughts: list[str] = []
    for part in parts:
        if not isinstance(part, dict):
            texts.append(str(part))
            continue
        kind = part.get("type")
        if kind == "text":
            texts.append(_text(part.get("content", part.get("text"))))
        elif kind in ("reasoning", "thinking"):
            thoughts.append(_text(part.get("content", part.get("text"))))
        elif kind in ("tool_call", "server_tool_call"):
            arguments = part.get("arguments", part.get("server_tool_call"))
            said.calls.append(made_call(scalar_text(part.get("id")), scalar_text(part.get("name")), arguments))
        elif kind in ("tool_call_response", "server_tool_call_response"):
            result = next((part[key] for key in ("response", "result", "content") if part.get(key) is not None), "")
            said.results.append((scalar_text(part.get("id")), _text(result)))
    said.text = "\n".join(texts) if texts else None
    if thoughts:
        said.reasoning = "\n".join(thoughts)
        said.state = "recorded" if said.reasoning.strip() else "empty"
    return said


def _of_chat(message: dict[str, Any]) -> Said:
    content = message.get("content")
    parts = [part.get("message_content", part) for part in objects(message.get("contents"))]
    content = parts if content is None and parts else content
    known = content is None or isinstance(content, (str, list))
    said = Said(text=text_of(content) if known else _text(content))
    said.reasoning, said.state = reasoning_of(message, content)
    unwrapped = [call.get("tool_call", call) for call in objects(message.get("tool_calls"))]
    try:
        said.calls = calls_of({"tool_calls": unwrapped, "function_call": message.get("function_call")})
    except Rejected:
        said.calls = []
    if message.get("role") in ("tool", "function"):
        said.results = [(scalar_text(message.get("tool_call_id", message.get("id"))), said.text or "")]
    return said


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json_text(value)


def output_of(attributes: Attributes, events: Iterable[tuple[str, Attributes]], notices: Notices) -> Said | None:
    """Give the answer that a span recorded; None when it recorded none. Of several choices the first counts."""
    found = messages_in(attributes.get("gen_ai.output.messages"), notices)
    for name, said in events if not found else ():
        if name == "gen_ai.choice":
            found = [_event_message(said, "assistant", notices)]
        elif name == "gen_ai.content.completion":
            found = messages_in(said.get("gen_ai.completion"), notices)
        else:
            found = messages_in(said.get("gen_ai.output.messages"), notices)
        if found:
            break
    found = found or unflattened(attributes, "gen_ai.completion") or unflattened(attributes, "llm.output_messages")
    found = found or messages_in(attributes.get("gen_ai.completion"), notices)
    return said_in(found[0]) if found and isinstance(found[0], dict) else None


def input_of(attributes: Attributes, events: Iterable[tuple[str, Attributes]], notices: Notices) -> list[Said]:
    """Give what was new in the request: everything behind the model's last message in it."""
    found = messages_in(attributes.get("gen_ai.input.messages"), notices) or []
    for name, told in events if not found else ():
        if name in ROLES:
            found.append(_event_message(told, ROLES[name], notices))
        elif told.get("gen_ai.input.messages") is not None:
            found = messages_in(told["gen_ai.input.messages"], notices) or []
    found = found or unflattened(attributes, "gen_ai.prompt") or unflattened(attributes, "llm.input_messages")
    new: list[Said] = []
    for message in reversed([item for item in found if isinstance(item, dict)]):
        said = said_in(message)
        if said.role in ("assistant", "model"):
            break
        new.append(said)
    return new[::-1]


def _event_message(said: Attributes, role: str, notices: Notices) -> dict[str, Any]:
    body = said.get("gen_ai.event.content")
    inner = (messages_in(body, notices) or [{}])[0] if body is not None else said
    return {"role": role, **inner}
