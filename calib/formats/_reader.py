"""What the readers of all formats share: their context, what they may raise, and the usual base."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec

from calib.formats._codes import Rejected
from calib.formats._decode import Decoder, Line, Notices
from calib.formats._record import About
from calib.formats._talk import Episode, Stretch, Talk, stretch

T = TypeVar("T", bound=Talk)


class Ignored(Exception):  # noqa: N818 - a verdict on a record, not an error of the program
    """A record that belongs to no episode by design, such as a snapshot; counted in the account by kind."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Context(NamedTuple):
    """What a reader is told.

    `beside` holds the files named by BESIDE, `last` the last record of each session, `names` those of a bundle's files.
    In `folder` a reader may make a sibling for as long as it reads.
    """

    text: bool
    notices: Notices
    source: str = ""
    beside: Mapping[str, bytes] = {}
    last: Mapping[Any, int] = {}
    names: Sequence[str] = ()
    folder: Path | None = None


class Fault(NamedTuple):
    """A stretch of a record, or of a binary file, that became no episode while the rest of it did."""

    code: str
    reason: str
    offset: int
    bytes: int
    line: int | None = None


class Passed(NamedTuple):
    """Bytes of a record, or of a binary file, that belong to no episode by design; counted in the account by kind."""

    kind: str
    bytes: int


Given = Episode | Fault | Passed


@dataclass
class Open:
    """An episode under way."""

    talk: Any
    about: About = field(default_factory=About)
    stretches: list[Stretch] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    """Whatever else the format must remember."""

    def cover(self, where: Stretch) -> None:
        """Note that a record belongs to it."""
        stretch(self.stretches, where)

    def end(self) -> Episode:
        """Finish it."""
        episode: Episode = self.talk.finish(self.about)
        episode.stretches = self.stretches
        return episode


class Records:
    """Reads records as plain Python values. A format overrides `record`, and `finish` when episodes stay open."""

    KEYS: ClassVar[Any] = None
    """A TypedDict of the keys that the format reads, all optional and of any type: others are not even built."""

    def __init__(self, context: Context) -> None:
        self._decode = msgspec.json.Decoder(self.KEYS).decode if self.KEYS else None
        self.context = context
        self.notices = context.notices
        self.text = context.text
        self._decoder = Decoder()

    def feed(self, line: Line, where: Stretch) -> Iterable[Given]:
        """Read one record.

        Raises Rejected or Ignored.
        """
        if self._decode is None:
            return self.record(self._decoder.value(line, self.notices), where)
        try:
            value = self._decode(line)
        except (ValueError, RecursionError):  # no object, or one that must be mended
            value = self._decoder.value(line, self.notices)
        return self.record(value, where)

    def record(self, value: Any, where: Stretch) -> Iterable[Given]:
        """Take one decoded record; give the episodes that end with it."""
        raise NotImplementedError

    def finish(self) -> Iterator[Given]:
        """Give the episodes that are still open."""
        return iter(())

    def whole(self, talk: Talk, about: About, where: Stretch) -> tuple[Episode]:
        """End an episode that one record holds."""
        episode = talk.finish(about)
        episode.stretches.append(where)
        return (episode,)


def check(condition: object, code: str, reason: str) -> None:
    """Reject the record unless a condition holds."""
    if not condition:
        raise Rejected(code, reason)


def first(value: Mapping[str, Any], *keys: str) -> Any:
    """Give the first value of these keys that is neither missing nor null.

    >>> first({"a": None, "b": 0}, "a", "b")
    0
    """
    return next((value[key] for key in keys if value.get(key) is not None), None)


def sessions(
    open_episodes: dict[Any, Open], key: Any, make: Callable[[], Open]
) -> Open:  # fmt: skip
    """Give the open episode of a session, made when it is new."""
    found = open_episodes.get(key)
    if found is None:
        found = open_episodes[key] = make()
    return found
