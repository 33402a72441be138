"""What makes a message of the Anthropic Messages API the same one in the next request."""

from hashlib import sha256
from typing import Any

import msgspec

from calib.formats._claude import blocks_of
from calib.formats._decode import json_text, shallow

THOUGHTS = ("thinking", "redacted_thinking")

_encode = msgspec.json.Encoder(order="sorted").encode


def message_key(message: dict[str, Any]) -> bytes:
    """Hash a message; neither its thinking counts, which clients take out of older turns, nor the cache marks."""
    said: list[Any] = [message.get("role")]
    texts: list[str] = []
    for block in blocks_of(message.get("content")):
        if block.get("type") in THOUGHTS:
            continue
        long = "content" if block.get("type") == "tool_result" else "text"
        if (text := block.get(long)).__class__ is str:  # most bytes stand here: not escaped, only hashed
            texts.append(text)
            said.append({**block, long: len(text), "cache_control": None})
        else:
            said.append({**block, "cache_control": None})
    try:
        spelled = _encode(said)
    except (OverflowError, RecursionError, ValueError):  # an integer of over 64 bits, or too deep
        spelled = json_text(shallow(said)).encode()
    digester = sha256(spelled)
    for text in texts:
        digester.update(text.encode("utf-8", "surrogatepass"))
    return digester.digest()
