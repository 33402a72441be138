"""A folder is a registry: each module in it is one entry, named after its file."""

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from calib.errors import UsageError, near


@cache
def names(package: str) -> tuple[str, ...]:
    """List the entries of `package` in order; modules that begin with an underscore are none.

    >>> "search_run" in names("calib.detectors")
    True
    """
    folders = map(Path, import_module(package).__path__)
    stems = {file.stem for folder in folders for file in folder.glob("*.py")}
    return tuple(sorted(stem for stem in stems if not stem.startswith("_")))


@cache
def entry(package: str, name: str, short: tuple[str, ...] = ()) -> ModuleType:
    """Import one entry.

    Raises UsageError, with the near names, when there is none of that name; `short` are other names that users give.
    """
    if name not in names(package):
        kind = package.rpartition(".")[2].removesuffix("s")
        raise UsageError(f"no {kind} named {name[:80]!r}; there are {near(name, [*short, *names(package)])}")
    return import_module(f"{package}.{name}")
