"""Stop or fail a command at every point of its writing: old, new, or refused; and the next run mends it."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import Calib, Done
from tests.cli_faults.faults import fault
from tests.cli_faults.running import environment, one_line, tree

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE)
POINT, OTHER = "repeated_plan@5 | search_run@10", "repeated_plan@4 | search_run@9"


@dataclass(frozen=True)
class Job:
    """A command that writes `target`; `words` and `older` differ in what they write. None: it refuses to write over."""

    target: str
    words: tuple[str, ...]
    older: tuple[str, ...] | None = None
    beside: tuple[str, ...] = ()
    """What is written before it, whole too; without it, it says nothing."""


JOBS = {
    "score csv": Job("t.csv", ("score", "CORPUS", POINT, "-o"), ("score", "CORPUS", OTHER, "-o")),
    "score parquet": Job("t.parquet", ("score", "CORPUS", POINT, "-o"), ("score", "CORPUS", OTHER, "-o")),
    "report": Job(
        "r.json",
        ("report", "CORPUS", POINT, "--to", "json", "-o"),
        ("report", "CORPUS", OTHER, "--to", "json", "-o"),
    ),
    "report --init": Job("calib.toml", ("report", "CORPUS", "--init", "--config"), beside=("calib.calibrated.json",)),
    "sweep": Job("out", ("sweep", "CORPUS", "--at", POINT, "-o"), ("sweep", "CORPUS", "--at", OTHER, "-o")),
}


@pytest.fixture
def scored_once(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores kept: the corpus is the same in hundreds of runs."""
    from calib.corpus import open_corpus
    from calib.score import score

    opened = open_corpus(corpus)
    found = score(opened)
    monkeypatch.setattr("calib.score.score", lambda *_: found)
    monkeypatch.setattr("calib.corpus.open_corpus", lambda _: opened)


def _run(calib: Calib, words: tuple[str, ...], corpus: Path, target: Path) -> Done:
    return calib(*(corpus if word == "CORPUS" else word for word in words), target)


def _content(target: Path) -> object:
    if target.is_dir():
        return {path.name: path.read_bytes() for path in target.iterdir()}
    return target.read_bytes() if target.exists() else None


def _is_whole(now: object, old: object, new: object) -> bool:
    """Old or new; a folder without its sweep.json is refused, whatever else it holds."""
    if not isinstance(now, dict):
        return now in (old, new)
    now = {name: data for name, data in now.items() if not name.startswith(".")}
    return now in (old, new) or "sweep.json" not in now


CASES = [(name, "nothing") for name in JOBS] + [(name, "an older one") for name, job in JOBS.items() if job.older]


@pytest.mark.parametrize(("name", "over"), CASES)
@pytest.mark.usefixtures("quick_plots", "scored_once")
def test_every_point_of_writing_can_stop_or_fail(
    calib: Calib, corpus: Path, tmp_path: Path, name: str, over: str
) -> None:
    job = JOBS[name]
    place = tmp_path / "place"

    def prepared() -> Path:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        if over == "an older one" and job.older is not None:
            _run(calib, job.older, corpus, place / job.target)
        return place / job.target

    target = prepared()
    old = _content(target)
    with fault(place) as counted:
        assert _run(calib, job.words, corpus, target).code == 0
    new, points = _content(target), len(counted.seen)
    assert new != old
    assert points >= 5
    for at in range(1, points + 1):
        _stopped(calib, corpus, job, prepared(), at, (old, new))
        _failed(calib, corpus, job, prepared(), at, (old, new))


def _stopped(calib: Calib, corpus: Path, job: Job, target: Path, at: int, whole: tuple[object, object]) -> None:
    with fault(target.parent, at) as killed:
        _run(calib, job.words, corpus, target)
    assert killed.fired
    assert _is_whole(_content(target), *whole), f"a mixture after {killed.seen}"
    _mended(calib, corpus, job, target, whole[1], str(killed.seen))


def _failed(calib: Calib, corpus: Path, job: Job, target: Path, at: int, whole: tuple[object, object]) -> None:
    number = ERRORS[at % len(ERRORS)]
    with fault(target.parent, at, number) as failing:
        done = _run(calib, job.words, corpus, target)
    assert failing.fired
    where = f"{os.strerror(number)} after {failing.seen}"
    litter = [name for name in os.listdir(target.parent) if name not in (job.target, *job.beside)]
    assert not litter, where
    now = _content(target)
    if isinstance(now, dict):
        assert not [name for name in now if name.startswith(".")], where
    if done.code == 0:  # an error on the way out, when everything had been done
        assert now == whole[1], where
        return
    assert done.code == 2, where
    one_line(done.err, "calib." if job.beside else job.target)
    assert _is_whole(now, *whole), where
    if "is unchanged" in done.err:
        assert (now or None) == whole[0], where
    _mended(calib, corpus, job, target, whole[1], where)


def _mended(calib: Calib, corpus: Path, job: Job, target: Path, new: object, where: str) -> None:
    done = _run(calib, job.words, corpus, target)
    if job.target == "calib.toml" and done.code == 2 and "exists already" in done.err:
        assert _content(target) == new, where  # the fault came after the file did
    else:
        assert done.code == 0, f"{done.err} {where}"
    assert _content(target) == new, where
    assert sorted(os.listdir(target.parent)) == sorted((*job.beside, job.target)), where


KILLER = """
import os, signal, sys
folder, at, seen = sys.argv.pop(1), int(sys.argv.pop(1)), 0
def hook(event, arguments):
    global seen
    if event in ("open", "os.rename", "os.remove", "os.mkdir") and str(arguments[0]).startswith(folder):
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
from calib.__main__ import main
main()
"""


@pytest.mark.parametrize("at", [3, 12, 21])
def test_a_killed_sweep_is_mended_by_the_next(corpus: Path, tmp_path: Path, at: int, swept: "Swept") -> None:
    words = ["sweep", str(corpus), "T2@2..9", "-o", str(tmp_path / "out")]
    killed = subprocess.run(
        [sys.executable, "-c", KILLER, str(tmp_path / "out"), str(at), *words],
        env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL
    found = tree(tmp_path / "out") if (tmp_path / "out").exists() else {}
    assert found == swept.reference or "sweep.json" not in found
    swept.again(tmp_path / "out")
    assert tree(tmp_path / "out") == swept.reference
    assert os.listdir(tmp_path) == ["out"]


@dataclass(frozen=True)
class Swept:
    """What an undisturbed sweep writes, and a way to sweep again in this process."""

    reference: dict[str, str]
    again: Callable[[Path], None]


@pytest.fixture(scope="module")
def swept(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Swept:
    from calib.cli import run

    def again(target: Path) -> None:
        assert run(["sweep", str(corpus), "T2@2..9", "-o", str(target)]) == 0

    target = tmp_path_factory.mktemp("reference") / "out"
    again(target)
    return Swept(tree(target), again)
