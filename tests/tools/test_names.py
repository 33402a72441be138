"""Patterns of tool names: as recorded, or normalised and without the server's name."""

import pytest

from calib.tools import matches_tool


@pytest.mark.parametrize(
    ("pattern", "tool", "fits"),
    [
        ("read_file", "read_file", True),
        ("read_file", "mcp__fs__read_file", True),
        ("mcp__fs__*", "mcp__fs__read_file", True),
        ("read_*", "functions.Read_File", True),
        ("read_*", "thread_dump", False),
        ("Read", "Read", True),
        ("read", "Read", True),
        ("*_poll", "job_poll", True),
        ("*", "", True),
        ("read", "", False),
        ("[r]ead", "read", False),
        ("?", "r", False),
    ],
)
def test_a_pattern_fits_a_tool(pattern: str, tool: str, fits: bool) -> None:
    assert matches_tool(pattern, tool) is fits
