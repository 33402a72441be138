"""A folder of files: one writer at a time, whole by the file that is written last."""

import fcntl
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from calib.errors import CalibError, UsageError
from calib.escape import visible
from calib.files._file import disk_error, identity, is_sibling, remove, sibling, sync_folder, to_disk

LOCK = ".calib.lock"


def write_folder(
    target: str | Path, files: dict[str, bytes], last: str, record: bytes, stale: Collection[str] = ()
) -> None:
    """Write a folder of files; the one named `last` is what makes it whole.

    Everything is built and synced before anything changes. Then the old `last` goes, the files come, and the
    new `last` comes: a folder without it is a run that did not end, and the next run mends it. Files named in
    `stale` that are not written now are removed.
    Raises UsageError for a target that is no folder, or that holds something else and no `last`.
    """
    folder = Path(target)
    check_folder(folder, last, {*files, *stale})
    made = not folder.exists()
    before = identity(folder / last)
    try:
        folder.mkdir(exist_ok=True)
        if made:
            sync_folder(folder.parent)
        with one_writer(folder):
            _replace_all(folder, {**files, last: record}, last, stale)
    except BaseException as error:
        if before is None and identity(folder / last) is None:
            for name in files:
                remove(folder / name)
        if made:
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            raise disk_error(target, error, identity(folder / last) == before) from error
        raise


def check_folder(target: str | Path, last: str, ours: Collection[str] = ()) -> None:
    """Check that a folder can be written by `write_folder`: absent, holding `last`, or nothing but names of `ours`.

    Raises UsageError otherwise.
    """
    folder, shown = Path(target), visible(str(target))
    if os.path.lexists(folder) and not folder.is_dir():
        raise UsageError(f"{shown}: expected a folder to write into, found a file; name another")
    try:
        if not folder.parent.is_dir():
            raise UsageError(f"{shown}: its folder does not exist; make it first")
        held = os.listdir(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise disk_error(folder, error) from error
    if last not in held and any(not is_sibling(name) and name != LOCK and name not in ours for name in held):
        raise UsageError(f"{shown}: holds other files and no {last}; name an empty or new folder")


def _replace_all(folder: Path, files: dict[str, bytes], last: str, stale: Collection[str]) -> None:
    for name in os.listdir(folder):
        if is_sibling(name):  # left by a run that was killed
            (folder / name).unlink()
    built = {name: sibling(folder / name) for name in files}
    try:
        for name, data in files.items():
            with built[name].open("xb") as file:
                file.write(data)
                file.flush()
                to_disk(file, len(data))
        (folder / last).unlink(missing_ok=True)
        sync_folder(folder)
        for name in sorted(set(stale).intersection(os.listdir(folder)) - set(files)):
            (folder / name).unlink()
        for name in sorted(files, key=lambda name: name == last):
            built[name].replace(folder / name)
        sync_folder(folder)
    except BaseException:
        for path in built.values():
            remove(path)
        raise


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Hold `folder` for writing; the lock file is gone afterwards.

    Raises CalibError at once when another process holds it, naming that process.
    """
    handle = _locked(folder)
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        remove(folder / LOCK)
        os.close(handle)


def _locked(folder: Path) -> int:
    path = folder / LOCK
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return handle
        except BlockingIOError:
            holder = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            raise CalibError(
                f"{visible(str(folder))}: process {visible(holder) or 'unknown'} is writing here; wait for it to end"
            ) from None
        except OSError:  # no locks here, so nobody holds the file
            os.close(handle)
            remove(path)
            raise
        os.close(handle)  # the former holder removed the file between our open and our lock
