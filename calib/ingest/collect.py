"""Lines in, a part out: every byte of a stretch gets its fate here."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calib.formats._codes import CODES, Rejected
from calib.formats._decode import BOM, Several, values_in
from calib.formats._reader import Context, Fault, Given, Ignored
from calib.formats._talk import Episode
from calib.ingest.copies import chosen, fate
from calib.ingest.identity import Drop, Stamp, Told, hash_of, hashes_of, part_id
from calib.ingest.lines import BLOCK, JUNK, OPEN, QUOTE, is_blank, lines_in
from calib.ingest.lost import Lost, Skipped
from calib.ingest.noticed import Noticed
from calib.ingest.parts import Kept, Reject, reasoning_in, stops_in, write
from calib.ingest.streams import Broken
from calib.ingest.unread import Unread
from calib.labels import Decision
from calib.registry import entry

if TYPE_CHECKING:
    from calib.ingest.work import Unit

Keep = Callable[..., dict[str, dict[str, Any]]]
JUNK_CODE = "json-invalid"
"""What is wrong with every line that `JUNK` matches."""


class Collector:
    """Takes the lines of a unit in order; `part` writes what has come together since the last part.

    `keep` is called in place of `parts.write`.
    """

    def __init__(
        self,
        unit: "Unit",
        folder: Path,
        stamp: Stamp,
        last: Mapping[Any, int] | None = None,
        beside: Mapping[str, bytes] | None = None,
        keep: Keep | None = None,
    ) -> None:
        self.lines = 0
        self._unit, self._folder, self._stamp, self._keep = unit, folder, stamp, keep or write
        self._notices = Noticed()
        self._reader = None
        if unit.format:
            names = tuple(member.path.name for member in unit.members)
            context = Context(stamp.text, self._notices, unit.source, beside or {}, last or {}, names, folder)
            self._reader = entry("calib.formats", unit.format).Reader(context)
        self._drops = {(drop.line, drop.id): drop for drop in unit.drops}
        self._first: int | None = None
        self._begun = 0, 0
        """The last line with an episode that has no id, and the offset of the first on it."""
        self._torn = False
        self._begin()

    def _begin(self) -> None:
        self._episodes: list[Episode] = []
        self._unread = Unread(self._stamp)
        self._rejects = Lost()
        self._ignored = Skipped()
        self._bytes = self._blank = 0

    def heavy(self, limit: int) -> bool:
        """Tell whether a part's worth of bytes has come together, with an episode among it."""
        return self._bytes >= limit and bool(self._episodes or self._rejects)

    def take(self, offset: int, line: memoryview, broken: Broken | None = None, number: int = 0) -> None:
        """Give one record, or a run of blank or junk lines, its fate; the last line of a broken input is no record.

        `number`: the line where it begins.
        """
        size = len(line)
        self.lines = number or self.lines + 1
        if self._first is None:
            self._first = 0 if self._unit.shape in ("array", "values") else offset  # what stands before counts as blank
        self._bytes += size
        if size and (size < 2 or line[0] != OPEN or line[1] != QUOTE) and self._is_odd(offset, line):
            return
        ended = size > 0 and line[-1] == 0x0A
        if broken and not ended:
            self._rejects.add(Reject(self.lines, offset, size, broken.code, broken.reason))
            return
        self._feed(offset, line, ended)

    def _is_odd(self, offset: int, piece: memoryview) -> bool:
        """Settle blank lines, a byte order mark without a record, and junk lines; tell whether it is one of these."""
        if is_blank(piece):
            self.lines += lines_in(piece) - 1
            self._blank += len(piece)
        elif offset == 0 and piece[:3] == BOM and is_blank(piece[3:]):
            self._notices.line = self.lines
            self.note("bom")
            self._blank += len(piece)
        elif self._unit.shape == "lines" and len(piece) <= BLOCK and JUNK.fullmatch(piece):
            self._flood(offset, piece)
        else:
            return False
        return True

    def _flood(self, offset: int, junk: memoryview) -> None:
        """Reject junk lines; the first ones are looked at, so that each says what is wrong with it."""
        data, at = bytes(junk), 0
        while at < len(data) and not self._rejects.many:
            end = data.index(b"\n", at) + 1
            self._feed(offset + at, junk[at:end], True)
            self.lines += end < len(data)
            at = end
        if left := data.count(b"\n", at):
            self._rejects.add(Reject(self.lines, offset + at, len(data) - at, JUNK_CODE, CODES[JUNK_CODE], left))
            self.lines += left - 1

    def _feed(self, offset: int, line: memoryview, ended: bool) -> None:
        size = len(line)
        self._notices.line = self.lines
        try:
            self._settle(self._reader.feed(line, (self.lines, offset, size)))  # type: ignore[union-attr]
        except Ignored as ignored:
            self._ignored.add(ignored.kind, size)
        except Rejected as fault:
            if isinstance(fault, Several) and (places := values_in(line)):
                self.note("concatenated-records")
                for first, last in places:
                    self._feed(offset + first, line[first:last], True)
                return
            code, reason = fault.code, fault.reason
            if code in ("json-invalid", "json-truncated") and not ended and self._unit.shape == "lines":
                code, reason = "json-truncated", "the last line has no line feed and does not parse"
                self._torn = True
            self._rejects.add(Reject(self.lines, offset, size, code, reason))

    def note(self, code: str) -> None:
        """Count a fault of the file itself."""
        self._notices[code] += 1

    def _settle(self, given: Iterable[Given]) -> None:
        """Take what a reader gives; what it raises is the fate of the whole record, so it gives nothing before."""
        for found in given:
            if isinstance(found, Episode):
                self._episodes.append(found)
                self._unread.add(found)
            elif isinstance(found, Fault):
                self._rejects.add(Reject(found.line, found.offset, found.bytes, found.code, found.reason))
            else:
                self._ignored.add(found.kind, found.bytes)

    def between(self, size: int) -> None:
        """Count what stands between the elements of a list of `size` bytes as blank."""
        rest = max(size - self._bytes, 0)
        self._blank += rest
        self._bytes += rest

    def ignore_all(self, size: int, kind: str) -> None:
        """Count a whole file that belongs to another one."""
        self._bytes += size
        self._first = 0
        self._ignored.add(kind, size)

    def open(self, path: Path, size: int) -> None:
        """Let the reader read a binary file itself; its episodes come with their stretches."""
        self._bytes, self._first, self.lines = size, 0, 1
        try:
            self._settle(self._reader.open(path, size))  # type: ignore[union-attr]
        except OSError:
            self._begin()
            self.reject_all(size, "unreadable", CODES["unreadable"])

    def reject_all(self, size: int, code: str, reason: str) -> None:
        """Reject a whole file."""
        self._bytes += size
        self._first = 0
        self._rejects.append(Reject(None, 0, size, code, reason))

    def part(
        self, digest: str, before: int, *, last: bool = False, broken: Broken | None = None
    ) -> dict[str, Any]:  # fmt: skip
        """Write the part; `before` lines of the file precede the unit. Gives its entry of calib.json.

        `last`: no line follows, so open episodes end. `broken`: why the input ended here, when it should not have.
        """
        first = self._first or 0
        if self._reader is not None and last:
            done = len(self._episodes)
            self._notices.line = 0  # what is noticed at the end has its place anywhere before
            self._settle(self._reader.finish())
            for episode in self._episodes[done:]:
                episode.about.torn |= self._torn or broken is not None
        if broken and not any(reject.code == broken.code for reject in self._rejects):
            self._rejects.append(Reject(self.lines + 1, first + self._bytes, 0, broken.code, broken.reason))
        self._rejects = Lost(r._replace(line=r.line and r.line + before) for r in self._rejects)
        kept, dropped = self._unique(before)
        source = self._unit.source
        name = part_id(self._stamp, self._unit, first, before, digest, dropped)
        made = {
            "part": name, "source": source, "first_byte": first, "bytes": self._bytes, "digest": digest,
            "account": self._account(kept),
            "notices": dict(sorted((+self._notices).items())), "notice_lines": self._notices.lines(before),
            "dropped": {source: [list(drop) for drop in dropped]} if dropped else {},
            "labels": dict(sorted(Counter(one.decision.label for one in kept).items())),
            "stops": stops_in(kept), "reasoning": reasoning_in(self._unit.format, kept),
            "ids": hashes_of(one.episode_id for one in kept), "told": self._rejects.told(),
        }  # fmt: skip
        rejects = self._rejects
        self._first = first + self._bytes
        self._notices.clear()
        self._begin()  # before the episodes are written: a huge one should not be held twice
        made["tables"] = self._keep(
            self._folder, name, source, self._unit.format, kept, rejects,
            self._stamp.metadata(source, digest), self._stamp.redact, self._stamp.text,
        )  # fmt: skip
        return made

    def _unique(self, before: int) -> tuple[list[Kept], list[Drop]]:
        """Keep one episode of each id in the part; reject the rest, and those that must yield to one elsewhere."""
        found: dict[str, list[Told]] = {}
        for episode in sorted(self._episodes, key=lambda one: one.stretches[0][0]):
            line = episode.stretches[0][0] + before
            found.setdefault(self._name(episode, line), []).append(Told(line, episode))
        kept = []
        dropped = []
        for name, told in found.items():
            winner = told[0] if len(told) == 1 else chosen(told)
            for other in told:
                if other is not winner:
                    self._reject(other.episode, before, *fate(self._unit.source, winner.line, winner, other))
            if drop := self._drops.get((winner.line, hash_of(name))):
                self._reject(winner.episode, before, drop.code, drop.reason)
                dropped.append(drop)
            else:
                kept.append(Kept(name, winner.line, winner.episode, self._decided(winner)))
        return kept, dropped

    def _decided(self, told: Told) -> Decision:
        about = told.episode.about
        self._notices.line = told.episode.stretches[0][0]
        decision = self._stamp.decide(told.episode)
        self._notices["unknown-outcome"] += about.outcome is not None and decision.outcome == "unknown"
        self._notices["unknown-stop"] += about.stop_reason is not None and decision.stop_kind == "unknown"
        return decision

    def _name(self, episode: Episode, line: int) -> str:
        if episode.about.episode_id is not None:
            return episode.about.episode_id
        if entry("calib.formats", self._unit.format).STREAM:
            return self._unit.source
        offset = episode.stretches[0][1]
        if self._begun[0] != line:
            self._begun = line, offset
        name = f"{self._unit.source}:{line}"
        return name if self._begun[1] == offset else f"{name}@{offset}"  # many on one line

    def _reject(self, episode: Episode, before: int, code: str, reason: str) -> None:
        for line, offset, size in episode.stretches:
            self._rejects.append(Reject(line + before, offset, size, code, reason))

    def _account(self, kept: Sequence[Kept]) -> dict[str, Any]:
        rejected = self._rejects.by_code()
        size = sum(length for one in kept for _, _, length in one.episode.stretches)
        lost = sum(reject.bytes for reject in self._rejects)
        return {
            "bytes": size + lost + self._blank + self._ignored.bytes, "kept": size, "blank": self._blank,
            "rejected": rejected, "ignored": dict(sorted(self._ignored.items())),
        }  # fmt: skip
