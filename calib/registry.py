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
    folder = Path(import_module(package).__path__[0])
    return tuple(sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_")))


@cache
def entry(package: str, name: str) -> ModuleType:
    """Import one entry.

    Raises UsageError, with the near names, when there is none of that name.
    """
    if name not in names(package):
        kind = package.rpartition(".")[2].removesuffix("s")
        raise UsageError(f"no {kind} named {name!r}; there are {near(name, list(names(package)))}")
    return import_module(f"{package}.{name}")
