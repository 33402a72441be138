"""One file: built beside its target, synced, renamed."""

import fcntl
import hashlib
import os
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from calib.errors import CalibError, UsageError
from calib.escape import visible

_UMASK = threading.Lock()
"""Held while umask is read, which means to set it: two threads at once would leave it at 0."""


def sibling(target: Path) -> Path:
    """Name a new file beside `target`: `.NAME.new-XXXXXXXX`."""
    return target.with_name(f".{target.name[:200]}.new-{os.urandom(4).hex()}")


def is_sibling(name: str) -> bool:
    """Tell whether a file name is one that `sibling` makes.

    >>> is_sibling(".calib.json.new-0a1b2c3d"), is_sibling("calib.json")
    (True, False)
    """
    head, dot, tail = name.rpartition(".new-")
    return bool(dot) and head.startswith(".") and len(tail) == 8


def sync_folder(folder: Path) -> None:
    """Put the names in `folder` on disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def digest_of(path: Path) -> str:
    """Hash a file with SHA-256, 1 MiB at a time."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mode() -> int:
    with _UMASK:
        mask = os.umask(0)
        os.umask(mask)
    return 0o666 & ~mask


def seal(built: Path, target: Path) -> None:
    """Put a finished sibling on disk and give it its final name; the folder is synced by the caller."""
    handle = os.open(built, os.O_RDWR)
    try:
        os.fchmod(handle, _mode())
        os.fsync(handle)
    finally:
        os.close(handle)
    built.replace(target)


@contextmanager
def building(target: Path) -> Iterator[Path]:
    """Yield the path of a sibling to fill; on success it becomes `target`, else it is removed."""
    built = sibling(target)
    try:
        yield built
        seal(built, target)
        sync_folder(target.parent)
    except BaseException:
        with suppress(OSError):
            built.unlink(missing_ok=True)
        raise


def _irregular(target: Path) -> bool:
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return False


def write_bytes(target: str | Path, data: bytes) -> None:
    """Write a whole file, or standard output when `target` is `-`.

    A target that is a device or a pipe is written to directly; a link keeps pointing where it did.
    Raises UsageError for a folder or a missing parent, CalibError when the disk refuses.
    """
    write_pieces(target, (data,))


def write_pieces(target: str | Path, pieces: Iterable[bytes]) -> None:
    """Write a file as `write_bytes` does, from pieces that are not all held at once.

    What making a piece raises leaves no file behind; what went to standard output before is gone there.
    """
    if str(target) == "-":
        for piece in pieces:
            _write_stdout(piece)
        return
    path, before = Path(target), identity(Path(target))
    try:
        if path.is_dir():
            raise UsageError(f"{visible(str(target))}: expected a file to write, found a folder; name a file in it")
        if not path.parent.is_dir():
            raise UsageError(f"{visible(str(target))}: its folder does not exist; make it first")
        if _irregular(path):
            with path.open("wb") as device:
                device.writelines(pieces)
            return
        _replace(Path(os.path.realpath(path)) if path.is_symlink() else path, pieces)
    except OSError as error:
        raise disk_error(target, error, identity(path) == before) from error


def _replace(target: Path, pieces: Iterable[bytes]) -> None:
    """Build a sibling, locked so that no other run takes it for rubbish, and give it the target's name."""
    _remove_stale(target)
    built, handle = _held_sibling(target)
    try:
        with os.fdopen(handle, "wb") as file:
            size = sum(file.write(piece) for piece in pieces)
            file.flush()
            to_disk(file, size)
            built.replace(target)
        sync_folder(target.parent)
    except BaseException:
        remove(built)
        raise


def to_disk(file: BinaryIO, size: int) -> None:
    """Sync a file that holds `size` bytes and give it the mode that umask allows."""
    if os.fstat(file.fileno()).st_size != size:
        raise OSError("fewer bytes on disk than written")
    os.fchmod(file.fileno(), _mode())
    os.fsync(file.fileno())


def _held_sibling(target: Path) -> tuple[Path, int]:
    while True:
        built = sibling(target)
        handle = os.open(built, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with suppress(OSError):  # a file system without locks: nobody can take it for rubbish there
                fcntl.flock(handle, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), built.stat()):
                    return built, handle
        except BaseException:
            os.close(handle)
            remove(built)
            raise
        os.close(handle)  # taken for rubbish between our open and our lock


def _remove_stale(target: Path) -> None:
    """Remove siblings of `target` that a killed run left: those whose lock is free."""
    for name in os.listdir(target.parent):
        if not is_sibling(name) or name.rpartition(".new-")[0] != f".{target.name[:200]}":
            continue
        with suppress(OSError):  # not ours, or gone already
            handle = os.open(target.parent / name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                (target.parent / name).unlink()
            finally:
                os.close(handle)


def remove(path: Path) -> None:
    """Remove a file; once more when the disk refuses, then leave it to the next run."""
    for _ in range(2):
        with suppress(OSError):
            path.unlink(missing_ok=True)
            return


def identity(path: Path) -> tuple[int, int, int] | None:
    """Tell one content of a name from the next, without reading; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns


def _write_stdout(data: bytes) -> None:
    if sys.stdout is None:  # started with standard output closed: the data would vanish with exit 0
        raise CalibError("standard output is closed; nothing was written")
    stream: BinaryIO = sys.stdout.buffer
    try:
        sys.stdout.flush()
        stream.write(data)
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the rest fails again at the exit
        if isinstance(error, BrokenPipeError):
            raise
        raise CalibError(f"standard output: could not write: {error.strerror}; the output is not whole") from error


def disk_error(target: str | Path, error: BaseException, unchanged: bool = True) -> CalibError:
    """Turn what a library raised while writing into one line that names the target."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    then = "what was there before is unchanged" if unchanged else "it may not be whole; run it again"
    return CalibError(f"{visible(str(target))}: could not write: {visible(reason)[:200]}; {then}")
