"""Which episode somebody means who writes down its id as calib showed it: perhaps shortened, perhaps only its end."""

from collections.abc import Sequence

from calib.errors import UsageError, near
from calib.escape import terminal, visible

LONGEST = 300
"""Characters of an id beyond which an error shortens it."""
MOST = 8
"""Ids that a shortened one may mean, as far as an error lists them."""
NEAR = 4
"""Near ids in an error."""


def meant(said: str, name: str) -> bool:
    """Tell whether `said` is a name as it is shown, the end of it, or a form of it shortened inside.

    >>> [meant(said, "task-0123456789-final") for said in ("task-…final", "9-final", "task-…0123", "task", "", "…")]
    [True, True, False, False, False, False]
    """
    shown = visible(name)
    if not said.strip("…") or len(said) > len(shown):
        return False
    cuts = (place for place, character in enumerate(said) if character == "…")
    return shown.endswith(said) or any(shown.startswith(said[:at]) and shown.endswith(said[at + 1 :]) for at in cuts)


def several(said: str, names: Sequence[str]) -> UsageError:
    """Say that a name is meant by several, with their whole names."""
    shown = ", ".join(_whole(name) for name in names[:MOST]) + (", …" if len(names) > MOST else "")
    return UsageError(f"{len(names):,} episodes named {_whole(said)!r}, write one out: {shown}")


def unknown(said: str, names: Sequence[str]) -> UsageError:
    """Say that there is none of that name, with the near names, whole."""
    shown = near(_whole(said), [_whole(name) for name in names], NEAR)
    return UsageError(f"no episode named {_whole(said)!r}; there are {shown}")


def _whole(name: str) -> str:
    return terminal(name, LONGEST)
