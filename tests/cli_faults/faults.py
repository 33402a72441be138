"""Faults at enumerated points: the k-th time that Python touches a path under a folder.

An audit hook sees every open, rename, remove, mkdir, chmod, truncate and lock; fsync is made to report itself.
A fault is an OSError, or a death: the event raises, and so does every later one, as a dead process does nothing
more; what it held open is then closed, as the kernel would.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

EVENTS = frozenset(
    f"os.{name}" for name in ("rename", "remove", "mkdir", "rmdir", "chmod", "truncate", "listdir", "link", "symlink")
) | {"open", "fcntl.flock", "calib.fsync"}


class Death(BaseException):
    """The process would be gone here."""


@dataclass
class Fault:
    """One fault at the `at`-th event under `folder`: a Death, or an OSError of this number."""

    folder: Path
    at: int
    number: int | None = None
    seen: list[str] = field(default_factory=list)
    fired: bool = False

    def event(self, name: str, arguments: tuple[Any, ...]) -> None:
        if not any(self._inside(argument) for argument in arguments[:2]):
            return
        self.seen.append(name)
        if len(self.seen) == self.at or (self.fired and self.number is None):
            self.fired = True
            if self.number is None:
                raise Death(name)
            raise OSError(self.number, os.strerror(self.number))

    def _inside(self, argument: Any) -> bool:
        if isinstance(argument, int):
            path = _path_of(argument)
        elif isinstance(argument, (str, bytes, os.PathLike)):
            path = os.fsdecode(argument)
        else:
            return False
        return path.startswith(str(self.folder))


def _path_of(handle: int) -> str:
    try:
        return str(Path(f"/proc/self/fd/{handle}").readlink()) if handle >= 0 else ""
    except OSError:
        return ""


_armed: list[Fault] = []


def _hook(name: str, arguments: tuple[Any, ...]) -> None:
    if _armed and name in EVENTS:
        fault = _armed.pop()  # what the fault itself does is no event
        try:
            fault.event(name, arguments)
        finally:
            _armed.append(fault)


sys.addaudithook(_hook)


def _fsync(handle: int) -> None:
    sys.audit("calib.fsync", handle)  # and no real one: there are hundreds


@contextmanager
def fault(folder: Path, at: int = 0, number: int | None = None) -> Iterator[Fault]:
    """Arm a fault while the body runs; `at` 0 only counts. Swallows the Death."""
    armed = Fault(folder, at, number)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", _fsync)
        _armed.append(armed)
        try:
            yield armed
        except Death:
            pass
        finally:
            _armed.pop()
    if armed.fired and number is None:
        close_under(folder)


def close_under(folder: Path) -> None:
    """Close every file below a folder that is open in this process."""
    for name in os.listdir("/proc/self/fd"):
        if _path_of(int(name)).startswith(str(folder)):
            with suppress(OSError):
                os.close(int(name))
