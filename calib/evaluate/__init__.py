"""Rules over a part of a corpus: whole columns at a time, no text. The meaning is that of `calib.rules`."""

from calib.evaluate._called import called
from calib.evaluate._columns import Columns
from calib.evaluate._needed import calls_columns, turns_columns
from calib.evaluate._observable import observable, rests_on_calls
from calib.evaluate._rows import levels_of, reach_of

__all__ = [
    "Columns",
    "called",
    "calls_columns",
    "levels_of",
    "observable",
    "reach_of",
    "rests_on_calls",
    "turns_columns",
]
