"""One message or item of a request: its reasoning read, removed or shortened, everything else the same objects.

Knows every place where the readers of `calib.formats` find reasoning: `reasoning_content`, `reasoning`, `thinking`,
`reasoning_details`, `thinking_blocks`, `responses_reasoning_item`, the same inside `provider_specific_fields`, thinking
parts of a content list, `<think>` at the beginning of the text, and reasoning items of the Responses API.
"""

from collections.abc import Callable
from typing import Any

from calib.edits import _inline
from calib.formats._item import CALLS, parts_of
from calib.formats._parts import REASONING_KEYS, TEXT_KEYS, is_thought, text_of
from calib.formats._thought import ELSEWHERE, native_of

Message = dict[str, Any]
Cut = Callable[[str], str]
"""Shortens a block of reasoning; gives it back when there is nothing to cut."""

PLACES = frozenset((*REASONING_KEYS, *ELSEWHERE))
SEALS = ("signature", "encrypted_content", "data", "thinkingSignature")
"""What vouches for a block's text: a block that has one cannot be shortened, only removed."""
GONE: Any = object()


def is_models(message: Message) -> bool:
    """Tell whether a message or item was written by the model."""
    role, kind = message.get("role"), message.get("type")
    return role == "assistant" or (role is None and isinstance(kind, str) and (kind == "reasoning" or kind in CALLS))


def reasoning_of(message: Message) -> str | None:
    """Give the reasoning of a message or item as detectors see it, trimmed; None without any that can be read.

    >>> reasoning_of({"role": "assistant", "reasoning": " a\\n"}), reasoning_of({"role": "assistant", "content": "a"})
    ('a', None)
    >>> reasoning_of({"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}]})
    'a'
    """
    if message.get("type") == "reasoning" and "role" not in message:
        texts = parts_of(message.get("content")) or parts_of(message.get("summary"))
        return "\n\n".join(texts).strip() or None
    content = message.get("content")
    found, state, _ = native_of(message, content)
    if state != "recorded":
        found = _inline.reasoning_in(text_of(content) or "")
    return (found or "").strip() or None


def changed(message: Message, cut: Cut | None, blank: bool = False) -> Message | None:
    """Give a message without its reasoning, or with it shortened by `cut`; the same object when nothing changes.

    `blank` leaves an empty text in the fields of reasoning instead of removing them. None for an item that is reasoning
    and nothing else.

    >>> changed({"role": "assistant", "reasoning": "a", "content": "b"}, None)
    {'role': 'assistant', 'content': 'b'}
    >>> changed({"role": "assistant", "reasoning": "a", "content": "b"}, None, blank=True)
    {'role': 'assistant', 'reasoning': '', 'content': 'b'}
    """
    if message.get("type") == "reasoning" and "role" not in message:
        part = _part(message, cut)
        return None if part is GONE else part
    made = _fields(message, cut, blank)
    if message.get("role") == "assistant" and (content := _content(message, cut)) is not None:
        made = {**made, "content": content}
    return made


def _fields(message: Message, cut: Cut | None, blank: bool) -> Message:
    """Change the fields that hold reasoning and nothing else."""
    made: Message | None = None
    for key in message.keys() & (PLACES | {"provider_specific_fields"}):
        value = message[key]
        if key == "provider_specific_fields":
            new = _fields(value, cut, False) if isinstance(value, dict) else value
        else:
            new = _value(value, cut)
        if new is value:
            continue
        made = dict(message) if made is None else made
        if new is not GONE:
            made[key] = new
        elif blank and key in REASONING_KEYS:
            made[key] = ""
        else:
            del made[key]
    return message if made is None else made


def _value(value: Any, cut: Cut | None) -> Any:
    """Change what a field of reasoning holds: a text, a list of parts, or one part."""
    if isinstance(value, str):
        if not value.strip():
            return value
        return GONE if cut is None else _same(cut(value), value)
    if isinstance(value, list) and value:
        parts = [_value(part, cut) for part in value]
        kept = [part for part in parts if part is not GONE]
        return _list(value, kept)
    return _part(value, cut) if isinstance(value, dict) and value else value


def _list(before: list[Any], after: list[Any]) -> Any:
    if len(after) == len(before) and all(new is old for new, old in zip(after, before, strict=True)):
        return before
    return after or GONE


def _same(new: str, old: str) -> str:
    return old if new == old else new


def _part(part: Message, cut: Cut | None) -> Any:
    """Change one block; what is sealed goes as a whole."""
    if cut is None:
        return GONE
    made = {key: _value(part[key], cut) for key in TEXT_KEYS if isinstance(part.get(key), (str, list))}
    if all(new is part[key] for key, new in made.items()):
        return part
    if any(part.get(seal) for seal in SEALS):
        return GONE
    return {**part, **{key: new for key, new in made.items() if new is not GONE}}


def _content(message: Message, cut: Cut | None) -> Any:
    """Change the visible content of an answer, for reasoning may stand in it; None when it stays as it is."""
    content = message.get("content")
    if isinstance(content, str):
        if ">" not in content:
            return None
        new = _without(content, message) if cut is None else _inline.cut(content, cut)
        return None if new == content else new
    if not isinstance(content, list):
        return None
    parts = [_value(part, cut) if is_thought(part) else part for part in content]
    kept = [part for part in parts if part is not GONE]
    kept = _without_inline(kept, message) if cut is None else _cut_inline(kept, cut)
    new = _list(content, kept)
    return None if new is content else [] if new is GONE else new


def _without(text: str, message: Message) -> str:
    return _inline.without(text, alone=native_of(message, message.get("content")).state != "recorded")


def _texts(parts: list[Any]) -> list[tuple[int, str]]:
    """List which parts hold visible text, in the way that readers join it."""
    return [
        (at, text) for at, part in enumerate(parts) if not is_thought(part) and (text := text_of([part])) is not None
    ]


def _without_inline(parts: list[Any], message: Message) -> list[Any]:
    """Take the reasoning out of the text of a content list, whose parts are read as one; a part left empty goes."""
    texts = _texts(parts)
    joined = "\n".join(text for _, text in texts)
    rest = _without(joined, message)
    if rest == joined:
        return parts
    mark = _inline.EMPTY if _inline.places(rest).rest == len(_inline.EMPTY) else ""
    gone = len(joined) - len(rest) + len(mark)
    made = dict(enumerate(parts))
    first = 0
    for at, text in texts:
        if first < gone:
            if first + len(text) <= gone:
                del made[at]
            else:
                made[at] = _with_text(parts[at], mark + text[gone - first :])
                mark = ""
        elif mark:
            made[at], mark = _with_text(parts[at], mark + text), ""
        first += len(text) + 1
    return list(made.values())


def _cut_inline(parts: list[Any], cut: Cut) -> list[Any]:
    """Shorten the reasoning that stands in the first text part."""
    for at, text in _texts(parts)[:1]:
        if (new := _inline.cut(text, cut)) != text:
            return [*parts[:at], _with_text(parts[at], new), *parts[at + 1 :]]
    return parts


def _with_text(part: Any, text: str) -> Any:
    if isinstance(part, str):
        return text
    key = next(key for key in TEXT_KEYS if isinstance(part.get(key), str))
    return {**part, key: text}
