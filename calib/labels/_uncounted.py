"""Episodes that a limit stopped and that are no `turn_limit`: a kind of limit that was not asked for, or a conflict."""

from collections import Counter
from collections.abc import Iterable, Mapping

from calib.labels._stops import LIMIT_KINDS, stop_kind

NOT_COUNTED = ("failed", "unlabelled")
"""The labels under which such episodes stand; one that passed is nobody's loop."""

End = tuple[str, str | None, int, int | None]
"""Label, raw stop reason, number of turns and turn limit of an episode."""


def uncounted(ends: Iterable[End] | Mapping[End, int]) -> dict[str, int]:
    """Count, for each kind of limit, the episodes that it stopped and that are failed or unlabelled.

    `ends` are those of each episode, or how many episodes have each.

    >>> uncounted([("failed", "max_steps", 9, None), ("unlabelled", "timeout", 9, None), ("passed", "cost", 9, 9)])
    {'step_limit': 1, 'time_limit': 1}
    """
    kinds: Counter[str] = Counter()
    for (label, reason, turns, limit), count in Counter(ends).items():
        if reason is not None and label in NOT_COUNTED:
            kinds[stop_kind(reason, turns, limit)] += count
    return {kind: kinds[kind] for kind in LIMIT_KINDS if kinds[kind]}
