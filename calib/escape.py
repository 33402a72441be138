"""Make text from a dump harmless, one function per sink. No report formats such text by itself."""

import json
import re
import unicodedata

INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
ORDER = re.compile(
    r"##\[|:(?=:(?:add-|remove-|save-|set-|stop-|internal-|debug|echo|endgroup|error|group|notice|warning))",
    re.IGNORECASE,
)
"""What a log of GitHub may take for an order; its last character is spelled out."""
ACTIVE = "=+-@＝＋－＠"


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    r"""Spell out every character that acts instead of showing: controls, formats, line breaks.

    The result is one line without escape sequences, fit for a terminal, a log, or a plot label. A log of GitHub takes
    `##[` anywhere, and `::error::` and its like where a line begins, for an order; these are spelled out too.

    >>> visible("a\x1b[31mb\nc\u202ed")
    'a\\x1b[31mb\\x0ac\\u202ed'
    >>> visible("::error::x ##[group] tests/a.py::test_b")
    '\\x3a:error::x ##\\x5bgroup] tests/a.py::test_b'
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(_spelled(c) if unicodedata.category(c) in INVISIBLE else c for c in text)
    return (
        ORDER.sub(lambda found: found[0][:-1] + _spelled(found[0][-1]), text) if "::" in text or "##[" in text else text
    )


def terminal(text: str, width: int = 0) -> str:
    """Show text on a terminal line, shortened in the middle to `width` characters when given.

    >>> terminal("task-0123456789-final", 11)
    'task-…final'
    """
    shown = visible(text)
    if not width or len(shown) <= width:
        return shown
    return shown[: width // 2] + "…" + shown[len(shown) - (width - 1 - width // 2) :]


def markdown(text: str, cell: bool = True) -> str:
    r"""Show text in Markdown: a code span in which nothing is live and, in a table's `cell`, no cell ends.

    >>> markdown("a|b `c` <img>"), markdown("a|b", cell=False)
    ('`a\\|b ˋcˋ <img>`', '`a|b`')
    """
    shown = visible(text).replace("`", "ˋ")
    shown = shown.replace("\\|", "\\ |").replace("|", "\\|") if cell else shown
    return f"`{shown.strip()}`" if shown.strip() else "` `"


def csv_cell(text: str) -> str:
    r"""Show text in a CSV cell that no spreadsheet takes for a formula.

    >>> csv_cell(" =1+1"), csv_cell("a\nb")
    ("' =1+1", 'a\\x0ab')
    """
    shown = visible(text)
    return "'" + shown if shown.strip()[:1] and shown.strip()[0] in ACTIVE else shown


def json_text(text: str) -> str:
    r"""Spell out in the text of a JSON document, by JSON's own escapes, what acts; its values stay what they were.

    A lone surrogate, which no JSON holds, becomes U+FFFD.

    >>> json_text('{"id": "a\x9b\u202e ##[error] ü"}')
    '{"id": "a\\u009b\\u202e ##\\u005berror] ü"}'
    """
    shown = re.sub(r"[^\n -~]", lambda found: _json_spelled(found[0]), text)
    return shown.replace("##[", "##\\u005b")


def _json_spelled(character: str) -> str:
    category = unicodedata.category(character)
    return "\\ufffd" if category == "Cs" else json.dumps(character)[1:-1] if category in INVISIBLE else character


def label(text: str, width: int = 40) -> str:
    """Show text as a plot label: one line, shortened, never hidden by a leading underscore.

    >>> label("_secret")
    ' _secret'
    """
    shown = terminal(text, width)
    return " " + shown if shown.startswith("_") else shown
