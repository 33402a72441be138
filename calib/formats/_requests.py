"""Requests that repeat a history, put together to the conversation behind them."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from calib.formats._calls import calls_of
from calib.formats._chat import SILENT, Transcript
from calib.formats._codes import Rejected
from calib.formats._decode import Notices
from calib.formats._parts import text_of
from calib.formats._record import About, scalar_text
from calib.formats._small import at, small, text_at
from calib.formats._talk import Episode, Stretch, stretch

Message = dict[str, Any]
Key = bytes
"""Equal for equal messages: role, trimmed text, calls."""
Parts = tuple[Message, list[Any], Message | None]
"""The request, its messages, and the response."""


def parts_of(value: Message) -> Parts | None:
    """Tell request and response of a record apart; None when it is none.

    >>> parts_of({"messages": [], "response": {"choices": [{"message": {"role": "assistant"}}]}}) is None
    False
    >>> parts_of({"messages": []})
    """
    request, response = _body(value.get("request")), _body(value.get("response"))
    if response is None and value.get("object") == "chat.completion":
        response = value
    source = value if request is None else request
    raw = source.get("raw_messages")  # before calls were spelled as text, for models without calls of their own
    messages = raw if isinstance(raw, list) else source.get("messages")
    listed = messages if isinstance(messages, list) else []
    if isinstance(at(response, "choices", 0, "message"), dict):
        return source, listed, response
    failed = request is not None and ("error" in value or "reason" in value)
    return (source, listed, None) if failed and listed and "system" not in source else None


def _body(part: Any) -> Message | None:
    inner = part.get("body") if isinstance(part, dict) else None
    found = inner if isinstance(inner, dict) else part
    return found if isinstance(found, dict) else None


@dataclass
class Exchange:
    """One request: its messages without system prompts, and the answer, if there is one."""

    messages: list[Message]
    keys: list[Key]
    answer: Message | None
    response_id: str | None
    session: str | None
    model: str | None
    stop: str | None
    facts: Message

    @property
    def task(self) -> Key:
        """What the conversation begins with; a response without a request begins one of its own."""
        return self.keys[0] if self.keys else (self.response_id or "").encode()

    @property
    def answered(self) -> bool:
        """Whether its history holds an answer."""
        return any(message["role"] == "assistant" for message in self.messages)


def exchange_of(value: Message, parts: Parts) -> Exchange:
    """Read a record of a dump.

    Raises Rejected.
    """
    request, messages, response = parts
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise Rejected("bad-message", "a message is no object, or has no text `role`")
    told = [message for message in messages if message["role"] not in SILENT]
    choice = at(response, "choices", 0)
    answer = {**choice["message"], "role": "assistant", "usage": at(response, "usage")} if choice else None
    if answer is not None:
        key_of(answer)  # an answer that cannot be read is no answer of anything
    return Exchange(
        told, [key_of(message) for message in told], answer, text_at(response, "id"),
        scalar_text(value.get("session_id")) or None,
        text_at(response, "model") or text_at(request, "model"),
        text_at(choice, "finish_reason") or text_at(value, "error", "type"),
        small(value, "timestamp", "cost", "reason"),
    )  # fmt: skip


def task_of(parts: Parts) -> Key | None:
    """Give what a record's conversation begins with, None for one that cannot be read."""
    _, messages, response = parts
    for message in messages:
        if isinstance(message, dict) and isinstance(message.get("role"), str) and message["role"] not in SILENT:
            with suppress(Rejected):
                return key_of(message)
            return None
    return (text_at(response, "id") or "").encode()


def key_of(message: Message) -> Key:
    """Hash what makes a message itself, whatever fields a client adds or drops.

    Raises Rejected.
    """
    text = (text_of(message.get("content")) or "").strip()
    calls = calls_of(message) if "tool_calls" in message or "function_call" in message else ()
    digester = sha256(f"{message['role']}\0{len(text)}\0".encode("utf-8", "surrogatepass"))
    digester.update(text.encode("utf-8", "surrogatepass"))
    for call in calls:
        digester.update(repr(call.key).encode("utf-8", "surrogatepass"))
    return digester.digest()


@dataclass
class Attempt:
    """A conversation under way. `pending` is the last answer, told when the next request shows what came of it."""

    text: bool
    session: str | None
    stretches: list[Stretch] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    _keys: list[Key] = field(default_factory=list)
    _pending: Message | None = None
    _last: Exchange | None = None
    _cost: float = 0.0

    def __post_init__(self) -> None:
        self.talk = Transcript(self.text)
        self._seen: set[Key] = set()

    def continued_by(self, exchange: Exchange) -> int:
        """Tell how surely a request goes on from here: 2 when it repeats the answer, 1 when only the request."""
        size = len(self._keys)
        if exchange.keys[:size] != self._keys or len(exchange.keys) <= size:
            return 0
        return 1 + (self._pending is not None and exchange.keys[size] == key_of(self._pending))

    def take(self, exchange: Exchange, where: Stretch) -> None:
        """Take one request with its answer."""
        stretch(self.stretches, where)
        self.sizes.append(where[2])
        cost = exchange.facts.get("cost")
        self._cost += cost if isinstance(cost, (int, float)) else 0
        common = _common(self._keys, exchange.keys)
        if common == len(exchange.keys) < len(self._keys):
            return  # an older request whose file comes late
        if common == len(self._keys):
            self._goes_on(exchange, common)
        else:
            self._shortened(exchange, common)
        self._keys, self._pending, self._last = exchange.keys, exchange.answer, exchange

    def _goes_on(self, exchange: Exchange, common: int) -> None:
        new = list(zip(exchange.messages[common:], exchange.keys[common:], strict=True))
        if self._pending is not None and new:  # else the request was sent again
            if new[0][0]["role"] == "assistant":
                self._tell(_acted(self._pending, new[0][0]), new[0][1])
                del new[0]
            else:
                self._tell(self._pending, key_of(self._pending))
        for message, key in new:
            self._tell(message, key)

    def _shortened(self, exchange: Exchange, common: int) -> None:
        """Go on behind the last answer in a history that was compacted, else with the answers that are new."""
        fresh = False
        if self._pending is not None:
            last = key_of(self._pending)
            self._tell(self._pending, last)
            if fresh := last in exchange.keys:
                common = len(exchange.keys) - exchange.keys[::-1].index(last)
        self.talk.compacted()
        for message, key in zip(exchange.messages[common:], exchange.keys[common:], strict=True):
            fresh = key not in self._seen if message["role"] == "assistant" else fresh
            if fresh:
                self._tell(message, key)

    def _tell(self, message: Message, key: Key) -> None:
        self._seen.add(key)
        self.talk.add(message)

    def end(self, notices: Notices, name: str, task: str | None) -> Episode:
        """Finish the episode."""
        if self._pending is not None:
            self.talk.add(self._pending)
        last = self._last
        about = About(episode_id=name, task=task)
        if last is not None:
            about.model, about.stop_reason = last.model, last.stop
            about.metadata = {**last.facts, "requests": len(self.sizes)}
            if "cost" in last.facts:
                about.metadata["cost"] = self._cost
        episode = self.talk.finish(about)
        episode.stretches = self.stretches
        notices.update(self.talk.notices)
        return episode


def _acted(answer: Message, kept: Message) -> Message:
    """Give an answer with the calls that its client read out of the text, where the server told none itself."""
    told = answer.get("tool_calls") or answer.get("function_call")
    return answer if told or not kept.get("tool_calls") else {**answer, "tool_calls": kept["tool_calls"]}


def _common(one: Sequence[Key], other: Sequence[Key]) -> int:
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
