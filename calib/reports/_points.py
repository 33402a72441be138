"""The table of operating points on a terminal: as many columns as fit, the points below their names if they must."""

from collections.abc import Sequence

from calib.reports import _words as words
from calib.reports._columns import cells, table
from calib.results import Sweep

HEADS = ("", "point", "caught", "false", "other", "fire turn", "after")
RIGHT = (False, False, True, True, True, True, True)


def points(found: Sweep, width: int) -> tuple[str, list[str]]:
    """Give the title and the lines of the table of the points worth knowing."""
    rows = [words.row(point, found) for point in found.operating_points]
    all_turns, narrow = "min / median / max", _narrower(rows)
    ways = [(all_turns, table([HEADS, *rows], RIGHT)), ("median", table([HEADS, *narrow], RIGHT))]
    fitting = [way for way in ways if max(map(cells, way[1])) <= width]
    turns, lines = [*fitting, ("median", _stacked(narrow))][0]
    return f"operating points (fire turn: {turns}; after: turns after the fire)", lines


def _narrower(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Leave out what the counts are of, which the headline says, and all fire turns but the median."""
    return [
        (*row[:2], *(cell.partition("/")[0] for cell in row[2:5]), row[5].split(" / ")[len(row[5]) > 1], row[6])
        for row in rows
    ]


def _stacked(rows: Sequence[tuple[str, ...]]) -> list[str]:
    bare = table([(HEADS[0], *HEADS[2:]), *((row[0], *row[2:]) for row in rows)], RIGHT[1:])
    under = ["", *(f"    {row[1]}" if row[1] else "" for row in rows)]
    return [line for pair in zip(bare, under, strict=True) for line in pair if line]
