"""The cheapest filter: how long a text is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calib.scanners._texts import Flags, Texts


def at_least(texts: "Texts", characters: int) -> "Flags":
    """Mark the texts of so many characters or more; of none at all, every text but a null."""
    found: Flags = texts.characters >= max(characters, 1)
    return found
