"""The grammar of --where: a small one of its own, parsed and printed the same, never evaluated code.

::

    WHERE   = ALL [or ALL]…            and binds tighter than or; there are no parentheses
    ALL     = TERM [and TERM]…
    TERM    = COLUMN OP VALUE
    OP      = = | != | < | <= | > | >= | ~      ~ asks whether the text contains VALUE
    COLUMN  = a column of the episodes table, else a key of the episode's metadata (`metadata.KEY` says which)
    VALUE   = a bare word or number, a text in single or double quotes, or (none)

Two numbers are compared as numbers, anything else as text in order of its characters; a number recorded
as text is text. What is not recorded matches `= (none)` and nothing else; `!= (none)` matches the rest.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Literal, cast

from calib.errors import UsageError
from calib.escape import visible

Op = Literal["=", "!=", "<=", ">=", "<", ">", "~"]
Value = int | float | str | None

OPS: dict[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<=": le, ">=": ge, "<": lt, ">": gt}
NONE = "(none)"
MOST_CHARACTERS = 1_000
MOST_TERMS = 64

_TOKEN = re.compile(
    r"""\s*(?: (?P<none>\(none\)) | (?P<op>!=|<=|>=|[=<>~]) | (?P<word>[^\s"'()=!<>~\\]+)
        | "(?P<double>(?:[^"\\]|\\["\\])*)" | '(?P<single>(?:[^'\\]|\\['\\])*)' )""",
    re.VERBOSE,
)
_WORD = re.compile(r"""[^\s"'()=!<>~\\]+""")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def _quoted(text: str) -> str:
    """Spell a text as one token: bare when it can be."""
    if _WORD.fullmatch(text) and text not in ("and", "or"):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@dataclass(frozen=True)
class Term:
    """One comparison; the value None stands for `(none)`."""

    column: str
    op: Op
    value: str | None

    def __str__(self) -> str:
        return f"{_quoted(self.column)} {self.op} {NONE if self.value is None else _quoted(self.value)}"

    def matches(self, found: Value) -> bool:
        """Tell whether a recorded value satisfies the comparison.

        >>> Term("n_turns", "<", "9").matches(8), Term("n_turns", "<", "9").matches(None)
        (True, False)
        """
        if self.value is None:
            return (found is None) == (self.op == "=")
        if found is None:
            return False
        if self.op == "~":
            return self.value in str(found)
        number = None if isinstance(found, str) else as_number(self.value)
        if number is None:
            return OPS[self.op](str(found), self.value)
        return OPS[self.op](found, number)


@dataclass(frozen=True)
class Where:
    """Alternatives, each a list of comparisons that must all hold."""

    alternatives: tuple[tuple[Term, ...], ...]

    def __str__(self) -> str:
        return " or ".join(" and ".join(map(str, terms)) for terms in self.alternatives)


def as_number(text: str) -> int | float | None:
    """Read a number as JSON spells it; None for any other text.

    >>> as_number("12"), as_number("1e3"), as_number("012"), as_number("nan")
    (12, 1000.0, None, None)
    """
    found = _NUMBER.fullmatch(text)
    if not found or len(text) > MOST_CHARACTERS:
        return None
    return float(text) if found[1] or found[2] else int(text)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    at: int


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if not found:
            raise _wrong(text, at, "a word, an operator or a quoted text (parentheses and \\ only in quotes)")
        kind = cast(str, found.lastgroup)
        body = found[kind]
        if kind in ("double", "single"):
            body = re.sub(r"\\(.)", r"\1", body)
            kind = "quoted"
        yield _Token(kind, body, found.end() - len(found[0].lstrip()))
        at = found.end()


def _wrong(text: str, at: int, expected: str) -> UsageError:
    rest = visible(text[at : at + 24].strip())
    return UsageError(f"--where: expected {expected} at character {at + 1}, found {rest or 'the end'}")


def parse_where(text: str) -> Where:
    """Read a selection.

    >>> str(parse_where("arm != always_strip and n_turns>=8 or task = 'fix it'"))
    'arm != always_strip and n_turns >= 8 or task = "fix it"'

    Raises UsageError for anything else, for over 1,000 characters and for over 64 terms.
    """
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"--where: expected at most {MOST_CHARACTERS:,} characters, found {len(text):,}")
    tokens = list(_tokens(text))
    alternatives: list[list[Term]] = [[]]
    for start in range(0, max(len(tokens), 1), 4):
        alternatives[-1].append(_term(text, tokens[start : start + 3]))
        joint = tokens[start + 3 : start + 4]
        if not joint:
            continue
        if joint[0].kind != "word" or joint[0].text not in ("and", "or"):
            raise _wrong(text, joint[0].at, "`and`, `or` or the end (quote a value that has spaces)")
        if start + 4 == len(tokens):
            raise _wrong(text, len(text), "COLUMN OP VALUE")
        if joint[0].text == "or":
            alternatives.append([])
    if sum(map(len, alternatives)) > MOST_TERMS:
        raise UsageError(f"--where: expected at most {MOST_TERMS} terms, found {sum(map(len, alternatives))}")
    return Where(tuple(tuple(terms) for terms in alternatives))


def _term(text: str, tokens: Sequence[_Token]) -> Term:
    wanted = (
        ("a column", ("word", "quoted")),
        ("one of = != < <= > >= ~", ("op",)),
        ("a value", ("word", "quoted", "none")),
    )
    for (expected, kinds), token in zip(wanted, [*tokens, *[None] * 3], strict=False):
        if token is None:
            raise _wrong(text, len(text), expected)
        if token.kind not in kinds or (token.kind == "word" and token.text in ("and", "or")):
            raise _wrong(text, token.at, expected)
    column, op, value = tokens
    if value.kind == "none" and op.text not in ("=", "!="):
        raise _wrong(text, value.at, f"a value to compare with {op.text}")
    return Term(column.text, cast(Op, op.text), None if value.kind == "none" else value.text)
