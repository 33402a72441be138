"""The sentences on single labels: which decide, which close a plateau, and what wrong ones could do."""

from collections.abc import Callable, Iterator

from calib.spelling import confidence, count, plural, short, thresholds
from calib.statistics import Closing, Influence, LabelNoise, Relabelled, Statistics

Shown = Callable[[str], str]
"""Makes one text of a dump safe for the sink; only the report knows its sink."""
Said = Iterator[tuple[str, str]]
"""Pairs of a name and a sentence; an empty name goes on with the one before."""
LISTED = 3


def labels(found: Statistics, shown: Shown) -> Said:
    """Say which labels decide, and what wrong ones could do."""
    its = found.influence
    if its is not None:
        yield (
            "one label",
            _influence(its.labels, its.largest, shown) if its.labels else "no single label moves a threshold",
        )
    now = found.caught.n > 0, found.false_fires.n > 0
    yield from (("", said) for each in found.label_noise or () if (said := _noise(each, *now)))
    for name, closing in (found.closing_labels or {}).items():
        if closing.labels:
            yield "", _closes(name, closing, shown, its)


def _noise(its: LabelNoise, turn_limit: bool, passed_now: bool) -> str:
    """Say what so many wrong labels could do at worst, where there are any: `if 1 % of each label were wrong: …`.

    Of a label that no episode has now nothing is said: all of its episodes would be the wrong ones.
    """
    (caught, positives), (false, passed) = its.least_caught, its.greatest_false_fires
    said = [f"at least {count(caught)} of {count(positives)} caught"] * (positives > 0 and turn_limit)
    said += [f"at most {count(false)} of {count(passed)} false fires"] * (passed > 0 and passed_now)
    return f"if {confidence(its.share)} of each label were wrong: {', '.join(said)}" if said else ""


def _influence(many: int, largest: tuple[Relabelled, ...], shown: Shown) -> str:
    first = largest[0]
    after = short(thresholds(first.point)) if first.point else "no threshold"
    counts = f" and catch {count(first.caught)}" if first.caught is not None and first.point else ""
    more = f"; {plural(many - 1, 'other label')} would move a threshold too" if many > 1 else ""
    return (
        f"were {shown(first.episode_id)} {first.becomes}, not {first.label}, the rule would give {after}{counts}{more}"
    )


def _closes(name: str, its: Closing, shown: Shown, moving: Influence | None = None) -> str:
    """Say which single labels would close a plateau.

    `one label decides: were ep-7 passed, repeated_plan would be 51 and its plateau closed`
    """
    ids = [shown(each) for each in its.episode_ids[:LISTED]]
    if its.labels > len(ids):
        ids.append(plural(its.labels - len(ids), "other"))
    names = ids[0] if len(ids) == 1 else f"{', '.join(ids[:-1])} or {ids[-1]}"
    after = [each.point for each in (moving.largest if moving else ()) if each.episode_id == its.episode_ids[0]]
    if its.labels == 1 and after and after[0]:
        closed = f"{name} would be {count(after[0][name])} and its plateau closed"
    else:
        closed = f"the plateau of {name} would be closed"
    return f"one label decides: were {names} passed, {closed}"
