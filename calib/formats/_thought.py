"""Reasoning of agents that also think aloud: a native field, tags in the text, or the visible text before an action."""

from typing import Any, NamedTuple

from calib.formats._decode import Notices
from calib.formats._inline import TAGGED, split_inline
from calib.formats._parts import is_thought, reasoning_of, text_of
from calib.formats._small import as_list, text_at

ELSEWHERE = frozenset(
    ("reasoning_details", "provider_specific_fields", "thinking_blocks", "responses_reasoning_item")
)  # fmt: skip
"""Fields of a message that hold its reasoning when the usual ones do not."""


class Native(NamedTuple):
    """What a response says of its reasoning in fields of its own."""

    reasoning: str | None = None
    state: str = "absent"
    kind: str = "native"


class Spoken(NamedTuple):
    """Reasoning and visible text of a response; no text stands in both."""

    reasoning: str | None
    state: str
    kind: str
    text: str | None


def native_of(message: dict[str, Any], content: Any = None) -> Native:
    """Read the reasoning fields of a message or event: the usual ones, then those of providers and their clients.

    >>> native_of({"thinking_blocks": [{"type": "thinking", "thinking": "a"}]})
    Native(reasoning='a', state='recorded', kind='native')
    >>> native_of({"thinking_blocks": [{"type": "thinking", "thinking": "", "signature": "…"}]}).state
    'withheld'
    >>> native_of({"thinking_blocks": [{"type": "thinking", "thinking": " "}]}).state
    'empty'
    >>> native_of({"responses_reasoning_item": {"summary": ["a"], "encrypted_content": "…"}}).kind
    'summary'
    >>> native_of({"reasoning_details": [{"summary": "a"}, {"type": "reasoning.encrypted"}]})
    Native(reasoning='a', state='recorded', kind='summary')
    >>> native_of({"provider_specific_fields": {"reasoning_content": "a"}}).reasoning
    'a'
    >>> native_of({"reasoning": {"id": "rs", "summary": [{"type": "summary_text", "text": "a"}]}}).kind
    'summary'
    """
    plain = message.get("reasoning_content")
    if plain.__class__ is str and plain.strip():  # what nearly all are
        return Native(plain, "recorded")
    reasoning, state = reasoning_of(message, content)
    thought = message.get("reasoning")
    listed = thought.__class__ in (dict, list) or (content.__class__ is list and any(map(is_thought, content)))
    if state == "recorded" or (ELSEWHERE.isdisjoint(message) and not listed):
        return Native(reasoning, state)
    found = (
        _details([thought] if isinstance(thought, dict) else thought),
        _details([part for part in as_list(content) if is_thought(part)]),
        _details(message.get("reasoning_details")),
        _provided(message.get("provider_specific_fields")),
        _blocks(message.get("thinking_blocks")),
        _item(message.get("responses_reasoning_item")),
        Native(reasoning, state),
    )
    told = [one for one in found if one is not None]
    return next((one for one in told if one.state == "recorded"), told[0])


def _details(details: Any) -> Native | None:
    """Read OpenRouter's list: texts, else summaries. What is only encrypted was seen before."""
    found = [detail for detail in as_list(details) if isinstance(detail, dict)]
    for key, kind in (("text", "native"), ("summary", "summary")):
        texts = [text_of(detail.get(key)) for detail in found]
        if (text := "\n".join(text for text in texts if text)).strip():
            return Native(text, "recorded", kind)
    return None


def _provided(fields: Any) -> Native | None:
    """Read LiteLLM's copy of what the provider sent."""
    if not isinstance(fields, dict):
        return None
    reasoning, state = reasoning_of(fields, None)
    if state == "recorded":
        return Native(reasoning, state)
    found = _details(fields.get("reasoning_details")) or _blocks(fields.get("thinking_blocks"))
    return found or (Native(None, state) if state in ("encrypted", "withheld") else None)


def _blocks(blocks: Any) -> Native | None:
    found = [block for block in as_list(blocks) if isinstance(block, dict)]
    texts = [text for block in found if isinstance(text := block.get("thinking"), str)]
    if any(map(str.strip, texts)):
        return Native("\n".join(filter(None, texts)), "recorded")
    if any(block.get("type") == "redacted_thinking" or block.get("signature") for block in found):
        return Native(None, "withheld")
    return Native("\n".join(texts), "empty") if texts else None


def _item(item: Any) -> Native | None:
    if not isinstance(item, dict):
        return None
    for key, kind in (("content", "native"), ("summary", "summary")):
        parts = item.get(key)
        texts = [part if isinstance(part, str) else text_at(part, "text") for part in as_list(parts)]
        if (text := "\n".join(text for text in texts if text)).strip():
            return Native(text, "recorded", kind)
    return Native(None, "encrypted") if item.get("encrypted_content") else None


def spoken(native: Native, visible: str | None, acts: bool, notices: Notices) -> Spoken:
    """Settle what is reasoning and what is text: native reasoning, else tags, else the text before an action.

    >>> from collections import Counter
    >>> spoken(Native(), "Look first.", True, Counter())
    Spoken(reasoning='Look first.', state='recorded', kind='thought', text=None)
    >>> spoken(Native("a", "recorded"), "<think>a</think>Now.", True, Counter())
    Spoken(reasoning='a', state='recorded', kind='native', text='Now.')
    >>> spoken(Native(), "Done.", False, Counter()).text
    'Done.'
    """
    reasoning, state, kind = native
    if visible and ">" in visible and TAGGED.search(visible):
        inline, found, _, rest = split_inline(visible, None, "absent", notices)
        if found != "absent" and state != "recorded":
            return Spoken(inline, found, "inline", rest)
        if inline is not None and reasoning is not None and inline.strip() == reasoning.strip():
            visible = rest  # said twice
        elif found == "recorded":
            notices["reasoning-conflict"] += 1
    if state == "absent" and acts and visible and visible.strip():
        return Spoken(visible, "recorded", "thought", None)
    return Spoken(reasoning, state, kind, visible)
