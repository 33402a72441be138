"""Texts of a message: content and reasoning, each a string, a list of parts, or missing."""

from typing import Any

from calib.formats._decode import ARRAY, OBJECT, plain

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
    shown = [part for part in _as_list(plain(value)) if not _is_thought(part)]
    parts = [text for part in shown if (text := _part_text(part)) is not None]
    return "\n".join(parts) if parts else None


def thoughts_of(value: Any) -> str | None:
    """Give the thinking parts of a content list joined by line feeds; None when there is none."""
    if not isinstance(value, ARRAY):
        return None
    parts = [text for part in plain(value) if _is_thought(part) and (text := _part_text(part)) is not None]
    return "\n".join(parts) if parts else None


def reasoning_of(value: Any) -> str | None:
    """Give the text of a reasoning field that is a list or an object; None when it has none."""
    parts = [text for part in _as_list(plain(value)) if (text := _part_text(part)) is not None]
    return "\n".join(parts) if parts else None


def hidden_in(value: Any) -> str:
    """Tell what kind of unreadable reasoning a list of parts shows: `withheld`, `encrypted` or nothing.

    >>> hidden_in([{"type": "reasoning.encrypted", "data": "…"}]), hidden_in([{"type": "redacted_thinking"}])
    ('encrypted', 'withheld')
    """
    if not isinstance(value, ARRAY + OBJECT):
        return ""
    kinds = [str(part.get("type", "")) for part in _as_list(plain(value)) if isinstance(part, dict)]
    return next((state for word, state in HIDDEN.items() for kind in kinds if word in kind), "")


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_thought(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in ("thinking", "reasoning", "redacted_thinking")


def _part_text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return None
    return next((part[key] for key in TEXT_KEYS if isinstance(part.get(key), str)), None)
