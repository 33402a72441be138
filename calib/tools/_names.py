"""Patterns of tool names, as rules write them."""

from functools import lru_cache

from calib.tools._calls import bare_name, tool_name
from calib.tools._globs import matches


@lru_cache(maxsize=4096)
def matches_tool(pattern: str, tool: str) -> bool:
    """Tell whether a call is of such a tool: by its name as recorded, or normalised and without its server's name.

    >>> [matches_tool("read_*", tool) for tool in ("read_file", "mcp__fs__read_file", "functions.Read_File", "thread")]
    [True, True, True, False]
    """
    return matches(pattern, tool) or matches(pattern, bare_name(tool_name(tool)) if tool else "")
