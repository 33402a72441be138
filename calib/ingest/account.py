"""The account of an ingest: where every byte went, and what came out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calib.escape import visible
from calib.ingest.collect import TOLD


@dataclass(frozen=True)
class Account:
    """Bytes read = kept + blank + rejected + ignored; the last two map a code or kind to its records and bytes."""

    bytes: int = 0
    kept: int = 0
    blank: int = 0
    rejected: dict[str, dict[str, int]] = field(default_factory=dict)
    ignored: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def ignored_bytes(self) -> int:
        """Bytes of records that belong to no episode by design."""
        return sum(counts["bytes"] for counts in self.ignored.values())

    @property
    def lost_bytes(self) -> int:
        """Rejected bytes of all codes."""
        return sum(counts["bytes"] for counts in self.rejected.values())

    @property
    def lost_records(self) -> int:
        """Rejected records of all codes."""
        return sum(counts["records"] for counts in self.rejected.values())

    @property
    def rate(self) -> float:
        """Share of the bytes that were rejected; a record without bytes counts as one."""
        return min(1.0, self.lost_bytes / self.bytes) if self.bytes else float(bool(self.lost_records))


def total(accounts: Iterable[Mapping[str, Any]]) -> Account:
    """Add up accounts as calib.json holds them."""
    size = kept = blank = 0
    sums: dict[str, dict[str, dict[str, int]]] = {"rejected": {}, "ignored": {}}
    for account in accounts:
        size, kept, blank = size + account["bytes"], kept + account["kept"], blank + account["blank"]
        for fate, by_name in sums.items():
            for name, counts in account.get(fate, {}).items():
                found = by_name.setdefault(name, {"records": 0, "bytes": 0})
                found["records"] += counts["records"]
                found["bytes"] += counts["bytes"]
    return Account(size, kept, blank, dict(sorted(sums["rejected"].items())), dict(sorted(sums["ignored"].items())))


def counted(parts: Iterable[Mapping[str, Any]], key: str) -> dict[str, int]:
    """Add up the counts that parts hold under `key`."""
    sums: Counter[str] = Counter()
    for part in parts:
        sums.update(part[key])
    return dict(sorted(sums.items()))


@dataclass(frozen=True)
class FormatCounts:
    """What one format gave."""

    sources: int
    episodes: int
    turns: int
    calls: int


@dataclass(frozen=True)
class IngestSummary:
    """What an ingest did. The counts are those of the whole corpus as it stands now.

    `added`, `grown`, `replaced` and `unchanged` name the sources of this run; `messages` are lines to print:
    the first 20 rejects of each source that was read, then a count, and what was passed over.
    """

    sources: int
    episodes: int
    turns: int
    calls: int
    formats: dict[str, FormatCounts]
    labels: dict[str, int]
    reasoning: dict[str, int]
    account: Account
    notices: dict[str, int]
    added: tuple[str, ...] = ()
    grown: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


def messages_of(read: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    """Tell what was rejected of the sources that were read, given with their parts.

    Of the lines of a source the first 20, then how many more; of whole files the same.
    """
    lines: list[str] = []
    files: list[str] = []
    for source, parts in read.items():
        name = visible(source)
        told = [each for part in parts for each in part.get("told", ())]
        count = sum(counts["records"] for part in parts for counts in part["account"]["rejected"].values())
        files += [f"{name}: {visible(reason)}; file rejected" for line, reason in told if line is None]
        told = [(line, reason) for line, reason in told if line is not None]
        lines += [f"{name}:{line}: {visible(reason)}; line rejected" for line, reason in told[:TOLD]]
        if told and count > TOLD:
            lines.append(f"{name}: {count - TOLD} more rejected")
    if len(files) > TOLD:
        files[TOLD:] = [f"{len(files) - TOLD} more files rejected"]
    return lines + files


def summary_of(
    manifest: Mapping[str, Any], changes: Mapping[str, tuple[str, ...]], messages: Sequence[str]
) -> IngestSummary:  # fmt: skip
    """Sum up a corpus."""
    sources, parts = manifest["sources"], manifest["parts"]
    formats = {}
    for name in sorted({entry["format"] for entry in sources if entry["format"]}):
        members = {entry["source"] for entry in sources if entry["format"] == name}
        tables = [part["tables"] for part in parts if part["source"] in members]
        counts = [sum(table[kind]["rows"] for table in tables) for kind in ("episodes", "turns", "calls")]
        formats[name] = FormatCounts(len(members), *counts)
    return IngestSummary(
        sources=len(sources),
        episodes=sum(counts.episodes for counts in formats.values()),
        turns=sum(counts.turns for counts in formats.values()),
        calls=sum(counts.calls for counts in formats.values()),
        formats=formats,
        labels=counted(parts, "labels"),
        reasoning=counted(parts, "reasoning"),
        account=total(entry["account"] for entry in sources),
        notices=counted(sources, "notices"),
        messages=tuple(messages),
        **changes,
    )
