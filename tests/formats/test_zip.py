"""Members of archives: packings, faults, forged directories; their bytes add up."""

import io
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats import _zip
from calib.formats._codes import Rejected
from calib.formats._zip import Archive
from tests.formats.zipping import Piece, archive


def opened(data: bytes) -> Archive:
    return Archive(io.BytesIO(data), len(data))  # type: ignore[arg-type]


def codes(found: Archive) -> list[str]:
    """What reading each member gives: its bytes as text, or the code of its fault."""
    given = []
    for member in found.members:
        try:
            given.append(found.read(member).decode())
        except Rejected as fault:
            given.append(fault.code)
    return given


def assert_adds_up(found: Archive, size: int) -> None:
    at = 0
    for member in found.members:
        assert at <= member.first <= member.end <= size
        at = member.end


@pytest.mark.parametrize("method", [0, 8, 93])
@pytest.mark.parametrize("wide", [False, True])
def test_packings(method: int, wide: bool) -> None:
    data = archive(Piece("a", b"first", method), Piece("../b", b"second", method), wide=wide)
    found = opened(data)
    assert codes(found) == ["first", "second"]
    assert [member.name for member in found.members] == ["a", "../b"]
    assert not found.cut
    assert found.members[0].first == 0
    assert found.members[0].end == found.members[1].first
    assert_adds_up(found, len(data))


def test_what_others_write_is_read() -> None:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a/b.json", "x" * 5000)
        made.writestr("c", "")
    assert codes(opened(box.getvalue())) == ["x" * 5000, ""]


@pytest.mark.parametrize(
    "bad",
    [
        Piece("b", b"bad", crc=1),
        Piece("b", b"bad", flags=1),
        Piece("b", b"bad", method=14),
        Piece("b", b"bad", method=8, packed=b"\xff\xff\xff"),
        Piece("b", b"bad", method=93, packed=b"(\xb5/\xfd rubbish"),
        Piece("b", b"bad", method=0, claimed=200),
    ],
)
def test_a_bad_member_costs_itself_only(bad: Piece) -> None:
    data = archive(Piece("a", b"first"), bad, Piece("c", b"third" * 50))
    found = opened(data)
    assert codes(found) == ["first", "bad-member", "third" * 50]
    assert_adds_up(found, len(data))


@pytest.mark.parametrize("method", [0, 8, 93])
def test_bombs_are_bounded(monkeypatch: pytest.MonkeyPatch, method: int) -> None:
    monkeypatch.setattr(_zip, "LARGEST", 1 << 20)
    found = opened(archive(Piece("bomb", bytes(5 << 20), method), Piece("b", b"good")))
    assert codes(found) == ["too-large", "good"]


def test_members_that_share_bytes() -> None:
    data = bytearray(archive(Piece("a", b"first", 0), Piece("b", b"second", 0)))
    at = data.rfind(b"PK\x01\x02")
    data[at + 42 : at + 46] = (0).to_bytes(4, "little")  # the second entry points at the first member too
    found = opened(bytes(data))
    assert codes(found) == ["bad-member", "bad-member"]
    assert_adds_up(found, len(data))


def test_an_archive_without_directory() -> None:
    whole = archive(Piece("a", b"first"), Piece("b", b"second", 93), Piece("c", b"third"), directory=False)
    cut = opened(whole[:-3])
    assert (codes(cut), cut.cut) == (["first", "second"], True)
    streamed = opened(archive(Piece("a", b"first"), Piece("b", b"second", flags=8), directory=False))
    assert codes(streamed) == ["first"]


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"PK\x05\x06" + b"\xff" * 18, b"PK" * 40]
)
def test_rubbish(data: bytes) -> None:
    assert opened(data).members == []


GOOD = archive(Piece("a", b"first" * 9), Piece("b", b"second", 0), Piece("c", b"third" * 9, 93))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_damage_is_survived(data: Any) -> None:
    broken = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 6))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(broken))) if data.draw(st.booleans()) else len(broken)
    damaged = bytes(broken[:end])
    found = opened(damaged)
    assert_adds_up(found, len(damaged))
    assert len(codes(found)) == len(found.members)
