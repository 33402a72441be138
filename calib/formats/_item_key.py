"""What makes the items of a Responses conversation the same ones in the input of the next request."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

from calib.formats._item import Item, id_of, parts_of

LEFT_OUT = frozenset(("reasoning", "item_reference"))
"""Types of items that a client may leave out when it sends a history again."""


class Place(NamedTuple):
    """A place behind an item of a list: how many items stand before it, and a hash of what they say."""

    behind: int
    key: bytes
    user: bool


def places(items: list[Any], before: bytes = b"") -> Iterator[Place]:
    """Give the place behind each item but those that a client may leave out; `before` is the hash of earlier ones.

    >>> long = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a "}], "status": "done"}
    >>> [place.behind for place in places([long, {"type": "reasoning", "summary": []}, {"role": "user"}])]
    [1, 3]
    >>> next(places([long])).key == next(places([{"role": "user", "content": "a"}])).key
    True
    """
    for behind, item in enumerate(items, 1):
        if isinstance(item, dict) and (said := _said(item)):
            before = blake2b(before + said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            yield Place(behind, before, item.get("role") == "user")


def _said(item: Item) -> str:
    kind = item.get("type")
    if kind is None or kind == "message":
        return f"{item.get('role')}\0" + "\n".join(parts_of(item.get("content"))).strip()
    return "" if str(kind) in LEFT_OUT else f"{kind}\0{id_of(item, 'call_id', 'id')}"


def begin_of(items: list[Any]) -> bytes | None:
    """Give the hash of what a conversation begins with: all up to the first word of a user, else its first item."""
    found = list(places(items))
    return next((place.key for place in found if place.user), found[0].key if found else None)
