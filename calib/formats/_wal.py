"""An SQLite database together with its write-ahead log, without a byte written beside either.

SQLite itself would make files beside the database. So what is committed in the log is laid over a copy elsewhere, frame
by frame, as SQLite's description of its file format says (https://www.sqlite.org/fileformat2.html, section 4).
"""

import shutil
import struct
from pathlib import Path
from typing import NamedTuple

from calib.files import sibling

HEADER, FRAME = 32, 24
ORDERS = {0x377F0682: "<", 0x377F0683: ">"}
VERSION = 3007000
VERSIONS = 18
"""Where a database says whether it uses a log: 2 and 2, else 1 and 1."""
Sums = tuple[int, int]


class Pages(NamedTuple):
    """The committed pages of a log: their size, how many the database has, and where in the log each one stands."""

    size: int
    total: int
    places: dict[int, int]


def committed(log: bytes) -> Pages | None:
    """Find what is committed: up to the last commit before the first frame that is torn or of an older log.

    None for what is no log of a known version.
    """
    if len(log) < HEADER:
        return None
    magic, version, size, _, *salts, first, second = struct.unpack_from(">8I", log)
    order, sums = ORDERS.get(magic), (first, second)
    if order is None or version != VERSION or size < 512 or size & (size - 1) or _sums(log[:24], order) != sums:
        return None
    count, settled, pending = 0, dict[int, int](), dict[int, int]()
    for at in range(HEADER, len(log) - FRAME - size + 1, FRAME + size):
        page, commit, *own, first, second = struct.unpack_from(">6I", log, at)
        sums = _sums(log[at : at + 8] + log[at + FRAME : at + FRAME + size], order, sums)
        if own != salts or sums != (first, second) or not page:
            break
        pending[page] = at + FRAME
        if commit:
            count, settled, pending = commit, settled | pending, {}
    return Pages(size, count, settled)


def uses_log(path: Path) -> bool:
    """Tell whether a database is in the mode that has a log; what lies beside another one is a leftover."""
    with path.open("rb") as file:
        return file.read(VERSIONS + 2)[VERSIONS:] == b"\x02\x02"


def _sums(data: bytes, order: str, before: Sums = (0, 0)) -> Sums:
    one, two = before
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for first, second in zip(words, words, strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def laid_over(path: Path, log: bytes, pages: Pages, folder: Path) -> Path:
    """Make a copy of a database in `folder`, with the pages of its log in it. Raises OSError."""
    copy = sibling(folder / "database")
    try:
        shutil.copyfile(path, copy)
        with copy.open("r+b") as file:
            for page, place in sorted(pages.places.items()):
                file.seek((page - 1) * pages.size)
                file.write(log[place : place + pages.size])
            file.truncate(pages.total * pages.size)
            file.seek(VERSIONS)
            file.write(b"\x01\x01")
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    return copy
