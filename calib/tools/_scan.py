"""The marks of a shell text one after another: words without their quotes, operators, here-documents.

Nothing is expanded or run. What only a shell could know (a variable, the output of a command) becomes `HOLE` in
the word. Commands inside `$(…)`, backticks and `<(…)` are read by the `nested` function that the reader is given.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

HOLE = "\0"
"""Stands in a word for what is not known before it runs."""
DEEPEST = 25
"""Most constructs inside each other."""

PLAIN = re.compile(r"[^\s\"'\\$`|&;()<>]+")
BLANK = re.compile(r"(?:[ \t\r\f\v]|\\\r?\n)+")
OPERATOR = re.compile(r"&&|&>>|&>|&|\|\||\|&|\||;;&|;;|;&|;|\n|\(|\)|<<<|<<-|<<|<>|<&|<|>>|>\||>&|>")
IN_DOUBLE = re.compile(r"[^\"\\$`]+")
IN_BRACES = re.compile(r"[^}\"'\\$`]+")
IN_ARITHMETIC = re.compile(r"[^()\"'\\$`]+")
NAME = re.compile(r"\w+|[?$!#@*-]")
ANSI = re.compile(r"'[^'\\]*(?:\\.[^'\\]*)*'", re.DOTALL)
BACKTICKS = re.compile(r"`([^`\\]*(?:\\.[^`\\]*)*)`", re.DOTALL)


class UnreadableError(Exception):
    """The text is no shell text, ends inside a quote, or nests too deep."""


class Here(NamedTuple):
    """A here-document that was announced: where its text goes, its last line, and how it is written."""

    into: list[str]
    last: str
    tabs: bool
    literal: bool


class Scanner:
    """A place in a text. `nested(text, at, depth)` reads commands up to a closing parenthesis or, with `at`
    None, the whole text; it gives the place after them."""

    def __init__(self, text: str, depth: int, nested: Callable[[str, int | None, int], int], at: int = 0) -> None:
        if depth > DEEPEST:
            raise UnreadableError
        self.text, self.at, self.depth, self.nested = text, at, depth, nested
        self.waiting: list[Here] = []

    def blank(self) -> None:
        """Go over blanks and a comment."""
        if found := BLANK.match(self.text, self.at):
            self.at = found.end()
        if self.text.startswith("#", self.at):
            line = self.text.find("\n", self.at)
            self.at = len(self.text) if line < 0 else line

    def operator(self) -> str:
        """Give the operator that stands here and go over it; empty when there is none."""
        if self.text.startswith(("<(", ">("), self.at):
            return ""
        found = OPERATOR.match(self.text, self.at)
        if not found:
            return ""
        self.at = found.end()
        return found[0]

    def word(self) -> tuple[str, bool]:
        """Give the word that stands here, maybe empty, and whether no part of it was quoted."""
        text, parts, bare = self.text, [], True
        while self.at < len(text):
            if found := PLAIN.match(text, self.at):
                parts.append(found[0])
                self.at = found.end()
                continue
            character = text[self.at]
            if character in "'\"\\":
                bare = False
                parts.append(self._quoted(character))
            elif character in "$`":
                parts.append(self._expanded())
            elif character in "<>" and not parts and text.startswith("(", self.at + 1):
                self.at = self.nested(text, self.at + 2, self.depth + 1)
                parts.append(HOLE)
            elif character == "(" and parts and parts[-1][-1:] in tuple("?*+@!"):
                self.at = self._after(")")
                parts.append("*")
            else:
                break
        return "".join(parts), bare

    def _after(self, mark: str) -> int:
        found = self.text.find(mark, self.at + 1)
        if found < 0:
            raise UnreadableError
        return found + 1

    def _quoted(self, character: str) -> str:
        start = self.at + 1
        if character == "'":
            self.at = self._after("'")
            return self.text[start : self.at - 1]
        if character == '"':
            self.at = start
            return self.expansions('"')
        self.at = min(start + 1, len(self.text))
        kept = self.text[start : self.at]
        return "" if kept in ("\n", "\r") else kept

    def expansions(self, last: str) -> str:
        """Read as inside double quotes, up to the mark `last`, or to the end of the text when it is empty."""
        text, parts = self.text, []
        while self.at < len(text):
            if found := IN_DOUBLE.match(text, self.at):
                parts.append(found[0])
                self.at = found.end()
                continue
            character = text[self.at]
            if character in "$`":
                parts.append(self._expanded(quoted=True))
                continue
            self.at += 1
            if character == last:
                return "".join(parts)
            if character == "\\":
                following = text[self.at : self.at + 1]
                parts.append("" if following == "\n" else following if following in '"\\$`' else "\\" + following)
                self.at += 1
            else:
                parts.append(character)
        if last:
            raise UnreadableError
        return "".join(parts)

    def _expanded(self, quoted: bool = False) -> str:
        """Go over what begins with a dollar or a backtick."""
        text, start = self.text, self.at
        if text[start] == "`":
            self._backticks()
        elif text.startswith("$((", start):
            self.at += 3
            self.arithmetic()
        elif text.startswith("$(", start):
            self.at = self.nested(text, start + 2, self.depth + 1)
        elif text.startswith("${", start):
            self.at += 2
            self._braces(quoted)
        elif found := NAME.match(text, start + 1):
            self.at = found.end()
        elif not quoted and (found := ANSI.match(text, start + 1)):
            self.at = found.end()
            return found[0][1:-1]
        else:
            self.at += 1
            return "" if not quoted and text.startswith('"', self.at) else "$"
        return HOLE

    def _backticks(self) -> None:
        found = BACKTICKS.match(self.text, self.at)
        if not found:
            raise UnreadableError
        self.nested(re.sub(r"\\([`$\\])", r"\1", found[1]), None, self.depth + 1)
        self.at = found.end()

    def _inside(self, plain: re.Pattern[str], quoted: bool) -> str:
        """Go over plain text, quotes and expansions inside a construct; give the mark that stands after them."""
        text = self.text
        while self.at < len(text):
            if found := plain.match(text, self.at):
                self.at = found.end()
                continue
            character = text[self.at]
            if character in "$`":
                self._expanded(quoted)
            elif character in '"\\' or (character == "'" and not quoted):
                self._quoted(character)
            else:
                self.at += 1
                if character != "'":
                    return character
        raise UnreadableError

    def _braces(self, quoted: bool) -> None:
        self._deeper(1)
        self._inside(IN_BRACES, quoted)
        self._deeper(-1)

    def arithmetic(self) -> None:
        """Go over the rest of `((…))`."""
        self._deeper(1)
        level = 2
        while level:
            level += 1 if self._inside(IN_ARITHMETIC, True) == "(" else -1
            if level == 1 and not self.text.startswith(")", self.at):
                raise UnreadableError  # two subshells that happen to begin together
        self._deeper(-1)

    def _deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > DEEPEST:
            raise UnreadableError

    def documents(self) -> None:
        """Read the here-documents that were announced on the line that has just ended."""
        waiting, self.waiting = self.waiting, []
        for here in waiting:
            tabs = "\t*" if here.tabs else ""
            found = re.compile(f"^{tabs}{re.escape(here.last)}\r?$", re.MULTILINE).search(self.text, self.at)
            body = self.text[self.at : found.start() if found else len(self.text)]
            self.at = min(found.end() + 1, len(self.text)) if found else len(self.text)
            if not here.literal:
                Scanner(body, self.depth + 1, self.nested).expansions("")
            here.into.append(body)
