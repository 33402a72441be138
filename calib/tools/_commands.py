"""A simple command to actions: through `sudo`, `env`, `xargs`, `find -exec`, `bash -c` to the program that acts."""

import re
from collections.abc import Callable, Sequence

from calib.tools import _programs as programs
from calib.tools._forms import FORMS
from calib.tools._scan import HOLE
from calib.tools._shell import ASSIGNMENT, Command, Script, read

FEW = 32
"""Most actions of one call; what is left out of more is `bash:?`."""
LAYERS = 8
"""Most command lines inside each other, as in `bash -c 'bash -c …'`."""

SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "pwsh", "powershell", "cmd"))
WRAPPERS = {
    "sudo": "-u -g -h -p -C -r -t -U -D -R -T", "doas": "-u -C", "env": "-u -C --unset --chdir", "time": "-f -o",
    "timeout": "-s -k --signal --kill-after", "gtimeout": "-s -k", "nice": "-n", "ionice": "-c -n -p",
    "nohup": "", "stdbuf": "-i -o -e", "setsid": "", "exec": "-a", "command": "", "builtin": "", "unbuffer": "",
    "xargs": "-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file", "watch": "-n -d --interval",
    "npx": "-p --package", "bunx": "", "pnpx": "", "uvx": "--from --with -p --python", "noglob": "", "chronic": "",
    "taskset": "-c", "rtk": "", "winpty": "", "busybox": "", "toybox": "",
}  # fmt: skip
"""Programs that run the rest of their words, with the options that take a value."""
RUNNERS = {
    "uv run": "--with --python -p --extra --group --env-file --project --directory --package", "poetry run": "",
    "pipenv run": "", "pdm run": "", "hatch run": "", "rye run": "", "bundle exec": "", "npm exec": "-p --package",
    "pnpm exec": "", "pnpm dlx": "", "yarn exec": "", "yarn dlx": "", "conda run": "-n --name -p --prefix",
    "mamba run": "-n -p", "micromamba run": "-n -p", "dotenv run": "-f", "mise exec": "", "bun x": "",
    "docker exec": "-e -u -w --env --user --workdir --env-file", "podman exec": "-e -u -w --env --user --workdir",
}  # fmt: skip
"""The same for a program and its first word."""
OPERANDS = {"timeout": 1, "gtimeout": 1, "taskset": 1, "docker exec": 1, "podman exec": 1}
"""Words before the program that are no option."""
REMOTE = frozenset(("-i", "-p", "-o", "-l", "-F", "-J", "-L", "-R", "-D", "-E", "-b", "-c", "-m"))
"""Options of ssh that take a value."""
MARKS = {"rtk": frozenset(("test", "lint", "err", "proxy", "summary", "log"))}
"""Words that a wrapper may have before the program."""
SETTING = re.compile(r"[-+][a-z]*[oO]")
"""Options of a shell that take the next word."""
INNER = {
    "find": frozenset(("-exec", "-execdir", "-ok", "-okdir")),
    "fd": frozenset(("-x", "-X", "--exec", "--exec-batch")),
}
"""Options after which the words of another command stand, up to `;` or `+`."""
FED = frozenset(("tee", "patch", "ed", "ex", "dd", "sponge", "git apply", "git am", "crontab", "apply_patch"))
"""Programs that write what they are fed."""


def actions(text: str) -> tuple[str, ...]:
    """Give what a command line does: each program once, in the order in which it is read.

    >>> actions("cd src && sudo grep -rn x . 2>/dev/null | head -3")
    ('bash:cd', 'bash:grep', 'bash:head')
    >>> actions("cat > notes <<'EOF'"), actions("echo 'open"), actions("# nothing")
    (('bash:cat', 'bash:>', 'bash:<<'), ('bash:?',), ('bash:#',))
    """
    found = _Actions()
    found.text(text)
    return found.given() or (programs.SHELL + "#",)


def actions_of_words(words: Sequence[str]) -> tuple[str, ...]:
    """Give what a command given as a list of words does."""
    found = _Actions()
    found.command(Command([word.replace(HOLE, "?") for word in words]))
    return found.given() or (programs.SHELL + "#",)


class _Actions:
    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.functions: set[str] = set()
        self.layer = 0

    def given(self) -> tuple[str, ...]:
        names = list(self.names)
        if len(names) > FEW:
            names = [*names[: FEW - 1], programs.UNKNOWN]
        return tuple(programs.SHELL + name for name in names)

    def add(self, *names: str) -> None:
        if len(self.names) <= FEW:
            self.names.update(dict.fromkeys(names))

    def text(self, text: str) -> None:
        """Add what a command line does."""
        script: Script = read(text)
        self.functions |= script.functions
        for command in script.commands:
            self.command(command)
        if not script.whole:
            self.add(programs.UNKNOWN)

    def inner(self, inner: Sequence[list[str]] | str) -> None:
        """Add what a command line, or commands, inside another command do."""
        if self.layer >= LAYERS:
            return self.add(programs.UNKNOWN)
        self.layer += 1
        if isinstance(inner, str):
            self.text(inner)
        else:
            for words in inner:
                self.words(words)
        self.layer -= 1
        return None

    def command(self, command: Command) -> None:
        fed = self.words(command.words, command.here) if command.words else False
        if command.to_file:
            self.add(">")
        if command.here and (command.to_file or fed):
            self.add("<<")

    def words(self, words: Sequence[str], here: Sequence[str] = ()) -> bool:
        """Add what a command does; tells whether it writes what it is fed."""
        for _ in range(LAYERS):
            if not words or words[0] in self.functions:
                return False
            word, *words = words
            name = programs.program(word)
            runner = f"{name} {words[0]}" if words else ""
            if runner in RUNNERS:
                words = self._inside(runner, RUNNERS[runner], words[1:])
            elif name in WRAPPERS:
                words = self._inside(name, WRAPPERS[name], words)
            else:
                return self._program(name, words, here)
        self.add(programs.UNKNOWN)
        return False

    def _inside(self, name: str, options: str, words: list[str]) -> list[str]:
        """Give the command that a wrapper runs; where it runs none, the wrapper is what acts."""
        if name == "command" and words and words[0] in ("-v", "-V"):
            self.add(f"command {words[0]}")
            return []
        inner = _unwrapped(words, frozenset(options.split()), OPERANDS.get(name, 0), MARKS.get(name, frozenset()))
        if inner and inner[0].rpartition("@")[0]:  # npx jest@29
            inner[0] = inner[0].rpartition("@")[0] if name in ("npx", "bunx", "pnpx", "uvx") else inner[0]
        if not inner and name not in ("time", "exec"):
            first, *rest = name.split(" ")
            self.add(*programs.spelled(first, [*rest, *words]))
        return inner

    def _program(self, name: str, words: list[str], here: Sequence[str]) -> bool:
        if name in SHELLS:
            self._shell(name, words, here)
        elif name == "eval":
            self.inner(" ".join(words))
        elif name == "ssh" and (remote := _unwrapped(words, REMOTE, 1, frozenset())):
            self.inner(" ".join(remote))
        else:
            words, inner = _executed(words, INNER[name]) if name in INNER else (words, [])
            form: Callable[[list[str]], list[str] | None] | None = FORMS.get(name)
            names = form(words) if form else None
            names = programs.spelled(name, words) if names is None else names
            self.add(*names)
            self.inner(inner)
            return not FED.isdisjoint(names)
        return False

    def _shell(self, name: str, words: list[str], here: Sequence[str]) -> None:
        """Take a shell inside the shell: the text after `-c`, the here-document it is fed, or a file it runs."""
        for place, word in enumerate(words):
            lower = word.lower()
            if lower in ("/c", "/k", "-command") or (word[:1] == "-" and word[1:2] != "-" and word.endswith("c")):
                rest = words[place + 1 :]
                whole = name in ("cmd", "pwsh", "powershell")
                return self.inner(" ".join(rest) if whole else rest[0] if rest else "")
            if word[:1] not in ("-", "+") and not (place and SETTING.fullmatch(words[place - 1])):
                return self.add(programs.own(word) if programs.TESTING.search(word.lower()) else name)
        if here and not words:
            return self.inner(here[0])
        return self.add(*programs.spelled(name, words))


def _unwrapped(words: list[str], options: frozenset[str], operands: int, marks: frozenset[str]) -> list[str]:
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        if word[:1] == "-" and len(word) > 1:
            at += 1 + (word in options)
        elif ASSIGNMENT.match(word) or (word in marks and at + 1 < len(words)):
            at += 1
        elif operands:
            operands -= 1
            at += 1
        else:
            break
    return words[at:]


def _executed(words: list[str], marks: frozenset[str]) -> tuple[list[str], list[list[str]]]:
    """Part the words of `find` from those of the commands that it runs."""
    left: list[str] = []
    inner: list[list[str]] = []
    at = 0
    while at < len(words):
        if words[at] not in marks:
            left.append(words[at])
            at += 1
            continue
        end = next((n for n in range(at + 1, len(words)) if words[n] in (";", "+")), len(words))
        inner.append(words[at + 1 : end])
        at = end + 1
    return left, inner
