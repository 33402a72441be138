"""The one way to write: whole or absent.

A file is built beside its target under a random name, flushed, synced, given the mode that umask
allows, renamed, and its folder synced. After any stop the target is the old file or the new one.
A folder has one writer at a time, held by a lock that the kernel releases when the writer dies.
Not promised: disks that ignore fsync, network file systems without atomic rename or locks.
"""

from calib.files._append import Appending
from calib.files._file import (
    building,
    digest_of,
    disk_error,
    is_sibling,
    seal,
    sibling,
    sync_folder,
    write_bytes,
    write_pieces,
)
from calib.files._folder import LOCK, check_folder, one_writer, write_folder

__all__ = [
    "LOCK", "Appending", "building", "check_folder", "digest_of", "disk_error",
    "is_sibling", "one_writer", "seal", "sibling", "sync_folder",
    "write_bytes", "write_folder", "write_pieces",
]  # fmt: skip
