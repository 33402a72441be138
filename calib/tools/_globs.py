"""Patterns of action names in which `*` stands for any characters and everything else for itself."""


def matches(pattern: str, name: str) -> bool:
    """Tell whether the whole name matches, in time linear in both.

    >>> matches("mcp__fs__*", "mcp__fs__read_file"), matches("bash:?", "bash:w"), matches("*:view", "editor:view")
    (True, False, True)
    """
    first, *between = pattern.split("*")
    if not between:
        return pattern == name
    last = between.pop()
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for part in between:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def literal(pattern: str) -> int:
    """Count the characters that stand for themselves: the more there are, the more a pattern says."""
    return len(pattern) - pattern.count("*")
