"""What is said of a source that changed, and two dumps of one name that must not replace each other."""

from pathlib import Path

import pytest

from calib.errors import UsageError
from calib.ingest import ingest
from tests.cli_faults.running import tree
from tests.ingest.dumping import dumped, episode, line

ONE, TWO = line(episode("one", ["a"])), line(episode("two", ["b", "c"]))
NAMELESS = line({"messages": episode("", ["aa", "b"])["messages"]})
LONGER = line({"messages": episode("", ["aa", "b", "c"])["messages"]})
OTHER = line({"messages": episode("", ["c", "d"])["messages"]})


def twice(folder: Path, first: bytes, second: bytes) -> tuple[str, ...]:
    """Ingest two files of one name, one after the other; gives what was replaced."""
    dumped(folder, {"r1/out.jsonl": first, "r2/out.jsonl": second})
    ingest([folder / "r1/out.jsonl"], folder / "c", workers=1)
    return ingest([folder / "r2/out.jsonl"], folder / "c", workers=1).replaced


@pytest.mark.parametrize("second", [TWO, NAMELESS, b"oops\n" + TWO, NAMELESS + OTHER])
@pytest.mark.parametrize("packed", [False, True])
def test_two_dumps_of_one_name_are_refused(
    tmp_path: Path, second: bytes, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if packed:
        monkeypatch.setattr("calib.ingest.grouping.FEW", 0)
    dumped(tmp_path, {"r1/out.jsonl": ONE})
    ingest([tmp_path / "r1/out.jsonl"], tmp_path / "c", workers=1)
    before = tree(tmp_path / "c")
    with pytest.raises(UsageError, match=r"out.jsonl: shares no episode .* name the folders in which they lie"):
        twice(tmp_path, ONE, second)
    assert tree(tmp_path / "c") == before
    summary = ingest([tmp_path / "r1", tmp_path / "r2"], tmp_path / "d", workers=1)
    assert summary.sources == 2


def test_episodes_named_after_their_file_are_told_by_their_turns(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="shares no episode"):
        twice(tmp_path, NAMELESS, OTHER)


@pytest.mark.parametrize("second", [TWO + ONE, line(episode("one", ["x", "y"])), TWO + line(episode("one"))])
def test_a_dump_with_an_episode_in_common_replaces(tmp_path: Path, second: bytes) -> None:
    assert twice(tmp_path, ONE, second) == ("out.jsonl",)


@pytest.mark.parametrize("second", [LONGER, OTHER + NAMELESS])
def test_a_nameless_episode_that_went_on_replaces(tmp_path: Path, second: bytes) -> None:
    assert twice(tmp_path, NAMELESS, second) == ("out.jsonl",)


def test_a_dump_without_an_episode_may_be_replaced(tmp_path: Path) -> None:
    dumped(tmp_path, {"r1/out.jsonl": b"oops\n", "r1/x": ONE, "r2/out.jsonl": TWO})
    ingest([tmp_path / "r1/out.jsonl", tmp_path / "r1/x"], tmp_path / "c", workers=1)
    assert ingest([tmp_path / "r2/out.jsonl"], tmp_path / "c", workers=1).replaced == ("out.jsonl",)


@pytest.mark.parametrize(
    "options", [{"text": False}, {"redact": True}, {"turn_limit": 1}, {"positives": ["cost_limit"]}]
)
def test_another_option_makes_unchanged_dumps_anew(tmp_path: Path, options: dict[str, object]) -> None:
    dumped(tmp_path, {"a": ONE})
    ingest([tmp_path / "a"], tmp_path / "c", workers=1)
    assert ingest([tmp_path / "a"], tmp_path / "c", workers=1).unchanged == ("a",)
    again = ingest([tmp_path / "a"], tmp_path / "c", workers=1, **options)  # type: ignore[arg-type]
    assert (again.remade, again.unchanged) == (("a",), ())


def test_a_damaged_part_is_made_anew(tmp_path: Path) -> None:
    dumped(tmp_path, {"a": ONE, "b": TWO})
    ingest([tmp_path / "a", tmp_path / "b"], tmp_path / "c", workers=1)
    path = sorted((tmp_path / "c/turns").iterdir())[0]
    path.write_bytes(b"")
    again = ingest([tmp_path / "a", tmp_path / "b"], tmp_path / "c", workers=1)
    assert len(again.remade) == len(again.unchanged) == 1
