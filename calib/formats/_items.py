"""A transcript told in the items of OpenAI's Responses API: what Codex writes, and what the API returns.

An item is reasoning, a message, a call or the output of a call; only messages have a role. A turn is a maximal run of
items that the model made, or, when the writer says so, everything between two calls of `close`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from calib.formats._calls import Call
from calib.formats._decode import Notices
from calib.formats._inline import TAGGED, split_inline
from calib.formats._item import CALLS, INLINE, OUTPUTS, Item, id_of, output_text, parts_of
from calib.formats._reader import Ignored
from calib.formats._spent import milliseconds
from calib.formats._talk import TOKENS, Talk

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
    begun: Any = None
    ended: Any = None
    """Times, as written, of the record before it and of its last one."""
    tokens: int | None = None

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
    def pending(self) -> Response | None:
        """The response under way."""
        return self._response

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
        self.spent(response.tokens, milliseconds(response.begun, response.ended))
        for output in response.outputs:
            self.result(*output)

    def count(self, tokens: int | None) -> None:
        """Take the tokens of a response: the one under way, else the last turn, whose results came before them."""
        if self._response is not None:
            self._response.tokens = tokens
        elif self._turns and self._turns[-1][TOKENS] is None:
            self._turns[-1][TOKENS] = tokens

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
            call_id = id_of(item, "id")
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


HOW: dict[Any, Callable[[Items, Item], None]] = {
    "message": Items._message,
    "reasoning": Items._reason,
    **dict.fromkeys(CALLS, Items._call),
    **dict.fromkeys(OUTPUTS, Items._output),
    **dict.fromkeys(COMPACTIONS, Items._compaction),
}
