"""Everything calib raises on purpose.

::

    CalibError                 could not run                               exit 2
    ├── UsageError             an option or argument makes no sense        exit 2
    ├── ConfigurationError     calib.toml or [tool.calib] is wrong         exit 2
    ├── CorpusError            a corpus is missing, damaged, other schema  exit 2
    ├── TooMuchLost            more input lost than --max-rejected allows  exit 4
    └── NothingMatched         no episode matched, or was in the dumps     exit 5

Anything else that escapes is a bug and shows its traceback. The message is one line,
*where: expected, found; what happened or what to do*, and only `calib.__main__` prints it.
"""

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command."""

    FINE = 0
    GATE_FAILED = 1
    COULD_NOT_RUN = 2
    INCONCLUSIVE = 3
    TOO_MUCH_LOST = 4
    NOTHING_MATCHED = 5
    INTERRUPTED = 130
    TERMINATED = 143


class CalibError(Exception):
    """Say in one line why a command could not run."""

    exit = Exit.COULD_NOT_RUN


class UsageError(CalibError):
    """An option or argument makes no sense."""


class ConfigurationError(CalibError):
    """A configuration file is wrong."""


class CorpusError(CalibError):
    """A corpus is missing, damaged, or of another schema."""


class TooMuchLost(CalibError):  # noqa: N818 - reads as the verdict it is
    """More input was rejected than allowed."""

    exit = Exit.TOO_MUCH_LOST


class NothingMatched(CalibError):  # noqa: N818 - reads as the verdict it is
    """No episode matched the selection."""

    exit = Exit.NOTHING_MATCHED


def near(wrong: str, names: "list[str]", most: int = 8) -> str:
    """List the valid names for an error message, nearest first whatever their case, at most `most`.

    >>> near("repeated_plans", ["search_run", "repeated_plan"])
    'repeated_plan, search_run'
    >>> near("t2", ["turn_count", "T1", "T2"])
    'T2, T1, turn_count'
    >>> near("x", [])
    'none'
    """
    from difflib import SequenceMatcher

    said = wrong.casefold()
    ranked = sorted(names, key=lambda name: (-SequenceMatcher(None, said, name.casefold()).ratio(), name))
    return ", ".join(ranked[:most]) + (", …" if len(ranked) > most else "") if ranked else "none"
