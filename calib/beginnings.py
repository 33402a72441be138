"""How episodes begin, as one number each: by it an episode is known again that has gone on since.

The number is taken of all turns but the last, which may have been unfinished, and of the episode's id: of the lengths
of its texts and results, never of a text, so that it is the same with and without them.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.corpus import Corpus

Numbers = NDArray[np.uint64]

LEAST = 4
"""Turns that a beginning has at least: shorter ones of two runs of one task may well agree."""
TURNS = ("turn", "reasoning_chars", "text_chars", "tools")
ODD = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5)
"""Odd numbers of 64 bits, by which figures are told apart before they are added up."""


def beginnings(corpus: Corpus, episodes: pl.DataFrame) -> list[str]:
    """Give the numbers of those `episodes` (of `Scored.episodes`) that are long enough: hexadecimal digits, sorted."""
    wanted = episodes["episode_id"].cast(pl.String).implode()
    found = set[int]()
    for named, ends, so_far in _parts(corpus):
        kept = named.is_in(wanted).to_numpy() & (np.diff(ends, prepend=0) > LEAST)
        found.update(so_far[ends[kept] - 2].tolist())  # behind the last turn but one
    return [f"{number:016x}" for number in sorted(found)]


def continued(corpus: Corpus, episodes: pl.DataFrame, known: Sequence[str]) -> NDArray[np.bool_]:
    """Mark those `episodes` that begin as one of the `known` numbers says, whatever follows."""
    numbers = np.array([int(number, 16) for number in known], np.uint64)
    grown: list[pl.Series] = []
    for named, ends, so_far in _parts(corpus) if len(numbers) else ():
        met = np.isin(so_far, numbers)
        met[ends[ends > 0] - 1] = False
        owners = np.searchsorted(ends, np.flatnonzero(met), side="right")
        grown.append(named[np.unique(owners)])
    ids = pl.concat(grown) if grown else pl.Series(dtype=pl.String)
    return episodes["episode_id"].cast(pl.String).is_in(ids.implode()).to_numpy()


def _parts(corpus: Corpus) -> Iterator[tuple[pl.Series, NDArray[np.int64], Numbers]]:
    """Give of each part the ids of its episodes, where the turns of each end, and at each turn the number so far."""
    tables = (("episodes", ["episode_id", "n_turns"]), ("turns", TURNS), ("calls", ["call", "result_chars"]))
    for episodes, turns, calls in zip(*(corpus.read(name, columns) for name, columns in tables), strict=True):
        named = episodes["episode_id"].cast(pl.String)
        sizes = episodes["n_turns"].to_numpy().astype(np.int64)
        ends = np.cumsum(sizes)
        of_calls = np.append(np.uint64(0), np.cumsum(_mixed(calls["call"], calls["result_chars"]), dtype=np.uint64))
        tools = turns["tools"].list.len()
        sums = np.cumsum(_mixed(turns["turn"], turns["reasoning_chars"], turns["text_chars"], tools), dtype=np.uint64)
        sums += of_calls[np.cumsum(tools.to_numpy(), dtype=np.int64)]
        before = np.append(np.uint64(0), sums)[np.repeat(ends - sizes, sizes)]
        yield named, ends, (sums - before) ^ np.repeat(_hashes(named), sizes)


def _mixed(*columns: pl.Series) -> Numbers:
    """Give one number a row, such that the sums of different rows differ."""
    mixed: Any = np.uint64(1)
    for column, odd in zip(columns, ODD, strict=False):
        figures = column.cast(pl.Int64).fill_null(-1).to_numpy().view(np.uint64)
        mixed = (mixed ^ (mixed >> np.uint64(29)) ^ figures) * np.uint64(odd)
    made: Numbers = mixed ^ (mixed >> np.uint64(32))
    return made


def _hashes(names: pl.Series) -> Numbers:
    hashed = b"".join(blake2b(name.encode(), digest_size=8).digest() for name in names)
    return np.frombuffer(hashed, "<u8").astype(np.uint64)
