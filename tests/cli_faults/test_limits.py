"""Full disks, size limits, folders that must not be written: exit 2, the place named, everything as it was."""

import errno
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Calib
from tests.cli_faults.running import one_line, shell, tree
from tests.corpus import episode_lines, pencil

OTHER, POINT = "repeated_plan@4 | search_run@9", "repeated_plan@5 | search_run@10"
OUTPUTS: dict[str, tuple[str, ...]] = {
    "t.parquet": ("score", "CORPUS", "POINT", "-o"),
    "t.csv": ("score", "CORPUS", "POINT", "-o"),
    "r.json": ("report", "CORPUS", "POINT", "--to", "json", "-o"),
    "out": ("sweep", "CORPUS", "--at", "POINT", "-o"),
}


def _words(name: str, corpus: Path, point: str) -> list[str | Path]:
    return [corpus if word == "CORPUS" else point if word == "POINT" else word for word in OUTPUTS[name]]


@contextmanager
def _limited(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _obedient() -> Sequence[str]:
    """What makes root obey permissions, or nothing for another user."""
    if os.geteuid() != 0:
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("root writes everywhere, and there is no setpriv to stop it")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.usefixtures("quick_plots")
def test_a_limit_on_the_size_of_files(calib: Calib, corpus: Path, tmp_path: Path, name: str) -> None:
    assert calib(*_words(name, corpus, OTHER), name).code == 0
    old = tree(tmp_path)
    largest = tmp_path / name / "surface.parquet" if name == "out" else tmp_path / name
    limit = largest.stat().st_size // 2
    words = _words(name, corpus, POINT)
    with _limited(limit):
        done = calib(*words, name)
    assert done.code == 2
    one_line(done.err, name, os.strerror(errno.EFBIG), "what was there before is unchanged")
    assert tree(tmp_path) == old
    assert calib(*words, name).code == 0
    assert tree(tmp_path).keys() == old.keys()


def test_a_limit_on_the_size_of_an_ingest(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    assert calib("ingest", "dump.jsonl", "--out", "whole").code == 0
    with _limited(max(path.stat().st_size for path in (tmp_path / "whole").rglob("*.parquet")) // 2):
        done = calib("ingest", "dump.jsonl", "--out", "corpus")
    assert done.code == 2
    one_line(done.err, "corpus", "could not write")
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_folder_that_must_not_be_written(corpus: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed").chmod(0o555)
    done = shell(*_words(name, corpus, POINT), f"closed/{name}", cwd=tmp_path, before=_obedient())
    assert done.code == 2
    one_line(done.err, f"closed/{name}", os.strerror(errno.EACCES))
    assert os.listdir(tmp_path / "closed") == []


@pytest.mark.usefixtures("quick_plots")
def test_an_older_sweep_in_a_folder_that_must_not_be_written_stays(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    assert calib("sweep", corpus, "T2@2..9", "-o", "out").code == 0
    old = tree(tmp_path)
    (tmp_path / "out").chmod(0o555)
    done = shell("sweep", corpus, "T2@2..8", "-o", "out", cwd=tmp_path, before=_obedient())
    assert done.code == 2
    one_line(done.err, "out", os.strerror(errno.EACCES))
    assert tree(tmp_path) == old


def test_ingest_from_and_into_places_that_must_not_be_touched(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/dump.jsonl").write_bytes(episode_lines(pencil()))
    (tmp_path / "source/dump.jsonl").chmod(0o444)
    (tmp_path / "source").chmod(0o555)
    obedient = _obedient()
    done = shell("ingest", "source", "--out", "source/corpus", cwd=tmp_path, before=obedient)
    assert done.code == 2
    one_line(done.err, "source/corpus", os.strerror(errno.EACCES))
    assert shell("ingest", "source", "--out", "corpus", cwd=tmp_path, before=obedient).code == 0
    assert os.listdir(tmp_path / "source") == ["dump.jsonl"]
    (tmp_path / "source/dump.jsonl").chmod(0o000)
    done = shell("ingest", "source/dump.jsonl", "--out", "corpus", cwd=tmp_path, before=obedient)
    assert done.code == 2
    one_line(done.err, "source/dump.jsonl")


def test_a_corpus_that_can_only_be_read_is_enough(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "corpus")
    for path in (tmp_path / "corpus", *(tmp_path / "corpus").rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    done = shell("sweep", "corpus", "--to", "json", cwd=tmp_path, before=_obedient())
    assert (done.code, done.err) == (0, "")
    assert done.out == calib("sweep", corpus, "--to", "json").out


@pytest.mark.parametrize("closed", ["corpus", "corpus/calib.json", "corpus/turns"])
def test_a_corpus_that_cannot_be_read_is_one_line(corpus: Path, tmp_path: Path, closed: str) -> None:
    shutil.copytree(corpus, tmp_path / "corpus")
    (tmp_path / closed).chmod(0)
    done = shell("sweep", "corpus", cwd=tmp_path, before=_obedient())
    (tmp_path / closed).chmod(0o755)
    assert done.code == 2
    one_line(done.err, closed, os.strerror(errno.EACCES))


def test_a_working_folder_and_settings_that_cannot_be_read(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text("")
    (tmp_path / "calib.toml").chmod(0)
    done = shell("report", corpus, cwd=tmp_path, before=_obedient())
    assert done.code == 2
    one_line(done.err, "calib.toml")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", folder], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("mounting a small disk needs root and a machine that lets it")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize(("name", "left"), [("out", 0), ("out", 8), ("out", 40), ("out", 120), ("t.parquet", 0)])
@pytest.mark.usefixtures("quick_plots")
def test_a_full_disk(calib: Calib, corpus: Path, small_disk: Path, left: int, name: str) -> None:
    words = _words(name, corpus, POINT)
    _fill(small_disk, left)
    done = calib(*words, small_disk / name)
    assert done.code == 2
    one_line(done.err, name, os.strerror(errno.ENOSPC))
    assert os.listdir(small_disk) == ["filling"]
    assert shutil.disk_usage(small_disk).free == left * 1024
    subprocess.run(["mount", "-o", "remount,size=8m", small_disk], check=True)
    assert calib(*words, small_disk / name).code == 0
    assert sorted(os.listdir(small_disk)) == sorted(["filling", name])


@pytest.mark.usefixtures("quick_plots")
def test_a_full_disk_keeps_the_older_sweep(calib: Calib, corpus: Path, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=8m", small_disk], check=True)
    assert calib("sweep", corpus, "--at", OTHER, "-o", small_disk / "out").code == 0
    _fill(small_disk, 100)
    old = tree(small_disk)
    done = calib("sweep", corpus, "--at", POINT, "-o", small_disk / "out")
    assert done.code == 2
    one_line(done.err, "out", os.strerror(errno.ENOSPC), "unchanged")
    assert tree(small_disk) == old


def _fill(disk: Path, left: int) -> None:
    """Leave this many KiB."""
    with (disk / "filling").open("wb") as file:
        file.write(b"x" * (shutil.disk_usage(disk).free - left * 1024))
