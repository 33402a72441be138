"""Read a configuration file into checked values; anything else is one line of file, key, expected, found."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from calib.config._own import check_known, own_detector
from calib.config._values import Config, Limits
from calib.config._wrong import WrongValueError
from calib.errors import ConfigurationError, UsageError, near
from calib.escape import visible
from calib.point import LARGEST, Point, detector_name, parse_point
from calib.selection import parse_pair, parse_where
from calib.tools import Map

LARGEST_FILE = 64 * 1024
LONGEST_LINE = 1_000


def load(path: Path | None, folder: Path) -> Config:
    """Read the configuration named, else calib.toml of `folder`, else [tool.calib] of its pyproject.toml.

    Nothing there gives the defaults, and so does the null device. Raises ConfigurationError, one line of file, key,
    expected and found.
    """
    if path == Path(os.devnull):
        return Config()
    if path is not None:
        shown = visible(str(path))
        table = _table(_read(path, shown), shown, path.name == "pyproject.toml")
        if table is None:
            raise ConfigurationError(f"{shown}: expected a table [tool.calib], found none")
        return replace(_config(shown, table), source=path)
    for name in ("calib.toml", "pyproject.toml"):
        if (folder / name).exists():
            data = _read(folder / name, name)
            foreign = name == "pyproject.toml" and b"calib" not in data  # then its faults are not ours to report
            table = None if foreign else _table(data, name, name == "pyproject.toml")
            if table is not None:
                return replace(_config(name, table), source=folder / name)
    return Config()


def _read(path: Path, shown: str) -> bytes:
    try:
        if not path.is_file():
            found = "something else" if path.exists() else "nothing"
            raise ConfigurationError(f"{shown}: expected a configuration file, found {found}")
        with path.open("rb") as file:
            return file.read(LARGEST_FILE * 16)
    except OSError as error:
        raise ConfigurationError(f"{shown}: could not read: {error.strerror}") from error


def _table(data: bytes, shown: str, below_tool: bool) -> dict[str, Any] | None:
    """Parse TOML that is small enough to parse safely; give the table that is ours."""
    import tomllib

    if len(data) > LARGEST_FILE:
        raise ConfigurationError(f"{shown}: expected at most {LARGEST_FILE:,} bytes, found more; is it this file?")
    if data.startswith(b"\xef\xbb\xbf"):
        raise ConfigurationError(f"{shown}: expected UTF-8 without a byte order mark, found one; save it without")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{shown}: expected UTF-8, found another byte at {error.start}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise ConfigurationError(
                f"{shown}:{number}: expected lines of at most {LONGEST_LINE:,} characters, found {len(line):,}"
            )
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ConfigurationError(f"{shown}: expected plain tables, found values nested too deeply") from None
    except ValueError as error:
        raise ConfigurationError(_no_toml(shown, text, str(error))) from None
    if not below_tool:
        return table
    tool = table.get("tool")
    return tool.get("calib") if isinstance(tool, dict) else None


def _no_toml(shown: str, text: str, error: str) -> str:
    """Say where a file ceases to be TOML, what stands there, and what the parser makes of it."""
    found = re.fullmatch(r"(.*) \(at line ([0-9]+), column ([0-9]+)\)", error, re.DOTALL)
    if not found:
        return f"{shown}: expected TOML, found something else: {visible(error)[:200]}"
    what, line, column = found[1], int(found[2]), int(found[3])
    rest = text.split("\n")[line - 1][column - 1 :].strip()
    there = repr(visible(rest)[:40]) if rest else "the end of the line"
    quotes = "; a text stands in quotes" if what == "Invalid value" and rest else ""
    return f"{shown}: line {line}, column {column}: expected TOML, found {there}: {visible(what)[:200]}{quotes}"


def _whole(lowest: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if type(value) is not int or not lowest <= value <= LARGEST:
            raise WrongValueError(f"a whole number from {lowest}")
        return value

    return check


def _inner_share(value: Any) -> float:
    if type(value) is not float or not 0 < value < 1:
        raise WrongValueError("a share above 0 and below 1, such as 0.01 for 1 %")
    return value


def _confidence(value: Any) -> float:
    """Read a confidence; one below a half is the error that somebody meant to allow."""
    if type(value) is not float or not 0.5 <= value < 1:
        raise WrongValueError("a confidence from 0.5 to below 1, such as 0.95 for 95 %")
    return value


def _share(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise WrongValueError("a share from 0 to 1, such as 0.001 for 0.1 %")
    return float(value)


def _widths(value: Any) -> int | dict[str, int]:
    if not isinstance(value, dict):
        return _whole(1)(value)
    widths = {}
    for name, width in value.items():
        try:
            widths[detector_name(name)] = _whole(1)(width)
        except UsageError:
            raise WrongValueError("a whole number from 1, or one for each detector", _spelled(name)) from None
    return widths


def _one_of(*words: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in words:
            raise WrongValueError(" or ".join(f'"{word}"' for word in words))
        return str(value)

    return check


def _point(value: Any) -> Point:
    try:
        return parse_point(value if isinstance(value, str) else "")
    except UsageError:
        raise WrongValueError('an operating point such as "repeated_plan@7 | search_run@35"') from None


def _digest(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{12,64}", value):
        raise WrongValueError("the data digest of a report, 12 to 64 hexadecimal digits")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongValueError("true or false")
    return value


def _texts(what: str, reads: Callable[[str], object]) -> Callable[[Any], tuple[str, ...]]:
    def check(value: Any) -> tuple[str, ...]:
        texts = value if isinstance(value, list) and value else [None]
        for text in texts:
            try:
                readable = isinstance(text, str) and bool(reads(text))
            except UsageError:
                readable = False
            if not readable:
                raise WrongValueError(f"a list of {what}", _spelled(text) if text is not None else "")
        return tuple(texts)

    return check


KEYS: dict[str, Callable[[Any], Any]] = {
    "point": _point,
    "chosen": _one_of("here", "before"),
    "calibrated_on": _digest,
    "confidence": _confidence,
    "checks": _whole(1),
    "rule": _one_of("closest_pass", "given", "published"),
    "unit": _one_of("episode", "task", "model", "arm"),
    "where": _texts('selections such as "n_turns > 3"', parse_where),
    "exclude": _texts('pairs such as "arm=always-strip"', parse_pair),
}
GATE: dict[str, Callable[[Any], Any]] = {
    "min_plateau_width": _widths,
    "max_false_fire_rate": _inner_share,
    "max_other_fire_rate": _inner_share,
    "min_caught_rate": _inner_share,
    "max_rejected": _share,
}
TABLES: dict[str, dict[str, Callable[[Any], Any]]] = {
    "gate": {limit.name: GATE.get(limit.name, _whole(0)) for limit in fields(Limits)},
    "tools": {
        **dict.fromkeys(("reads", "writes", "tests", "other", "neutral"), _texts("tool names", str.strip)),
        "only": _flag,
    },
}


def _config(shown: str, table: Any) -> Config:
    top = _checked(shown, "", table, KEYS | dict.fromkeys((*TABLES, "detectors"), lambda value: value))
    inner = {name: _checked(shown, name, top.pop(name, {}), keys) for name, keys in TABLES.items()}
    named = top.pop("detectors", {})
    keys = {str(name): partial(own_detector, str(name)) for name in named} if isinstance(named, dict) else {}
    own = _checked(shown, "detectors", named, keys)
    limits = Limits(**inner["gate"])
    if isinstance(limits.min_plateau_width, Mapping):
        check_known(f"{shown}: gate.min_plateau_width", limits.min_plateau_width, own)
    if top.get("point"):
        check_known(f"{shown}: point", top["point"].thresholds, own)
    return Config(**top, limits=limits, tools=Map(**inner["tools"]), detectors=own)


def _checked(shown: str, name: str, table: Any, keys: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    """Check every key of one table."""
    if not isinstance(table, dict):
        raise ConfigurationError(f"{shown}: {name or 'tool.calib'}: expected a table, found {_spelled(table)}")
    found = {}
    for key, value in table.items():
        where = f"{shown}: {name + '.' if name else ''}{visible(key[:80])}"
        if key not in keys:
            raise ConfigurationError(f"{where}: expected one of {near(key[:80], list(keys))}, found this unknown key")
        try:
            found[key] = keys[key](value)
        except WrongValueError as expected:
            found_value = expected.found or _spelled(value)
            raise ConfigurationError(f"{where}: expected {expected}, found {found_value}") from None
    return found


def _spelled(value: Any) -> str:
    """Show a TOML value in an error, shortened; tables and lists only by kind."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list" if value else "an empty list"
    return visible(repr(value[:60] if isinstance(value, str) else value))[:80]
