"""The account of an ingest: where every byte went, and what came out."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Any

from calib.errors import TooMuchLost
from calib.escape import visible
from calib.ingest.lost import TOLD
from calib.ingest.noticed import first_places


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
    sums = _Sums()
    for account in accounts:
        sums.add(account)
    return sums.account()


class _Sums:
    """Accounts, added up."""

    def __init__(self) -> None:
        self._size = self._kept = self._blank = 0
        self._fates: dict[str, dict[str, dict[str, int]]] = {"rejected": {}, "ignored": {}}

    def add(self, account: Mapping[str, Any]) -> None:
        self._size += account["bytes"]
        self._kept += account["kept"]
        self._blank += account["blank"]
        for fate, by_name in self._fates.items():
            for name, counts in account.get(fate, {}).items():
                found = by_name.setdefault(name, {"records": 0, "bytes": 0})
                found["records"] += counts["records"]
                found["bytes"] += counts["bytes"]

    def account(self) -> Account:
        rejected, ignored = (dict(sorted(by_name.items())) for by_name in self._fates.values())
        return Account(self._size, self._kept, self._blank, rejected, ignored)


def source_entry(name: str, format: str, parts: Sequence[Mapping[str, Any]], small: bool) -> dict[str, Any]:
    """Give the `sources` entry of calib.json for a source from its parts; `small` ones may share a part with others."""
    account = total(part["account"] for part in parts)
    notices: dict[str, int] = {} if parts else {"empty-file": 1}
    for part in parts:
        for code, count in part["notices"].items():
            notices[code] = notices.get(code, 0) + count
    return {
        "source": name,
        "format": format,
        "digest": combined(part["digest"] for part in parts),
        "bytes": account.bytes,
        "account": {
            "bytes": account.bytes, "kept": account.kept, "blank": account.blank, "rejected": account.rejected,
            "ignored": account.ignored,
        },
        "notices": dict(sorted(notices.items())),
        "notice_lines": first_places(part["notice_lines"] for part in parts),
        "episodes": sum(part["tables"]["episodes"]["rows"] for part in parts),
        "turns": sum(part["tables"]["turns"]["rows"] for part in parts),
        "calls": sum(part["tables"]["calls"]["rows"] for part in parts),
        "small": small,
    }  # fmt: skip


def combined(digests: Any) -> str:
    """Give the digest of a source: of its bytes when read in one stretch, else of the digests of its stretches.

    >>> combined(["aa", "aa"]), combined(["aa", "bb"])[:8]
    ('aa', '486b3425')
    """
    distinct = list(dict.fromkeys(digests))
    if len(distinct) == 1:
        return str(distinct[0])
    return hashlib.sha256("".join(distinct).encode()).hexdigest()


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

    `added`, `grown`, `replaced`, `remade` and `unchanged` name the sources of this run; `messages` are lines to print:
    the first 20 rejects of each source that was read, then a count, and what was passed over. `stops` counts, by kind
    of limit, the failed and unlabelled episodes that it stopped, where that kind is not asked for. `reasoning` counts,
    for each format, the turns of each kind of reasoning, and of each state where it is not recorded. `noticed` holds
    source, code, count and first lines of each notice of the corpus, the most frequent of each code first.
    """

    sources: int
    episodes: int
    turns: int
    calls: int
    formats: dict[str, FormatCounts]
    labels: dict[str, int]
    stops: dict[str, int]
    reasoning: dict[str, dict[str, int]]
    account: Account
    notices: dict[str, int]
    added: tuple[str, ...] = ()
    grown: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    remade: tuple[str, ...] = ()
    noticed: tuple[tuple[str, str, int, tuple[int, ...]], ...] = ()
    unchanged: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


def messages_of(read: Iterable[tuple[Mapping[str, Any], Sequence[tuple[int | None, str]]]]) -> list[str]:
    """Tell what was rejected of the sources that were read, from the entry of each, and its first lines and reasons.

    The first 20 lines, then the first line and how many more of each of 20 sources, then how many sources have more; of
    whole files the first 20.
    """
    lines: list[str] = []
    more, files = _First(), _First()
    for entry, faults in read:
        name = visible(entry["source"])
        count = sum(counts["records"] for counts in entry["account"]["rejected"].values())
        for reason in (reason for line, reason in faults if line is None):
            files.add(f"{name}: {visible(reason)}; file rejected")
        told = [(line, reason) for line, reason in faults if line is not None]
        shown = told[: TOLD - len(lines)]
        lines += [f"{name}:{line}: {visible(reason)}; line rejected" for line, reason in shown]
        if shown and count > len(shown):
            more.add(f"{name}: {count - len(shown)} more rejected")
        elif told and not shown:
            others = f", and {count - 1} more of this file" if count > 1 else ""
            more.add(f"{name}:{told[0][0]}: {visible(told[0][1])}; line rejected{others}")
    return [*lines, *more.told("files with rejected lines"), *files.told("files rejected")]


class _First:
    """The first of many messages, and how many there are."""

    def __init__(self) -> None:
        self._first: list[str] = []
        self._count = 0

    def add(self, message: str) -> None:
        self._count += 1
        self._first += [message] * (self._count <= TOLD)

    def told(self, what: str) -> list[str]:
        more = self._count - len(self._first)
        return [*self._first, *[f"{more} more {what}"] * bool(more)]


def summary_of(
    manifest: Mapping[str, Any], changes: Mapping[str, tuple[str, ...]], messages: Sequence[str]
) -> IngestSummary:  # fmt: skip
    """Sum up a corpus."""
    sources, parts = manifest["sources"], manifest["parts"]
    stops = counted(parts, "stops")
    by_format: dict[str, list[int]] = {}
    account, notices = _Sums(), Counter[str]()
    noticed: list[tuple[str, str, int, tuple[int, ...]]] = []
    for entry in sources:  # once: they lie on disk
        counts = by_format.setdefault(entry["format"], [0, 0, 0, 0])
        counts[:] = map(add, counts, (1, entry["episodes"], entry["turns"], entry["calls"]))
        account.add(entry["account"])
        for code, count in entry["notices"].items():
            notices[code] += count
            noticed.append((entry["source"], code, count, tuple(entry["notice_lines"].get(code, ()))))
    formats = {name: FormatCounts(*by_format[name]) for name in sorted(by_format) if name}
    return IngestSummary(
        sources=len(sources),
        episodes=sum(counts.episodes for counts in formats.values()),
        turns=sum(counts.turns for counts in formats.values()),
        calls=sum(counts.calls for counts in formats.values()),
        formats=formats,
        labels=counted(parts, "labels"),
        stops={kind: n for kind, n in stops.items() if kind not in manifest["options"]["positive"]},
        reasoning=_by_format(parts),
        account=account.account(),
        notices=dict(sorted(notices.items())),
        noticed=tuple(sorted(noticed, key=lambda one: (one[1], -one[2], one[0].encode()))),
        messages=tuple(messages),
        **changes,
    )


def _by_format(parts: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    sums: dict[str, Counter[str]] = {}
    for part in parts:
        for name, counts in part["reasoning"].items():
            sums.setdefault(name, Counter()).update(counts)
    return {name: dict(sorted(sums[name].items())) for name in sorted(sums)}


def check_lost(accounts: Iterable[Mapping[str, Any]], allowed: float | None) -> None:
    """Refuse to lose more than a share of the bytes. Raises TooMuchLost."""
    if allowed is not None and (lost := total(accounts)).rate > allowed:
        codes = sorted(lost.rejected.items(), key=lambda item: (-item[1]["bytes"], item[0]))[:3]
        said = ", ".join(f"{code} ({counts['records']})" for code, counts in codes)
        raise TooMuchLost(
            f"{lost.rate:.3%} of the bytes were rejected, at most {allowed:.3%} may be: {said}; nothing was written"
        )
