"""Files whose records are not one a line: several on a line, over several lines, a list, nothing at all."""

import json
from pathlib import Path

import pytest

from calib.formats._decode import values_in
from tests.ingest.dumping import line, made

SAID = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "assistant", "content": "c"}]


@pytest.mark.parametrize("between", [b"", b" ", b"\t"])
def test_several_records_on_a_line_are_all_read(tmp_path: Path, between: bytes) -> None:
    _, second, third = (json.dumps(message).encode() for message in SAID)
    found = made(tmp_path, {"d": line(SAID[0]) + second + between + third + b"\n" + line(SAID[1])})
    assert [row["text"] for row in found.rows("turns")] == ["b", "c", "b"]
    assert found.codes == []
    assert found.summary.notices == {"concatenated-records": 1}


def test_a_record_after_a_stub_is_not_guessed(tmp_path: Path) -> None:
    glued = b'{"role": "assist' + json.dumps(SAID[1]).encode() + b"\n"
    half = json.dumps(SAID[1]).encode() + b'{"role": "assist\n'
    found = made(tmp_path, {"d": line(SAID[0]) + glued + half + line(SAID[2])})
    assert [row["text"] for row in found.rows("turns")] == ["c"]
    assert [(at, code) for _, at, code in found.codes] == [(2, "json-invalid"), (3, "json-invalid")]


def test_one_bad_record_of_two_on_a_line(tmp_path: Path) -> None:
    both = json.dumps(SAID[1]).encode() + b'{"role": 5}\n'
    found = made(tmp_path, {"d": line(SAID[0]) + both})
    assert [row["text"] for row in found.rows("turns")] == ["b"]
    assert [(at, code) for _, at, code in found.codes] == [(2, "bad-message")]


def test_records_over_several_lines(tmp_path: Path) -> None:
    data = b"\n".join(json.dumps(message, indent=1).encode() for message in SAID) + b"\n"
    found = made(tmp_path, {"d.jsonl": data})
    assert [row["text"] for row in found.rows("turns")] == ["b", "c"]
    assert found.summary.notices == {"json-multiline": 1}
    pretty = [{"episode_id": name, "messages": SAID} for name in "xy"]
    found = made(tmp_path / "b", {"d": b"".join(json.dumps(one, indent=2).encode() + b"\n\n" for one in pretty)})
    assert found.ids == ["x", "y"]
    assert sorted(row["source_line"] for row in found.rows("episodes"))[0] == 1


def test_a_list_in_a_file_of_lines(tmp_path: Path) -> None:
    found = made(tmp_path, {"d.jsonl": json.dumps(SAID).encode(), "e.json": json.dumps(SAID).encode()})
    assert len(found.rows("turns")) == 4
    assert found.summary.notices == {"json-array": 1}


def test_a_file_without_a_byte(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": b"".join(line(message) for message in SAID), "e.jsonl": b""})
    assert found.summary.notices == {"empty-file": 1}
    assert found.codes == []


@pytest.mark.parametrize(
    "data", [b"", b"[1]", b'{"a": 1}', b'{"a": 1}{', b'{"a": 1}[2]', b'{"a": 1},{"b": 2}', b"{" * 9999]
)
def test_what_is_not_one_object_after_the_other(data: bytes) -> None:
    assert values_in(data) == []
