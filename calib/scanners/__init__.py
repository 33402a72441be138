"""One scanner per file. A scanner reads one text, piece by piece, and counts what repeats inside it.

Each module holds `READS` (the column it scans: `reasoning`, or `text` for the visible text), `LEVELS` (the name of each
thing it counts, and what that is), `THRESHOLDS` (the published ones), `Gates` (a frozen dataclass: what the published
rule holds fixed), `Scanner`, and `suspects`, which marks those of many texts that are worth reading.

A scanner takes a text in pieces of any size: `feed(delta)` for each, `finish()` at the end; `levels` is a dictionary
that always says what has been counted so far, and never falls. It is plain Python, needs no other library, and costs
time in proportion to the text. Fed whole, it is what a rule at the storage boundary sees; fed in pieces, what a rule on
a stream sees. The two differ for rules that look at the end of each piece: then the size of the pieces is a gate,
`chunk`, in characters, 0 for the whole text at once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from calib import registry
from calib.errors import UsageError, near
from calib.escape import visible
from calib.scanners._cut import MARKER, cut
from calib.scanners._cycles import periods

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts

__all__ = [
    "MARKER", "Module", "Scanner", "cut", "gates_of", "level_names", "meanings", "module", "names", "new", "periods",
    "pieces", "read_gates", "scan", "scanner_of",
]  # fmt: skip


SHARES = {"share": 100, "pair_share": 100, "equals_share": 100, "similar": 100, "new": 100, "litter_permille": 1_000}
"""Gates that are shares, with the whole."""
LARGEST = 1_000_000


class Scanner(Protocol):
    """Reads one text."""

    levels: dict[str, int]

    def feed(self, delta: str) -> None:
        """Take the next piece."""
        ...

    def finish(self) -> None:
        """Take the end of the text; nothing is fed after it."""
        ...


class Module(Protocol):
    """What each module of this folder offers."""

    __name__: str
    READS: Literal["reasoning", "text"]
    LEVELS: Mapping[str, str]
    THRESHOLDS: Mapping[str, int]
    Gates: type[Any]
    Scanner: type[Any]

    def suspects(self, texts: "Texts", gates: Any) -> "Flags":
        """Mark, cheaply, the texts that can have a level above 0: never too few of them. A null has none."""
        ...


def names() -> tuple[str, ...]:
    """List the scanners."""
    return registry.names(__name__)


def module(name: str) -> Module:
    """Import a scanner.

    Raises UsageError, with the near names, when there is none.
    """
    return cast(Module, registry.entry(__name__, name))


@cache
def level_names() -> dict[str, str]:
    """Give each level that some scanner counts, with the scanner's name."""
    return {level: name for name in names() for level in module(name).LEVELS}


def meanings() -> dict[str, str]:
    """Say what each level is, in the order of the scanners."""
    return {level: meaning for name in names() for level, meaning in module(name).LEVELS.items()}


def scanner_of(level: str) -> Module:
    """Give the scanner that counts this level.

    Raises UsageError, with the near names, when none does.
    """
    known = level_names()
    if level not in known:
        raise UsageError(f"no text level named {level!r}; there are {near(level, sorted(known))}")
    return module(known[level])


def gates_of(level: str, given: Mapping[str, int]) -> Any:
    """Give the gates of the scanner that counts this level, the published ones but for those given.

    Raises UsageError for a gate that the scanner does not have, or a value that makes no sense for it.
    """
    found = scanner_of(level)
    known = {field.name: field.default for field in fields(found.Gates)}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"{level} has no gate {name!r}; there are {near(name, list(known))}")
        low, high = _range(name, known[name])
        if not low <= value <= high:
            raise UsageError(f"{level}: expected {name} from {low} to {high:,}, found {value}")
    return found.Gates(**{name: bool(value) if known[name] is False else value for name, value in given.items()})


def read_gates(level: str, settings: Iterable[tuple[str, str]]) -> Any:
    """Give the gates of the scanner that counts this level from their spelling.

    Raises UsageError for a gate that it does not have, and for what is no whole number or out of its range.
    """
    for name, value in settings:
        if not value.isdecimal() or not value.isascii() or len(value) > 9:
            raise UsageError(f"{level}: expected a whole number for {name}, found {visible(value)[:40]!r}")
    return gates_of(level, {name: int(value) for name, value in settings})


def _range(gate: str, default: object) -> tuple[int, int]:
    """Give the lowest and the highest value of a gate: a switch, a share, the size of pieces, or a count."""
    if isinstance(default, bool):
        return 0, 1
    if gate in SHARES:
        return 0, SHARES[gate]
    return (0 if gate == "chunk" else 1), LARGEST


def new(name: str, gates: Any = None) -> Scanner:
    """Begin a text with the scanner of this name, at its published gates unless others are given."""
    found = module(name)
    return cast(Scanner, found.Scanner(found.Gates() if gates is None else gates))


def pieces(text: str, chunk: int) -> Iterator[str]:
    """Cut a text as a stream would deliver it; whole for 0.

    >>> list(pieces("abcde", 2)), list(pieces("abc", 0))
    (['ab', 'cd', 'e'], ['abc'])
    """
    if chunk <= 0:
        yield text
        return
    for at in range(0, len(text), chunk):
        yield text[at : at + chunk]


def scan(name: str, text: str, gates: Any = None) -> dict[str, int]:
    """Count a whole text, in pieces as its gates say.

    >>> scan("guard", "Plan.\\n" + "「" * 15)["guard_brackets"]
    15
    """
    scanner = new(name, gates)
    for piece in pieces(text, getattr(gates, "chunk", 0)):
        scanner.feed(piece)
    scanner.finish()
    return scanner.levels
