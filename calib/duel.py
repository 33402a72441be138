"""Rules against each other on the same episodes: what each catches, how wrongly, how early, and who was first.

Each at two points: its published thresholds, fixed before these episodes, or those the user gives, which count as
chosen on them; and its closest pass, one step above the highest peak of any passed episode, which these episodes
choose. `always`, `never` and `turn_count` are measures, not rivals: they are first or alone nowhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calib.contest import Contender, Duel, DuelSide
from calib.levels import Integers
from calib.point import Point, Trigger
from calib.repeats import contents, different, repeat
from calib.results import FireTurns, Tally, Unknown
from calib.score import Scored
from calib.stats import adjusted_upper
from calib.sweep import counts
from calib.tables import LABELS

MEASURES = ("always", "never", "turn_count")
ONLY = 5
"""Episodes that only one rule catches, named."""
Fires = NDArray[np.int64]
"""The fire turn of each episode, NEVER for none."""
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Rival:
    """A rule that takes part: the detectors it joins, with their thresholds; None where none was published."""

    name: str
    thresholds: dict[str, int | None]
    given: bool = False
    """Are the thresholds the user's, not published ones?"""


def duel(scored: Scored, rivals: Sequence[Rival], confidence: float = 0.95) -> Duel:
    """Let rules meet. `scored` holds every detector that one of them names.

    In order of what they catch at their closest pass, then of the turns that saves, then of what they catch as
    published; rules that are nowhere observable come last.
    """
    published = [_given(rival) for rival in rivals]
    closest = [_closest(scored, rival) for rival in rivals]
    numbers, passed = contents(scored), scored.labelled("passed")
    once = numbers if repeat(numbers, passed) else None
    sides = [
        _sides(scored, rivals, points, 1 - confidence, here, once)
        for points, here in ((published, False), (closest, True))
    ]
    made = [
        Contender(rival.name, one, other, _hidden(scored, rival), rival.name in MEASURES, _called(scored, rival))
        for rival, one, other in zip(rivals, *sides, strict=True)
    ]
    found = counts(scored)
    differ = None if once is None else different(once, passed)
    return Duel(found, confidence, scored.data_digest(), tuple(sorted(made, key=_place)), scored.lost, differ)


def _place(one: Contender) -> tuple[int | str, ...]:
    closest, published = one.closest, one.published
    return (
        -closest.tally.caught if closest else 1,
        -closest.turns_after_fire if closest else 0,
        -published.tally.caught if published else 0,
        one.name,
    )


def _given(rival: Rival) -> Point | None:
    named = {name: k for name, k in rival.thresholds.items() if k is not None}
    return Point(tuple(Trigger(*each) for each in named.items())) if len(named) == len(rival.thresholds) else None


def _closest(scored: Scored, rival: Rival) -> Point | None:
    """Choose one step above the closest pass; None where no passed episode could be observed, or nothing chooses."""
    passed = scored.labelled("passed")
    if rival.name in ("always", "never") or not (passed & _seen(scored, rival)).any():
        return None
    peaks = scored.peaks
    return Point(tuple(Trigger(name, 1 + int(peaks[name][passed].max())) for name in rival.thresholds))


def _seen(scored: Scored, rival: Rival) -> NDArray[np.bool_]:
    seen: NDArray[np.bool_] = np.logical_and.reduce([scored.observable[name] for name in rival.thresholds])
    return seen


def _hidden(scored: Scored, rival: Rival) -> Unknown:
    """Count by label the episodes in which a rule could not be observed."""
    hidden = ~_seen(scored, rival)
    return Unknown(*(int(np.count_nonzero(hidden & scored.labelled(label))) for label in LABELS[:3]))


def _called(scored: Scored, rival: Rival) -> bool:
    """Tell whether some counted episode makes a call that one of its detectors looks at, or one needs none."""
    counted = np.logical_or.reduce([scored.labelled(label) for label in LABELS[:3]])
    calls = [scored.called.get(name) for name in rival.thresholds]
    return any(each is None or bool((each & counted).any()) for each in calls)


def _fires(scored: Scored, point: Point) -> Fires:
    turns = scored.fire_turns(point).astype(np.int64)
    return np.where(turns < 0, NEVER, turns)


def _sides(
    scored: Scored,
    rivals: Sequence[Rival],
    points: Sequence[Point | None],
    alpha: float,
    here: bool,
    once: Integers | None,
) -> list[DuelSide | None]:
    """Tally every rule at its point, then who among them was first or alone; `once` as in `_passed`."""
    fires = [_fires(scored, point) if point else None for point in points]
    racing = [
        each for rival, each in zip(rivals, fires, strict=True) if each is not None and rival.name not in MEASURES
    ]
    earliest: Fires = np.minimum.reduce([np.full(len(scored.episodes), NEVER), *racing])
    firing = np.sum([each < NEVER for each in racing], axis=0) if racing else np.zeros(len(scored.episodes), np.int64)
    positive = scored.labelled("turn_limit")
    made: list[DuelSide | None] = []
    for rival, point, each in zip(rivals, points, fires, strict=True):
        if point is None or each is None:
            made.append(None)
            continue
        seen = _seen(scored, rival)
        side = _side(scored, point, each, seen)
        passed = _passed(scored, each, seen, once)
        own = here or rival.given
        bound = adjusted_upper(*passed, len(point.triggers) if own else 1, alpha)
        side = replace(side, at_most=bound, given=rival.given and not here)
        if rival.name not in MEASURES:
            caught = positive & (each < NEVER)
            alone = np.flatnonzero(caught & (firing == 1))
            names = scored.episodes["episode_id"].gather(alone[:ONLY]).to_list()
            first = int(np.count_nonzero(caught & (each == earliest)))
            side = replace(side, first=first, only=len(alone), only_episodes=tuple(names))
        made.append(side)
    return made


def _passed(scored: Scored, fires: Fires, seen: NDArray[np.bool_], once: Integers | None) -> tuple[int, int]:
    """Count false fires and the passed episodes seen, as bounds do: by `once`, the contents, where many repeat."""
    passed, fired = scored.labelled("passed"), fires < NEVER
    false, of = passed & fired, passed & (seen | fired)
    if once is not None:
        return different(once, false), different(once, of)
    return int(np.count_nonzero(false)), int(np.count_nonzero(of))


def _side(scored: Scored, point: Point, fires: Fires, seen: NDArray[np.bool_]) -> DuelSide:
    fired = fires < NEVER
    by_label = {label: scored.labelled(label) for label in LABELS[:3]}
    of = {label: int(np.count_nonzero(rows & (seen | fired))) for label, rows in by_label.items()}
    hits = {label: int(np.count_nonzero(rows & fired)) for label, rows in by_label.items()}
    caught = by_label["turn_limit"] & fired
    turns = fires[caught]
    saved = int((scored.turns[caught] - 1 - turns).sum())
    positives = int(np.count_nonzero(by_label["turn_limit"]))
    return DuelSide(
        point=point,
        tally=Tally(hits["turn_limit"], positives - hits["turn_limit"], hits["passed"], hits["failed"]),
        of=Unknown(of["turn_limit"], of["passed"], of["failed"]),
        at_most=1.0,
        fire_turn=FireTurns(int(turns.min()), float(np.median(turns)), int(turns.max())) if len(turns) else FireTurns(),
        turns_after_fire=saved,
        beats_turn_count=saved > turn_count(scored.turns, by_label["turn_limit"], by_label["passed"], hits["passed"]),
    )


def turn_count(lengths: Integers, positive: NDArray[np.bool_], passed: NDArray[np.bool_], budget: int) -> int:
    """Give the turns that a plain turn limit saves which fires falsely on at most `budget` episodes.

    >>> turn_count(np.array([9, 9, 4, 6]), np.array([1, 1, 0, 0], bool), np.array([0, 0, 1, 1], bool), 0)
    4
    """
    lasting = np.sort(lengths[passed])[::-1]
    limit = 1 + int(lasting[budget]) if len(lasting) > budget else 1
    left = lengths[positive] - limit
    return int(left[left >= 0].sum())
