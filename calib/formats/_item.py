"""The items of the Responses API one by one: what a call, an output and a text look like in each type of item."""

from collections.abc import Callable
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._decode import json_text, shallow

Item = dict[str, Any]


def parts_of(content: Any) -> list[str]:
    """List the texts of a content field: itself, or those of its parts.

    >>> parts_of([{"type": "output_text", "text": "a"}, {"type": "refusal", "refusal": "no"}, {"type": "input_image"}])
    ['a', 'no']
    """
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    texts = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            text = part.get("text")
            text = part.get("refusal") if text is None else text
            if isinstance(text, str):
                texts.append(text)
    return texts


def output_text(item: Item) -> tuple[str, bool | None]:
    """Give text and error flag of an output item: text, a list of parts, or an object with `content` and `success`.

    >>> output_text({"output": {"content": "boom", "success": False}}), output_text({"output": None})
    (('boom', True), ('', None))
    """
    output = item.get("output")
    if output.__class__ is str and "status" not in item:
        return output, None
    output = next((item[key] for key in OUTPUT_KEYS if item.get(key) is not None), None)
    failed = True if item.get("status") in ("failed", "incomplete") else None
    if isinstance(output, dict):
        if isinstance(success := output.get("success"), bool):
            failed = not success
        output = next((output[key] for key in ("content", "text") if output.get(key) is not None), output)
    if isinstance(output, str):
        return output, failed
    texts = parts_of(output)
    if texts or output is None:
        return "\n".join(texts), failed
    return json_text(shallow(output)), failed


OUTPUT_KEYS = ("output", "tools", "result")
"""Where the output of a call stands; a search for tools gives the tools it found."""


def id_of(item: Item, *keys: str) -> str | None:
    return next((item[key] for key in keys if isinstance(item.get(key), str)), None)


def _named(item: Item, arguments: str) -> Call:
    name = item.get("name")
    name = name if isinstance(name, str) else None
    space = item.get("namespace")
    if name and isinstance(space, str) and space:
        name = f"{space.rstrip('_')}__{name.lstrip('_')}"
    call_id = item.get("call_id")
    call = made_call(call_id if isinstance(call_id, str) else id_of(item, "id"), name, item.get(arguments))
    return call if arguments == "arguments" else call._replace(broken=False)  # the input of a custom tool is free text


def _action(tool: str, *keys: str) -> Callable[[Item], Call]:
    """Make calls of a tool that the API names by the type of the item; the first of these keys is its arguments."""

    def make(item: Item) -> Call:
        said = next((item[key] for key in keys if item.get(key) is not None), None)
        if isinstance(said, str):
            said = {keys[0]: said}
        return made_call(id_of(item, "call_id", "id"), tool, said)

    return make


def _mcp(item: Item) -> Call:
    server, name = item.get("server_label"), item.get("name")
    tool = name if isinstance(name, str) else None
    if tool and isinstance(server, str) and server:
        tool = f"mcp__{server}__{tool}"
    return made_call(id_of(item, "call_id", "id"), tool, item.get("arguments"))


CALLS: dict[Any, Callable[[Item], Call]] = {
    "function_call": lambda item: _named(item, "arguments"),
    "custom_tool_call": lambda item: _named(item, "input"),
    "mcp_call": _mcp,
    "local_shell_call": _action("local_shell", "action"),
    "shell_call": _action("shell", "action"),
    "apply_patch_call": _action("apply_patch", "operation"),
    "computer_call": _action("computer", "action", "actions"),
    "web_search_call": _action("web_search", "action"),
    "tool_search_call": _action("tool_search", "arguments"),
    "file_search_call": _action("file_search", "queries"),
    "code_interpreter_call": _action("code_interpreter", "code"),
    "image_generation_call": _action("image_generation", "revised_prompt"),
}
OUTPUTS = frozenset(
    ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output",
     "apply_patch_call_output", "computer_call_output", "tool_search_output", "mcp_tool_call_output")
)  # fmt: skip


def _inline(*keys: str) -> Callable[[Item], tuple[str, bool | None] | None]:
    """Give what a call that runs on the server holds as its own result; None while it holds none."""

    def read(item: Item) -> tuple[str, bool | None] | None:
        if item.get("error") is not None:
            error = item["error"]
            return error if isinstance(error, str) else json_text(shallow(error)), True
        said = next((item[key] for key in keys if item.get(key) is not None), None)
        return None if said is None else (said if isinstance(said, str) else json_text(shallow(said)), None)

    return read


INLINE: dict[Any, Callable[[Item], tuple[str, bool | None] | None]] = {
    "mcp_call": _inline("output"),
    "file_search_call": _inline("results"),
    "code_interpreter_call": _inline("outputs"),
    "image_generation_call": _inline("result"),
}


def is_item(value: Any) -> bool:
    """Tell whether a value is an item that no other message form has."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind == "message":
        content = value.get("content")
        return isinstance(content, list) and any(
            isinstance(part, dict) and part.get("type") in ("input_text", "output_text", "refusal") for part in content
        )
    if kind == "reasoning":
        return isinstance(value.get("summary"), list) and "role" not in value
    if not isinstance(kind, str):
        return False
    return (kind in CALLS or kind in OUTPUTS) and not isinstance(value.get("function"), dict)
