"""Episode ids that stand in more than one source or part: which episode counts, and which parts must be read again.

Of all episodes of one id the first by (source, line) counts, or the longest copy of it, whatever the order of files,
workers and runs. Within what one unit reads this is settled when it is written; here across units.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from calib.ingest.copies import COLUMNS, chain_of, chosen, fate
from calib.ingest.identity import Drop, hash_of

DETAILS = (
    "digest", "task", "model", "arm", "metadata", "outcome", "stop_reason", "turn_limit", "n_turns",
    "parent_episode_id",
)  # fmt: skip
"""The columns of `episodes` that `collect.content_of` hashes, in its order."""
TASK = DETAILS.index("task")
PILES = 64
Drops = dict[str, tuple[Drop, ...]]
"""What each source of a part drops."""


class Claim(NamedTuple):
    """An episode that claims an id. Sorts by place."""

    source: bytes
    line: int
    id: str
    content: str
    part: int
    chain: str


def needed_drops(parts: Sequence[Mapping[str, Any]], folder: Path) -> dict[int, Drops]:
    """Give, by index, the drops of each part whose drops are not what they must be."""
    shared = _shared_ids(parts, folder)
    needed: dict[int, dict[str, list[Drop]]] = {}
    for claims in _claims(parts, folder, shared).values():
        ordered = sorted(claims)
        winner = chosen(ordered)
        for other in (claim for claim in ordered if claim is not winner):
            code, reason = fate(winner.source.decode(), winner.line, winner, other)
            drops = needed.setdefault(other.part, {}).setdefault(other.source.decode(), [])
            drops.append(Drop(other.line, other.id, other.content, code, reason, other.chain))
    wrong = {}
    for at, part in enumerate(parts):
        drops_of = {source: tuple(sorted(drops)) for source, drops in needed.get(at, {}).items()}
        if drops_of != dropped_of(part):
            wrong[at] = drops_of
    return wrong


def dropped_of(part: Mapping[str, Any]) -> Drops:
    """Give the drops that a part was written with, by source."""
    return {source: tuple(sorted(Drop(*drop) for drop in drops)) for source, drops in part.get("dropped", {}).items()}


def _shared_ids(parts: Sequence[Mapping[str, Any]], folder: Path) -> set[str]:
    """Find the ids that are claimed twice. Only half a hash is kept of each: `_claims` compares the whole."""
    piles = [array("Q") for _ in range(PILES)]  # one after the other is searched, for a set takes ten times the room
    for part in parts:
        for name in ids_of(part, folder):
            half = int(name[:16], 16)
            piles[half % PILES].append(half)
    twice = {half for pile in piles if len(set(pile)) < len(pile) for half, count in Counter(pile).items() if count > 1}
    return {name for part in parts for name in ids_of(part, folder) if int(name[:16], 16) in twice} if twice else set()


def ids_of(part: Mapping[str, Any], folder: Path, source: str | None = None) -> list[str]:
    """Hash the ids of the episodes of a part, those it dropped included; all, or those of a source."""
    dropped = [drop[1] for name, drops in part.get("dropped", {}).items() if source in (None, name) for drop in drops]
    if "ids" in part and (source is None or part["source"]):
        ids: bytes = part["ids"]  # 16 bytes each
        return [*(ids[at : at + 16].hex() for at in range(0, len(ids), 16)), *dropped]
    rows = _rows(part, folder, ("episode_id", "source"))
    return [*(hash_of(name) for name, of in rows if source in (None, of)), *dropped]


def _claims(parts: Sequence[Mapping[str, Any]], folder: Path, shared: set[str]) -> dict[str, list[Claim]]:
    claims: dict[str, list[Claim]] = {}
    for at, part in enumerate(parts):
        for claim in _claims_of(part, at, folder, shared):
            claims.setdefault(claim.id, []).append(claim)
    return claims


def _claims_of(part: Mapping[str, Any], at: int, folder: Path, shared: set[str]) -> Iterator[Claim]:
    for source, drops in dropped_of(part).items():
        yield from (Claim(source.encode(), drop.line, drop.id, drop.content, at, drop.chain) for drop in drops)
    if shared.isdisjoint(ids_of(part, folder)):
        return
    rows = _rows(part, folder, ("episode_id", "source", "source_line", "arm", *DETAILS))
    rows = [row for row in rows if hash_of(row[0]) in shared]
    turns = _turns(part, folder, {row[0] for row in rows})
    mixed = part.get("chains", {})
    for name, source, line, arm, *said in rows:
        hashed = hash_of(name)
        chain = mixed.get(source, {}).get(hashed) or chain_of(said[TASK], arm, turns.get(name, ()))
        yield Claim(source.encode(), line, hashed, hash_of(*said), at, chain)


def chains_of(part: Mapping[str, Any], folder: Path, source: str) -> dict[str, str]:
    """Give the chain of each episode of a source, by id."""
    rows = [row for row in _rows(part, folder, ("episode_id", "source", "task", "arm")) if row[1] == source]
    turns = _turns(part, folder, {row[0] for row in rows})
    return {name: chain_of(task, arm, turns.get(name, ())) for name, _, task, arm in rows}


def _turns(part: Mapping[str, Any], folder: Path, names: Collection[str]) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name, *turn in _rows(part, folder, ("episode_id", *COLUMNS), "turns"):
        if name in names:
            found.setdefault(name, []).append(tuple(turn))
    return found


def _rows(
    part: Mapping[str, Any], folder: Path, columns: Sequence[str], table: str = "episodes"
) -> list[tuple[Any, ...]]:  # fmt: skip
    import pyarrow.parquet as pq

    entry = part["tables"][table]
    file = folder / entry["file"]
    path = file.with_name(entry["built"]) if "built" in entry else file
    read = pq.ParquetFile(path).read(list(columns))
    return list(zip(*(read[name].to_pylist() for name in columns), strict=True))
