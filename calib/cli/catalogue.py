"""`calib detectors`, `calib formats`, `calib schema`: what there is, printed from the code itself."""

from typing import Annotated

import typer

from calib.cli._output import emit
from calib.errors import UsageError, near

Name = Annotated[str, typer.Argument(metavar="[NAME]", show_default=False, help="One of them, whole.")]


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def detectors(name: Name = "") -> None:
    """List the detectors, or explain one."""
    from calib.detectors import detector, documentation, names

    if name:
        emit(documentation(name) + "\n")
        return
    lines = [f"{n}@{detector(n).DEFAULT}  {_first_line(documentation(n))}" for n in names()]
    emit("\n".join(lines) + "\n")


def formats(name: Name = "") -> None:
    """List the transcript formats, or explain one."""
    from calib import registry

    if name:
        emit((registry.entry("calib.formats", name).__doc__ or "").strip() + "\n")
        return
    for each in registry.names("calib.formats"):
        emit(f"{each}  {_first_line(registry.entry('calib.formats', each).__doc__ or '')}\n")


def schema(name: Name = "") -> None:
    """Print the columns of the tables, or the JSON Schema of an output: report, sweep."""
    from calib.schemas import schemas
    from calib.tables import TABLES, page

    pages = {table.name: page(table) for table in TABLES} | schemas()
    if name and name not in pages:
        raise UsageError(f"no table or output named {name!r}; there are {near(name, list(pages))}")
    emit(
        pages[name] if name else "\n".join([*(page(table) for table in TABLES), *(_schema(each) for each in schemas())])
    )


def _schema(name: str) -> str:
    return f"# {name}.json\n\nIts JSON Schema: `calib schema {name}`.\n"
