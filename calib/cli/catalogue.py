"""`calib detectors`, `calib formats`, `calib schema`: what there is, printed from the code itself."""

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from calib.cli._options import ConfigPath, load_config
from calib.cli._output import emit, on_terminal, width
from calib.errors import UsageError, near

if TYPE_CHECKING:
    from calib.detectors import Detector
    from calib.tables import Table

Name = Annotated[str, typer.Argument(metavar="[NAME]", show_default=False, help="One of them, whole.")]


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def detectors(name: Name = "", config: ConfigPath = "") -> None:
    """List the detectors, or explain one, a rule, or all rules (`calib detectors rules`)."""
    from calib.detectors import detector, names

    if name == "rules":
        import calib.rules

        emit((calib.rules.__doc__ or "").strip() + "\n")
        return
    own = load_config(config).detectors
    if name:
        emit(_explained(detector(name, own)))
        return
    emit("".join(map(_line, [*map(detector, names()), *own.values()])))
    emit("A rule is a detector too, such as lag(calls,2)@6: calib detectors rules.\n")
    emit("Blind spots, and where a rule was read: calib detectors NAME.\n")


def _line(each: "Detector") -> str:
    """Spell name, default and meaning."""
    spelled = f"{each.name}@{each.default}" if each.default else each.name
    meaning = _first_line(each.about) if each.about else str(each.rule)
    return _entry(spelled, meaning)


def _entry(name: str, meaning: str, gap: str = "  ") -> str:
    """Set an entry of a list to the width of the terminal; its other lines stand further in."""
    from calib.reports._columns import guarded, wrap

    return guarded(wrap(meaning, width(), f"{name}{gap}", "    "))


def _explained(each: "Detector") -> str:
    """Spell the docstring, then what the file declares."""
    said = {
        "rule": each.rule,
        "default": each.default or "none was published",
        **{f"at {k}": what for what, k in each.also.items()},
    }
    if found := each.upstream:
        said |= {
            "upstream": f"{found.repo} {found.path} @ {found.commit}",
            "fires": f"{found.fires}, {found.when} it is executed",
            "fidelity": f"{found.fidelity}{': ' + found.why if found.why else ''}",
        }
    declared = "".join(_entry(f"{what}:", str(value), " ") for what, value in said.items())
    return f"{_wrapped(each.about)}\n{declared}" if each.about else declared


def _wrapped(text: str) -> str:
    """Set a docstring to the width of the terminal, paragraph by paragraph; each keeps its indent."""
    from calib.reports._columns import guarded, wrap

    lines: list[str] = []
    for indent, group in groupby(text.splitlines(), lambda line: len(line) - len(line.lstrip()) if line else -1):
        joined = " ".join(line.strip() for line in group)
        lines += wrap(joined, width(), " " * max(indent, 0), " " * max(indent, 0))
    return guarded(lines)


def formats(name: Name = "") -> None:
    """List the transcript formats, or explain one."""
    from calib import registry

    if name:
        emit((registry.entry("calib.formats", name).__doc__ or "").strip() + "\n")
        return
    for each in registry.names("calib.formats"):
        emit(_entry(each, _first_line(registry.entry("calib.formats", each).__doc__ or "")))


def schema(name: Name = "") -> None:
    """Print the columns of the tables, or the JSON Schema of an output: report, sweep."""
    from calib.schemas import schemas
    from calib.tables import TABLES, page

    show = _columns if on_terminal() else page  # elsewhere the page of data-schema/, in Markdown
    pages = {table.name: show(table) for table in TABLES} | schemas()
    if name and name not in pages:
        raise UsageError(f"no table or output named {name!r}; there are {near(name, list(pages))}")
    emit(
        pages[name] if name else "\n".join([*(show(table) for table in TABLES), *(_schema(each) for each in schemas())])
    )


def _columns(table: "Table") -> str:
    """Show a table for reading: its columns one below the other."""
    from calib.tables import SCHEMA_VERSION

    head = f"one row is {table.row}; key: {', '.join(table.key)}; schema version {SCHEMA_VERSION}"
    columns = (f"{each.kind}, null: {each.null or 'never'}. {each.meaning}" for each in table.columns)
    return _entry(f"{table.name}:", head, " ") + "".join(
        _entry(f"  {each.name}", said) for each, said in zip(table.columns, columns, strict=True)
    )


def _schema(name: str) -> str:
    return f"# {name}.json\n\nIts JSON Schema: `calib schema {name}`.\n"
