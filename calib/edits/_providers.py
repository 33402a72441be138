"""What servers demand of a history whose reasoning was edited. The rules are chosen by name, never guessed from a URL.

========= ============================================================ ==========================================
name      what an edit does                                            for
========= ============================================================ ==========================================
plain     removes the field                                            vLLM, SGLang, llama.cpp, Ollama, OpenRouter
blank     leaves the field, empty                                      DeepSeek, Kimi, MiMo: with tools they answer
                                                                       400 to an earlier call without the field
anthropic as plain, but the open tool-use turn stays unchanged, and so Anthropic Messages: signed blocks of the
          does a message that is reasoning and nothing else            open turn must come back as they were
openai    as plain, but the open tool-use turn stays unchanged         OpenAI Responses: a call must come with the
                                                                       reasoning item that it was made with
========= ============================================================ ==========================================

The *open tool-use turn* is everything after the last message in which a user says something; tool results do not count.
An agent that was asked once and has worked ever since is in one open turn: there `anthropic` and `openai` leave an edit
nothing to do, and its table says so.
"""

from collections.abc import Sequence
from typing import NamedTuple

from calib.edits._message import Message
from calib.errors import UsageError, near


class Provider(NamedTuple):
    """The rules of one kind of server."""

    name: str
    blank: bool = False
    keeps_open_turn: bool = False


PROVIDERS = {
    one.name: one
    for one in (
        Provider("plain"),
        Provider("blank", blank=True),
        Provider("anthropic", keeps_open_turn=True),
        Provider("openai", keeps_open_turn=True),
    )
}
PLAIN = PROVIDERS["plain"]


def provider(name: str) -> Provider:
    """Find the rules by name.

    Raises UsageError, with the near names, when there are none.
    """
    if name not in PROVIDERS:
        raise UsageError(f"provider {name!r}: expected one of {near(name, list(PROVIDERS))}")
    return PROVIDERS[name]


def usual(messages: Sequence[Message]) -> Provider:
    """Give the rules that the form of a history suggests: those of Anthropic for signed blocks, of OpenAI for items."""
    for message in messages:
        if message.get("type") == "reasoning" and "role" not in message:
            return PROVIDERS["openai"]
        content = message.get("content")
        parts = content if isinstance(content, list) else ()
        if any(isinstance(part, dict) and part.get("type") in ("thinking", "redacted_thinking") for part in parts):
            return PROVIDERS["anthropic"]
    return PLAIN


def asks(message: Message) -> bool:
    """Tell whether a user says something in a message, more than the results of tools."""
    if message.get("role") != "user":
        return False
    content = message.get("content")
    if not isinstance(content, list):
        return True
    return not content or any(not isinstance(part, dict) or part.get("type") != "tool_result" for part in content)
