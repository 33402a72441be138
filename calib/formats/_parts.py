"""Texts of a message: content and reasoning, each a string, a list of parts, or missing."""

from typing import Any

from calib.formats._small import at

REASONING_KEYS = ("reasoning_content", "reasoning", "thinking")
"""Where reasoning stands; the first that is not empty counts."""
TEXT_KEYS = ("text", "content", "thinking", "reasoning", "summary")
HIDDEN = {"redacted": "withheld", "encrypted": "encrypted"}


def text_of(value: Any) -> str | None:
    """Give the text of a content field: itself, the text parts of a list joined by line feeds, None without any.

    >>> text_of("a"), text_of([{"type": "text", "text": "a"}, {"type": "image_url"}, "b"]), text_of(None)
    ('a', 'a\\nb', None)
    """
    if value is None or isinstance(value, str):
        return value
    return _joined([part for part in _as_list(value) if not is_thought(part)])


def reasoning_of(message: dict[str, Any], content: Any) -> tuple[str | None, str]:
    """Give the reasoning of a message, the first that is not empty, and its state.

    >>> reasoning_of({"reasoning_content": "", "thinking": "a"}, None), reasoning_of({"reasoning": " "}, None)
    (('a', 'recorded'), (' ', 'empty'))
    >>> reasoning_of({"reasoning": None}, "text"), reasoning_of({}, [{"type": "redacted_thinking"}])
    ((None, 'absent'), (None, 'withheld'))
    """
    empty = None
    odd = []
    for key in REASONING_KEYS:
        text = message.get(key)
        if text is None:
            continue
        if not isinstance(text, str):
            odd.append(text)
            text = _joined(_as_list(text))
        if text and text.strip():
            return text, "recorded"
        empty = text if empty is None else empty
    if isinstance(content, list):
        odd.append(content)
        text = _joined([part for part in content if is_thought(part)])
        if text and text.strip():
            return text, "recorded"
        empty = text if empty is None else empty
    if "reasoning_details" in message:
        odd.append(message["reasoning_details"])
    if odd and (hidden := next((state for value in odd if (state := hidden_in(value))), "")):
        return None, hidden
    return empty, "absent" if empty is None else "empty"


def hidden_in(value: Any) -> str:
    """Tell what kind of unreadable reasoning a list of parts shows: `withheld`, `encrypted` or nothing.

    A thought without text but with a signature was withheld.

    >>> hidden_in([{"type": "reasoning.encrypted", "data": "…"}]), hidden_in([{"type": "redacted_thinking"}])
    ('encrypted', 'withheld')
    >>> hidden_in([{"type": "reasoning.text", "text": None, "signature": "…"}])
    'withheld'
    """
    kinds = [str(part.get("type", "")) for part in _as_list(value) if isinstance(part, dict)]
    found = next((state for word, state in HIDDEN.items() for kind in kinds if word in kind), "")
    signed = any(
        (is_thought(part) or at(part, "type") == "reasoning.text") and part.get("signature") for part in _as_list(value)
    )
    sealed = any(at(part, "encrypted_content") for part in _as_list(value))
    return found or ("encrypted" if sealed else "withheld" if signed else "")


def _joined(parts: list[Any]) -> str | None:
    texts = [text for part in parts if (text := _part_text(part)) is not None]
    return "\n".join(texts) if texts else None


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def is_thought(part: Any) -> bool:
    """Tell whether a part of a content list is reasoning."""
    return isinstance(part, dict) and part.get("type") in ("thinking", "reasoning", "redacted_thinking")


def _part_text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return None
    return next((part[key] for key in TEXT_KEYS if isinstance(part.get(key), str)), None)
