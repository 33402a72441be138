"""The tool calls of the open corpora, found by their shape alone: a second reader that knows no format."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
Call = tuple[str | None, Any]
COPIES = frozenset(("response", "raw_data", "query", "messages_display"))
"""Keys that hold a second copy of a message."""


def calls(folder: Path) -> Iterator[Call]:
    """Give the tool and the arguments of everything below a folder that looks like a call of the agent."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            for value in _values(file):
                yield from _within(value)


def _values(file: Path) -> Iterator[Any]:
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as members:
            for name in members.namelist():
                try:
                    yield json.loads(members.read(name))
                except (ValueError, NotImplementedError):  # not JSON, or compressed in a way zipfile does not know
                    continue
        return
    text = file.read_bytes().decode("utf-8", "replace")
    try:
        yield json.loads(text)
    except ValueError:
        for line in text.split("\n"):
            try:
                yield json.loads(line)
            except ValueError:
                continue


def _within(value: Any) -> Iterator[Call]:
    if isinstance(value, list):
        for item in value:
            yield from _within(item)
    if not isinstance(value, dict):
        return
    found = _call(value)
    if found:
        yield found
    for key, inner in value.items():
        if key == "turn_history":
            yield from _intercode(inner)
        elif key == "tool_calls" and isinstance(inner, list):
            yield from _within([json.loads(item) if isinstance(item, str) else item for item in inner])
        elif key not in COPIES and not (found and key in ("input", "arguments", "args")):
            yield from _within(inner)


def _call(value: dict[str, Any]) -> Call | None:
    """Recognise one call in any of the spellings."""
    name, kind = value.get("name"), value.get("type")
    function = value.get("function")
    if value.get("requestor") == "user":
        return None
    if isinstance(function, dict) and "arguments" in function:
        return function.get("name"), function["arguments"]
    named = value.get("function_name", function)
    if isinstance(named, str) and isinstance(value.get("arguments"), dict):
        return named, value["arguments"]
    if isinstance(value.get("tool_name"), str) and isinstance(value.get("tool_call"), dict):
        return value["tool_name"], value["tool_call"].get("arguments")
    if kind == "tool" and isinstance(value.get("state"), dict):
        return value.get("tool"), value["state"].get("input")
    if kind in ("tool_use", "toolCall", "server_tool_use", "function_call", "custom_tool_call") and name:
        return name, value.get("input", value.get("arguments"))
    if kind in ("local_shell_call", "web_search_call", "tool_search_call"):
        return kind, value
    if isinstance(name, str) and "arguments" in value and ("toolCallId" in value or "requestor" in value):
        return name, value["arguments"]
    if isinstance(value.get("action"), str) and isinstance(value.get("observation"), str) and "thought" in value:
        return "bash", value["action"]  # a step of SWE-agent
    return None


def _intercode(history: Any) -> Iterator[Call]:
    for action in history.get("actions", []):
        if isinstance(action, str):
            inside = action.removeprefix("execute[")
            yield "bash", {"command": inside if inside == action else inside.rstrip("]")}
