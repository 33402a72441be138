"""An ingest that is stopped or fails at every point of its writing: the old corpus, the new one, or none; and the
same command again gives the bytes of an undisturbed run and leaves nothing beside or in it."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from calib.corpus import open_corpus
from calib.errors import CalibError, CorpusError
from calib.files import is_sibling
from calib.ingest import ingest
from calib.ingest import run as run_module
from tests.cli_faults.faults import fault
from tests.cli_faults.running import tree
from tests.ingest.dumping import dumped, episode, line

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


def strace(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run an ingest of the new dumps into `place/corpus` in its own process, watched by strace."""
    return subprocess.run(
        ["strace", "-f", "-qq", *options, sys.executable, "-c", DRIVER, *arguments(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


DRIVER = """
import sys
from calib.errors import CalibError
from calib.ingest import commit, ingest
commit.SYNCS = 1
try:
    ingest(sys.argv[3:], sys.argv[1], workers=int(sys.argv[2]))
except CalibError as error:
    sys.exit(f"calib: {error}")
"""


def arguments(folder: Path, workers: int = 1, out: str = "place/corpus") -> list[str]:
    return [str(folder / out), str(workers), *map(str, sorted((folder / "new").iterdir()))]


def can_strace() -> bool:
    try:
        done = subprocess.run(["strace", "-qq", "-f", "true"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


@pytest.mark.skipif(not can_strace(), reason="strace is not here or may not trace")
@pytest.mark.parametrize("call", ["rename", "fsync", "unlink,unlinkat"])
@pytest.mark.parametrize("at", [1, 5])
def test_kill_at_a_system_call(stage: Stage, call: str, at: int) -> None:
    stage.set_up(older=True)
    done = strace(stage.folder, "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={at}")
    assert done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
    whole_or_absent(stage, older=True)
    stage.ingest()
    assert tree(stage.place / "corpus") == stage.new


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mount.returncode:
        pytest.skip("no disk may be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("left", [0, 4, 12, 40, 60])
@pytest.mark.parametrize("older", [False, True])
def test_a_full_disk(stage: Stage, small_disk: Path, left: int, older: bool) -> None:
    """`left` KiB are free: from nothing to nearly enough."""
    if older:
        shutil.copytree(stage.folder / "old-corpus", small_disk / "corpus")
    ballast = small_disk / "ballast"
    free = os.statvfs(small_disk)
    ballast.write_bytes(bytes(max(free.f_bavail * free.f_frsize - left * 1024, 0)))
    before = tree(small_disk)
    with pytest.raises(CalibError, match="No space left") as caught:
        stage.run("new", small_disk / "corpus")
    assert "\n" not in str(caught.value)
    assert tree(small_disk) == before
    ballast.unlink()
    stage.run("new", small_disk / "corpus")
    assert tree(small_disk / "corpus") == stage.new


def loop_disk(folder: Path) -> Path | None:
    """A real file system in a file, mounted; None where that cannot be."""
    image, place = folder / "image", folder / "mounted"
    place.mkdir()
    with image.open("wb") as file:
        file.truncate(16 << 20)
    steps = (["mkfs.ext4", "-q", "-F", str(image)], ["mount", "-o", "loop", str(image), str(place)])
    try:
        if any(subprocess.run(step, capture_output=True, check=False).returncode for step in steps):
            return None
    except OSError:
        return None
    return place


def test_power_cut_right_after_the_end(stage: Stage, tmp_path: Path) -> None:
    """What is in the image the moment ingest returns is what a power cut would leave."""
    place = loop_disk(tmp_path)
    if place is None:
        pytest.skip("no image may be mounted here")
    try:
        (place / "unsynced").write_text("this must be lost, or the test shows nothing")
        stage.run("new", place / "corpus")
        (place / "later").write_text("this too")
        shutil.copy(tmp_path / "image", tmp_path / "copy")
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
    cut = tmp_path / "cut"
    cut.mkdir()
    subprocess.run(["mount", "-o", "loop", str(tmp_path / "copy"), str(cut)], check=True)
    try:
        found = tree(cut / "corpus")
        assert found.items() >= stage.new.items()
        assert all(name == ".calib.lock" or is_sibling(Path(name).name) for name in found.keys() - stage.new.keys())
        assert not (cut / "later").exists()
        stage.run("new", cut / "corpus")
        assert tree(cut / "corpus") == stage.new
    finally:
        subprocess.run(["umount", "-l", str(cut)], check=True)


BIG = {f"d{at}": line(episode(f"{at}", ["p" * 4000] * 40)) for at in range(200)}


def workers_of(process: int) -> list[int]:
    """List the processes below a process: its first worker, then those that this one forked."""
    try:
        below = [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return below + [pid for one in below for pid in workers_of(one)]


def started(folder: Path, workers: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(folder / "corpus"), str(workers), str(folder / "dumps")],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def await_workers(process: "subprocess.Popen[str]", count: int) -> list[int]:
    end = time.monotonic() + 20
    while len(found := workers_of(process.pid)) < count and time.monotonic() < end:
        time.sleep(0.002)
    assert len(found) == count
    return found


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("which", [0, 1])
def test_a_killed_worker_ends_the_run(tmp_path: Path, delay: float, which: int) -> None:
    dumped(tmp_path / "dumps", BIG)
    process = started(tmp_path, 2)
    worker = await_workers(process, 2)[which]
    time.sleep(delay)
    os.kill(worker, signal.SIGKILL)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 1
    assert said == (
        "calib: a worker process was killed, as happens when memory runs out; what was there before is unchanged; "
        "run it again, or with --workers 1\n"
    )  # fmt: skip
    assert not (tmp_path / "corpus").exists()


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    dumped(tmp_path / "dumps", BIG)
    process = started(tmp_path, 2)
    workers = await_workers(process, 2)
    time.sleep(0.2)
    process.kill()
    process.communicate(timeout=20)
    end = time.monotonic() + 10
    while any(Path(f"/proc/{worker}/stat").exists() for worker in workers) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(alive(worker) for worker in workers)
    ingest([tmp_path / "dumps"], tmp_path / "corpus", workers=1)
    ingest([tmp_path / "dumps"], tmp_path / "reference", workers=1)
    assert tree(tmp_path / "corpus") == tree(tmp_path / "reference")


def alive(process: int) -> bool:
    try:
        return "(zombie)" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def test_an_interrupt_ends_the_workers_and_leaves_nothing(tmp_path: Path) -> None:
    dumped(tmp_path / "dumps", BIG)
    process = started(tmp_path, 2)
    workers = await_workers(process, 2)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    _, said = process.communicate(timeout=20)
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert said.count("Traceback") == 1
    assert not any(alive(worker) for worker in workers)
    assert [path.name for path in tmp_path.iterdir()] == ["dumps"]


def test_a_source_that_goes_or_closes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dumps = dumped(tmp_path / "dumps", {"a": line(episode("x")), "b": line(episode("y")), "c": line(episode("z"))})
    plan = vars(run_module)["plan"]

    def then_gone(*given: Any) -> Any:
        planned = plan(*given)
        (dumps / "a").unlink()
        (dumps / "b").write_bytes(b"")
        with (dumps / "c").open("ab") as file:
            file.write(line(episode("later")))
        return planned

    monkeypatch.setattr(run_module, "plan", then_gone)
    summary = ingest([dumps], tmp_path / "corpus", workers=1)
    assert summary.account.rejected == {"vanished": {"records": 1, "bytes": 0}}
    assert summary.episodes == 1
    assert open_corpus(tmp_path / "corpus").manifest["sources"][-1]["bytes"] == len(line(episode("z")))
    monkeypatch.undo()
    assert ingest([dumps], tmp_path / "corpus", workers=1).grown == ("dumps/c",)
