"""A chat-completions request as bytes: its messages found, and put back edited, with every other byte as it was."""

from collections.abc import Sequence
from typing import Any

import msgspec

from calib.edits import Message


class Chat(msgspec.Struct):
    """What a request is decoded to; its messages stay bytes until they are needed."""

    messages: list[msgspec.Raw]


_chat = msgspec.json.Decoder(Chat).decode
_message = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode


def messages_in(body: bytes) -> list[bytes] | None:
    """List the messages of a request as the bytes that they came as; None for anything else.

    >>> messages_in(b'{"model": "m", "messages": [{"role": "user"}]}'), messages_in(b"{")
    ([b'{"role": "user"}'], None)
    """
    try:
        return [bytes(raw) for raw in _chat(body).messages]
    except (ValueError, RecursionError):
        return None


def decoded(raw: Sequence[bytes]) -> list[Message] | None:
    """Decode messages; None when one is no object, or is JSON that only other readers take."""
    try:
        found = [_message(one) for one in raw]
    except (ValueError, RecursionError):
        return None
    return found if all(isinstance(one, dict) for one in found) else None


def replaced(body: bytes, raw: Sequence[bytes], before: Sequence[Any], after: Sequence[Any]) -> bytes:
    """Give the request with messages replaced: those that are the same objects keep their bytes, as does all else.

    `before` are the decoded messages of `raw`; `after` holds objects of it, and new ones. A new one that stands in the
    place of an old one keeps the bytes of every field that is the same object.

    >>> system, user = {"role": "system"}, {"role": "user"}
    >>> body = b'{"messages": [{"role":  "system"},{"role": "user"}], "model":  "m"}'
    >>> replaced(body, messages_in(body), [system, user], [system, {"role": "b"}])
    b'{"messages":[{"role":  "system"},{"role":"b"}],"model":"m"}'
    """
    if len(after) == len(before):
        aligned = zip(raw, before, after, strict=True)
        parts = [data if new is old else _rewritten(data, old, new) for data, old, new in aligned]
    else:
        own = {id(message): data for message, data in zip(before, raw, strict=True)}
        parts = [own.get(id(message)) or _encode(message) for message in after]
    fields: dict[str, Any] = _keys(body)
    fields["messages"] = msgspec.Raw(b"[" + b",".join(parts) + b"]")
    return _encode(fields)


def _rewritten(data: bytes, before: Message, after: Message) -> bytes:
    fields = _keys(data)
    return _encode({key: fields[key] if before.get(key) is value else value for key, value in after.items()})
