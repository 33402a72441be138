"""The write rule on its own: siblings, seals, locks, whole files."""

import multiprocessing
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calib.errors import CalibError, UsageError
from calib.files import LOCK, building, is_sibling, one_writer, seal, sibling, write_bytes, write_pieces

ROOT = Path(__file__).parents[2]


def test_a_sibling_stands_beside_its_target_and_is_known(tmp_path: Path) -> None:
    names = {sibling(tmp_path / "calib.json").name for _ in range(50)}
    assert len(names) == 50
    assert all(is_sibling(name) for name in names)
    assert sibling(tmp_path / ("x" * 250)).name.startswith(".xxx")
    assert len(sibling(tmp_path / ("x" * 250)).name) < 255


@pytest.mark.parametrize("name", ["calib.json", ".calib.json", "a.new-01234567", ".a.new-0123456", ".new-01234567x"])
def test_other_names_are_no_siblings(name: str) -> None:
    assert not is_sibling(name)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o007])
def test_a_sealed_file_has_the_mode_that_umask_allows(tmp_path: Path, mask: int) -> None:
    built = tmp_path / ".a.new-01234567"
    built.write_bytes(b"x")
    built.chmod(0o600)
    before = os.umask(mask)
    try:
        seal(built, tmp_path / "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~mask
    assert not built.exists()


def _interrupted(target: Path) -> None:
    with building(target) as file:
        file.write_bytes(b"half")
        raise KeyboardInterrupt


def test_building_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(target)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert target.read_bytes() == b"old"
    with building(target) as file:
        file.write_bytes(b"new")
        assert target.read_bytes() == b"old"
    assert target.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with one_writer(tmp_path):
        assert (tmp_path / LOCK).read_text() == str(os.getpid())
        with pytest.raises(CalibError, match=f"process {os.getpid()} is writing here"), one_writer(tmp_path):
            pass
        assert (tmp_path / LOCK).exists()
    assert not (tmp_path / LOCK).exists()
    with one_writer(tmp_path):
        pass


def test_a_lock_whose_holder_was_killed_is_free(tmp_path: Path) -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom calib.files import one_writer\n"
        "with one_writer(Path(sys.argv[1])):\n    os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=False)
    assert done.returncode == 9
    assert (tmp_path / LOCK).exists()
    with one_writer(tmp_path):
        pass


def _count(folder: str, rounds: int) -> None:
    file = Path(folder) / "count"
    while rounds:
        try:
            with one_writer(Path(folder)):
                file.write_text(str(int(file.read_text()) + 1))
            rounds -= 1
        except CalibError:
            continue


def test_writers_never_overlap(tmp_path: Path) -> None:
    (tmp_path / "count").write_text("0")
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_count, args=(str(tmp_path), 100)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert (tmp_path / "count").read_text() == "300"


def test_write_bytes_is_whole(tmp_path: Path) -> None:
    write_bytes(tmp_path / "a", b"one")
    write_bytes(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    with pytest.raises(UsageError):
        write_bytes(tmp_path, b"x")
    with pytest.raises(UsageError):
        write_bytes(tmp_path / "missing" / "a", b"x")


def test_pieces_that_fail_leave_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "f"
    target.write_bytes(b"old")

    def pieces() -> Iterator[bytes]:
        yield b"new"
        raise UsageError("no more")

    with pytest.raises(UsageError, match="no more"):
        write_pieces(target, pieces())
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("f", b"old")]
    write_pieces(target, iter([b"a", b"b"]))
    assert target.read_bytes() == b"ab"
