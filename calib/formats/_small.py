"""Small facts of a record: what is worth keeping under metadata without copying prompts."""

from typing import Any

LONGEST = 200
"""Characters of a text that is kept; a longer one is no small fact."""


def small(value: Any, *keys: str) -> dict[str, Any]:
    """Give those keys of an object whose values are numbers, truth values or short texts.

    >>> small({"cost": 1.5, "prompt": "x" * 999, "agent": {"a": 1}, "n": None}, "cost", "prompt", "agent", "n")
    {'cost': 1.5}
    """
    if not isinstance(value, dict):
        return {}
    found = {key: value.get(key) for key in keys}
    return {key: item for key, item in found.items() if _is_small(item)}


def _is_small(item: Any) -> bool:
    if isinstance(item, str):
        return 0 < len(item) <= LONGEST
    return isinstance(item, (bool, int, float))


def at(value: Any, *path: str | int) -> Any:
    """Follow keys and list places; None where the way ends.

    >>> at({"a": [{"b": 1}]}, "a", 0, "b"), at({"a": None}, "a", "b")
    (1, None)
    """
    for step in path:
        if value.__class__ is dict:
            value = value.get(step)
        elif value.__class__ is list and step.__class__ is int and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def text_at(value: Any, *path: str | int) -> str | None:
    """Follow a path to a text that is not empty, else None."""
    found = at(value, *path)
    return found if isinstance(found, str) and found else None


def text_in(fields: dict[str, Any], key: str) -> str | None:
    """Give a text of an object that is not empty, else None."""
    found = fields.get(key)
    return found if found.__class__ is str and found else None


def verdict(value: Any) -> str | None:
    """Spell a truth value as an outcome."""
    return ("pass" if value else "fail") if isinstance(value, bool) else None


def as_list(value: Any) -> list[Any]:
    """Give a list as it is, anything else as no element."""
    return value if isinstance(value, list) else []
