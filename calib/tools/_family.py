"""What a family file says: which names a harness or a shell has, and what each of them does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, cast

from calib import registry

Kind = Literal["reads", "writes", "tests", "other", "neutral"]
KINDS: tuple[Kind, ...] = ("reads", "writes", "tests", "other", "neutral")
"""In the order of a listing."""

GROUP = re.compile(r"([^,{}]*)\{([^{}]*)\}|[^,{}]+")


def listed(text: str) -> Iterator[str]:
    """Give the names of a list with commas, in which `git {log, show}` stands for `git log, git show`.

    >>> list(listed("ls, git {log, show}, cat"))
    ['ls', 'git log', 'git show', 'cat']
    """
    for found in GROUP.finditer(text):
        if found[2] is not None:
            before = " ".join(found[1].split())
            yield from (f"{before} {name}".strip() for each in found[2].split(",") if (name := " ".join(each.split())))
        elif name := " ".join(found[0].split()):
            yield name


@dataclass(frozen=True)
class Family:
    """The names of one family, each list with commas; `*` stands for any characters.

    `prefix` goes before every name of the five lists. `shells` are tools whose arguments hold a command line.
    `parts` names, for a tool with sub-commands, the argument (or several, with blanks) that says which: what such a
    call does is the action `tool:sub-command`, and only the sub-commands listed here are ever spelled out.
    """

    reads: str = ""
    writes: str = ""
    tests: str = ""
    other: str = ""
    neutral: str = ""
    prefix: str = ""
    shells: str = ""
    parts: dict[str, str] = field(default_factory=dict)

    def places(self) -> Iterator[tuple[str, Kind]]:
        """Give every name with what it does."""
        for kind in KINDS:
            yield from ((self.prefix + name, kind) for name in listed(getattr(self, kind)))


@cache
def families() -> dict[str, Family]:
    """Give the shipped families by name."""
    package = "calib.tools.families"
    return {name: cast(Family, registry.entry(package, name).FAMILY) for name in registry.names(package)}


@cache
def shells() -> frozenset[str]:
    """Give the names of the tools whose arguments hold a command line."""
    return frozenset(name for family in families().values() for name in listed(family.shells))


@cache
def parts() -> dict[str, str]:
    """Give, for each tool with sub-commands, the argument that says which."""
    return {tool: key for family in families().values() for tool, key in family.parts.items()}


@cache
def vocabulary() -> frozenset[str]:
    """Give every action that a family spells out, patterns left out."""
    return frozenset(name for family in families().values() for name, _ in family.places() if "*" not in name)
