"""Turn a drawing into an episode, in the note's own notation.

A plan drawing has one letter per turn: `A A A B . -`. Equal letters are equal reasoning, `.` is empty reasoning,
`-` a turn whose reasoning was not recorded, `?` one whose reasoning was withheld, `!` one where it is encrypted.
A tool drawing has one word per turn, one letter per call: `s r w t x sr .` are search_files, read_file, write_file,
run_tests, another tool, two calls in one turn, and no call.
"""

from typing import TYPE_CHECKING

from tests.corpus import ENCRYPTED, WITHHELD, Episode, frames

if TYPE_CHECKING:
    import polars as pl

TOOLS = {"s": "search_files", "r": "read_file", "w": "write_file", "t": "run_tests", "x": "ask_user"}
MARKS: dict[str, str | None] = {".": "", "-": None, "?": WITHHELD, "!": ENCRYPTED}


def plans(drawing: str) -> list[str | None]:
    """Read a plan drawing; a letter becomes a sentence."""
    return [MARKS.get(mark, f"Follow plan {mark}.") for mark in drawing.split()]


def tools(drawing: str) -> list[list[str | None]]:
    """Read a tool drawing."""
    return [[] if word == "." else [TOOLS[letter] for letter in word] for word in drawing.split()]


def drawn(plan: str = "", tool: str = "", *, episode_id: str = "drawn", label: str = "passed") -> Episode:
    """Draw an episode; a drawing left out is filled with turns that were not recorded, or without calls."""
    reasoning = plans(plan) if plan else [None] * len(tool.split())
    calls = tools(tool) if tool else [[] for _ in reasoning]
    return Episode(episode_id, label, reasoning, calls)


def turns(plan: str = "", tool: str = "") -> "pl.DataFrame":
    """Draw the `turns` table of one episode."""
    return frames([drawn(plan, tool)])[1]
