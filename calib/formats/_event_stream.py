"""The event stream that the Anthropic Messages API sends, put together to the response that it tells."""

import json
from typing import Any

DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


def is_stream(value: Any) -> bool:
    """Tell whether a value is the text of such a stream."""
    return isinstance(value, str) and "message_start" in value[:300]


def message_of(stream: str) -> dict[str, Any] | None:
    """Put a response together; None when the stream does not even begin. A stream that was cut gives what came.

    >>> start = 'data: {"type":"message_start","message":{"id":"m","content":[]}}'
    >>> block = 'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
    >>> message_of("\\n\\n".join([start, block, 'data: {"index":0,"delta":{"type":"text_delta","text":"Hi"}}']))
    {'id': 'm', 'content': [{'type': 'text', 'text': 'Hi'}]}
    """
    message: dict[str, Any] | None = None
    blocks: dict[Any, dict[str, Any]] = {}
    for event in _events(stream):
        started, block, delta = event.get("message"), event.get("content_block"), event.get("delta")
        if event.get("type") == "message_start" and isinstance(started, dict):
            message = {**started}
        elif isinstance(block, dict):
            blocks[str(event.get("index"))] = {**block}
        elif isinstance(delta, dict) and "type" in delta:
            _grow(blocks.setdefault(str(event.get("index")), {}), delta)
        elif isinstance(delta, dict) and message is not None:
            message.update(delta)
    if message is not None:
        message["content"] = [_whole(block) for block in blocks.values()]
    return message


def _events(stream: str) -> list[dict[str, Any]]:
    events = []
    for line in stream.split("\n"):
        if line.startswith("data:"):
            try:
                event = json.loads(line[5:])
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                events.append(event)
    return events


def _grow(block: dict[str, Any], delta: dict[str, Any]) -> None:
    kind = delta["type"]
    name = DELTAS.get(kind) if isinstance(kind, str) else None
    if name is not None and isinstance(delta.get(name), str):
        block[name] = str(block.get(name) or "") + delta[name]
    elif kind == "input_json_delta" and isinstance(delta.get("partial_json"), str):
        block["partial"] = block.get("partial", "") + delta["partial_json"]


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    """Read the arguments that came in pieces; a text that is no JSON stays one."""
    written = block.pop("partial", "")
    if written:
        try:
            block["input"] = json.loads(written)
        except (ValueError, RecursionError):
            block["input"] = written
    return block
