"""Programs whose words decide in a way of their own whether they read."""

import re
from collections.abc import Callable
from itertools import pairwise

from calib.tools import _programs as programs

MODULES = frozenset((
    "pytest", "unittest", "nose", "nose2", "tox", "nox", "mypy", "pyright", "ruff", "flake8", "pylint", "black",
    "isort", "coverage", "pip", "doctest", "build", "venv", "virtualenv", "compileall", "py_compile", "twine",
))  # fmt: skip
"""Modules that are programs when run as `python -m NAME`."""
READING_MODULES = frozenset(("json.tool", "this", "site", "platform"))
ACTIVATES = frozenset((
    "activate", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".env", "nvm.sh", "env", "conda.sh", "setup.bash",
))  # fmt: skip
"""Files that only set the shell up."""
AWK_TEXT = re.compile(r"\"[^\"\\]*(?:\\.[^\"\\]*)*\"", re.DOTALL)
AWK_BRACKETS = re.compile(r"\([^()]*\)")
AWK_PRINT = re.compile(r"\bprintf?\b")
SED_WRITES = re.compile(r"(?:^|[;{}\n])\s*(?:[0-9$,~!+ ]*|/[^/\n]{0,200}/\s*)[wWe]\s+\S")
SED_FLAG = re.compile(r"[gpiImM0-9]*[we]\b")


def _python(words: list[str]) -> list[str] | None:
    """`python -m NAME` is the program NAME, `python FILE` runs a file, `-c` and `-` run what is given."""
    for place, word in enumerate(words):
        if word == "-m" or (word.startswith("-m") and len(word) > 2):
            rest = words[place + 1 :] if word == "-m" else [word[2:], *words[place + 1 :]]
            return _module(rest)
        if word == "-c" or (word[:1] == "-" and word[1:2] != "-" and word.endswith("c")):
            return ["python -c"]
        if word == "-" or word[:1] != "-":
            return _script(word, words[place + 1 :])
    return None


def _module(words: list[str]) -> list[str]:
    name = words[0] if words else ""
    if name in READING_MODULES:
        return [f"python -m {name}"]
    if name not in MODULES:
        return ["python -m"]
    return FORMS[name](words[1:]) or [name] if name in FORMS else programs.spelled(name, words[1:])


def _script(word: str, rest: list[str]) -> list[str]:
    name = word.rpartition("/")[2]
    if name in programs.LOCAL:
        return programs.spelled(name, rest)
    return [programs.own(word)] if programs.TESTING.search(name.lower()) else ["python"]


def _coverage(words: list[str]) -> list[str] | None:
    return _python(words[1:]) if words[:1] == ["run"] else None


def _sed(words: list[str]) -> list[str] | None:
    """Besides `-i`, the scripts' own commands `w` and `e` and the flags of `s` write or run."""
    found = programs.spelled("sed", words)
    if found == ["sed"] and any(_sed_writes(word) for word in words if len(word) < 10_000):
        return ["sed w"]
    return found


def _sed_writes(script: str) -> bool:
    if script[:1] == "s" and len(script) > 3 and not script[1].isalnum():
        parts = re.split(r"(?<!\\)" + re.escape(script[1]), script)
        return len(parts) > 3 and bool(SED_FLAG.match(parts[3]))
    return bool(SED_WRITES.search(script))


def _awk(words: list[str]) -> list[str] | None:
    """A program of awk writes with `print > "file"`, and runs with `system(…)` or a pipe."""
    found = programs.spelled("awk", words)
    return ["awk >"] if found == ["awk"] and any(_awk_writes(word) for word in words) else found


def _awk_writes(program: str) -> bool:
    program = AWK_TEXT.sub('""', program)
    if "system(" in program.replace(" ", "") or '"" |' in program or '""|' in program:
        return True
    for statement in re.split(r"[;{}\n]", program):
        if printed := AWK_PRINT.search(statement):
            rest = statement[printed.end() :]
            for _ in range(4):  # a `>` in brackets compares
                rest = AWK_BRACKETS.sub("", rest)
            if ">" in rest or "|" in rest:
                return True
    return False


def _wget(words: list[str]) -> list[str] | None:
    if "--spider" in words:
        return ["wget --spider"]
    to_stdout = any(word.endswith("O-") for word in words) or any(
        first.endswith("O") and second == "-" for first, second in pairwise(words)
    )
    return ["wget -O -"] if to_stdout else None


def _tar(words: list[str]) -> list[str] | None:
    """The first word may be a cluster without a dash."""
    cluster = words[0] if words and words[0][:1] != "-" else ""
    if "t" in cluster or any(w == "--list" or (w[:1] == "-" and w[1:2] != "-" and "t" in w) for w in words):
        return ["tar -t"]
    return None


def _source(words: list[str]) -> list[str] | None:
    name = words[0].rpartition("/")[2] if words else ""
    return ["source activate"] if name in ACTIVATES or name.startswith("activate") else None


def _tee(words: list[str]) -> list[str] | None:
    plain = [word for word in words if word[:1] != "-"]
    return ["tee /dev/null"] if set(plain) <= {"/dev/null", "/dev/stderr", "/dev/tty"} else None


def _make(words: list[str]) -> list[str] | None:
    """Settings such as `A=b` are no targets."""
    return programs.spelled("make", [word for word in words if "=" not in word or word[:1] == "-"])


FORMS: dict[str, Callable[[list[str]], list[str] | None]] = {
    "python": _python, "pypy": _python, "coverage": _coverage, "sed": _sed, "awk": _awk,
    "wget": _wget, "tar": _tar, "source": _source, "tee": _tee, "make": _make,
}  # fmt: skip
"""Each gives the spellings, or None for the common way."""
