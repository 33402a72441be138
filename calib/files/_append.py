"""A file that grows by whole lines, written by several processes at once."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from calib.errors import UsageError
from calib.escape import visible


class Appending:
    """Appends to a file, made when it is missing. After a failed append the file is as it was before it.

    Raises UsageError for a folder or a missing parent.
    """

    def __init__(self, path: str | Path) -> None:
        shown = visible(str(path))
        if Path(path).is_dir():
            raise UsageError(f"{shown}: expected a file to append to, found a folder; name a file in it")
        if not Path(path).parent.is_dir():
            raise UsageError(f"{shown}: its folder does not exist; make it first")
        try:
            self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise UsageError(
                f"{shown}: could not open it: {error.strerror}; name a file that can be written"
            ) from error

    def append(self, line: bytes) -> None:
        """Append a line, its line feed included.

        Raises OSError.
        """
        fcntl.flock(self._handle, fcntl.LOCK_EX)
        try:
            size = os.fstat(self._handle).st_size
            try:
                self._write(line)
            except BaseException:
                with suppress(OSError):  # a device has no length
                    os.ftruncate(self._handle, size)
                raise
        finally:
            fcntl.flock(self._handle, fcntl.LOCK_UN)

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._handle, rest) :]
