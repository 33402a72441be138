"""Episode ids that stand in more than one part: which episode counts, and which parts must be read again.

Of all episodes of one id the first by (source, line) counts, whatever the order of files, workers and runs.
Within a part this is settled when it is written; here across parts.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from calib.ingest.identity import Drop, duplicate, hash_of

DETAILS = (
    "digest", "task", "model", "arm", "metadata", "outcome", "stop_reason", "turn_limit", "n_turns",
    "parent_episode_id",
)  # fmt: skip
"""The columns of `episodes` that `collect.content_of` hashes, in its order."""


class Claim(NamedTuple):
    """An episode that claims an id. Sorts by place."""

    source: bytes
    line: int
    id: str
    content: str
    part: int


def needed_drops(parts: Sequence[Mapping[str, Any]], folder: Path) -> dict[int, tuple[Drop, ...]]:
    """Give, by index, the drops of each part whose drops are not what they must be."""
    shared = _shared_ids(parts, folder)
    needed: dict[int, list[Drop]] = {}
    for claims in _claims(parts, folder, shared).values():
        first, *others = sorted(claims)
        for other in others:
            code, reason = duplicate(first.source.decode(), first.line, first.content == other.content)
            needed.setdefault(other.part, []).append(Drop(other.line, other.id, other.content, code, reason))
    wrong = {}
    for at, part in enumerate(parts):
        drops = tuple(sorted(needed.get(at, ())))
        if drops != dropped_of(part):
            wrong[at] = drops
    return wrong


def dropped_of(part: Mapping[str, Any]) -> tuple[Drop, ...]:
    """Give the drops that a part was written with."""
    return tuple(sorted(Drop(*drop) for drop in part.get("dropped", ())))


def _shared_ids(parts: Sequence[Mapping[str, Any]], folder: Path) -> set[str]:
    """Find the ids that two parts claim. Only half a hash is kept of each: `_claims` compares the whole."""
    seen: set[int] = set()
    twice: set[int] = set()
    for part in parts:
        for name in ids_of(part, folder):
            half = int(name[:16], 16)
            (twice if half in seen else seen).add(half)
    return {name for part in parts for name in ids_of(part, folder) if int(name[:16], 16) in twice} if twice else set()


def ids_of(part: Mapping[str, Any], folder: Path) -> list[str]:
    """Hash the ids of the episodes of a part, those it dropped included."""
    kept = part["ids"] if "ids" in part else [hash_of(name) for (name,) in _rows(part, folder, ("episode_id",))]
    return [*kept, *(drop[1] for drop in part.get("dropped", ()))]


def _claims(parts: Sequence[Mapping[str, Any]], folder: Path, shared: set[str]) -> dict[str, list[Claim]]:
    claims: dict[str, list[Claim]] = {}
    for at, part in enumerate(parts):
        source = part["source"].encode()
        for drop in dropped_of(part):
            claims.setdefault(drop.id, []).append(Claim(source, drop.line, drop.id, drop.content, at))
        if shared.isdisjoint(ids_of(part, folder)):
            continue
        for name, line, *said in _rows(part, folder, ("episode_id", "source_line", *DETAILS)):
            if (hashed := hash_of(name)) in shared:
                claims.setdefault(hashed, []).append(Claim(source, line, hashed, hash_of(*said), at))
    return claims


def _rows(part: Mapping[str, Any], folder: Path, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    import pyarrow.parquet as pq

    entry = part["tables"]["episodes"]
    file = folder / entry["file"]
    path = file.with_name(entry["built"]) if "built" in entry else file
    table = pq.ParquetFile(path).read(list(columns))
    return list(zip(*(table[name].to_pylist() for name in columns), strict=True))
