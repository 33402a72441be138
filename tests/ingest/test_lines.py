"""Lines: known faults at every place, both line ends, every cut, seeded mutation, every way to arrive."""

import json
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.check import check
from calib.formats._codes import CODES, Rejected
from calib.formats._decode import tolerant, values_in
from calib.ingest.lines import BLOCK, JUNK, cut, is_blank, lines_in, numbered
from tests.ingest.dumping import Fate, episode, fate, filler, line, made

GOOD = [line(episode(f"e{at}", ["a", None, "é\u2028"])) for at in range(4)]
MESSAGES = [line(message) for message in episode("", ["a", "b"])["messages"]]
FAULTS: dict[bytes, str] = {
    b'{"messages": [': "json-truncated",
    b'{"messages": []}{"messages": 7': "json-invalid",
    b'{"messages": [],}': "json-invalid",
    b"{'messages': []}": "json-invalid",
    b"\xff\xfe{\x00": "nul-bytes",
    b"\x00" * 200: "nul-bytes",
    b"[1, 2]": "not-an-object",
    b'"messages"': "not-an-object",
    b"NaN": "not-an-object",
    b"\x0c": "json-invalid",
    b"oops": "json-invalid",
    b"[" * 200_000 + b"]" * 200_000: "too-deep",
    b'{"messages": ' + b"[" * 200_000 + b"]" * 200_000 + b"}": "too-deep",
    b'{"role": "user"}': "no-messages",
    b'{"messages": 7}': "no-messages",
    b'{"messages": [7]}': "bad-message",
    b'{"messages": [{"content": "x"}]}': "bad-message",
    b'{"messages": [{"role": 7}]}': "bad-message",
    b'{"messages": [{"role": "assistant", "tool_calls": [7]}]}': "bad-message",
    b'{"metadata": ' + b'{"a":' * 300 + b"1" + b"}" * 300 + b', "messages": []}': "too-deep",
    b'{"messages": [], "n": ' + b"9" * 5000: "json-truncated",
}


def joined(places: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Records that share a line, as one place."""
    found: dict[int, tuple[int, int, int]] = {}
    for number, offset, size in sorted(places):
        _, first, before = found.get(number, (number, offset, 0))
        assert first + before == offset
        found[number] = (number, first, before + size)
    return list(found.values())


def adds_up(data: bytes, found: Fate) -> None:
    """Every byte has one fate, lines are numbered without gap, stretches stand where they say."""
    *whole, tail = data.split(b"\n")
    lines = [piece + b"\n" for piece in whole] + [tail] * bool(tail)
    starts = [sum(map(len, lines[:at])) for at in range(len(lines))]
    places = [(line, offset, size) for one in found.kept for line, offset, size in one.episode.stretches]
    places += [(reject.line or 0, reject.offset, reject.bytes) for reject in found.rejects]
    places = joined(places)
    every = [(at + 1, start, len(piece)) for at, (start, piece) in enumerate(zip(starts, lines, strict=True))]
    blank = [place for place in every if place not in set(places)]
    assert all(not lines[number - 1].strip(b" \t\r\n") for number, _, _ in blank)
    assert sorted(places + blank) == every
    account = found.account
    lost = sum(counts["bytes"] for counts in account["rejected"].values())
    assert account["kept"] + account["blank"] + lost == account["bytes"] == len(data)
    assert account["blank"] == sum(size for _, _, size in blank)
    assert found.lines == len(lines)
    assert set(account["rejected"]) <= set(CODES)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("bad", FAULTS, ids=lambda bad: bad[:24].decode("latin-1"))
def test_a_bad_line_costs_exactly_itself(bad: bytes, end: bytes) -> None:
    for at in range(len(GOOD) + 1):
        lines = [piece.replace(b"\n", end) for piece in GOOD]
        lines.insert(at, bad + end)
        found = fate(b"".join(lines))
        adds_up(b"".join(lines), found)
        assert found.codes == [(at + 1, FAULTS[bad])]
        assert [one.episode_id for one in found.kept] == ["e0", "e1", "e2", "e3"]


def test_a_flood_of_bad_lines_takes_few_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.ingest.lost.ALONE", 3)
    data = GOOD[0] + b"{]\n" * 9 + b"[1]\n" * 2 + b"\n" + b"[1]\n" + b"{]\n" + b"{} x\n" + GOOD[1]
    found = made(tmp_path, {"d": data})
    shown = [(row["line"], row["bytes"], row["code"], row["records"]) for row in found.rows("rejects")]
    assert shown == [
        *((line, 3, "json-invalid", 1) for line in (2, 3, 4)),
        (5, 18, "json-invalid", 6),
        (11, 8, "not-an-object", 2),
        (14, 4, "not-an-object", 1),
        (15, 8, "json-invalid", 2),
    ]
    assert [row["reason"] for row in found.rows("rejects")[3:]] == [
        CODES[code] for code in ("json-invalid", "not-an-object", "not-an-object", "json-invalid")
    ]
    assert found.summary.account.lost_records == 14
    assert check(tmp_path / "corpus").findings == ()


def test_a_flood_that_alternates_takes_no_more_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.ingest.lost.ALONE", 1)
    monkeypatch.setattr("calib.ingest.lost.MOST", 4)
    found = made(tmp_path, {"d": GOOD[0] + b"{]\n \n[1]\n" * 50 + b"{}\n"})
    shown = [(row["line"], row["offset"] - len(GOOD[0]), row["bytes"], row["records"]) for row in found.rows("rejects")]
    assert shown == [(2, 0, 3, 1), (4, 5, 4, 1), (5, 9, 3, 1), (7, 14, 4, 1),
                     (None, 18, 48 * 3, 48), (None, 23, 48 * 4, 48), (152, 450, 3, 1)]  # fmt: skip
    account = found.summary.account
    assert (account.lost_records, account.blank, account.lost_bytes) == (101, 100, 353)
    assert check(tmp_path / "corpus").findings == ()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*FAULTS, b"", b"some text", b'{"messages": []}']), max_size=30), st.integers(0, 9))
def test_rows_are_the_same_however_the_bytes_arrive(pieces: list[bytes], alone: int) -> None:
    data = b"\n".join([*pieces, b"{]", b"{]", b"x"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calib.ingest.lost.ALONE", alone)
        patch.setattr("calib.ingest.lost.MOST", 2 * alone)
        assert fate(data, size=5).rejects == fate(data).rejects
        assert fate(data, size=1 << 16).account == fate(data, size=3).account


START = st.sampled_from([b"{", b"[", b"-", b"2026", b"[7", b"t", b"true", b"fals", b"nul", b"NaN", b"Inf", b""])


@settings(max_examples=200, deadline=None)
@given(START, st.binary(max_size=6), st.sampled_from([b"\n", b"\r\n", b"},\n"]))
def test_junk_is_what_no_parser_can_read(start: bytes, rest: bytes, end: bytes) -> None:
    line = start + rest.replace(b"\n", b"") + end
    if JUNK.fullmatch(line):
        with pytest.raises(Rejected) as caught:
            tolerant(line)
        assert caught.value.code == "json-invalid"
        assert values_in(line) == []
        assert fate(line).codes == [(1, "json-invalid")]


@pytest.mark.parametrize(
    ("line", "is_junk"),
    [
        *(
            (junk, True)
            for junk in (b"{]", b"2026-01-31 12:00 INFO go", b"[INFO] x", b"[2026-01", b"text", b"- a", b"<a>")
        ),
        *(
            (odd, False)
            for odd in (b'{"a":', b"{}", b"{", b"[1]", b"12", b"true", b"NaN", b'"a"', b"{\xa0", b"text\0", b"")
        ),
    ],
)
def test_which_lines_are_junk(line: bytes, is_junk: bool) -> None:
    assert bool(JUNK.fullmatch(line + b"\n")) == is_junk


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*FAULTS, b"", b'{"messages": []}']), max_size=30), st.integers(0, 4))
def test_rows_of_several_records_add_up_to_rows_of_one(pieces: list[bytes], alone: int) -> None:
    data = b"\n".join([GOOD[0][:-1], *pieces, b"x"])
    literal = fate(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calib.ingest.lost.ALONE", alone)
        found = fate(data)
    assert found.account == literal.account
    covered = []
    for reject in found.rejects:
        inside = [one for one in literal.rejects if reject.offset <= one.offset < reject.offset + reject.bytes]
        assert (len(inside), inside[0].line) == (reject.records, reject.line)
        assert {one.code for one in inside} == {reject.code}
        covered += inside
    assert covered == literal.rejects


@pytest.mark.parametrize("bad", FAULTS, ids=lambda bad: bad[:24].decode("latin-1"))
def test_a_bad_last_line_without_line_feed(bad: bytes) -> None:
    data = b"".join(GOOD) + bad
    found = fate(data)
    adds_up(data, found)
    code = "json-truncated" if FAULTS[bad] == "json-invalid" else FAULTS[bad]
    assert found.codes == [(5, code)]


@pytest.mark.parametrize("blank", [b"", b"  ", b"\t", b"\r", b" \r\t "])
def test_blank_lines_are_no_records(blank: bytes) -> None:
    data = b"".join(GOOD[:2]) + blank + b"\n" + GOOD[2]
    found = fate(data)
    adds_up(data, found)
    assert found.codes == []
    assert found.account["blank"] == len(blank) + 1
    assert found.kept[2].line == 4


def test_a_cut_at_every_byte_costs_the_last_line_only() -> None:
    data = b"".join(GOOD[:2])
    first = len(GOOD[0])
    for at in range(len(data)):
        found = fate(data[:at])
        adds_up(data[:at], found)
        whole = at >= first - 1, at >= len(data) - 1  # an object without its line feed is whole
        assert len(found.kept) == sum(whole)
        assert [code for _, code in found.codes] == ["json-truncated"] * (
            at not in (0, first - 1, first, len(data) - 1)
        )


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 16])
@pytest.mark.parametrize("room", [1, 50, 1 << 16])
def test_however_the_bytes_arrive_the_lines_are_equal(size: int, room: int) -> None:
    data = b"\n\n".join([*GOOD, b"oops", b"x" * 3000, b"", b"tail"])
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    lines = [one for piece in cut(filler(pieces), room) for one in one_by_one(bytes(piece))]
    assert b"".join(lines) == data
    assert lines == [piece + b"\n" for piece in data.split(b"\n")[:-1]] + [b"tail"]


def one_by_one(piece: bytes) -> list[bytes]:
    return [line for line in re.split(rb"(?<=\n)", piece) if line]


PIECES = st.sampled_from(
    [
        b"{]\n",
        b"{\n",
        b'{"',
        b"{",
        b"[1]\n",
        b"\n",
        b"\n\n\n",
        b" \n",
        b"\t\r\n",
        b"  ",
        b"x\n",
        b" x\n",
        b"x",
        b"\x0b\n",
        b"\n" * 40,
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES), st.integers(1, 30), st.integers(1, 60))
def test_runs_of_lines_are_lines_one_by_one(found: list[bytes], size: int, room: int) -> None:
    data = b"".join(found)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    literal = [(number, line) for number, line in enumerate(one_by_one(data), 1)]
    told = []
    for number, piece in numbered(filler(pieces), room):
        lines = one_by_one(bytes(piece))
        assert len(lines) == lines_in(piece)
        assert len(lines) == 1 or is_blank(piece) or JUNK.fullmatch(piece)
        told += list(enumerate(lines, number))
    assert told == literal


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES), st.integers(1, 30), st.integers(0, 3))
def test_blank_runs_get_the_fate_of_blank_lines(found: list[bytes], size: int, good: int) -> None:
    data = b"".join([*found, *GOOD[:good], *found, b"\n", GOOD[0]])
    whole = fate(data, size=size)
    literal = one_by_one(data)
    blank = [line for line in literal if is_blank(line)]
    assert (whole.lines, whole.account["blank"]) == (len(literal), sum(map(len, blank)))
    starts = [number for number, line in enumerate(literal, 1) if line.strip() + b"\n" in GOOD]
    assert {one.line for one in whole.kept} <= set(starts)
    assert whole.kept[0].line == starts[0]


def test_a_flood_of_blank_lines_takes_few_pieces() -> None:
    data = b"\n" * (3 * BLOCK) + b"{}\n"
    assert len(list(cut(filler([data])))) < 10


def test_a_flood_of_junk_takes_few_pieces() -> None:
    assert len(list(cut(filler([b"{]\n" * BLOCK + b"{}\n"])))) < 10


@pytest.mark.parametrize("stretch", [5, 7, 64])
def test_blank_lines_over_the_borders_of_ranges(tmp_path: Path, stretch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\n" * 11 + GOOD[0] + b" \n\n" * 30 + GOOD[1] + b"\n" * 20
    whole = made(tmp_path / "whole", {"d": data})
    monkeypatch.setattr("calib.ingest.run.RANGE", stretch)
    cut_up = made(tmp_path / "cut", {"d": data})
    assert cut_up.rows("episodes") == whole.rows("episodes")
    assert [row["source_line"] for row in whole.rows("episodes")] == [12, 73]
    assert cut_up.summary.account == whole.summary.account


@pytest.mark.parametrize("behind", [b"\n", b"\r\n", b" \n\n", b""])
def test_a_byte_order_mark_on_an_empty_line(tmp_path: Path, behind: bytes) -> None:
    found = made(tmp_path, {"d": b"\xef\xbb\xbf" + behind + b"".join(GOOD[:2])})
    assert (found.codes, found.summary.notices) == ([], {"bom": 1})
    assert len(found.ids) == 2
    assert found.summary.account.blank == (3 + len(behind) if behind else 0)


def test_only_byte_0a_ends_a_line() -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\rg\x1cz"
    data = json.dumps({"episode_id": "x", "messages": [{"role": "assistant", "content": text}]}, ensure_ascii=False)
    found = fate(data.replace("\\r", "\\r").encode() + b"\n")
    assert found.lines == 1
    assert [turn[5] for turn in found.kept[0].episode.turns] == [text]


@pytest.mark.parametrize("format", ["episode_lines", "message_lines"])
def test_mutation_never_breaks_the_account(format: str) -> None:
    random = Random(7)
    seeds = GOOD if format == "episode_lines" else MESSAGES
    tokens = [
        *FAULTS,
        b"\n",
        b"\r\n",
        b"\x00",
        b"\xef\xbb\xbf",
        b"\\ud800",
        b"NaN",
        b"1e999",
        b'"role"',
        b"null",
        b"{}",
    ]
    fired = 0
    for _ in range(1500):
        data = bytearray(b"".join(random.choices(seeds, k=3)))
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(data))
            choice = random.randrange(4)
            if choice == 0:
                data[at] = random.randrange(256)
            elif choice == 1:
                del data[at : at + random.randint(1, 40)]
            elif choice == 2:
                data[at:at] = random.choice(tokens)
            else:
                other = random.randrange(len(data))
                data[at:at] = data[other : other + 30]
            data = data or bytearray(b"\n")
        found = fate(bytes(data), format)
        if format == "episode_lines":
            adds_up(bytes(data), found)
        account = found.account
        lost = sum(counts["bytes"] for counts in account["rejected"].values())
        assert account["kept"] + account["blank"] + lost == len(data)
        fired += bool(found.rejects)
    assert fired > 300


def test_blank_is_json_white_space_only() -> None:
    assert [is_blank(piece) for piece in (b"\n", b" \t\r\n", b"\x0b\n", b"\xc2\xa0\n")] == [True, True, False, False]


def test_a_comma_behind_the_object_is_no_fault() -> None:
    data = b'{"messages": []},\n{"messages": []},\n'
    found = fate(data)
    adds_up(data, found)
    assert found.codes == []
    assert len(found.kept) == 2
