"""Where a command may write: over no transcripts, and into no corpus."""

import os
from pathlib import Path

from calib.cli._output import say
from calib.corpus import is_corpus
from calib.errors import UsageError
from calib.escape import visible
from calib.files import write_bytes


def save(output: str, data: bytes) -> None:
    """Write a file, and say so when it replaces one.

    Raises UsageError for a file that lies in a corpus or holds transcripts: the only copy, perhaps, of what they were.
    """
    path = Path(output)
    there = os.path.isfile(path)  # noqa: PTH113 - a folder that may not be looked into is no error here
    keep_out(path)
    if there and (known := _format_of(path)):
        raise UsageError(f"{visible(output)}: holds transcripts ({known}); name another file, or remove it first")
    write_bytes(output, data)
    if there:
        say(f"{output}: replaced what was there")


def keep_out(path: Path) -> None:
    """Refuse a file in a corpus.

    Raises UsageError.
    """
    for folder in Path(os.path.realpath(path)).parents:
        if is_corpus(folder):
            raise UsageError(f"{visible(str(path))}: lies in the corpus {visible(str(folder))}; name a file outside it")


def _format_of(path: Path) -> str:
    """Name the format of a dump; empty for any other file."""
    from calib.ingest.sniff import sniff
    from calib.ingest.sources import Source

    return sniff(Source.at(path.name, path, path.stat().st_size), "auto").format
