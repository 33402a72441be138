"""The corpus folder while it is written: made, locked, committed by one rename, left without litter.

Order of a commit: parts are synced and get their final names, their folders are synced, then calib.json is
replaced: that is the commit. Whatever calib.json does not name is rubbish by definition and removed.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from calib.errors import UsageError
from calib.escape import visible
from calib.files import LOCK, building, digest_of, disk_error, is_sibling, one_writer, seal, sibling, sync_folder
from calib.ingest.earlier import Earlier, earlier
from calib.ingest.manifest import lines
from calib.tables import MANIFEST, TABLES

FOLDERS = tuple(table.name for table in TABLES)
T = TypeVar("T")
SYNCS = 8
"""Files that are synced at once: the kernel takes many hardly longer than one."""


@dataclass
class Place:
    """A corpus folder held for writing. `earlier` is what calib.json said at first, None when there was none.

    `next` is what it shall say; it does once its file is another one than `inode`.
    """

    folder: Path
    earlier: Earlier | None
    inode: int | None
    next: dict[str, Any] | None = None

    @property
    def committed(self) -> bool:
        """Whether calib.json was replaced."""
        return _inode(self.folder / MANIFEST) != self.inode

    def files(self) -> set[str]:
        """Name every file of the corpus as it stands, relative to its folder."""
        manifest = self.next if self.committed else self.earlier and self.earlier.manifest
        return {table["file"] for part in manifest["parts"] for table in part["tables"].values()} if manifest else set()


@contextmanager
def checked(folder: Path) -> Iterator[Earlier | None]:
    """Refuse an output that is no corpus and no place for one; gives the corpus that is there.

    Raises UsageError; CorpusError for a corpus of another schema version.
    """
    shown = visible(str(folder))
    if os.path.lexists(folder) and not folder.is_dir():
        raise UsageError(f"{shown}: expected a folder for the corpus, found a file; choose another --out")
    if (folder / MANIFEST).exists():
        with closing(earlier(folder)) as known:
            yield known
        return
    foreign = [name for name in _listed(folder) if not _is_ours(folder, name)] if folder.is_dir() else []
    if foreign:
        raise UsageError(
            f"{shown}: expected an empty folder or a corpus, found {visible(min(foreign))[:80]}; choose another --out"
        )
    yield None


def _is_ours(folder: Path, name: str) -> bool:
    """Tell whether a killed ingest may have left this."""
    if name in FOLDERS:
        return all(is_sibling(inner) or inner.endswith(".parquet") for inner in _listed(folder / name))
    return name == LOCK or is_sibling(name)


@contextmanager
def opened(folder: Path, known: Earlier | None) -> Iterator[Place]:
    """Hold a corpus folder for writing, made when missing. After an error it is as it was before.

    `known` is what was there a moment ago.

    Raises CalibError when another process writes there or the disk refuses.
    """
    made: list[Path] = []
    before = _inode(folder / MANIFEST)
    try:
        try:
            _make(folder, made)
            with one_writer(folder):
                held = _inode(folder / MANIFEST)
                _make_tables(folder, made)
                with _now(folder, known, held) as current:
                    place = Place(folder, current, held)
                    try:
                        yield place
                    finally:
                        _remove_rubbish(place)
        except OSError as error:
            raise disk_error(folder, error, _inode(folder / MANIFEST) == before) from error
    except BaseException:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir()
        raise


@contextmanager
def _now(folder: Path, known: Earlier | None, held: int | None) -> Iterator[Earlier | None]:
    """Read calib.json unless it is `known`, or was not there when the folder was `held`."""
    if held is None or (known and known.inode == held):
        yield known if held else None
    else:
        with closing(earlier(folder)) as found:
            yield found


def _inode(path: Path) -> int | None:
    """Tell one calib.json from the next without opening it."""
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _make(folder: Path, made: list[Path]) -> None:
    missing = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    for path in reversed(missing):
        path.mkdir()
        made.append(path)
        sync_folder(path.parent)


def _make_tables(folder: Path, made: list[Path]) -> None:
    for name in FOLDERS:
        path = folder / name
        if not path.is_dir():
            path.mkdir()
            made.append(path)
    sync_folder(folder)


def commit(place: Place, manifest: dict[str, Any]) -> None:
    """Make a manifest the corpus; its new parts wait as siblings, named by `tables.*.built`.

    When nothing changed, nothing is written. Raises OSError.
    """
    _drop_equal(place, manifest)
    built = [
        (place.folder / Path(table["file"]).with_name(table.pop("built")), place.folder / table["file"])
        for part in manifest["parts"]
        for table in part["tables"].values()
        if "built" in table
    ]
    if not built and place.earlier and place.earlier.manifest == manifest:
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(SYNCS) as pool:
        for _ in pool.map(lambda pair: seal(*pair), built):
            pass
    for name in FOLDERS:
        sync_folder(place.folder / name)
    place.next = manifest
    with building(place.folder / MANIFEST) as file, file.open("xb") as stream:
        stream.writelines(lines(manifest))


def _drop_equal(place: Place, manifest: dict[str, Any]) -> None:
    """Keep a file that is there already with the same content; its new sibling is rubbish."""
    parts = place.earlier.parts if place.earlier else []
    there = {table["file"]: table["sha256"] for part in parts for table in part["tables"].values()}
    for part in manifest["parts"]:
        for table in part["tables"].values():
            if "built" in table and there.get(table["file"]) == table["sha256"] and _is_whole(place.folder, table):
                del table["built"]


def _is_whole(folder: Path, table: dict[str, Any]) -> bool:
    with suppress(OSError):
        return bool(digest_of(folder / table["file"]) == table["sha256"])
    return False


def _remove_rubbish(place: Place) -> None:
    """Remove what no calib.json names: siblings, and parts of runs that were stopped or are outdated."""
    keep = place.files()
    for folder in ("", *FOLDERS):
        for name in _listed(place.folder / folder):
            path = f"{folder}/{name}" if folder else name
            if is_sibling(name) or (folder and name.endswith(".parquet") and path not in keep):
                _again(partial((place.folder / path).unlink, missing_ok=True))


def _listed(folder: Path) -> list[str]:
    return _again(lambda: sorted(path.name for path in folder.iterdir())) or []


def _again(act: Callable[[], T]) -> T | None:
    """Do something that may fail; once more when it does, then leave it to the next run."""
    for _ in range(2):
        with suppress(OSError):
            return act()
    return None


def spool(folder: Path, stream: Any) -> Path:
    """Copy standard input to a sibling in the corpus folder, so that it can be read like a file."""
    path = sibling(folder / "stdin")
    with path.open("xb") as file:
        while block := stream.read(1 << 20):
            file.write(block)
    return path
