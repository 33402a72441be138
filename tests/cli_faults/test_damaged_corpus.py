"""A calib.json that is not as ingest wrote it is refused in one line, and leads nowhere outside the corpus."""

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from calib.corpus import open_corpus
from calib.errors import CorpusError
from tests.cli.conftest import Calib
from tests.cli_faults.faults import fault
from tests.cli_faults.running import one_line, tree
from tests.corpus import episode_lines, pencil

WRONG: tuple[Any, ...] = (None, True, -1, 2.5, "x", "../x", [], [7], {}, {"x": 7})
Change = Callable[[dict[str, Any]], None]


def _places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Walk every key and index of a manifest."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in inner:
        yield (*path, key)
        yield from _places(held, (*path, key))


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.fixture
def damaged(corpus: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(corpus, tmp_path / "damaged"))


def test_every_missing_key_and_every_wrong_value_is_refused_or_harmless(damaged: Path) -> None:
    right = json.loads((damaged / "calib.json").read_bytes())
    places = list(_places(right))
    refused: list[str] = []
    for path in places:
        for wrong in ("missing", *WRONG):
            changed = copy.deepcopy(right)
            holder = _at(changed, path[:-1])
            if wrong == "missing":
                del holder[path[-1]]
            else:
                holder[path[-1]] = wrong
            (damaged / "calib.json").write_text(json.dumps(changed))
            try:
                found = open_corpus(damaged)
                assert found.lost.of_bytes >= 0
                assert all(file.is_relative_to(damaged) for file in found.files("turns"))
            except CorpusError as error:
                refused.append(str(error))
    assert len(places) >= 60
    assert len(refused) > 5 * len(places)
    assert all("\n" not in said and "damaged" in said for said in refused)


def _file(name: str) -> Change:
    def change(manifest: dict[str, Any]) -> None:
        manifest["parts"][0]["tables"]["turns"]["file"] = name

    return change


CHANGES: dict[str, Change] = {
    "parts is a number": lambda manifest: manifest.update(parts=7),
    "no sources": lambda manifest: manifest.pop("sources"),
    "a part without turns": lambda manifest: manifest["parts"][0]["tables"].pop("turns"),
    "a file above": _file("../secret.parquet"),
    "a file above a folder": _file("turns/../../secret.parquet"),
    "a file by its absolute path": _file("/etc/hostname"),
    "a file with ESC in its name": _file("turns/\x1b[2J.parquet"),
    "a key with ESC": lambda manifest: manifest["parts"][0]["labels"].update({"\x1b[2J\nverdict: PASS": "x"}),
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "score": ("score", "damaged"),
    "sweep": ("sweep", "damaged", "-o", "out"),
    "report": ("report", "damaged"),
    "inspect": ("inspect", "damaged", "L1"),
    "ingest": ("ingest", "dump.jsonl", "--out", "damaged"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_manifest_leads_nowhere(calib: Calib, damaged: Path, tmp_path: Path, what: str, command: str) -> None:
    (tmp_path / "secret.parquet").write_bytes(b"secret")
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    manifest = json.loads((damaged / "calib.json").read_bytes())
    CHANGES[what](manifest)
    (damaged / "calib.json").write_text(json.dumps(manifest))
    before = tree(tmp_path)
    with fault(tmp_path / "secret.parquet") as opened:
        done = calib(*COMMANDS[command])
    assert done.code == 2
    one_line(done.err, "damaged/calib.json")
    assert "\x1b" not in done.err
    assert done.out == ""
    assert opened.seen == []
    assert tree(tmp_path) == before


def test_the_watch_over_the_secret_file_sees_it_opened(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    with fault(tmp_path / "secret") as opened:
        (tmp_path / "secret").read_bytes()
    assert opened.seen == ["open"]


def test_foreign_files_in_a_corpus_are_neither_read_nor_removed(calib: Calib, damaged: Path, tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    before = calib("sweep", damaged, "--to", "json").out
    (damaged / "notes.txt").write_text("mine")
    (damaged / "turns/notes.txt").write_text("mine")
    (damaged / "pictures").mkdir()
    assert calib("sweep", damaged, "--to", "json").out == before
    assert calib("ingest", "dump.jsonl", "--out", damaged).code == 0
    assert calib("sweep", damaged, "--to", "json").out == before
    assert {"notes.txt", "turns/notes.txt", "pictures/"} <= set(tree(damaged))


def test_a_corpus_that_was_damaged_is_mended_by_ingesting_again(calib: Calib, damaged: Path, tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    whole = tree(damaged)
    (part,) = (damaged / "turns").iterdir()
    part.write_bytes(part.read_bytes()[:-9])
    assert calib("sweep", damaged).code == 2
    assert calib("ingest", "dump.jsonl", "--out", damaged).code == 0
    assert tree(damaged) == whole


def test_a_corpus_that_cannot_be_read_says_so(calib: Calib, damaged: Path) -> None:
    (damaged / "calib.json").unlink()
    (damaged / "calib.json").mkdir()
    done = calib("sweep", damaged)
    assert done.code == 2
    one_line(done.err, "damaged/calib.json")
