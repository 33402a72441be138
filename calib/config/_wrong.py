"""A value of the configuration that makes no sense."""


class WrongValueError(Exception):
    """Says what was expected, and what was found when that is not simply the value."""

    def __init__(self, expected: str, found: str = "") -> None:
        super().__init__(expected)
        self.found = found
