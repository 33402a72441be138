"""A transcript told in the items of OpenAI's Responses API: what Codex writes, and what the API returns.

An item is reasoning, a message, a call or the output of a call; only messages have a role. A turn is a maximal run of
items that the model made, or, when the writer says so, everything between two calls of `close`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._decode import Notices, json_text, shallow
from calib.formats._inline import TAGGED, split_inline
from calib.formats._reader import Ignored
from calib.formats._talk import Talk

Item = dict[str, Any]
Output = tuple[str | None, str, bool | None]
"""id of the call, text, whether it is an error."""

COMPACTIONS = frozenset(("compaction", "compaction_summary", "context_compaction"))
SILENT = frozenset(
    ("item_reference", "ghost_snapshot", "agent_message", "mcp_list_tools", "mcp_approval_request",
     "mcp_approval_response", "additional_tools", "compaction_trigger")
)  # fmt: skip
"""Items that are neither said by the model nor an answer to it."""


@dataclass(slots=True)
class Response:
    """The model-made items of one response, as they come."""

    summaries: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    hidden: str = ""
    texts: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)

    def reason(self, item: Item) -> None:
        """Take a reasoning item. Without a text and without ciphertext the reasoning was withheld."""
        self.summaries += parts_of(item.get("summary"))
        self.thoughts += parts_of(item.get("content"))
        if item.get("encrypted_content"):
            self.hidden = "encrypted"
        elif not self.hidden:
            self.hidden = "withheld"

    def reasoning(self) -> tuple[str | None, str, str | None]:
        """Give reasoning, state and kind: the readable thoughts, else the summaries, else what hides them."""
        for texts, kind in ((self.thoughts, "native"), (self.summaries, "summary")):
            if texts and (text := "\n\n".join(texts)).strip():
                return text, "recorded", kind
        return None, self.hidden or "absent", None


class Items(Talk):
    """A talk that is told in items."""

    def __init__(self, text: bool, notices: Notices | None = None) -> None:
        super().__init__(text, notices)
        self._response: Response | None = None
        self.whole = False
        """Whether outputs do not end a response, because its end is known."""

    @property
    def pending(self) -> bool:
        """Whether a response is under way."""
        return self._response is not None

    def response(self) -> Response:
        """Give the response under way, a new one when there is none."""
        if self._response is None:
            self._response = Response()
        return self._response

    def close(self) -> None:
        """End the response under way, if any: that is a turn."""
        response, self._response = self._response, None
        if response is None:
            return
        reasoning, state, kind = response.reasoning()
        text: str | None = "\n".join(response.texts) if response.texts else None
        if text and ">" in text and TAGGED.search(text):
            reasoning, state, kind, text = split_inline(text, reasoning, state, self.notices)
        self.turn(reasoning, state, kind, text, response.calls)
        for output in response.outputs:
            self.result(*output)

    def add(self, item: Item) -> None:
        """Take one item.

        Raises Rejected, and Ignored when it says nothing.
        """
        kind = item.get("type")
        how = HOW.get(kind) if kind.__class__ is str else None
        if how is not None:
            how(self, item)
        elif kind is None and isinstance(item.get("role"), str):
            self._message(item)
        else:
            self._other(kind if isinstance(kind, str) else "untyped")

    def _reason(self, item: Item) -> None:
        self.response().reason(item)

    def _call(self, item: Item) -> None:
        kind = item["type"]
        call = CALLS[kind](item)
        done = own(item) if (own := INLINE.get(kind)) is not None else None
        response = self.response()
        response.calls.append(call)
        if done is not None:
            response.outputs.append((call.id, *done))

    def _compaction(self, item: Item) -> None:
        self.compact()

    def compact(self) -> None:
        """Note that the history was compacted here."""
        self.close()
        self.compacted()

    def _message(self, item: Item) -> None:
        role = item.get("role")
        if role == "assistant":
            texts = self.response().texts
            texts += parts_of(item.get("content"))
            return
        self.close()
        if role == "user" and self.is_user(item):
            self.user()

    def _output(self, item: Item) -> None:
        text, is_error = self.output_of(item)
        call_id = item.get("call_id")
        if not isinstance(call_id, str):
            call_id = _id(item, "id")
        if self.whole and self._response is not None:
            self._response.outputs.append((call_id, text, is_error))
        else:
            self.close()
            self.result(call_id, text, is_error)

    def _other(self, kind: str) -> None:
        if kind not in SILENT:
            self.notices["unknown-record-type"] += 1
        raise Ignored(kind)

    def is_user(self, item: Item) -> bool:
        """Tell whether a message of role `user` is a user's."""
        return True

    def output_of(self, item: Item) -> tuple[str, bool | None]:
        """Give text and error flag of an output item."""
        return output_text(item)


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


def _id(item: Item, *keys: str) -> str | None:
    return next((item[key] for key in keys if isinstance(item.get(key), str)), None)


def _named(item: Item, arguments: str) -> Call:
    name = item.get("name")
    name = name if isinstance(name, str) else None
    space = item.get("namespace")
    if name and isinstance(space, str) and space:
        name = f"{space.rstrip('_')}__{name.lstrip('_')}"
    call_id = item.get("call_id")
    call = made_call(call_id if isinstance(call_id, str) else _id(item, "id"), name, item.get(arguments))
    return call if arguments == "arguments" else call._replace(broken=False)  # the input of a custom tool is free text


def _action(tool: str, *keys: str) -> Callable[[Item], Call]:
    """Make calls of a tool that the API names by the type of the item; the first of these keys is its arguments."""

    def make(item: Item) -> Call:
        said = next((item[key] for key in keys if item.get(key) is not None), None)
        if isinstance(said, str):
            said = {keys[0]: said}
        return made_call(_id(item, "call_id", "id"), tool, said)

    return make


def _mcp(item: Item) -> Call:
    server, name = item.get("server_label"), item.get("name")
    tool = name if isinstance(name, str) else None
    if tool and isinstance(server, str) and server:
        tool = f"mcp__{server}__{tool}"
    return made_call(_id(item, "call_id", "id"), tool, item.get("arguments"))


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


HOW: dict[Any, Callable[[Items, Item], None]] = {
    "message": Items._message,
    "reasoning": Items._reason,
    **dict.fromkeys(CALLS, Items._call),
    **dict.fromkeys(OUTPUTS, Items._output),
    **dict.fromkeys(COMPACTIONS, Items._compaction),
}


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
