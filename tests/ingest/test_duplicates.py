"""An episode id that stands twice: the first by (source, line) counts, whatever the order, cut or history."""

from pathlib import Path

import pytest

from calib.errors import CalibError
from calib.ingest import ingest
from tests.cli_faults.running import tree
from tests.ingest.dumping import Made, checked, dumped, episode, line, made

A, B = line(episode("x", ["a"])), line(episode("y", ["b"]))
A_OTHER = line(episode("x", ["a", "a"]))


def test_in_one_file(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": A + B + A + A_OTHER})
    assert found.ids == ["x", "y"]
    assert found.codes == [("d", 3, "duplicate-episode"), ("d", 4, "episode-id-conflict")]
    assert [row["reason"] for row in found.rows("rejects")] == [
        "the same episode stands at d:1", "another episode of this id stands at d:1",
    ]  # fmt: skip
    assert found.summary.account.rejected["duplicate-episode"] == {"records": 1, "bytes": len(A)}


@pytest.mark.parametrize("order", [("1", "2", "3"), ("3", "2", "1")])
def test_across_files_the_first_name_counts(tmp_path: Path, order: tuple[str, ...]) -> None:
    files = {"1": B, "2": A, "3": A_OTHER + line(episode("z"))}
    found = made(tmp_path, {name: files[name] for name in order})
    assert found.ids == ["x", "y", "z"]
    assert found.codes == [("3", 1, "episode-id-conflict")]
    assert found.rows("rejects")[0]["reason"] == "another episode of this id stands at 2:1"
    assert [len(found.rows(name)) for name in ("episodes", "turns", "calls")] == [3, 3, 3]


def test_another_label_is_another_content(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": A + line(episode("x", ["a"], outcome="pass"))})
    assert found.codes == [("d", 2, "episode-id-conflict")]


@pytest.mark.parametrize("first", ["1", "2", "12", "21"])
def test_history_leaves_no_trace(tmp_path: Path, first: str) -> None:
    files = {"1": A + B, "2": A + line(episode("z")), "3": B}
    whole = made(tmp_path / "whole", files)
    dumps = dumped(tmp_path / "dumps", files)
    for names in (first, "123"):
        ingest([dumps / name for name in names], tmp_path / "corpus", workers=1)
    checked(tmp_path / "corpus")
    assert tree(tmp_path / "corpus") == tree(whole.folder)


def test_what_was_dropped_comes_back_when_the_first_one_goes(tmp_path: Path) -> None:
    before = made(tmp_path, {"1": A, "2": A + B})
    assert before.codes == [("2", 1, "duplicate-episode")]
    after = made(tmp_path, {"1": line(episode("w")), "2": A + B})
    assert after.ids == ["w", "x", "y"]
    assert after.codes == []
    assert tree(after.folder) == tree(made(tmp_path / "fresh", {"1": line(episode("w")), "2": A + B}).folder)


def test_a_dump_that_must_be_read_again_must_be_named(tmp_path: Path) -> None:
    before = made(tmp_path, {"1": A, "2": A + B})
    left = tree(before.folder)
    with pytest.raises(CalibError, match="2: shares episode ids with a dump that changed"):
        made(tmp_path, {"1": line(episode("w"))})
    assert tree(before.folder) == left


def test_messages_of_a_dropped_episode_are_rejected_line_by_line(tmp_path: Path) -> None:
    messages = b"".join(
        line({"episode_id": name, **message})
        for one, other in zip(episode("x")["messages"], episode("y")["messages"], strict=True)
        for name, message in (("x", one), ("y", other))
    )
    found = made(tmp_path, {"1": A, "2": messages})
    assert found.ids == ["x", "y"]
    assert found.codes == [("2", at, "duplicate-episode") for at in (1, 3, 5)]


def test_a_made_id_is_the_source_and_line(tmp_path: Path) -> None:
    nameless = line({"messages": []})
    found = made(tmp_path, {"d": A + nameless + nameless, "m": line({"role": "user"})})
    assert found.ids == ["d:2", "d:3", "m", "x"]


def test_a_made_id_can_be_taken(tmp_path: Path) -> None:
    found = made(tmp_path, {"d": line(episode("d:2")) + line({"messages": []})})
    assert found.codes == [("d", 2, "episode-id-conflict")]


def test_ranges_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(line(episode(f"e{at % 7}", ["p" * (at % 2)])) for at in range(20))
    whole = made(tmp_path / "whole", {"d": data})
    monkeypatch.setattr("calib.ingest.run.RANGE", 300)
    cut = made(tmp_path / "cut", {"d": data})
    assert len(list((cut.folder / "turns").iterdir())) > 5
    for table in ("episodes", "turns", "calls"):
        assert sorted(cut.rows(table), key=str) == sorted(whole.rows(table), key=str)
    places = [[(row["line"], row["offset"], row["bytes"]) for row in one.rows("rejects")] for one in (cut, whole)]
    assert places[0] == places[1]
    assert isinstance(cut, Made)
