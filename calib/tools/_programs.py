"""How a program's words are spelled in an action: the program, and what decides whether it reads.

The spellings form a closed list, the one that the shell families place: `git log`, `sed -i`, `git branch NAME`
(an argument where a bare `git branch` has none). Nothing else of a command line is kept.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from calib.tools._family import vocabulary

SHELL = "bash:"
"""What the actions of every shell tool begin with."""
UNKNOWN = "?"
LONGEST = 500
"""Longest path of a program."""
PROGRAM = re.compile(r"[A-Za-z0-9._+-]{1,40}")
VERSIONED = re.compile(r"(python|pip|pypy|node|ruby|perl|php|gcc|clang)[0-9.]+")
BINARIES = re.compile(r"(^|/)\.?s?bin/[^/]*$|(^|/)scripts/[^/]*\.exe$", re.IGNORECASE)
SCRIPT = re.compile(r"\.(py|sh|bash|zsh|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd|out|o)$")
TESTING = re.compile(r"(^|[-_.])(run)?tests?([-_.]|$)")
LETTERS = re.compile(r"-([A-Za-z]+)(.*)", re.DOTALL)
QUESTIONS = frozenset(("--version", "--help", "-version"))
HARMLESS = frozenset(("/dev/null", "/dev/stdout", "-", "GET", "HEAD"))
"""Values with which an option that writes, or sends, does not."""
LOCAL = frozenset(("gradlew", "mvnw", "manage.py", "setup.py", "runtests.py", "artisan"))
"""Files of a project that are programs everybody knows."""
ANYWHERE = frozenset(("make", "gradle", "gradlew", "mvn", "mvnw", "rake", "nox", "just", "task", "ant"))
"""Programs that take several targets; the first known one counts."""
ALIASES = {
    "[": "test", ":": "true", ".": "source", "gsed": "sed", "gawk": "awk", "mawk": "awk", "nawk": "awk",
    "gmake": "make",
}  # fmt: skip
VALUES = {
    "git": "-C -c --git-dir --work-tree --namespace",
    "gh": "-R --repo",
    "docker": "-f --file --project-directory -p --context -H",
    "docker-compose": "-f --file -p",
    "podman": "-f --file",
    "kubectl": "-n --namespace --context --kubeconfig",
    "npm": "--prefix -w --workspace -C",
    "pnpm": "-C --dir --filter -F",
    "yarn": "--cwd",
    "bun": "--cwd --filter",
    "make": "-C -f -I -o -W --directory --file",
    "go": "-C",
    "cargo": "--manifest-path --config -C",
    "mise": "-C --cd",
    "uniq": "-f -s -w",
    "xxd": "-l -s -c -g -o -n",
    "mount": "-t -o -L -U",
}
"""Options before a sub-command that take the next word as their value."""
TAKING = {name: frozenset(options.split()) for name, options in VALUES.items()}


@cache
def known() -> frozenset[str]:
    """Give the shell spellings of the vocabulary and everything that one of them begins with."""
    names = (name.removeprefix(SHELL) for name in vocabulary() if name.startswith(SHELL))
    return frozenset(" ".join(name.split(" ")[:end]) for name in names for end in range(1, name.count(" ") + 2))


@cache
def placed() -> frozenset[str]:
    """Give the shell spellings that a family places."""
    return frozenset(name.removeprefix(SHELL) for name in vocabulary() if name.startswith(SHELL))


@cache
def divided() -> frozenset[str]:
    """Give the programs of which sub-commands or options are known."""
    return frozenset(name.partition(" ")[0] for name in placed() if " " in name)


def program(word: str) -> str:
    """Spell a program: its base name; `./` for a file of the user's own, `./test` when it is named after tests.

    >>> program("/usr/bin/python3.11"), program("./run_tests.sh"), program("Grep"), program("a b"), program("./x.py")
    ('python', './test', 'grep', '?', './')
    """
    return _program(word) if len(word) <= LONGEST else UNKNOWN


@lru_cache(maxsize=8192)
def _program(word: str) -> str:
    path = word.replace("\\", "/") if "/" not in word else word
    name = path.rpartition("/")[2]
    if path in ALIASES:
        return ALIASES[path]
    if not PROGRAM.fullmatch(name):
        return UNKNOWN
    name = name.lower().removesuffix(".exe")
    if found := VERSIONED.fullmatch(name):
        name = found[1]
    if name in known() and ("/" not in path or BINARIES.search(path) or name in LOCAL) and name != "test":
        return name
    if "/" not in path and not SCRIPT.search(name):
        return name
    if BINARIES.search(path) and not TESTING.search(name):
        return name
    return own(path)


def own(path: str) -> str:
    """Spell a file that is run: the user's own words in its name are not kept."""
    return "./test" if TESTING.search(path.rpartition("/")[2].lower()) else "./"


def spelled(name: str, arguments: Sequence[str]) -> list[str]:
    """Spell a program with its arguments: one action, or one for each option that decides.

    >>> spelled("git", ["-C", "x", "log", "-3"]), spelled("sed", ["-ni", "p", "f"]), spelled("git", ["secret"])
    (['git log'], ['sed -i'], ['git ?'])
    """
    if arguments and QUESTIONS.issuperset(arguments[-1:]) and len(arguments) < 3:
        return [f"{name} --version"]
    if name not in divided():
        return [name]
    options, plain = _sorted(name, arguments)
    path = _path(name, plain)
    forms = [f"{path} {option}" for option in _deciding(path, options)]
    if forms:
        return list(dict.fromkeys(forms))
    for number, form in ((2, f"{path} NAME VALUE"), (1, f"{path} NAME")):
        if len(plain) >= number and form in placed():
            return [form]
    return [path] if path in placed() else [f"{name} {UNKNOWN}"]


def _sorted(name: str, arguments: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Part arguments into options, each with the word after it, and plain words."""
    options: list[tuple[str, str]] = []
    plain: list[str] = []
    taking = TAKING.get(name, frozenset())
    at = 0
    while at < len(arguments):
        word = arguments[at]
        at += 1
        if word == "--":
            plain.extend(arguments[at:])
            break
        if len(word) > 1 and word[0] == "-":
            options.append((word, arguments[at] if at < len(arguments) else ""))
            at += word in taking and (not plain or " ".join([name, *plain]) not in placed())
        else:
            plain.append(word)
    return options, plain


def _path(name: str, plain: list[str]) -> str:
    """Give the program with its known sub-commands; these are taken from the plain words."""
    if name in ANYWHERE:
        targets = (target for word in plain for target in (word, word.rpartition(":")[2]))
        return next((f"{name} {word}" for word in targets if f"{name} {word}" in placed()), name)
    path = name
    while plain and (plain[0].startswith("+") or f"{path} {plain[0]}" in known()):
        word = plain.pop(0)
        path = path if word.startswith("+") else f"{path} {word}"
    return path


def _deciding(path: str, options: list[tuple[str, str]]) -> Iterator[str]:
    """Give the options that a family places: whole, or as letters of a cluster such as `-ni`."""
    for word, following in options:
        whole, equals, value = word.partition("=")
        if f"{path} {whole}" in placed():
            if (value if equals else following) not in HARMLESS:
                yield whole
        elif found := LETTERS.match(word):
            letters = found[1]
            for place, letter in enumerate(letters):
                if f"{path} -{letter}" in placed():
                    value = letters[place + 1 :] + found[2]
                    if (value or following) not in HARMLESS:
                        yield f"-{letter}"
                    break
