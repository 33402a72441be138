"""What a server answered, as one chat completion: the body itself, or the pieces of a stream put together."""

import zlib
from typing import Any

import msgspec

from calib.formats._small import at

Answer = dict[str, Any]
TEXTS = ("content", "reasoning_content", "reasoning", "refusal")
"""Fields of a message that a stream gives in pieces."""
_decode = msgspec.json.Decoder().decode


def answer_of(data: bytes, encoding: str = "") -> Answer | None:
    """Read an answer; None when it is no chat completion, or one whose beginning only is there.

    >>> answer_of(b'{"choices": [{"message": {"content": "a"}}]}')
    {'choices': [{'message': {'content': 'a'}}]}
    >>> piece = b'data: {"choices": [{"delta": {"content": "a"}}]}\\n\\n'
    >>> answer_of(piece + piece + b"data: [DONE]\\n\\n")["choices"][0]["message"]["content"]
    'aa'
    """
    plain = _plain(data, encoding)
    if plain is None:
        return None
    try:
        if not plain.lstrip().startswith((b"data:", b":", b"event:")):
            whole = _decode(plain)
            return whole if isinstance(at(whole, "choices", 0, "message"), dict) else None
        return _stream([_decode(piece) for piece in _pieces(plain)])
    except (ValueError, RecursionError):
        return None


def _plain(data: bytes, encoding: str) -> bytes | None:
    """Unpack a body; None for a packing that is not read."""
    if encoding in ("", "identity"):
        return data
    if encoding not in ("gzip", "deflate"):
        return None
    try:
        return zlib.decompressobj(47 if encoding == "gzip" else 15).decompress(data)
    except zlib.error:
        return None


def _pieces(stream: bytes) -> list[bytes]:
    lines = [line[5:].strip() for line in stream.replace(b"\r\n", b"\n").split(b"\n") if line.startswith(b"data:")]
    return [line for line in lines if line and line != b"[DONE]"]


def _stream(pieces: list[Any]) -> Answer | None:
    """Put the pieces of the first choice together."""
    made: Answer = {}
    message: dict[str, Any] = {"role": "assistant"}
    calls: dict[Any, dict[str, Any]] = {}
    finish = None
    for piece in pieces:
        if not isinstance(piece, dict):
            continue
        for key in ("id", "model", "created", "usage"):
            if piece.get(key) is not None:
                made[key] = piece[key]
        for choice in piece.get("choices") or ():
            if isinstance(choice, dict) and not choice.get("index"):
                finish = choice.get("finish_reason") or finish
                _add(message, calls, choice.get("delta"))
    if finish is None and len(message) == 1 and not calls:
        return None
    if calls:
        message["tool_calls"] = list(calls.values())
    return {"object": "chat.completion", **made, "choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def _add(message: dict[str, Any], calls: dict[Any, dict[str, Any]], delta: Any) -> None:
    if not isinstance(delta, dict):
        return
    for key in TEXTS:
        if isinstance(text := delta.get(key), str):
            message[key] = message.get(key, "") + text
    for details in delta.get("reasoning_details") or ():
        message.setdefault("reasoning_details", []).append(details)
    for piece in delta.get("tool_calls") or ():
        if isinstance(piece, dict):
            _add_call(calls.setdefault(piece.get("index", len(calls)), _call()), piece)


def _call() -> dict[str, Any]:
    return {"id": None, "type": "function", "function": {"name": "", "arguments": ""}}


def _add_call(call: dict[str, Any], piece: dict[str, Any]) -> None:
    call["id"] = piece.get("id") or call["id"]
    for key in ("name", "arguments"):
        if isinstance(text := at(piece, "function", key), str):
            call["function"][key] += text
