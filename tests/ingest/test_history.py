"""Again and again into one corpus: nothing rewritten without need, nothing left over, the same bytes at the end."""

import gzip
import json
from pathlib import Path

import pytest

from calib.corpus import open_corpus
from calib.errors import CorpusError, UsageError
from calib.ingest import ingest
from calib.ingest.crew import workers_for
from tests.cli_faults.running import tree
from tests.ingest.dumping import dumped, episode, line, made

DUMP = b"".join(line(episode(f"e{at}", ["p" * at, "q"])) for at in range(30))
MESSAGES = b"".join(line(message) for message in episode("", ["a", "b"])["messages"])
FILES = {"a": DUMP, "m": MESSAGES, "z": gzip.compress(DUMP.replace(b'"e', b'"z'), mtime=0), "bad": b"oops\n"}


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.ingest.run.RANGE", 1000)


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("small_ranges")
def test_the_same_dumps_rewrite_nothing(tmp_path: Path) -> None:
    first = made(tmp_path, FILES)
    before = tree(first.folder), times(first.folder)
    for name in FILES:
        (tmp_path / "dumps" / name).touch()
    again = made(tmp_path, FILES)
    assert (tree(again.folder), times(again.folder)) == before
    assert again.summary.unchanged == ("a", "bad", "m", "z")
    assert again.summary.episodes == first.summary.episodes
    assert again.summary.messages == ()


@pytest.mark.usefixtures("small_ranges")
def test_a_grown_file_keeps_its_leading_parts(tmp_path: Path) -> None:
    before = made(tmp_path, {"a": DUMP})
    kept = times(before.folder / "turns")
    grown = made(tmp_path, {"a": DUMP + line(episode("new"))})
    assert grown.summary.grown == ("a",)
    assert "new" in grown.ids
    after = times(grown.folder / "turns")
    assert len(set(kept.items()) & set(after.items())) >= len(kept) - 1
    assert tree(grown.folder) == tree(made(tmp_path / "fresh", {"a": DUMP + line(episode("new"))}).folder)


def test_a_half_line_at_the_end_is_mended_by_the_next_run(tmp_path: Path) -> None:
    new = line(episode("new"))
    half = made(tmp_path, {"a": DUMP + new[:40]})
    assert half.codes == [("a", 31, "json-truncated")]
    whole = made(tmp_path, {"a": DUMP + new})
    assert whole.summary.grown == ("a",)
    assert whole.codes == []
    assert tree(whole.folder) == tree(made(tmp_path / "fresh", {"a": DUMP + new}).folder)


@pytest.mark.usefixtures("small_ranges")
def test_a_changed_file_is_replaced(tmp_path: Path) -> None:
    made(tmp_path, {"a": DUMP, "b": line(episode("b"))})
    changed = made(tmp_path, {"a": DUMP.replace(b"e0", b"f0", 1)})
    assert changed.summary.replaced == ("a",)
    assert {"f0", "b"} <= set(changed.ids)
    assert "e0" not in changed.ids


@pytest.mark.usefixtures("small_ranges")
def test_lines_shift_when_an_earlier_range_gains_one(tmp_path: Path) -> None:
    first, rest = DUMP.split(b"\n", 1)
    made(tmp_path, {"a": first + b" \n" + rest})
    shifted = {"a": first + b"\n\n" + rest}  # as many bytes, one line more
    assert tree(made(tmp_path, shifted).folder) == tree(made(tmp_path / "fresh", shifted).folder)


def test_sources_not_named_now_stay(tmp_path: Path) -> None:
    made(tmp_path, {"a": DUMP})
    both = made(tmp_path, {"b": line(episode("b"))})
    assert both.summary.added == ("b",)
    assert both.summary.sources == 2
    assert len(both.ids) == 31


def test_a_damaged_part_is_read_again(tmp_path: Path) -> None:
    before = made(tmp_path, {"a": DUMP})
    whole = tree(before.folder)
    part = next((before.folder / "turns").iterdir())
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    with pytest.raises(CorpusError):
        open_corpus(before.folder)
    assert tree(made(tmp_path, {"a": DUMP}).folder) == whole


def test_other_options_need_every_dump(tmp_path: Path) -> None:
    made(tmp_path, {"a": DUMP, "b": line(episode("b"))})
    with pytest.raises(
        UsageError, match="corpus: holds b and was made with --text, this run has --no-text; name every"
    ):
        made(tmp_path, {"a": DUMP}, text=False)
    bare = made(tmp_path, {"a": DUMP, "b": line(episode("b"))}, text=False)
    fresh = made(tmp_path / "fresh", {"a": DUMP, "b": line(episode("b"))}, text=False)
    assert tree(bare.folder) == tree(fresh.folder)


def test_rubbish_goes_and_foreign_files_stay(tmp_path: Path) -> None:
    folder = made(tmp_path, {"a": DUMP}).folder
    rubbish = [folder / "turns/0123456789abcdef.parquet", folder / ".calib.json.new-01234567"]
    for path in rubbish:
        path.write_bytes(b"x")
    (folder / "notes.txt").write_text("mine")
    made(tmp_path, {"a": DUMP})
    assert not any(path.exists() for path in rubbish)
    assert (folder / "notes.txt").read_text() == "mine"


def test_another_schema_version_is_refused(tmp_path: Path) -> None:
    folder = made(tmp_path, {"a": DUMP}).folder
    manifest = json.loads((folder / "calib.json").read_bytes())
    (folder / "calib.json").write_text(json.dumps({**manifest, "schema_version": 99}))
    left = tree(folder)
    with pytest.raises(CorpusError, match="schema 99"):
        made(tmp_path, {"a": DUMP})
    assert tree(folder) == left


def test_the_manifest_names_no_time_and_no_path(tmp_path: Path) -> None:
    text = (made(tmp_path, FILES).folder / "calib.json").read_text()
    assert str(tmp_path) not in text
    assert text.endswith("}\n")
    assert "built" not in text
    assert "told" not in text
    assert json.dumps(json.loads(text), sort_keys=True, indent=1) + "\n" == text


@pytest.mark.usefixtures("small_ranges")
def test_workers_change_nothing(tmp_path: Path) -> None:
    dumps = dumped(tmp_path / "dumps", FILES)
    for workers in (1, 2, 3):
        ingest([dumps / name for name in FILES], tmp_path / f"{workers}", workers=workers)
    assert tree(tmp_path / "1") == tree(tmp_path / "2") == tree(tmp_path / "3")


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_grows_to_the_whole(tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.ingest.units.STEP", 100)
    told: list[tuple[int, int | None]] = []
    found = made(tmp_path, FILES, workers=workers, progress=lambda done, size, what: told.append((done, size)))
    size = sum((tmp_path / "dumps" / name).stat().st_size for name in FILES)
    assert told == sorted(told)
    assert told[-1] == (size, size)
    assert len(told) >= len(FILES)
    assert found.summary.sources == 4


@pytest.mark.parametrize(
    ("work", "asked", "workers"),
    [(1000, None, 1), (3 << 20, None, 1), (65 << 20, None, 4), (40 * (2 << 20), None, 4), (1 << 30, 3, 3)],
)
def test_workers_are_started_when_there_is_work(
    work: int, asked: int | None, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calib.ingest.crew._cores", lambda: 16)
    assert workers_for(asked, work) == workers


def test_a_renamed_file_of_a_folder_is_not_two(tmp_path: Path) -> None:
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / "b.jsonl").write_bytes(line(episode("a")))
    ingest([folder], tmp_path / "c")
    (folder / "b.jsonl").rename(folder / "a.jsonl")
    summary = ingest([folder], tmp_path / "c")
    assert summary.messages == ("dump/b.jsonl: no longer there; its episodes stand in other dumps now; left out",)
    ingest([folder], tmp_path / "fresh")
    assert (tmp_path / "c/calib.json").read_bytes() == (tmp_path / "fresh/calib.json").read_bytes()


def test_what_was_only_removed_from_a_folder_stays(tmp_path: Path) -> None:
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(line(episode("a")))
    (folder / "b.jsonl").write_bytes(line(episode("b")))
    ingest([folder], tmp_path / "c")
    (folder / "a.jsonl").unlink()
    summary = ingest([folder], tmp_path / "c")
    assert summary.episodes == 2
    assert summary.messages == ("dump/a.jsonl: no longer there; its episodes stay",)
