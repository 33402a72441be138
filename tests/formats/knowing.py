"""Which formats know a value."""

from typing import Any

from calib.registry import entry, names

PACKAGE = "calib.formats"
ODD: tuple[Any, ...] = (
    None, 0, 1.5, "", "x", True, [], {}, [[]], [{}], [None], {"a": None}, {"type": None}, {"messages": 3}, {"role": 1},
)  # fmt: skip


def known_by(value: Any) -> list[str]:
    """The formats that know a value."""
    return [name for name in names(PACKAGE) if entry(PACKAGE, name).recognises(value)]


def odd_values(*templates: dict[str, Any]) -> list[Any]:
    """Values that a recogniser must survive: odd ones, and templates with an odd value under each key."""
    mixed = [{**template, key: odd} for template in templates for key in template for odd in ODD]
    return [*ODD, *mixed]
