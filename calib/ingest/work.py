"""What a process is told of its work: units, what they share, and what is known of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, overload

from calib.ingest.identity import Drop, Stamp
from calib.ingest.sources import Member
from calib.ingest.streams import Packing
from calib.registry import entry

RANGE = 24 << 20
"""Bytes of a range, and of the input that one part of a stream holds."""

Part = dict[str, Any]
"""An entry of `parts` in calib.json; `tables.*.built` names the sibling that waits for its final name."""


class Known(NamedTuple):
    """A part that an earlier run made of this unit; of a small source in a pack, the one that it would make alone."""

    part: str
    first_byte: int
    dropped: tuple[Drop, ...]
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """A small source that is in the corpus and not read now: its entry of calib.json, and the part it stands in.

    `key` is the name of the part that it would make alone.
    """

    source: str
    key: str
    entry: dict[str, Any]
    part: str
    dropped: tuple[Drop, ...]
    packed: bool


class Members(Sequence["Unit"]):
    """The units of a pack, each made when it is asked for, from its place among the sources of a run.

    `told`: what each source must drop; they are read again.
    """

    def __init__(
        self, make: "Callable[[int], Unit]", places: Sequence[int], told: Mapping[str, Sequence[Drop]] | None = None
    ) -> None:
        self._make, self.places, self._told = make, places, told

    def dropping(self, told: Mapping[str, Sequence[Drop]]) -> "Members":
        """Give the same, to be read again."""
        return Members(self._make, self.places, told)

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, at: int) -> "Unit": ...
    @overload
    def __getitem__(self, at: slice) -> "Members": ...
    def __getitem__(self, at: int | slice) -> "Unit | Members":
        if isinstance(at, slice):
            return Members(self._make, self.places[at], self._told)
        unit = self._make(self.places[at])
        if self._told is None:
            return unit
        return replace(unit, known=(), drops=tuple(self._told.get(unit.source, ())))


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a file to read: bytes `first` to `last` of the `size` on disk.

    `number` counts the units of a run; `leader` is the number of the file's first unit. `fault` is the code of a
    file that is rejected as a whole. A unit without a format may be a pack: small files that make one part, some to
    be read (`pack`) and some to be taken from the parts that they stand in (`copies`); `source` names the only one,
    or none.
    """

    number: int
    leader: int
    source: str
    path: Path
    packing: Packing
    format: str
    first: int
    last: int
    size: int
    fault: str = ""
    known: tuple[Known, ...] = ()
    drops: tuple[Drop, ...] = ()
    shape: str = "lines"
    members: tuple[Member, ...] = ()
    stream: bool = False
    pack: "Sequence[Unit]" = ()
    copies: "tuple[Copy, ...]" = ()

    @property
    def is_range(self) -> bool:
        """Whether this is one of the ranges of a plain file of independent lines."""
        plain = self.shape == "lines" and self.packing == "plain" and not self.stream
        return bool(self.format) and not self.fault and plain and not entry("calib.formats", self.format).STREAM


@dataclass(frozen=True)
class Setup:
    """What all units of a run share.

    `counts` is a file of 8 bytes a unit: its number of lines plus one, once known. `stretch` is RANGE.
    """

    folder: Path
    stamp: Stamp
    counts: Path
    stretch: int = RANGE


Tick = Callable[[int], None]
"""Told how many more bytes on disk were read, now and then, while a long unit is under way."""


class Order(NamedTuple):
    """What a worker is sent."""

    setup: Setup
    unit: Unit
