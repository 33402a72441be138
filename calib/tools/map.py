"""What each action does: reads, writes, tests, something else, or nothing that counts.

A turn *reads only* when it has a call, every action of every call reads or is neutral, and at least one reads.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from typing import Literal

from calib.tools._calls import bare_name, tool_name
from calib.tools._family import KINDS, Kind, families, parts, shells
from calib.tools._globs import literal, matches
from calib.tools._programs import SHELL

Placed = Literal["reads", "writes", "tests", "other", "neutral", "unplaced"]
OPTION = "--reads"
CONFIGURED = "[tools]"
CAREFUL: tuple[Kind, ...] = ("writes", "tests", "other", "neutral", "reads")
"""Which of two equally good patterns wins: the one that lets a turn read less."""


@dataclass(frozen=True)
class Place:
    """What an action does, and where that is said: a family, `[tools]`, `--reads`; empty when it is not."""

    kind: Placed
    source: str = ""


@dataclass(frozen=True)
class _Rules:
    """Names and patterns of one origin; a name goes before a pattern, a pattern that says more before others."""

    exact: dict[str, Place]
    patterns: tuple[tuple[str, Place], ...]

    @classmethod
    def of(cls, said: Iterable[tuple[str, Kind, str]]) -> "_Rules":
        exact: dict[str, Place] = {}
        patterns: list[tuple[str, Place]] = []
        ranks = {kind: rank for rank, kind in enumerate(CAREFUL)}
        places: dict[tuple[Kind, str], Place] = {}  # few, for thousands of names
        for name, kind, source in sorted(said, key=lambda each: ranks[each[1]]):
            place = places.get((kind, source)) or places.setdefault((kind, source), Place(kind, source))
            if "*" in name:
                patterns.append((name, place))
            else:
                exact.setdefault(name, place)
        return cls(exact, tuple(sorted(patterns, key=lambda each: -literal(each[0]))))

    def find(self, *names: str) -> Place | None:
        for name in names:
            if found := self.exact.get(name):
                return found
        for pattern, place in self.patterns:
            if any(matches(pattern, name) for name in names):
                return place
        return None


@cache
def _shipped() -> _Rules:
    return _Rules.of((name, kind, source) for source, family in families().items() for name, kind in family.places())


def normalised(pattern: str) -> list[str]:
    """Spell what a user writes as patterns of actions.

    A shell tool by itself means whatever it runs, a tool with sub-commands all of them.

    >>> normalised("Read"), normalised("Execute_Bash"), normalised("shell:git *"), normalised("file_editor")
    (['read'], ['bash:*'], ['bash:git *'], ['file_editor', 'file_editor:*'])
    """
    tool, colon, part = pattern.strip().partition(":")
    name = tool_name(tool)
    if bare_name(name) in shells():
        return [SHELL + (part if colon else "*")]
    if colon:
        return [f"{name}:{part}"]
    return [name, f"{name}:*"] if bare_name(name) in parts() or name == "write_stdin" else [name]


def _meets(pattern: str, actions: AbstractSet[str]) -> bool:
    return pattern in actions or ("*" in pattern and any(matches(pattern, action) for action in actions))


@dataclass(frozen=True)
class Map:
    """What each action does: first as the user says, then as the shipped families say.

    The five lists hold names and patterns as in `[tools]`: `my_tool`, `mcp__fs__*`, `bash:git log`; where `*` stands
    for any characters. `read_file` means `mcp__fs__read_file` too. A name goes before a pattern, a longer pattern
    before a shorter one.
    """

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    only: bool = False
    """Exactly the tools in `reads` read, everything else does not and nothing is neutral, as in note 000."""

    @classmethod
    def exactly(cls, names: Iterable[str]) -> "Map":
        """Take a list of tools that read; every other tool does not.

        >>> Map.exactly(["Read"]).kind("read"), Map.exactly(["Read"]).kind("glob")
        ('reads', 'other')
        """
        return cls(reads=tuple(names), only=True)

    def place(self, action: str) -> Place:
        """Say what an action does and where that is said.

        >>> Map().place("bash:git log"), Map(reads=("mcp__fs__*",)).place("mcp__fs__write_file")
        (Place(kind='reads', source='git'), Place(kind='reads', source='[tools]'))
        """
        found = self._seen.get(action)
        if found is None:
            found = self._seen[action] = self._find(action)
        return found

    def kind(self, action: str) -> Placed:
        """Say what an action does; `unplaced` when nobody does.

        >>> Map().kind("mcp__fs__read_file"), Map().kind("bash:mystery")
        ('reads', 'unplaced')
        """
        return self.place(action).kind

    def reading(self, actions: Iterable[str]) -> frozenset[str]:
        """Give those of the actions that read."""
        return frozenset(action for action in actions if self.kind(action) == "reads")

    def passing(self, actions: Iterable[str]) -> frozenset[str]:
        """Give those of the actions that do not count."""
        return frozenset(action for action in actions if self.kind(action) == "neutral")

    def unplaced(self, actions: Iterable[str]) -> list[str]:
        """List those of the actions that nobody places, in order, each once."""
        return sorted({action for action in actions if self.kind(action) == "unplaced"})

    def unmet(self, actions: Iterable[str]) -> list[str]:
        """List what is said in it of which none of the actions is, as the user wrote it, in order.

        >>> Map(reads=("grep", "bash:emrge", "mcp__fs__*")).unmet(["mcp__x__grep", "bash:emerge"])
        ['bash:emrge', 'mcp__fs__*']
        """
        whole = set(actions)
        known = whole if self.only else whole | {bare_name(action) for action in whole}
        return [
            name
            for name in dict.fromkeys(name for kind in KINDS for name in getattr(self, kind))
            if not any(_meets(pattern, known) for pattern in normalised(name))
        ]

    def reads_only(self, actions: Iterable[str]) -> bool:
        """Tell whether a turn with these actions only reads.

        >>> Map().reads_only(["bash:cd", "bash:grep"]), Map().reads_only(["bash:cd"]), Map().reads_only([])
        (True, False, False)
        """
        kinds = {self.kind(action) for action in actions}
        return "reads" in kinds and kinds <= {"reads", "neutral"}

    @property
    def digest(self) -> str:
        """Hash what is said in it: 64 hexadecimal digits."""
        said = [[kind, sorted({name for each in getattr(self, kind) for name in normalised(each)})] for kind in KINDS]
        return sha256(repr([said, self.only]).encode()).hexdigest()

    @cached_property
    def _seen(self) -> dict[str, Place]:
        return {}

    @cached_property
    def _said(self) -> _Rules:
        source = OPTION if self.only else CONFIGURED
        return _Rules.of(
            (name, kind, source) for kind in KINDS for each in getattr(self, kind) for name in normalised(each)
        )

    def _find(self, action: str) -> Place:
        if self.only:
            return self._said.find(action) or Place("other", OPTION)
        bare = bare_name(action)
        names = (action,) if bare == action else (action, bare)
        return self._said.find(*names) or _shipped().find(*names) or Place("unplaced")
