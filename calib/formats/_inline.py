"""Reasoning that stands inside the visible text, between tags such as `<think>`.

The rule: a text that begins with an opening tag is reasoning up to its closing tag, several such blocks one after
the other are joined, and without a closing tag all the rest is reasoning (it was cut). A text with no opening tag at
its beginning is reasoning up to the first closing tag that stands on a line of its own (the template wrote the opening
one). Tags anywhere else are text. When reasoning is recorded in a field of its own the text stays as it is.
"""

import re

from calib.formats._decode import Notices

NAMES = r"(think|thinking|thought|reasoning|REASONING_SCRATCHPAD)"
OPEN = re.compile(rf"\s*<{NAMES}>")
CLOSE = re.compile(rf"</{NAMES}>")
TAGGED = re.compile(rf"</?{NAMES}>")
CLOSE_ALONE = re.compile(rf"(?:^|\n)[ \t]*</{NAMES}>[ \t]*(?=\r?\n|$)")

Split = tuple[str | None, str, str, str | None]
"""reasoning, state, kind, text."""


def split_inline(text: str, reasoning: str | None, state: str, notices: Notices) -> Split:
    """Take reasoning out of a text; gives reasoning, state, kind and the text that is left.

    >>> from collections import Counter
    >>> split_inline("<think>\\nPlan.\\n</think>\\n\\nAnswer.", None, "absent", Counter())
    ('\\nPlan.\\n', 'recorded', 'inline', '\\n\\nAnswer.')
    >>> split_inline("as in <think>a</think>.", None, "absent", Counter())
    (None, 'absent', 'native', 'as in <think>a</think>.')
    """
    opened = OPEN.match(text)
    if opened is None:
        return _closed_only(text, reasoning, state, notices)
    if state == "recorded":
        notices["reasoning-conflict"] += 1
        return reasoning, state, "native", text
    blocks, at = [], 0
    while opened := OPEN.match(text, at):
        tag = f"</{opened[1]}>"
        closed = text.find(tag, opened.end())
        if closed < 0:
            notices["think-unclosed"] += 1
            blocks.append(text[opened.end() :])
            at = len(text)
            break
        blocks.append(text[opened.end() : closed])
        at = closed + len(tag)
    if CLOSE.search(text, at):
        notices["think-tags-unbalanced"] += 1
    rest = text[at:]
    found = "\n\n".join(blocks) if len(blocks) > 1 else blocks[0]
    return found, "recorded" if found.strip() else "empty", "inline", rest


def _closed_only(text: str, reasoning: str | None, state: str, notices: Notices) -> Split:
    closed = CLOSE_ALONE.search(text) if "</" in text else None
    if closed is None:
        return reasoning, state, "native", text
    if state == "recorded":
        notices["reasoning-conflict"] += 1
        return reasoning, state, "native", text
    found, rest = text[: closed.start()], text[closed.end() :]
    several = CLOSE.search(rest) is not None
    notices["think-tags-unbalanced" if several else "think-open-missing"] += 1
    return found, "recorded" if found.strip() else "empty", "inline", rest
