"""Packed dumps: the same records as plain ones, every member, every good byte before a fault, bounded blocks."""

import gzip
import zlib
from pathlib import Path
from typing import Any

import pytest
import zstandard

from calib.ingest.lines import BLOCK
from calib.ingest.streams import Input, packing_of
from tests.ingest.dumping import dumped, episode, line, made

DUMP = b"".join(line(episode(f"e{at}", [str(n) for n in range(at)])) for at in range(40))


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


PACKERS = {"gzip": gzip.compress, "zstd": zst}


def unpacked(path: Path, size: int = 4096) -> tuple[bytes, str]:
    data = path.read_bytes()
    with Input(path, packing_of(data), 0, len(data)) as source:
        view = memoryview(bytearray(size))
        found = b""
        while count := source.fill(view):
            found += view[:count]
    return found, source.broken.code if source.broken else ""


@pytest.mark.parametrize("packing", PACKERS)
def test_packed_is_plain(tmp_path: Path, packing: str) -> None:
    plain = made(tmp_path / "plain", {"d": DUMP})
    packed = made(tmp_path / "packed", {"d": PACKERS[packing](DUMP)})
    for table in ("episodes", "turns", "calls"):
        assert packed.rows(table) == plain.rows(table)
    assert packed.summary.account == plain.summary.account


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("size", [1, 333, 1 << 16])
def test_every_member_counts(tmp_path: Path, packing: str, size: int) -> None:
    pack = PACKERS[packing]
    path = tmp_path / "d"
    path.write_bytes(pack(DUMP[:1000]) + pack(b"") + pack(DUMP[1000:]))
    assert unpacked(path, size) == (DUMP, "")


def test_a_skippable_frame_and_gzip_padding_are_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "d"
    path.write_bytes(b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + zst(DUMP))
    assert unpacked(path) == (DUMP, "")
    path.write_bytes(gzip.compress(DUMP) + bytes(1000))
    assert unpacked(path) == (DUMP, "")


@pytest.mark.parametrize("packing", PACKERS)
def test_a_cut_archive_keeps_what_came_before(tmp_path: Path, packing: str) -> None:
    data = PACKERS[packing](DUMP)
    for at in range(30, len(data), max(1, len(data) // 25)):
        (tmp_path / "d").write_bytes(data[:at])
        found, code = unpacked(tmp_path / "d")
        assert code == "truncated-archive"
        assert DUMP.startswith(found)


def test_a_cut_archive_is_one_reject(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": gzip.compress(DUMP, 0)[: len(DUMP) // 2]})
    (reject,) = found.rows("rejects")
    assert reject["code"] == "truncated-archive"
    assert reject["line"] == len(found.ids) + 1
    assert reject["offset"] == sum(len(one) for one in DUMP.splitlines(keepends=True)[: len(found.ids)])
    assert 10 < len(found.ids) < 40


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("behind", [b"rubbish behind the end" * 3, b"\x1f\x8b\x08rubbish"])
def test_rubbish_behind_the_end(tmp_path: Path, packing: str, behind: bytes) -> None:
    found = made(tmp_path, {"d": PACKERS[packing](DUMP) + behind})
    assert len(found.ids) == 40
    assert [row["code"] for row in found.rows("rejects")] == ["truncated-archive"]


@pytest.mark.parametrize(("packing", "at"), [("gzip", -6), ("zstd", -1)])
def test_a_wrong_checksum(tmp_path: Path, packing: str, at: int) -> None:
    data = bytearray(PACKERS[packing](DUMP))
    data[at] ^= 1
    found = made(tmp_path, {"d": bytes(data)})
    assert len(found.ids) == 40
    assert [row["code"] for row in found.rows("rejects")] == ["truncated-archive"]


@pytest.mark.parametrize("library", ["isal", "zlib"])
def test_with_and_without_isal(tmp_path: Path, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if library == "zlib":
        monkeypatch.setitem(__import__("sys").modules, "isal", None)
    else:
        pytest.importorskip("isal")
    path = tmp_path / "d"
    path.write_bytes(gzip.compress(DUMP) + gzip.compress(DUMP)[:-9])
    found, code = unpacked(path)
    assert code == "truncated-archive"
    assert found.startswith(DUMP)
    assert (DUMP * 2).startswith(found)


def bombs() -> dict[str, bytes]:
    packer: Any = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    gz = b"".join(packer.compress(zeros) for _ in range(200)) + packer.flush()
    return {"gzip": gz, "zstd": zst(bytes(200 << 20))}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_bomb_is_unpacked_in_bounded_pieces(tmp_path: Path, packing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "d"
    path.write_bytes(bombs()[packing])
    largest = 0

    def watched(self: Input, view: memoryview) -> int:
        nonlocal largest
        count = unpack(self, view)
        largest = max(largest, len(self._rest))
        return count

    unpack = Input._unpack
    monkeypatch.setattr(Input, "_unpack", watched)
    with Input(path, packing_of(path.read_bytes()[:8]), 0, path.stat().st_size) as source:
        total = sum(len(block) for block in source.blocks())
    assert (total, source.broken) == (200 << 20, None)
    assert BLOCK < largest <= 64 << 20


def test_a_window_beyond_the_limit_is_a_fault(tmp_path: Path) -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=30, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    found = made(tmp_path, {"d": packer.compress(DUMP) + packer.flush(), "e": line(episode("x"))})
    assert found.codes == [("d", None, "truncated-archive")]


def frame(data: bytes, window: int) -> bytes:
    """A zstd frame of one raw block that asks for a window of 2 ** `window` bytes."""
    block = (len(data) << 3 | 1).to_bytes(3, "little") + data
    return b"\x28\xb5\x2f\xfd\x00" + bytes([(window - 10) << 3]) + block


def test_a_window_of_two_gibibytes_costs_what_comes_from_there_on(tmp_path: Path) -> None:
    lines = DUMP.splitlines(keepends=True)
    good = b"".join(lines[:3])
    rest = frame(b"".join(lines[3:6]), 31)
    assert unpacked_all(tmp_path, zst(good) + frame(b"".join(lines[3:6]), 20)) == (b"".join(lines[:6]), "")
    found = made(tmp_path, {"d": zst(good) + rest + zst(lines[6])})
    assert found.ids == ["e0", "e1", "e2"]
    (reject,) = found.rows("rejects")
    assert (reject["code"], reject["line"], reject["offset"]) == ("truncated-archive", 4, len(good))
    assert {path.name for path in tmp_path.iterdir()} == {"d", "dumps", "corpus"}


def unpacked_all(folder: Path, data: bytes) -> tuple[bytes, str]:
    (folder / "d").write_bytes(data)
    return unpacked(folder / "d")


def test_unreadable_and_vanished(tmp_path: Path) -> None:
    with Input(tmp_path / "gone", "plain", 0, 10) as source:
        assert source.fill(memoryview(bytearray(10))) == 0
    assert source.broken
    assert source.broken.code == "vanished"
    with Input(tmp_path, "plain", 0, 10) as source:
        assert source.fill(memoryview(bytearray(10))) == 0
    assert source.broken
    assert source.broken.code == "unreadable"


def test_what_is_appended_later_is_not_read(tmp_path: Path) -> None:
    path = dumped(tmp_path, {"d": DUMP + b"more"}) / "d"
    with Input(path, "plain", 0, len(DUMP)) as source:
        assert b"".join(bytes(block) for block in source.blocks()) == DUMP


@pytest.mark.parametrize("packing", PACKERS)
def test_an_empty_packed_file_beside_a_dump_is_passed_over(tmp_path: Path, packing: str) -> None:
    found = made(tmp_path, {"d": DUMP, "empty": PACKERS[packing](b"")})
    assert len(found.rows("episodes")) == 40
    assert found.summary.account.bytes == len(DUMP)
