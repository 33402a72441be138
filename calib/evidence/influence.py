"""Which single label decides the thresholds, and which would close a plateau (Cook 1977)."""

import numpy as np

from calib.evidence.sample import Flags, Sample
from calib.levels import Integers
from calib.statistics import Closing, Influence, Relabelled

PATH = 5
MOST_LISTED = 100


def influence(sample: Sample) -> Influence | None:
    """Change each counted label alone, choose again, and list those that move a threshold; None without a choice.

    A passed episode becomes `turn_limit`, any other `passed`. The largest moves come first (the sum over the
    detectors; no choice left is the largest), then ids; at most 100 are listed, all are counted.
    """
    if sample.rule is None:
        return None
    rows, chosen, left = _without_a_pass(sample)
    more, raised = _with_a_pass(sample)
    rows, chosen = np.concatenate([rows, more]), np.concatenate([chosen, raised], axis=1)
    left = np.concatenate([left, np.ones(len(more), np.bool_)])
    moves = np.abs(chosen - sample.rule[:, None]).sum(axis=0)
    moves = np.where(left, moves, np.iinfo(np.int64).max)
    order = np.lexsort((rows, -moves))[:MOST_LISTED]
    positive = sample.peaks[:, sample.positive]
    points = [chosen[:, at] if left[at] else None for at in order.tolist()]
    each = zip(rows[order].tolist(), points, strict=True)
    return Influence(len(rows), tuple(_relabelled(sample, positive, row, point) for row, point in each))


def _without_a_pass(sample: Sample) -> tuple[Integers, Integers, Flags]:
    """List the passed episodes without which a threshold falls: rows, thresholds then, and whether any choice is left.

    There is at most one a detector that owns the highest peak alone, and one that it alone observed.
    """
    rows: set[int] = set()
    for peaks, seen in zip(sample.peaks, sample.seen, strict=True):
        owners = np.flatnonzero(sample.passed & (peaks == peaks[sample.passed].max()))
        observed = np.flatnonzero(sample.passed & seen)
        rows.update(int(each[0]) for each in (owners, observed) if len(each) == 1)
    found: list[Integers] = []
    for row in sorted(rows):
        others = sample.passed.copy()
        others[row] = False
        found.append(1 + sample.peaks[:, others].max(axis=1, initial=0).astype(np.int64))
    chosen = np.stack(found, axis=1) if found else np.zeros((len(sample.names), 0), np.int64)
    index = np.array(sorted(rows), np.int64)
    observed_by = (sample.seen & sample.passed).sum(axis=1)
    left = (observed_by[:, None] - sample.seen[:, index] > 0).all(axis=0)
    assert sample.rule is not None
    moving = ~left | (chosen != sample.rule[:, None]).any(axis=0)
    return index[moving], chosen[:, moving], left[moving]


def _with_a_pass(sample: Sample) -> tuple[Integers, Integers]:
    """List the other counted episodes that, were they passed, would raise a threshold, and the thresholds then."""
    assert sample.rule is not None
    rows = np.flatnonzero((sample.positive | sample.failed) & sample.fired(sample.rule))
    return rows, np.maximum(sample.rule[:, None], 1 + sample.peaks[:, rows].astype(np.int64))


def _relabelled(sample: Sample, positive: Integers, row: int, chosen: Integers | None) -> Relabelled:
    """Describe one change of label; `positive` has the peaks of the turn_limit episodes as they are labelled."""
    passed = bool(sample.passed[row])
    caught = None
    if chosen is not None:  # what becomes passed is below its own thresholds, so it never counts as caught
        caught = int(np.count_nonzero(np.logical_or.reduce(positive >= chosen[:, None], axis=0)))
        caught += passed and bool((sample.peaks[:, row] >= chosen).any())
    return Relabelled(
        episode_id=sample.ids[row],
        label="passed" if passed else "turn_limit" if sample.positive[row] else "failed",
        becomes="turn_limit" if passed else "passed",
        point=None if chosen is None else sample.named(chosen),
        caught=caught,
        false_fires=None if chosen is None else 0,  # the closest pass has none
    )


def label_path(sample: Sample) -> dict[str, list[int]]:
    """Give each threshold if the 0, 1, … 5 closest passes were wrongly called passed, while any seen passed is left.

    A passed episode that was not observable is one closest pass if what it did record has a level, and else none.
    """
    found = {}
    for name, peaks, seen in zip(sample.names, sample.peaks, sample.seen, strict=True):
        passed = np.sort(peaks[sample.passed & (seen | (peaks > 0))])[::-1][: PATH + 1]
        found[name] = (1 + passed.astype(np.int64)).tolist()
    return found


def closing_labels(sample: Sample, thresholds: Integers) -> dict[str, Closing]:
    """Find the labels that, were they wrong, would close a plateau around the point's thresholds.

    Such a turn_limit or failed episode, were it passed, leaves its detector no threshold without a new false fire and
    without a loss, the other thresholds held. What another trigger fires on anyway closes nothing.
    """
    firing = sample.peaks >= thresholds[:, None]
    return {
        name: _closing(
            sample, sample.peaks[place], firing[place], np.logical_or.reduce(np.delete(firing, place, axis=0), axis=0)
        )
        for place, name in enumerate(sample.names)
    }


def _closing(sample: Sample, peaks: Integers, fires: Flags, others: Flags) -> Closing:
    silent = int(peaks[sample.passed & ~fires & ~others].max(initial=0))
    lost = np.flatnonzero(sample.positive & fires & ~others)
    if not len(lost):
        return Closing(0, ())
    rows = np.flatnonzero((sample.positive | sample.failed) & ~others)
    lowest = np.full(len(peaks), int(peaks[lost].min()), np.int64)
    first = lost[np.argsort(peaks[lost], kind="stable")[:2]]
    lowest[first[0]] = int(peaks[first[1]]) if len(first) > 1 else np.iinfo(np.int64).max  # were it not caught itself
    closing = rows[np.maximum(silent, peaks[rows]) >= lowest[rows]]
    return Closing(len(closing), tuple(sample.ids.gather(closing[:MOST_LISTED]).to_list()))
