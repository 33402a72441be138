"""An episode id that stands twice: the first by (source, line) counts, whatever the order, cut or history."""

from pathlib import Path
from typing import Any

import pytest

from calib.errors import CalibError
from calib.ingest import ingest
from tests.cli_faults.running import tree
from tests.formats import test_claude_code as claude
from tests.ingest.dumping import Made, checked, dumped, episode, line, made

A, B = line(episode("x", ["a"])), line(episode("y", ["b"]))
A_OTHER = line(episode("x", ["other", "a"]))
A_LONGER = line(episode("x", ["a", "b", "a"]))


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


def test_the_longest_copy_of_a_session_counts(tmp_path: Path) -> None:
    whole = made(tmp_path / "one", {"d": A + A_OTHER + A_LONGER + line(episode("x", ["a", "b"]))})
    assert [row["n_turns"] for row in whole.rows("episodes")] == [3]
    assert whole.codes == [
        ("d", 1, "duplicate-episode"), ("d", 2, "episode-id-conflict"), ("d", 4, "duplicate-episode"),
    ]  # fmt: skip
    assert whole.rows("rejects")[0]["reason"] == "a longer copy of the episode stands at d:3"


@pytest.mark.parametrize("order", ["123", "321", "213"])
@pytest.mark.parametrize("steps", [False, True])
def test_a_grown_copy_counts_whatever_its_name(tmp_path: Path, order: str, steps: bool) -> None:
    files = {"1": A, "2": line(episode("x", ["a", "b"])), "3": A_LONGER + B}
    whole = made(tmp_path / "whole", files)
    assert [(row["source"], row["n_turns"]) for row in whole.rows("episodes") if row["episode_id"] == "x"] == [("3", 3)]
    dumps = dumped(tmp_path / "dumps", files)
    for end in range(1 if steps else 3, 4):
        ingest([dumps / name for name in order[:end]], tmp_path / "corpus", workers=1)
    assert tree(tmp_path / "corpus") == tree(whole.folder)


def test_a_copy_that_was_cut_within_its_last_turn(tmp_path: Path) -> None:
    """What the last turn of a session called, and what came of it, may be missing in an older copy."""
    cut = episode("x", ["a", "b"])
    cut["messages"] = cut["messages"][:-1]
    cut["messages"][-1] = {**cut["messages"][-1], "tool_calls": None}
    found = made(tmp_path, {"1": line(cut), "2": line(episode("x", ["a", "b", "c"]))})
    assert found.codes == [("1", 1, "duplicate-episode")]


def test_a_session_that_had_no_response_yet(tmp_path: Path) -> None:
    found = made(tmp_path, {"1": line(episode("x", [])), "2": A})
    assert found.codes == [("1", 1, "duplicate-episode")]


@pytest.mark.parametrize("more", [{"task": "other"}, {"arm": "b"}])
def test_a_longer_run_of_another_task_is_no_copy(tmp_path: Path, more: dict[str, str]) -> None:
    found = made(tmp_path, {"1": A, "2": line(episode("x", ["a", "b"], **more))})
    assert found.codes == [("2", 1, "episode-id-conflict")]


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


OWN, W = line(episode("own")), line(episode("w"))


def test_what_was_dropped_comes_back_when_the_first_one_goes(tmp_path: Path) -> None:
    before = made(tmp_path, {"1": A + OWN, "2": A + B})
    assert before.codes == [("2", 1, "duplicate-episode")]
    after = made(tmp_path, {"1": OWN + W, "2": A + B})
    assert after.ids == ["own", "w", "x", "y"]
    assert after.codes == []
    assert tree(after.folder) == tree(made(tmp_path / "fresh", {"1": OWN + W, "2": A + B}).folder)


def test_a_dump_that_must_be_read_again_must_be_named(tmp_path: Path) -> None:
    before = made(tmp_path, {"1": A + OWN, "2": A + B})
    left = tree(before.folder)
    with pytest.raises(CalibError, match="2: shares episode ids with a dump that changed"):
        made(tmp_path, {"1": OWN + W})
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
    found = made(tmp_path, {"d": line(episode("d:2")) + line({"messages": [], "task": "t"})})
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


def records(*found: dict[str, Any]) -> bytes:
    return b"".join(line(record) for record in found)


def told_by_parent(record: dict[str, Any]) -> dict[str, Any]:
    inner = {key: record[key] for key in ("type", "uuid", "timestamp", "message")}
    return claude.line("progress", data={"type": "agent_progress", "agentId": "A", "message": inner})


@pytest.mark.parametrize("longer", ["own", "parent"])
@pytest.mark.parametrize("steps", [False, True])
def test_a_sub_agent_in_its_parent_s_file_and_in_its_own(tmp_path: Path, longer: str, steps: bool) -> None:
    """Whichever tells more of it counts, whether both are read at once or one came later."""
    side: dict[str, Any] = {"agentId": "A", "isSidechain": True}
    run = [claude.said(f"x{turn}", claude.text(f"step {turn}"), **side) for turn in range(3)]
    shorter = run[:2]
    own, told = (run, shorter) if longer == "own" else (shorter, run)
    session = [claude.asked("Go."), claude.said("m0", claude.text("I ask A."))]
    files = {"p/s.jsonl": records(*session, *map(told_by_parent, told)), "p/s/subagents/agent-A.jsonl": records(*own)}
    whole = made(tmp_path / "whole", files)
    rows = {row["episode_id"]: row for row in whole.rows("episodes")}
    assert {name: (row["n_turns"], row["parent_episode_id"]) for name, row in rows.items()} == {
        "s": (1, None), "s/A": (3, "s"),
    }  # fmt: skip
    assert rows["s/A"]["source"] == ("agent-A.jsonl" if longer == "own" else "s.jsonl")
    assert {row["code"] for row in whole.rows("rejects")} == {"duplicate-episode"}
    assert all("a longer copy of the episode stands at" in row["reason"] for row in whole.rows("rejects"))
    dumps = dumped(tmp_path / "dumps", files)
    for names in [["p/s.jsonl"], list(files)] if steps else [list(files)]:
        ingest([dumps / name for name in names], tmp_path / "corpus", workers=1)
    assert tree(tmp_path / "corpus") == tree(whole.folder)
