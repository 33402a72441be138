"""What the sub-rules of the guard share: their levels, their thresholds, and the first of them to fire."""

from typing import NamedTuple


class Trip(NamedTuple):
    """A sub-rule that fired, and the offset in the text, in characters, at which its loop begins."""

    level: str
    offset: int


class Tally:
    """The levels of one text, each the highest so far, and the first sub-rule to reach its threshold.

    A level below its floor counts as none: ordinary text has it, and may then be passed over unread.
    """

    __slots__ = ("floors", "levels", "thresholds", "trip")

    def __init__(self, floors: dict[str, int], thresholds: dict[str, int]) -> None:
        self.floors = floors
        self.thresholds = thresholds
        self.levels = dict.fromkeys(floors, 0)
        self.trip: Trip | None = None

    def note(self, level: str, height: int, offset: int) -> None:
        """Take what a sub-rule counts, all its gates holding."""
        if height < self.floors[level]:
            return
        if height > self.levels[level]:
            self.levels[level] = height
        if self.trip is None and height >= self.thresholds[level]:
            self.trip = Trip(level, offset)
