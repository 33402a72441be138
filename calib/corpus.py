"""Open a corpus: take its parts from calib.json, check every one, read the columns asked for."""

import json
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import msgspec

from calib.errors import CorpusError
from calib.escape import visible
from calib.files import digest_of
from calib.results import Lost
from calib.tables import MANIFEST, SCHEMA_VERSION

if TYPE_CHECKING:
    import polars as pl

LARGEST_MANIFEST = 1 << 30

Count = Annotated[int, msgspec.Meta(ge=0)]
Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]+$")]


class TableEntry(msgspec.Struct):
    """A file of a part."""

    file: Annotated[str, msgspec.Meta(pattern=r"^[a-z]+/[0-9A-Za-z_-]+\.parquet$")]  # in the corpus, nowhere else
    rows: Count
    bytes: Count
    sha256: Hex


class TableEntries(msgspec.Struct):
    """The files of a part."""

    episodes: TableEntry
    turns: TableEntry
    calls: TableEntry
    rejects: TableEntry


class RejectedEntry(msgspec.Struct):
    """Records and bytes of one code."""

    records: Count
    bytes: Count


class AccountEntry(msgspec.Struct):
    """Where bytes went."""

    bytes: Count
    kept: Count
    blank: Count
    rejected: dict[str, RejectedEntry]
    ignored: dict[str, RejectedEntry] = msgspec.field(default_factory=dict)


class SourceEntry(msgspec.Struct):
    """A source."""

    source: str
    format: str
    digest: str
    bytes: Count
    account: AccountEntry
    notices: dict[str, Count]
    notice_lines: dict[str, list[Count]]
    episodes: Count
    turns: Count
    calls: Count
    small: bool


class PartEntry(msgspec.Struct):
    """A part."""

    part: str
    source: str
    first_byte: Count
    bytes: Count
    digest: Hex
    account: AccountEntry
    labels: dict[str, Count]
    stops: dict[str, Count]
    reasoning: dict[str, dict[str, Count]]
    notices: dict[str, Count]
    notice_lines: dict[str, list[Count]]
    dropped: dict[str, list[tuple[Count, Hex, str, str, str, Hex]]]
    tables: TableEntries
    members: dict[str, Hex] = msgspec.field(default_factory=dict)


class ManifestEntry(msgspec.Struct):
    """What a command relies on in calib.json."""

    calib_version: str
    options: dict[str, bool | int | str | list[str] | None]
    sources: list[SourceEntry]
    parts: list[PartEntry]


def is_corpus(folder: Path) -> bool:
    """Tell whether a folder holds a corpus, of whatever version and in whatever state."""
    try:
        if not (folder / MANIFEST).is_file():  # opening a pipe would wait
            return False
        with (folder / MANIFEST).open("rb") as file:
            return b'"calib_version"' in file.read(1 << 16)
    except OSError:
        return False


@dataclass(frozen=True)
class Corpus:
    """A checked corpus. Reading it never lists a folder: only what calib.json names exists."""

    path: Path
    manifest: dict[str, Any]

    @property
    def lost(self) -> Lost:
        """What ingest could not keep."""
        by_code: dict[str, int] = {}
        accounts = [source["account"] for source in self.manifest["sources"]]
        for account in accounts:
            for code, entry in account["rejected"].items():
                by_code[code] = by_code.get(code, 0) + entry["records"]
        rejected = sum(entry["bytes"] for account in accounts for entry in account["rejected"].values())
        of_bytes = sum(account["bytes"] for account in accounts)
        return Lost(sum(by_code.values()), rejected, of_bytes, dict(sorted(by_code.items())))

    def files(self, table: str) -> list[Path]:
        """List the files of a table in the order of the parts."""
        return [self.path / part["tables"][table]["file"] for part in self.manifest["parts"]]

    def read(self, table: str, columns: Sequence[str]) -> Iterator["pl.DataFrame"]:
        """Yield the columns of each part, in order; the episodes of a part lie in that part alone."""
        for part in range(len(self.manifest["parts"])):
            yield self.read_part(table, part, columns)

    def read_part(self, table: str, part: int, columns: Sequence[str]) -> "pl.DataFrame":
        """Give the columns of one part."""
        import polars as pl

        file = self.path / self.manifest["parts"][part]["tables"][table]["file"]
        try:
            return pl.read_parquet(file, columns=list(columns), hive_partitioning=False)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise unreadable(file, error) from error


def open_corpus(path: str | Path) -> Corpus:
    """Open and check a corpus.

    Raises CorpusError when there is none, when it has another schema version, or when a part is missing,
    cut, or altered; the message names the part.
    """
    folder = Path(path)
    corpus = Corpus(folder, read_manifest(folder))
    damage = _damage(corpus)
    if damage and read_manifest(folder) != corpus.manifest:  # an ingest finished between the two reads
        corpus = Corpus(folder, read_manifest(folder))
        damage = _damage(corpus)
    if damage:
        raise CorpusError(damage)
    return corpus


def unreadable(file: Path, error: Exception) -> CorpusError:
    """Name a part that was whole when the corpus was opened and cannot be read now."""
    found = "it is gone" if isinstance(error, FileNotFoundError) else visible(str(error))[:200]
    return CorpusError(
        f"{visible(str(file))}: a part cannot be read ({found}); an ingest may have replaced it: run again"
    )


def open_manifest(folder: Path) -> BinaryIO:
    """Open calib.json of a corpus folder.

    Raises CorpusError when it is missing, unreadable, or cannot be one.
    """
    shown = visible(str(folder))
    file = folder / MANIFEST
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise CorpusError(
                f"{shown}/{MANIFEST}: expected a file, found something else; ingest the dumps into a new folder"
            )
        if file.stat().st_size > LARGEST_MANIFEST:
            raise CorpusError(f"{shown}/{MANIFEST}: too large to be one; ingest the dumps into a new folder")
        return file.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        holds = folder.is_dir() and any(folder.iterdir())
        advice = f"DUMP --out {shown}" if not holds else f"{shown} --out CORPUS if it holds dumps, and name CORPUS"
        raise CorpusError(f"{shown}: expected a corpus, found no {MANIFEST}; run calib ingest {advice}") from None
    except OSError as error:
        raise CorpusError(f"{shown}/{MANIFEST}: could not read: {error.strerror}") from error


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read calib.json of a corpus folder.

    Raises CorpusError when it is missing, unreadable, or of another schema version.
    """
    shown = visible(str(folder))
    try:
        with open_manifest(folder) as file:
            manifest: dict[str, Any] = json.loads(file.read())
    except OSError as error:
        raise CorpusError(f"{shown}/{MANIFEST}: could not read: {error.strerror}") from error
    except (ValueError, RecursionError):
        raise CorpusError(
            f"{shown}/{MANIFEST}: expected JSON, found something else; ingest the dumps into a new folder"
        ) from None
    version = manifest.get("schema_version") if isinstance(manifest, dict) else None
    if version != SCHEMA_VERSION:
        raise CorpusError(
            f"{shown}: was written with schema {visible(str(version))[:20]}, this calib reads schema {SCHEMA_VERSION}; "
            "ingest the dumps into a new folder"
        )
    try:
        msgspec.convert(manifest, ManifestEntry)
    except msgspec.ValidationError as error:
        raise CorpusError(
            f"{shown}/{MANIFEST}: {visible(str(error))[:200]}; ingest the dumps into a new folder"
        ) from None
    return manifest


def _damage(corpus: Corpus) -> str:
    """Say which part is damaged, or nothing."""
    from concurrent.futures import ThreadPoolExecutor

    entries = [entry for part in corpus.manifest["parts"] for entry in part["tables"].values()]
    with ThreadPoolExecutor(4) as pool:
        for said in pool.map(lambda entry: entry_damage(corpus.path, entry), entries):
            if said:
                return said
    return ""


def entry_damage(folder: Path, entry: dict[str, Any]) -> str:
    """Say how a file of the corpus differs from its entry in calib.json, or nothing."""
    file = folder / entry["file"]
    try:
        size = file.stat().st_size
        if size != entry["bytes"]:
            return f"{visible(str(file))}: expected {entry['bytes']} bytes, found {size}; ingest the dumps again"
        if digest_of(file) != entry["sha256"]:
            return f"{visible(str(file))}: its content was altered since it was written; ingest the dumps again"
    except OSError as error:
        return f"{visible(str(file))}: a part of the corpus cannot be read ({error.strerror}); ingest the dumps again"
    return ""
