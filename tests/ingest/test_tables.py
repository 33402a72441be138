"""The tables as written: schema, order, metadata, no text where there must be none, rejects and exits."""

import json
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.errors import Exit, NothingMatched, TooMuchLost, UsageError
from calib.formats._codes import CODES, NOTICES
from calib.ingest import ingest
from calib.tables import COUNTED, TABLES, TEXT_COLUMNS, arrow_schema
from tests.ingest.dumping import Made, dumped, episode, line, made

CANARIES = ("/home/canary", "canary@example.org", "sk-canary", "AKIACANARY", "user-canary", "broken-canary")


def canary_dump() -> bytes:
    home, mail, key, token, user, broken = CANARIES
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": json.dumps({"k": key})}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": user},
        {"role": "assistant", "content": mail, "reasoning": home, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": token},
        {"role": "assistant", "content": mail, "reasoning": home, "tool_calls": [call]},
    ]
    return line({"episode_id": "x", "messages": messages}) + b'{"messages": "' + broken.encode() + b"\n"


def footers(folder: Path) -> str:
    return "".join(str(pq.ParquetFile(path).metadata.to_dict()) for path in folder.rglob("*.parquet"))


def test_no_text_means_none_anywhere(tmp_path: Path) -> None:
    bare = made(tmp_path / "bare", {"d": canary_dump()}, text=False)
    raw = b"".join(path.read_bytes() for path in bare.folder.rglob("*") if path.is_file())
    said = raw.decode("latin-1") + footers(bare.folder) + str([bare.rows(table.name) for table in TABLES])
    said += str(bare.summary)
    assert [canary for canary in CANARIES if canary in said] == []
    full = made(tmp_path / "full", {"d": canary_dump()})
    assert [canary for canary in CANARIES[:4] if canary not in str([full.rows("turns"), full.rows("calls")])] == []
    own = {*TEXT_COLUMNS, *COUNTED}
    assert {v for row in full.rows("turns") for k, v in row.items() if k in COUNTED} == {None}
    for table in ("episodes", "turns", "calls", "rejects"):
        assert [{k: v for k, v in row.items() if k not in own} for row in full.rows(table)] == [
            {k: v for k, v in row.items() if k not in own} for row in bare.rows(table)
        ]
        assert {v for row in bare.rows(table) for k, v in row.items() if k in TEXT_COLUMNS} <= {None}


def test_statistics_hold_no_text(tmp_path: Path) -> None:
    folder = made(tmp_path, {"d": canary_dump()}).folder
    assert [canary for canary in CANARIES if canary in footers(folder)] == []


def test_every_file_has_its_schema_and_says_where_it_is_from(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": canary_dump()}, text=False)
    manifest = json.loads((found.folder / "calib.json").read_bytes())
    for table in TABLES:
        (path,) = (found.folder / table.name).iterdir()
        schema = pq.read_schema(path)
        assert schema.equals(arrow_schema(table))
        assert {key.decode(): value.decode() for key, value in schema.metadata.items() if key.startswith(b"calib")} == {
            "calib_schema_version": "1",
            "calib_version": manifest["calib_version"],
            "calib_source": "d",
            "calib_source_digest": manifest["parts"][0]["digest"],
            "calib_options": json.dumps(manifest["options"], sort_keys=True),
        }


def test_rows_are_sorted_by_utf8_bytes(tmp_path: Path) -> None:
    names = ["z", "a", "é", "Z", "\U0001f600", "\uffff", "aa", ""]
    random.Random(1).shuffle(names)
    found = made(tmp_path, {"d": b"".join(line(episode(name, ["p"] * 2)) for name in names)})
    keys = [(row["episode_id"].encode(), row["turn"]) for row in found.rows("turns")]
    assert keys == sorted(keys)
    assert len(keys) == 16
    assert [row["episode_id"] for row in found.rows("episodes")] == sorted(
        (row["episode_id"] for row in found.rows("episodes")), key=str.encode
    )


def test_odd_text_survives(tmp_path: Path) -> None:
    odd = "a\x00b\u2028\ufeff\U0010ffff\x1b[31m"
    found = made(tmp_path, {"d": line(episode(odd, [odd], task=odd, model="\ud800", metadata={odd: odd}))})
    (row,) = found.rows("episodes")
    assert (row["episode_id"], row["task"], row["model"]) == (odd, odd, "\ufffd")
    assert json.loads(row["metadata"]) == {odd: odd}
    assert found.rows("turns")[0]["reasoning"] == odd
    assert found.summary.notices == {"lone-surrogate": 1}


@pytest.mark.parametrize("allowed", [0.0, 0.001, 0.2])
def test_too_much_lost_writes_nothing(tmp_path: Path, allowed: float) -> None:
    files = {"d": line(episode("x")) + b"oops" * 40 + b"\n"}
    with pytest.raises(TooMuchLost, match=r"may be: json-invalid \(1\); nothing was written") as caught:
        made(tmp_path, files, max_rejected=allowed)
    assert caught.value.exit == Exit.TOO_MUCH_LOST
    assert not (tmp_path / "corpus").exists()
    assert made(tmp_path, files, max_rejected=0.9).ids == ["x"]


def test_a_lost_file_without_bytes_is_lost_too(tmp_path: Path) -> None:
    folder = dumped(tmp_path / "d", {"a": line(episode("x"))})
    (folder / "gone").symlink_to("nowhere")
    summary = ingest([folder], tmp_path / "corpus", workers=1)
    assert summary.account.rejected == {"not-a-file": {"records": 1, "bytes": 0}}


def test_messages_are_capped(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": line(episode("x")) + b"oops\n" * 50})
    assert len(found.summary.messages) == 21
    assert found.summary.messages[0] == "d:2: not JSON: stopped at byte 0 of the line; line rejected"
    assert found.summary.messages[-1] == "d: 30 more rejected"


def test_messages_about_lines_are_capped_over_all_files(tmp_path: Path) -> None:
    files = {f"n{at:02}": line(episode(f"x{at}")) + b"oops\n" * (15 if at < 2 else 1 + at % 2) for at in range(25)}
    told = made(tmp_path, files).summary.messages
    assert len(told) == 20 + 20 + 1
    assert [message[:5] for message in told[14:16]] == ["n00:1", "n01:2"]
    assert told[20] == "n01: 10 more rejected"
    assert told[21:23] == (
        "n02:2: not JSON: stopped at byte 0 of the line; line rejected",
        "n03:2: not JSON: stopped at byte 0 of the line; line rejected, and 1 more of this file",
    )
    assert told[40] == "4 more files with rejected lines"


def test_messages_about_files_are_capped(tmp_path: Path) -> None:
    found = made(tmp_path, {"x": line(episode("x")), **{f"n{at:02}": b"hello\n" for at in range(30)}})
    told = "n00: no record of the file is one of a known format (calib formats lists them); file rejected"
    assert found.summary.messages[0] == told
    assert found.summary.messages[20:] == ("10 more files rejected",)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe" + "x".encode("utf-16-le"), "encoding-utf16"),
        ('{"messages": []}\n'.encode("utf-16-le"), "encoding-utf16"),
        (b"hello\nworld\n", "unknown-format"),
        (b'{"a": 1}\n' * 30, "unknown-format"),
        (b"\x1f\x8bnot gzip", "truncated-archive"),
    ],
)
def test_a_file_that_is_no_dump(tmp_path: Path, data: bytes, code: str) -> None:
    with pytest.raises(NothingMatched):
        made(tmp_path / "alone", {"d": data})
    found = made(tmp_path, {"d": data, "e": line(episode("x"))})
    assert found.codes == [("d", None, code)]
    assert found.ids == ["x"]


def test_the_format_is_the_majority_s_not_the_name_s(tmp_path: Path) -> None:
    messages = b"".join(line(message) for message in episode("", ["a", "b"])["messages"])
    found = made(tmp_path, {"episodes.csv": line({"meta": 1}) + line({"messages": []}) + messages})
    assert {row["format"] for row in found.rows("episodes")} == {"message_lines"}
    assert [code for _, _, code in found.codes] == ["bad-message", "bad-message"]


def test_a_format_by_name(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": line({"role": "user"}) * 3 + line(episode("x"))}, format="episode_lines")
    assert [code for _, _, code in found.codes] == ["no-messages"] * 3
    with pytest.raises(UsageError, match="no format named 'episodes'; there are episode_lines"):
        made(tmp_path, {"d": b""}, format="episodes")


def test_an_empty_file_beside_others(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": b"", "e": line(episode("x"))})
    assert found.codes == []
    assert found.summary.sources == 2


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dump = dumped(tmp_path, {"d": line(episode("x"))}) / "d"
    with dump.open("r") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        ingest(["-"], tmp_path / "corpus", workers=1)
    found = Made(tmp_path / "corpus", made(tmp_path / "other", {"d": dump.read_bytes()}).summary)
    assert [row["source"] for row in found.rows("episodes")] == ["-"]
    assert sorted(path.name for path in found.folder.iterdir()) == [
        "calib.json",
        "calls",
        "episodes",
        "rejects",
        "turns",
    ]


def test_codes_are_spelled_one_way() -> None:
    for codes in (CODES, NOTICES):
        assert all(code == code.lower() and " " not in code and meaning for code, meaning in codes.items())
    assert not set(CODES) & set(NOTICES)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.lists(st.sampled_from(["p", "q", " ", None]), max_size=4)), max_size=6
    ),
    st.integers(1, 3),
    st.sampled_from([80, 500, 1 << 25]),
)
@settings(max_examples=25, deadline=None)
def test_splitting_into_dumps_and_ranges_changes_no_row(
    tmp_path_factory: pytest.TempPathFactory, episodes: list[tuple[str, list[str | None]]], files: int, stretch: int
) -> None:
    lines = [line(episode(f"{name}{at}", plans)) for at, (name, plans) in enumerate(episodes)] + [line(episode("end"))]
    folder = tmp_path_factory.mktemp("split")
    whole = made(folder / "whole", {"d": b"".join(lines)})
    pieces = {f"d{at}": b"".join(lines[at::files]) for at in range(files)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calib.ingest.run.RANGE", stretch)
        split = made(folder / "split", {name: data for name, data in pieces.items() if data})
    for table in ("episodes", "turns", "calls"):
        assert tidy(split, table) == tidy(whole, table)


def tidy(found: Made, table: str) -> list[dict[str, Any]]:
    rows = [{k: v for k, v in row.items() if k not in ("source", "source_line")} for row in found.rows(table)]
    return sorted(rows, key=str)
