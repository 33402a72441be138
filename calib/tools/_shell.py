"""A command line to its simple commands: every part of its lists, pipelines, groups and substitutions.

The grammar is read flat: keywords such as `if` and `do` stand where a command could and are gone over, so that
what is left are the simple commands, each with its words, whether its output goes to a file, and the text of
its here-documents. Time is linear in the text; nothing is run.
"""

import re
from dataclasses import dataclass, field

from calib.tools._scan import Here, Scanner, UnreadableError

OPENERS = frozenset(("if", "then", "elif", "else", "while", "until", "do", "!", "{", "coproc"))
CLOSERS = frozenset(("fi", "done", "esac", "}"))
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[[^\]\n]{0,200}\])?\+?=")
SINKS = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "nul", "$null"))
"""Where output leaves no file behind."""
SIMPLE = re.compile(r"(?:[ \t]+[^\s\"'\\$`|&;()<>#]+)+(?=[ \t\n;|&]|$)")
"""Words without any mark in them, after the first."""
EMPTY_BRACKETS = re.compile(r"[ \t]*\([ \t]*\)")


@dataclass
class Command:
    """One simple command; `words` are empty where only a redirection stands, as after `done`."""

    words: list[str] = field(default_factory=list)
    to_file: bool = False
    here: list[str] = field(default_factory=list)
    over: bool = False
    """A closed group, or a part in which words name no program."""


@dataclass
class Script:
    """What a text holds: its commands, the functions that it defines, and whether it was read to its end."""

    commands: list[Command] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    whole: bool = True


def read(text: str, depth: int = 0) -> Script:
    """Read a command line; where it can not be understood, what stands before is kept.

    >>> [command.words for command in read("cd src && FOO=1 grep -n 'a b' *.py | head -3").commands]
    [['cd', 'src'], ['grep', '-n', 'a b', '*.py'], ['head', '-3']]
    >>> read("echo 'never closed").whole
    False
    """
    script = Script()
    try:
        _Reader(script, text, depth).read(closing=False)
    except UnreadableError:
        script.whole = False
    return script


class _Reader:
    def __init__(self, script: Script, text: str, depth: int, at: int = 0) -> None:
        self.script = script
        self.scanner = Scanner(text, depth, self._nested, at)
        self.command = Command()
        self.cases = 0

    def _nested(self, text: str, at: int | None, depth: int) -> int:
        inner = _Reader(self.script, text, depth, at or 0)
        inner.read(closing=at is not None)
        return inner.scanner.at

    def read(self, closing: bool) -> None:
        """Read commands to the end of the text, or over the parenthesis that closes them."""
        scanner = self.scanner
        while True:
            if self.command.words and (found := SIMPLE.match(scanner.text, scanner.at)):
                self.command.words += found[0].split()
                scanner.at = found.end()
            scanner.blank()
            if scanner.at >= len(scanner.text):
                if closing:
                    raise UnreadableError
                scanner.documents()
                return self._flush()
            operator = scanner.operator()
            if operator == ")":
                if closing:
                    return self._flush()
                raise UnreadableError
            if operator:
                self._operator(operator)
            else:
                self._word()

    def _flush(self) -> None:
        command, self.command = self.command, Command()
        if command.words or command.to_file or command.here:
            self.script.commands.append(command)

    def _operator(self, operator: str) -> None:
        if operator[-1] in "<>-" or operator in (">&", "<&", ">|", "&>>"):
            self._redirection(operator)
        elif operator == "(":
            self._group()
        else:
            self._flush()
            if operator == "\n":
                self.scanner.documents()
            elif operator in (";;", ";&", ";;&"):
                self._pattern()

    def _group(self) -> None:
        scanner = self.scanner
        if self.command.words or self.command.over:
            raise UnreadableError
        if scanner.text.startswith("(", scanner.at):
            scanner.at += 1
            scanner.arithmetic()
            self.command.words.append("test")
        else:
            scanner.at = self._nested(scanner.text, scanner.at, scanner.depth + 1)
        self.command.over = True

    def _redirection(self, operator: str) -> None:
        scanner = self.scanner
        scanner.blank()
        start = scanner.at
        target, bare = scanner.word()
        if start == scanner.at:
            raise UnreadableError
        if operator in ("<<", "<<-"):
            scanner.waiting.append(Here(self.command.here, target, operator == "<<-", not bare))
        elif operator in (">&", "&>", ">", ">>", ">|", "&>>", "<>"):
            raw = scanner.text[start : scanner.at].lower()
            copied = operator == ">&" and (target.isdigit() or target == "-")
            if not (copied or raw in SINKS or target in SINKS or target.startswith("/dev/fd/")):
                self.command.to_file = True

    def _word(self) -> None:
        scanner, command = self.scanner, self.command
        start = scanner.at
        word, bare = scanner.word()
        if start == scanner.at:
            raise UnreadableError
        if bare and word.isdigit() and scanner.text[scanner.at : scanner.at + 1] in ("<", ">"):
            return  # the number of the stream that is redirected
        if command.over and bare and word in OPENERS | CLOSERS:  # `while (…) do`, `fi done`
            self._flush()
            command = self.command
        if command.words:
            command.words.append(word)
            if bare and word.endswith("=") and scanner.text.startswith("(", scanner.at):  # declare -a x=(…)
                scanner.at += 1
                self._array()
        elif not command.over and not (bare and self._keyword(word)):
            self._first(word, start)

    def _first(self, word: str, start: int) -> None:
        """Take the word where a program's name is due: an assignment, a function's name, or the program."""
        scanner = self.scanner
        if ASSIGNMENT.match(scanner.text, start):
            if word.endswith("=") and scanner.text.startswith("(", scanner.at):
                scanner.at += 1
                self._array()
        elif found := EMPTY_BRACKETS.match(scanner.text, scanner.at):
            self.script.functions.add(word)
            scanner.at = found.end()
        else:
            self.command.words.append(word)

    def _array(self) -> None:
        scanner = self.scanner
        while True:
            scanner.blank()
            operator = scanner.operator()
            if operator == ")":
                return
            if operator not in ("", "\n") or (not operator and scanner.word() == ("", True)):
                raise UnreadableError

    def _keyword(self, word: str) -> bool:
        """Go over a keyword, and over what belongs to it and is no command."""
        if word in CLOSERS:
            self.cases -= word == "esac"
            self.command.over = True
        elif word in ("for", "select"):
            scanner = self.scanner
            scanner.blank()
            if scanner.text.startswith("((", scanner.at):
                scanner.at += 2
                scanner.arithmetic()
            self.command.over = True
        elif word == "case":
            self._case()
        elif word == "function":
            self.scanner.blank()
            self.script.functions.add(self.scanner.word()[0])
            if found := EMPTY_BRACKETS.match(self.scanner.text, self.scanner.at):
                self.scanner.at = found.end()
        elif word == "[[":
            self._condition()
        else:
            return word in OPENERS
        return True

    def _condition(self) -> None:
        """Go over `[[ … ]]`, in which `<` and `&&` mean something else."""
        scanner = self.scanner
        self.command.words.append("test")
        while scanner.at < len(scanner.text):
            scanner.blank()
            if not scanner.operator():
                start = scanner.at
                if scanner.word() == ("]]", True):
                    return
                if start == scanner.at:
                    break
        raise UnreadableError

    def _case(self) -> None:
        scanner = self.scanner
        scanner.blank()
        scanner.word()
        self._lines()
        if scanner.word() != ("in", True):
            raise UnreadableError
        self.cases += 1
        self._pattern()

    def _lines(self) -> None:
        self.scanner.blank()
        while self.scanner.text.startswith("\n", self.scanner.at):
            self.scanner.at += 1
            self.scanner.blank()

    def _pattern(self) -> None:
        """Go over the pattern of a case, to the commands that it guards, or stop before `esac`."""
        scanner = self.scanner
        if self.cases <= 0:
            raise UnreadableError
        self._lines()
        if scanner.text.startswith("esac", scanner.at):
            return
        scanner.at += scanner.text.startswith("(", scanner.at)
        while True:
            scanner.blank()
            operator = scanner.operator()
            if operator == ")":
                return
            if operator not in ("", "|") or (not operator and scanner.word() == ("", True)):
                raise UnreadableError
