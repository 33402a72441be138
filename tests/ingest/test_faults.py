"""An ingest that is stopped or fails at every point of its writing: the old corpus, the new one, or none; and the
same command again gives the bytes of an undisturbed run and leaves nothing beside or in it."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from calib.corpus import open_corpus
from calib.errors import CalibError, CorpusError
from calib.ingest import ingest
from tests.cli_faults.faults import fault
from tests.cli_faults.running import tree
from tests.ingest.dumping import Made, dumped, episode, line

ROOT = Path(__file__).parents[2]
OLD = {"a": line(episode("x")) + line(episode("y", ["p", "q"]))}
NEW = {"a": OLD["a"] + line(episode("z")), "b": line(episode("x")) + b"oops\n"}
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE)


class Stage:
    """Dumps old and new, and the corpora that an undisturbed run makes of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, files in (("old", OLD), ("new", NEW)):
            dumped(folder / name, files)
            self.run(name, folder / f"{name}-corpus")
        self.old, self.new = tree(folder / "old-corpus"), tree(folder / "new-corpus")
        self.place = folder / "place"

    def run(self, name: str, out: Path) -> None:
        ingest(sorted((self.folder / name).iterdir()), out, workers=1)

    def set_up(self, older: bool) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        if older:
            shutil.copytree(self.folder / "old-corpus", self.place / "corpus")

    def ingest(self) -> None:
        self.run("new", self.place / "corpus")


@pytest.fixture(autouse=True)
def one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events of several threads have no order to count in."""
    monkeypatch.setattr("calib.ingest.commit.SYNCS", 1)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("stage"))


def whole_or_absent(stage: Stage, older: bool) -> None:
    """What stands there is the old corpus or the new one; nothing torn has a final name."""
    corpus = stage.place / "corpus"
    for part in corpus.rglob("*.parquet"):
        pq.ParquetFile(part).read()
    try:
        found = open_corpus(corpus).manifest
    except CorpusError:
        assert not older
        assert not (corpus / "calib.json").exists()
        return
    manifests = [open_corpus(stage.folder / name).manifest for name in ("old-corpus", "new-corpus")]
    assert found in (manifests if older else manifests[1:])


def events(stage: Stage, older: bool) -> int:
    stage.set_up(older)
    with fault(stage.place) as counted:
        stage.ingest()
    assert tree(stage.place / "corpus") == stage.new
    assert len(counted.seen) > 40
    return len(counted.seen)


@pytest.mark.parametrize("older", [False, True], ids=["fresh", "older"])
def test_death_at_every_point(stage: Stage, older: bool) -> None:
    for at in range(1, events(stage, older) + 1):
        stage.set_up(older)
        with fault(stage.place, at) as fired:
            stage.ingest()
        assert fired.fired
        whole_or_absent(stage, older)
        stage.ingest()
        assert tree(stage.place) == {"corpus/": "", **{f"corpus/{name}": value for name, value in stage.new.items()}}


@pytest.mark.parametrize("older", [False, True], ids=["fresh", "older"])
def test_an_error_at_every_point(stage: Stage, older: bool) -> None:
    for at in range(1, events(stage, older) + 1):
        stage.set_up(older)
        before = tree(stage.place)
        failed = ""
        with fault(stage.place, at, ERRORS[at % len(ERRORS)]) as fired:
            try:
                stage.ingest()
            except CalibError as error:
                failed = str(error)
        assert fired.fired
        after = tree(stage.place)
        whole_or_absent(stage, older)
        new = {"corpus/": "", **{f"corpus/{name}": value for name, value in stage.new.items()}}
        assert after in ((before, new) if failed else (new,)), (at, fired.seen[at - 1], failed, sorted(after))
        assert "\n" not in failed
        if failed and after == new:
            assert "unchanged" not in failed
        stage.ingest()
        assert tree(stage.place) == new
