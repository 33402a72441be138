"""The one way to write: whole or absent.

A file is built beside its target under a random name, flushed, synced, given the mode that umask
allows, renamed, and its folder synced. After any stop the target is the old file or the new one.
A folder has one writer at a time, held by a lock that the kernel releases when the writer dies.
Not promised: disks that ignore fsync, network file systems without atomic rename or locks.
"""

import fcntl
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from calib.errors import CalibError, UsageError
from calib.escape import visible

LOCK = ".calib.lock"


def sibling(target: Path) -> Path:
    """Name a new file beside `target`: `.NAME.new-XXXXXXXX`."""
    return target.with_name(f".{target.name[:200]}.new-{secrets.token_hex(4)}")


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


def _mode() -> int:
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
    if str(target) == "-":
        _write_stdout(data)
        return
    path = Path(target)
    path = Path(os.path.realpath(path)) if path.is_symlink() else path
    if path.is_dir():
        raise UsageError(f"{visible(str(target))}: expected a file to write, found a folder; name a file in it")
    if not path.parent.is_dir():
        raise UsageError(f"{visible(str(target))}: its folder does not exist; make it first")
    try:
        if _irregular(path):
            with path.open("wb", buffering=0) as device:
                device.write(data)
            return
        with building(path) as built:
            with built.open("xb") as file:
                file.write(data)
                file.flush()
            if built.stat().st_size != len(data):
                raise OSError("fewer bytes on disk than written")
    except OSError as error:
        raise disk_error(target, error) from error


def write_folder(target: str | Path, files: dict[str, bytes], last: str, record: bytes) -> None:
    """Write a folder of files; the one named `last` is what makes it whole.

    Everything is built and synced before anything changes. Then the old `last` goes, the files come, and the
    new `last` comes: a folder without it is a run that did not end, and the next run mends it.
    Raises UsageError for a target that is no folder, or that holds something and no `last`.
    """
    folder = Path(target)
    check_folder(folder, last)
    made = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        with one_writer(folder):
            _replace_all(folder, {**files, last: record}, last)
    except OSError as error:
        if made:
            with suppress(OSError):
                folder.rmdir()
        raise disk_error(target, error) from error


def check_folder(target: str | Path, last: str) -> None:
    """Check that a folder can be written by `write_folder`: absent, empty, or holding a file named `last`.

    Raises UsageError otherwise.
    """
    folder, shown = Path(target), visible(str(target))
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{shown}: expected a folder to write into, found a file; name another")
    if not folder.parent.is_dir():
        raise UsageError(f"{shown}: its folder does not exist; make it first")
    held = [name for name in _names(folder) if not is_sibling(name) and name != LOCK]
    if held and last not in held:
        raise UsageError(f"{shown}: holds other files and no {last}; name an empty or new folder")


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise disk_error(folder, error) from error


def _replace_all(folder: Path, files: dict[str, bytes], last: str) -> None:
    for name in os.listdir(folder):
        if is_sibling(name):  # left by a run that was killed
            (folder / name).unlink()
    built = {name: sibling(folder / name) for name in files}
    try:
        for name, data in files.items():
            with built[name].open("xb") as file:
                file.write(data)
                file.flush()
                os.fchmod(file.fileno(), _mode())
                os.fsync(file.fileno())
        (folder / last).unlink(missing_ok=True)
        sync_folder(folder)
        for name in sorted(files, key=lambda name: name == last):
            built[name].replace(folder / name)
        sync_folder(folder)
    except BaseException:
        for path in built.values():
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise


def _write_stdout(data: bytes) -> None:
    if sys.stdout is None:  # started with standard output closed: the data would vanish with exit 0
        raise CalibError("standard output is closed; nothing was written")
    stream: BinaryIO = sys.stdout.buffer
    sys.stdout.flush()
    stream.write(data)
    stream.flush()


def disk_error(target: str | Path, error: BaseException) -> CalibError:
    """Turn what a library raised while writing into one line that names the target."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return CalibError(
        f"{visible(str(target))}: could not write: {visible(reason)[:200]}; what was there before is unchanged"
    )


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Hold `folder` for writing; the lock file is gone afterwards.

    Raises CalibError at once when another process holds it, naming that process.
    """
    path = folder / LOCK
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            raise CalibError(
                f"{visible(str(folder))}: process {visible(holder) or 'unknown'} is writing here; wait for it to end"
            ) from None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                break
        os.close(handle)  # the former holder removed the file between our open and our lock
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        with suppress(FileNotFoundError):
            path.unlink()
        os.close(handle)
