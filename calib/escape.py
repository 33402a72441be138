"""Make text from a dump harmless, one function per sink. No report formats such text by itself."""

import unicodedata

INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
ACTIVE = "=+-@＝＋－＠"


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    r"""Spell out every character that acts instead of showing: controls, formats, line breaks.

    The result is one line without escape sequences, fit for a terminal, a log, or a plot label.

    >>> visible("a\x1b[31mb\nc\u202ed")
    'a\\x1b[31mb\\x0ac\\u202ed'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spelled(c) if unicodedata.category(c) in INVISIBLE else c for c in text)


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


def github(text: str) -> str:
    """Show text on a line of a GitHub log, where `::command::` and `##[command]` are orders.

    >>> github("::error::x ##[group]")
    ' :\u200b:error:\u200b:x #\u200b#[group]'
    """
    shown = visible(text).replace("::", ":\u200b:").replace("##[", "#\u200b#[")
    return " " + shown if shown.startswith(":") else shown


def csv_cell(text: str) -> str:
    r"""Show text in a CSV cell that no spreadsheet takes for a formula.

    >>> csv_cell(" =1+1"), csv_cell("a\nb")
    ("' =1+1", 'a\\x0ab')
    """
    shown = visible(text)
    return "'" + shown if shown.strip()[:1] and shown.strip()[0] in ACTIVE else shown


def label(text: str, width: int = 40) -> str:
    """Show text as a plot label: one line, shortened, never hidden by a leading underscore.

    >>> label("_secret")
    ' _secret'
    """
    shown = terminal(text, width)
    return " " + shown if shown.startswith("_") else shown
