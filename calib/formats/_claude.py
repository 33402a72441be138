"""Content blocks of the Anthropic Messages API, and the order in which a session wrote them down."""

from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._decode import Notices, json_text, shallow
from calib.formats._inline import split_inline
from calib.formats._spent import lasting, tokens_in
from calib.formats._talk import Talk

CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
SILENT = ("fallback", "image", "document", "container_upload", "search_result", "tool_reference")
"""Blocks of an assistant message that are neither said, thought nor called."""

Result = tuple[str | None, str, bool | None]
"""Call id, text, error flag."""


class Response:
    """One model response, put together from the blocks of all its records."""

    __slots__ = ("begun", "blocks", "calls", "compacted", "ended", "fallbacks", "hidden", "ids", "model", "results",
                 "stop", "texts", "thoughts", "unsaid", "usage")  # fmt: skip

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.calls: list[Call] = []
        self.results: list[Result] = []
        self.ids: set[str] = set()
        self.blocks = self.fallbacks = 0
        self.hidden = self.unsaid = self.compacted = False
        self.model: str | None = None
        self.stop: str | None = None
        self.usage: dict[str, Any] = {}
        self.begun: datetime | None = None
        self.ended: datetime | None = None
        """Times of the record before its first one, and of its last one."""

    def add(self, content: Any, notices: Notices) -> None:
        """Take the content of one record: a text or a list of blocks."""
        texts, thoughts = len(self.texts), len(self.thoughts)
        for block in blocks_of(content):
            self.blocks += 1
            kind = block.get("type")
            if kind == "text":
                if text := block.get("text"):
                    _append(self.texts, str(text), texts, notices)
            elif kind == "thinking":
                self._think(block, thoughts, notices)
            elif kind == "redacted_thinking":
                self.hidden = True
            elif kind in CALLS:
                self._call(block, notices)
            elif isinstance(kind, str) and kind.endswith("tool_result"):
                self.answer(result_of(block))
            elif kind == "compaction":
                self.compacted = True
            elif kind in SILENT:
                self.fallbacks += kind == "fallback"
            else:
                notices["unknown-part"] += 1

    def about(self, message: dict[str, Any]) -> None:
        """Take what a record says besides the content; records of one response repeat it, the last one counts."""
        usage = message.get("usage")
        self.model = name_or_none(message.get("model")) or self.model
        self.stop = name_or_none(message.get("stop_reason")) or self.stop
        if isinstance(usage, dict):
            self.usage = usage

    def answer(self, result: Result) -> None:
        """Take the result of one of its calls; the same result written twice counts once."""
        if result[0] is None or result not in self.results:
            self.results.append(result)

    def _think(self, block: dict[str, Any], earlier: int, notices: Notices) -> None:
        text = block.get("thinking")
        if isinstance(text, str) and text.strip():
            _append(self.thoughts, text, earlier, notices)
        elif block.get("signature"):
            self.hidden = True
        else:
            self.unsaid = True

    def _call(self, block: dict[str, Any], notices: Notices) -> None:
        call = made_call(name_or_none(block.get("id")), name_or_none(block.get("name")), block.get("input"))
        if call.id is None or call.id not in self.ids:
            self.calls.append(call)
        else:
            at = next(at for at, told in enumerate(self.calls) if told.id == call.id)
            if self.calls[at] != call:
                notices["superseded-snapshot"] += 1
                self.calls[at] = call
        if call.id is not None:
            self.ids.add(call.id)

    @property
    def is_turn(self) -> bool:
        """Whether the model said anything: a note that another model takes over is none."""
        return self.blocks > self.fallbacks or not self.blocks

    def tell(self, talk: Talk) -> None:
        """Say it to a talk: the turn, then the results of its calls."""
        if self.compacted:
            talk.compacted()
        reasoning: str | None = "\n".join(self.thoughts) if self.thoughts else None
        text: str | None = "\n".join(self.texts) if self.texts else None
        kind = "native"
        state = "recorded" if reasoning else "withheld" if self.hidden else "empty" if self.unsaid else "absent"
        if text and ("</think" in text or text[:12].lstrip().startswith("<think")):
            reasoning, state, kind, text = split_inline(text, reasoning, state, talk.notices)
        talk.turn(reasoning, state, kind, text, self.calls)
        took = (self.ended - self.begun).total_seconds() if self.begun and self.ended else None
        talk.spent(tokens_in(self.usage), lasting(took))
        for result in self.results:
            talk.result(*result)


class Chain:
    """One conversation as a session wrote it: records of a response need not stand together, nor before its results."""

    def __init__(self, notices: Notices) -> None:
        self.responses: list[Response] = []
        self._notices = notices
        self._items: list[Response | Result | bool] = []
        self._by_id: dict[str, Response] = {}
        self._owner: dict[str, Response] = {}

    def respond(self, message: dict[str, Any], before: datetime | None = None, now: datetime | None = None) -> None:
        """Take one record of a response, with the times of the record before and its own; those of one id are one."""
        name = message.get("id")
        response = self._by_id.get(name) if isinstance(name, str) else None
        if response is None:
            response = Response()
            response.begun = before
            self.responses.append(response)
            self._items.append(response)
            if isinstance(name, str):
                self._by_id[name] = response
        response.add(message.get("content"), self._notices)
        response.about(message)
        response.ended = now or response.ended
        for call_id in response.ids:
            self._owner[call_id] = response

    def ask(self, content: Any, real: bool) -> None:
        """Take the content of a user record: results, and a message of the user when it is a `real` one."""
        asked = False
        for block in blocks_of(content):
            if block.get("type") == "tool_result":
                self.result(result_of(block))
            else:
                asked = True
        if asked and real:
            self._items.append(True)

    def result(self, result: Result) -> None:
        """Take a result: it belongs to the response that made the call, wherever it stands."""
        owner = self._owner.get(result[0]) if result[0] is not None else None
        if owner is None:
            self._items.append(result)
        else:
            owner.answer(result)

    def user(self) -> None:
        """Note a message of the user."""
        self._items.append(True)

    def compacted(self) -> None:
        """Note a compaction."""
        self._items.append(False)

    def tell(self, talk: Talk) -> None:
        """Say all of it to a talk, in order."""
        for item in self._items:
            if isinstance(item, Response):
                if item.is_turn:
                    item.tell(talk)
            elif isinstance(item, tuple):
                talk.result(*item)
            elif item:
                talk.user()
            else:
                talk.compacted()


def _append(told: list[str], text: str, earlier: int, notices: Notices) -> None:
    """Add a text to those told; instead of the last one of an earlier record when it is that one and more of it."""
    if len(told) == earlier > 0 and told[-1].strip() and text.startswith(told[-1]):
        notices["superseded-snapshot"] += 1
        told[-1] = text
    else:
        told.append(text)


def blocks_of(content: Any) -> Iterator[dict[str, Any]]:
    """List the blocks of a content field; a text is one text block.

    >>> list(blocks_of("a")), list(blocks_of(["b", {"type": "image"}, 7])), list(blocks_of(None))
    ([{'type': 'text', 'text': 'a'}], [{'type': 'text', 'text': 'b'}, {'type': 'image'}], [])
    """
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict):
                yield block
            elif isinstance(block, str):
                yield {"type": "text", "text": block}


def result_of(block: dict[str, Any]) -> Result:
    """Read a result block.

    >>> result_of({"type": "tool_result", "tool_use_id": "a", "content": "x", "is_error": True})
    ('a', 'x', True)
    """
    marked, content = block.get("is_error"), block.get("content")
    if content.__class__ is dict and str(content.get("type")).endswith("_tool_result_error"):
        marked = True  # of a tool that the server runs
    return (
        name_or_none(block.get("tool_use_id")),
        result_text(content),
        marked if isinstance(marked, bool) else None,
    )


def name_or_none(value: Any) -> str | None:
    """Give a text that is not empty; None for anything else."""
    return value if isinstance(value, str) and value else None


def result_text(content: Any) -> str:
    """Give the text of a result; a part that is no text, such as an image, is named by its kind and a hash.

    >>> result_text([{"type": "text", "text": "x"}, {"type": "image", "source": {"data": "iVBO"}}])
    'x\\n[image aba7a13a53684651]'
    """
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    return "\n".join(map(_part_text, blocks_of(content)))


def _part_text(block: dict[str, Any]) -> str:
    text = block.get("text")
    if isinstance(text, str) and block.get("type") == "text":
        return text
    digest = blake2b(json_text(shallow(block)).encode(), digest_size=8).hexdigest()
    return f"[{block.get('type')} {digest}]"
