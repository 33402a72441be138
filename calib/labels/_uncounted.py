"""Episodes that a limit stopped and that are no `turn_limit`: a kind of limit that was not asked for, or a conflict."""

from collections import Counter
from collections.abc import Iterable

from calib.labels._stops import LIMIT_KINDS, stop_kind

NOT_COUNTED = ("failed", "unlabelled")
"""The labels under which such episodes stand; one that passed is nobody's loop."""

End = tuple[str, str | None, int, int | None]
"""Label, raw stop reason, number of turns and turn limit of an episode."""


def uncounted(ends: Iterable[End]) -> dict[str, int]:
    """Count, for each kind of limit, the episodes that it stopped and that are failed or unlabelled.

    >>> uncounted([("failed", "max_steps", 9, None), ("unlabelled", "timeout", 9, None), ("passed", "cost", 9, 9)])
    {'step_limit': 1, 'time_limit': 1}
    """
    found = Counter(
        (reason, None if limit is None else turns >= limit)
        for label, reason, turns, limit in ends
        if reason is not None and label in NOT_COUNTED
    )
    kinds: Counter[str] = Counter()
    for (reason, reached), count in found.items():
        kinds[stop_kind(reason, int(bool(reached)), None if reached is None else 1)] += count
    return {kind: kinds[kind] for kind in LIMIT_KINDS if kinds[kind]}
