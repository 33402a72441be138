"""A call to what it does: the tool's normalised name, or what its command line or sub-command says."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from calib.tools._commands import actions, actions_of_words
from calib.tools._family import parts, shells, vocabulary
from calib.tools._programs import SHELL, UNKNOWN

PREFIX = re.compile(r"(functions?|default_api|tools?)[./:]")
LONGEST_NAME = 80
COMMANDS = ("command", "cmd", "commandline", "commands", "argv")
"""Arguments in which a shell tool has its command line; the first that is there is taken."""
SCRIPTS = ("script", "input", "code", "keystrokes")
"""The same, but in tools that may run something else than a shell these hold something else."""
DOUBTFUL = frozenset(("execute", "exec", "run", "command", "terminal"))
"""Names that are a shell's only when they have a command."""
EDIT = re.compile(r"(edit [0-9:]+)\n.*\nend_of_edit\s*$|(edit|insert|append) .*", re.DOTALL)
"""Actions typed as text whose following lines are text for a file."""
LONGEST = 200_000
"""Longest command line that is read."""
REMEMBERED = 4_000
"""Longest command line whose actions are remembered."""

_decode = msgspec.json.Decoder().decode
Arguments = str | Mapping[str, Any] | Sequence[Any] | None


@lru_cache(maxsize=4096)
def tool_name(tool: str) -> str:
    """Give the normalised name: no `functions.` before it, letters in lower case, no colon, at most 80 characters.

    The name of a tool server stays, as in `mcp__fs__read_file`.

    >>> tool_name("functions.Read"), tool_name("mcp__FS__read_file"), tool_name("a:b"), tool_name(" ")
    ('read', 'mcp__fs__read_file', 'a.b', '?')
    """
    name = " ".join(tool.lower().split())
    if found := PREFIX.match(name):
        name = name[found.end() :]
    return name.replace(":", ".")[:LONGEST_NAME] or UNKNOWN


@lru_cache(maxsize=4096)
def bare_name(name: str) -> str:
    """Give a normalised name without the name of its server.

    >>> bare_name("mcp__fs__read_file"), bare_name("browser.open"), bare_name("_fetch_pr"), bare_name("bash:git log")
    ('read_file', 'open', 'fetch_pr', 'bash:git log')
    """
    tool, colon, part = name.partition(":")
    if tool + colon == SHELL:
        return name
    return re.split(r"__|[./]", tool.rstrip("_./"))[-1].lstrip("_") + colon + part or name


def actions_of(tool: str | None, arguments: Arguments = None) -> tuple[str, ...]:
    """Give what a call does, as short names that hold none of its text; never none.

    A named tool is its normalised name. A shell tool is one name for each program of its command line, each
    beginning with `bash:`, whatever the tool is called. A tool with sub-commands is `tool:sub-command`.

    >>> actions_of("Read", '{"file_path": "x"}'), actions_of("functions.exec_command", '{"cmd": "ls | wc -l"}')
    (('read',), ('bash:ls', 'bash:wc'))
    >>> actions_of("str_replace_editor", {"command": "view"}), actions_of("shell", {"command": ["sh", "-c", "cat x"]})
    (('str_replace_editor:view',), ('bash:cat',))
    >>> actions_of(None), actions_of("bash", "sed -i s/a/b/ x"), actions_of("write_stdin", '{"chars": ""}')
    (('?',), ('bash:sed -i',), ('write_stdin:poll',))
    """
    if plain := _plain(tool):
        return plain
    name = tool_name(tool) if tool else UNKNOWN
    bare = bare_name(name)
    if bare in shells():
        return _shell(name, bare, arguments)
    if bare == "write_stdin":
        written = _value(arguments, ("chars",))  # nothing is written where it is left out
        polls = written == "" or (written is None and _value(arguments, ("session_id",)) is not None)
        return ("write_stdin:poll",) if polls else (name,)
    return (_part(name, bare, _value(arguments, tuple(parts()[bare].split()))),)


@lru_cache(maxsize=4096)
def _plain(tool: str | None) -> tuple[str, ...]:
    """Give the action of a tool whose arguments do not matter; empty for one whose do."""
    name = tool_name(tool) if tool else UNKNOWN
    bare = bare_name(name)
    return () if bare in shells() or bare == "write_stdin" or bare in parts() else (name,)


@lru_cache(maxsize=4096)
def by_arguments(tool: str) -> bool:
    """Tell whether what a call does is written in its arguments; else the tool's name says it.

    >>> by_arguments("bash"), by_arguments("str_replace_editor"), by_arguments("read_file")
    (True, True, False)
    """
    bare = bare_name(tool_name(tool))
    return bare in shells() or bare in parts() or bare == "write_stdin"


def _part(name: str, bare: str, part: Any) -> str:
    if isinstance(part, str):
        return f"{name}:{part}" if f"{bare}:{part}" in vocabulary() else f"{name}:{UNKNOWN}"
    return name if bare in vocabulary() else f"{name}:{UNKNOWN}"


def _decoded(text: str) -> Any:
    try:
        return _decode(text)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _value(arguments: Arguments, keys: tuple[str, ...]) -> Any:
    """Give the first of the named arguments that is there."""
    decoded = _decoded(arguments) if isinstance(arguments, str) else arguments
    if isinstance(decoded, Mapping):
        folded = decoded if any(key in decoded for key in keys) else {str(k).lower(): v for k, v in decoded.items()}
        for key in keys:
            if folded.get(key) is not None:
                return folded[key]
    return None


def _shell(name: str, bare: str, arguments: Arguments) -> tuple[str, ...]:
    """Find the command line in the arguments of a shell tool and say what it does."""
    decoded = _decoded(arguments) if isinstance(arguments, str) else arguments
    if isinstance(decoded, Mapping):
        return _shell_of(name, bare, decoded)
    if isinstance(arguments, str) and not isinstance(decoded, str | list):
        decoded = arguments  # a command that happens to be JSON, such as `true`
    if decoded is arguments and isinstance(decoded, str) and decoded.lstrip()[:2] in ('{"', '["'):
        return (SHELL + UNKNOWN,)  # JSON that was cut off is no command line
    return _command(decoded)


def _shell_of(name: str, bare: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    keys = COMMANDS if bare in DOUBTFUL else COMMANDS + SCRIPTS
    action = arguments.get("action")
    command = _value(action if isinstance(action, Mapping) else arguments, keys)
    if str(arguments.get("is_input", "")).lower() == "true":
        return (SHELL + "<",)
    if command is not None:
        return _command(command)
    if arguments.get("restart") is True or action in ("read", "restart", "interrupt"):
        return (SHELL + "#",)
    return (name,) if arguments and bare in DOUBTFUL else (SHELL + UNKNOWN,)


def _command(command: Any) -> tuple[str, ...]:
    if isinstance(command, str):
        return command_line(command)
    return _words(command) if isinstance(command, list | tuple) else (SHELL + UNKNOWN,)


def _words(command: Sequence[Any]) -> tuple[str, ...]:
    if not all(isinstance(word, str) for word in command):
        return (SHELL + UNKNOWN,)
    if len(command) == 1:
        return command_line(command[0])
    return actions_of_words(command)


def command_line(text: str) -> tuple[str, ...]:
    """Say what a command line does."""
    if len(text) > REMEMBERED:
        return _command_line(text) if len(text) <= LONGEST else (SHELL + UNKNOWN,)
    return _remembered(text)


def _command_line(text: str) -> tuple[str, ...]:
    if text.startswith(("edit ", "insert ", "append ")) and (found := EDIT.fullmatch(text.strip())):
        return (SHELL + (found[1] or found[2]).partition(" ")[0],)
    return actions(text)


_remembered = lru_cache(maxsize=16384)(_command_line)
