"""Message per line: one episode a file, or one per id, interleaved; what lines say of it; what is open at a time."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats import message_lines
from calib.formats._reader import Context
from tests.ingest.dumping import Made, episode, fate, line, made


def said(name: str | None, text: str, **more: Any) -> bytes:
    record = {"role": "assistant", "content": text, **more}
    return line(record if name is None else {"episode_id": name, **record})


def texts(found: Made) -> dict[str, list[str]]:
    made_of: dict[str, list[str]] = {}
    for row in found.rows("turns"):
        made_of.setdefault(row["episode_id"], []).append(row["text"])
    return made_of


def test_without_ids_a_file_is_one_episode(tmp_path: Path) -> None:
    found = made(tmp_path, {"d.jsonl": said(None, "a") + said(None, "b"), "e.jsonl": said(None, "c")})
    assert texts(found) == {"d.jsonl": ["a", "b"], "e.jsonl": ["c"]}
    assert [(row["source"], row["source_line"]) for row in found.rows("episodes")] == [("d.jsonl", 1), ("e.jsonl", 1)]


def test_episodes_interleave(tmp_path: Path) -> None:
    data = said("x", "1") + b"\n" + said("y", "2") + said(None, "3") + said("x", "4") + said("y", "5") + said("z", "6")
    found = made(tmp_path, {"d": data})
    assert texts(found) == {"d": ["3"], "x": ["1", "4"], "y": ["2", "5"], "z": ["6"]}
    assert {row["episode_id"]: row["source_line"] for row in found.rows("episodes")} == {"x": 1, "y": 3, "d": 4, "z": 7}
    assert found.summary.account.blank == 1


def test_lines_say_what_is_known_the_first_one_wins(tmp_path: Path) -> None:
    data = said("x", "1", task="t", metadata={"a": 1}) + said(
        "x", "2", task="other", outcome="fail", stop_reason="turn_limit"
    )
    (row,) = made(tmp_path, {"d": data}).rows("episodes")
    assert (row["task"], row["label"], row["metadata"]) == ("t", "turn_limit", '{"a":1}')


def test_ids_of_other_types_are_text(tmp_path: Path) -> None:
    data = line({"role": "assistant", "episode_id": 7}) + line({"role": "assistant", "episode_id": "7"})
    data += line({"role": "assistant", "episode_id": None}) + line({"role": "assistant", "episode_id": ""})
    assert texts(made(tmp_path, {"d": data})).keys() == {"7", "d"}


def test_a_rejected_last_line_ends_the_episode_all_the_same(tmp_path: Path) -> None:
    data = said("x", "1") + line({"episode_id": "x", "content": "no role"}) + said("y", "2")
    found = made(tmp_path, {"d": data})
    assert texts(found) == {"x": ["1"], "y": ["2"]}
    assert found.codes == [("d", 2, "bad-message")]


def test_an_episode_is_done_with_its_last_line() -> None:
    lines = [said("x", "1"), said("y", "2"), said("x", "3"), said("y", "4")]
    last = {message_lines.session_of(json.loads(each)): at for at, each in enumerate(lines, 1)}
    assert last == {("episode_id", "x"): 3, ("episode_id", "y"): 4}
    reader = message_lines.Reader(Context(True, Counter(), last=last))
    done = [[one.about.episode_id for one in reader.feed(each, (at, 0, 1))] for at, each in enumerate(lines, 1)]
    assert done == [[], [], ["x"], ["y"]]
    assert list(reader.finish()) == []


def test_many_parts_of_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(said(f"e{at // 3}", f"{at}") + b"oops\n" * (at % 5 == 0) for at in range(60))
    whole = made(tmp_path / "whole", {"d": data})
    monkeypatch.setattr("calib.ingest.run.RANGE", 200)
    cut = made(tmp_path / "cut", {"d": data})
    assert len(list((cut.folder / "turns").iterdir())) > 5
    for table in ("episodes", "turns", "rejects"):
        assert sorted(cut.rows(table), key=str) == sorted(whole.rows(table), key=str)


def test_the_two_forms_give_the_same_tables(tmp_path: Path) -> None:
    records = [episode(name, plans) for name, plans in (("x", ["a", None, "a"]), ("y", []), ("z", ["b"]))]
    messages = b"".join(line({"episode_id": one["episode_id"], **each}) for one in records for each in one["messages"])
    by_episode = made(tmp_path / "e", {"d": b"".join(map(line, records))})
    by_message = made(tmp_path / "m", {"d": messages})
    assert by_message.rows("turns") == by_episode.rows("turns")
    assert by_message.rows("calls") == by_episode.rows("calls")
    digests = [[row["digest"] for row in one.rows("episodes")] for one in (by_episode, by_message)]
    assert digests[0] == digests[1]


@given(st.lists(st.tuples(st.sampled_from(["x", "y", None]), st.sampled_from(["a", "b", ""])), max_size=12))
@settings(max_examples=100, deadline=None)
def test_interleaving_loses_and_adds_nothing(lines: list[tuple[str | None, str]]) -> None:
    data = b"".join(said(name, text) for name, text in lines)
    found = fate(data or b"\n", "message_lines")
    assert sum(len(one.episode.turns) for one in found.kept) == len(lines)
    for one in found.kept:
        wanted = [text for name, text in lines if name == one.episode.about.episode_id]
        assert [turn[5] for turn in one.episode.turns] == wanted
    assert found.account["kept"] + found.account["blank"] == len(data or b"\n")


def test_a_rejected_line_leaves_no_turn_behind(tmp_path: Path) -> None:
    deep: Any = []
    for _ in range(250):
        deep = [deep]
    data = said("x", "1") + said("x", "rejected", metadata={"deep": deep}) + said("x", "2")
    found = made(tmp_path, {"d": data})
    assert texts(found) == {"x": ["1", "2"]}
    assert found.codes == [("d", 2, "too-deep")]


def test_of_an_id_written_twice_the_last_counts_to_the_end(tmp_path: Path) -> None:
    twice = b'{"episode_id":"y","episode_id":"x","role":"assistant","content":"2"}\n'
    found = made(tmp_path, {"d": said("x", "1") + twice})
    assert texts(found) == {"x": ["1", "2"]}
    assert found.codes == []


def test_a_flood_of_types_takes_no_more_room_than_some(tmp_path: Path) -> None:
    flood = b"".join(b'{"type": "t%d", "a": %d}\n' % (at, at) for at in range(3000))
    found = made(tmp_path, {"d": said("x", "1") + flood})
    ignored = found.summary.account.ignored
    assert len(ignored) == 101
    assert ignored["other types"]["records"] == 2900
    assert sum(counts["records"] for counts in ignored.values()) == 3000
