"""A unit of work and what becomes of it: a pure function of a stretch of a file, run by any process.

A plain file of independent lines is cut into ranges of RANGE bytes, each extended to the next line feed, so a
grown file keeps its leading parts. Any other file is one unit: it is read as a stream and written in several parts.
"""

import gc
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from blake3 import blake3

from calib.formats._codes import CODES
from calib.ingest import bundles
from calib.ingest.collect import Collector, Keep
from calib.ingest.identity import digester, part_id
from calib.ingest.lines import cut, lines_in
from calib.ingest.records import last_records, records
from calib.ingest.streams import Input
from calib.ingest.work import RANGE, Part, Setup, Tick, Unit

STEP = 16 << 20


def run(unit: Unit, setup: Setup, tick: Tick, keep: Keep | None = None) -> list[Part] | None:
    """Read a unit and write its parts as siblings, or give them to `keep`; None when the known parts still hold.

    Raises OSError when the corpus cannot be written.
    """
    collecting = gc.isenabled()
    gc.disable()  # rows are many and in no cycle: searching them for some costs a third of the time
    try:
        if unit.fault or not unit.format:
            return _run_fault(unit, setup, keep)
        return _run_range(unit, setup, keep) if unit.is_range else _run_stream(unit, setup, tick, keep)
    finally:
        if collecting:
            gc.enable()


def _run_range(unit: Unit, setup: Setup, keep: Keep | None) -> list[Part] | None:
    beside = bundles.beside_of(unit.format, unit.path, (), RANGE)
    if unit.known:
        first, digest, lines = _range_digest(unit, beside)
        _tell_lines(unit, setup, lines)
        before = _lines_before(unit, setup)
        if _still_holds(unit, setup, [(first, before, digest)]):
            return None
    collector = Collector(unit, setup.folder, setup.stamp, beside=beside, keep=keep)
    seen = _with_beside(digester(), beside)
    at = _first_line(unit)
    with Input(unit.path, "plain", at, unit.size) as source:
        _take_lines(collector, unit, at, source, seen)
    _tell_lines(unit, setup, collector.lines)
    if not collector.lines and not source.broken:
        return []
    return [collector.part(seen.hexdigest(), _lines_before(unit, setup), broken=source.broken)]


def _take_lines(collector: Collector, unit: Unit, at: int, source: Input, seen: blake3) -> None:
    """Give the lines of a range to a collector; none is held afterwards, for the last may be huge."""
    for line in _range_lines(unit, at, source):
        seen.update(line)
        collector.take(at, line, source.broken)
        at += len(line)


def _still_holds(unit: Unit, setup: Setup, now: Sequence[tuple[int, int, str]]) -> bool:
    """Tell whether the known parts are named after (first byte, lines before, digest) of what stands there now."""
    made = [
        part_id(setup.stamp, unit, first, before, digest, known.dropped)
        for known, (first, before, digest) in zip(unit.known, now, strict=False)
    ]
    return bool(made) and made == [known.part for known in unit.known]


def _with_beside(seen: blake3, beside: Mapping[str, bytes]) -> blake3:
    """Add to a digest what lies beside a file and belongs to it: most often nothing."""
    for name, data in sorted(beside.items()):
        seen.update(f"{name}\0{len(data)}\0".encode() + data)
    return seen


def digest_of(unit: Unit) -> str:
    """Hash what a small unit would read."""
    if unit.fault or not unit.format:
        return _file_digest(unit)
    beside = bundles.beside_of(unit.format, unit.path, unit.members, RANGE)
    return _range_digest(unit, beside)[1] if unit.is_range else _file_digest(unit, beside)


def _range_digest(unit: Unit, beside: Mapping[str, bytes]) -> tuple[int, str, int]:
    """Give first byte, digest and number of lines of a range without parsing it."""
    seen, lines, first = _with_beside(digester(), beside), 0, _first_line(unit)
    with Input(unit.path, "plain", first, unit.size) as source:
        for line in _range_lines(unit, first, source):
            seen.update(line)
            lines += lines_in(line)
    return first, seen.hexdigest(), lines


def _first_line(unit: Unit) -> int:
    """Find where the first line of the range begins; `last` when none does, so that a huge line is read once."""
    at = unit.first - 1
    if at < 0:
        return 0
    with Input(unit.path, "plain", at, unit.last) as source:
        for block in source.blocks():
            if (found := bytes(block).find(b"\n")) >= 0:
                return at + found + 1
            at += len(block)
    return unit.last


def _range_lines(unit: Unit, at: int, source: Input) -> Iterator[memoryview]:
    """Yield the lines that begin in the range, from the one at `at`."""
    if at < unit.last:
        for piece in cut(source.fill):
            line = piece
            if at + len(line) > unit.last and lines_in(line) > 1:  # blank lines, some of them the next range's
                line = line[: bytes(line).index(b"\n", unit.last - at - 1) + 1]
            yield line
            at += len(line)
            if at >= unit.last:
                return


def _run_stream(unit: Unit, setup: Setup, tick: Tick, keep: Keep | None) -> list[Part] | None:
    beside = bundles.beside_of(unit.format, unit.path, unit.members, RANGE)
    digest = _file_digest(unit, beside)
    if _still_holds(unit, setup, [(known.first_byte, 0, digest) for known in unit.known]):
        return None
    collector = Collector(unit, setup.folder, setup.stamp, _last(unit), beside, keep)
    if unit.shape == "binary":
        collector.open(unit.path, unit.size)
        return [collector.part(digest, 0, last=True)]
    with _whole(unit) as source:
        parts = [collector.part(digest, 0) for _ in _take_records(collector, unit, source, setup.stretch, tick)]
    if unit.shape in ("array", "values"):
        collector.between(source.given)
    if unit.shape == "values":
        collector.note("json-multiline")
    elif unit.shape == "array" and unit.path.suffix in (".jsonl", ".ndjson"):
        collector.note("json-array")
    parts.append(collector.part(digest, 0, last=True, broken=source.broken))
    return parts


def _take_records(
    collector: Collector, unit: Unit, source: Input, stretch: int, tick: Tick
) -> Iterator[None]:  # fmt: skip
    """Give the records of a stream to a collector, and pause for each part that has come together."""
    told = 0
    for offset, number, record, broken in records(unit.shape, unit.members, source):
        if source.position - told >= STEP:
            tick(source.position - told)
            told = source.position
        if collector.heavy(stretch):
            yield
        collector.take(offset, record, broken, number)


def _last(unit: Unit) -> dict[Any, int]:
    large = unit.shape == "lines" and unit.size > RANGE
    return last_records(unit.format, _whole(unit)) if large else {}


def _whole(unit: Unit) -> Input:
    return Input(unit.path, unit.packing, 0, unit.size)


def _file_digest(unit: Unit, beside: Mapping[str, bytes] | None = None) -> str:
    """Hash a file, the files of a bundle with their names, and what lies beside and belongs to it."""
    seen = digester()
    if unit.members:
        *_, seen = bundles.digested(unit.members)
    else:
        with Input(unit.path, "plain", 0, unit.size) as source:
            for block in source.blocks():
                seen.update(block)
    return _with_beside(seen, beside or {}).hexdigest()


def _run_fault(unit: Unit, setup: Setup, keep: Keep | None) -> list[Part] | None:
    """Reject a whole file; its bytes are counted all the same when they can be read."""
    digest = _file_digest(unit)
    if _still_holds(unit, setup, [(0, 0, digest)]):
        return None
    with _whole(unit) as source:
        size = sum(len(block) for block in source.blocks())
    collector = Collector(unit, setup.folder, setup.stamp, keep=keep)
    if unit.fault:
        more = " (calib formats lists them)" if unit.fault == "unknown-format" else ""
        collector.reject_all(size, unit.fault, CODES[unit.fault] + more)
    else:
        collector.ignore_all(size, unit.shape)
        if not size:
            collector.note("empty-file")
    return [collector.part(digest, 0, last=True)]


def _tell_lines(unit: Unit, setup: Setup, lines: int) -> None:
    with setup.counts.open("r+b", buffering=0) as file:
        file.seek(8 * unit.number)
        file.write(struct.pack("<q", lines + 1))


def _lines_before(unit: Unit, setup: Setup) -> int:
    """Count the lines of the file's earlier ranges; whoever reads them began before us, so they will tell."""
    wanted = unit.number - unit.leader
    with setup.counts.open("rb", buffering=0) as file:
        while True:
            file.seek(8 * unit.leader)
            told: Sequence[int] = struct.unpack(f"<{wanted}q", file.read(8 * wanted))
            if all(told):
                return sum(told) - wanted
            time.sleep(0.001)
