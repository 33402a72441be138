"""Would other groups have chosen other thresholds, and how would those have done? Leave one out, and transfer.

Choosing is by the closest pass. Everything follows from the highest passed peak of each group, so that no episode
is scored twice (Efron 1986 for optimism).
"""

import numpy as np

from calib.evidence.sample import Flags, Groups, Sample
from calib.levels import Integers
from calib.statistics import Cell, Fold, HeldOut, LeaveOneOut, Optimism, Share, Transfer, TransferRow


def leave_one_out(sample: Sample, groups: Groups) -> LeaveOneOut | None:
    """Choose without each group in turn and tally on it; None when nothing at all chooses."""
    if sample.rule is None:
        return None
    peaks, seen = _passed_peaks(sample, groups), _passed_seen(sample, groups)
    chosen = 1 + _highest_of_others(peaks)
    known = np.logical_and.reduce(seen.sum(axis=1, keepdims=True) - seen > 0, axis=0)
    at = np.where(groups.codes < 0, 0, groups.codes)
    fired = sample.fired(chosen[:, at])
    inside = known[at] & (groups.codes >= 0)
    sizes = [groups.count(label) for label in (sample.passed, sample.positive)]
    fires = [groups.count(label & fired) for label in (sample.passed, sample.positive)]
    folds = tuple(
        Fold(
            group=name,
            point=sample.named(chosen[:, place]) if known[place] else None,
            passed=int(sizes[0][place]),
            turn_limit=int(sizes[1][place]),
            caught=int(fires[1][place]) if known[place] else None,
            false_fires=int(fires[0][place]) if known[place] else None,
        )
        for place, name in enumerate(groups.names)
    )
    whole = np.broadcast_to(sample.rule[:, None], chosen[:, at].shape)
    held_out = _sums(sample, fired, chosen[:, at], inside)
    in_sample = _sums(sample, sample.fired(whole), whole, np.ones(len(fired), np.bool_))
    optimism = Optimism(
        _difference(in_sample.caught, held_out.caught), _difference(in_sample.false_fires, held_out.false_fires)
    )
    return LeaveOneOut(groups.by, folds, held_out, in_sample, optimism)


def transfer(sample: Sample, groups: Groups) -> Transfer:
    """Choose on each group by itself and tally on every group."""
    chosen = 1 + _passed_peaks(sample, groups)
    known = np.logical_and.reduce(_passed_seen(sample, groups) > 0, axis=0)
    passed, positive = groups.count(sample.passed).tolist(), groups.count(sample.positive).tolist()
    rows = []
    for place, name in enumerate(groups.names):
        if not known[place]:
            rows.append(TransferRow(name, None, ()))
            continue
        fired = sample.fired(chosen[:, place])
        caught = groups.count(fired & sample.positive).tolist()
        false = groups.count(fired & sample.passed).tolist()
        cells = tuple(Cell((c, n), (f, m)) for c, n, f, m in zip(caught, positive, false, passed, strict=True))
        rows.append(TransferRow(name, sample.named(chosen[:, place]), cells))
    return Transfer(groups.by, groups.names, tuple(rows))


def _passed_peaks(sample: Sample, groups: Groups) -> Integers:
    """Give the highest peak among the passed episodes of each group: a row a detector, a column a group."""
    return np.stack([groups.highest(peaks, sample.passed) for peaks in sample.peaks])


def _passed_seen(sample: Sample, groups: Groups) -> Integers:
    """Count the passed episodes of each group that each detector could observe."""
    return np.stack([groups.count(sample.passed & seen) for seen in sample.seen])


def _highest_of_others(peaks: Integers) -> Integers:
    """Give, for each group, the highest peak of all groups but it; 0 where there is no other."""
    rows = np.arange(len(peaks))
    owner = peaks.argmax(axis=1)
    rest = peaks.copy()
    rest[rows, owner] = 0
    found = np.repeat(peaks.max(axis=1)[:, None], peaks.shape[1], axis=1)
    found[rows, owner] = rest.max(axis=1)
    return found


def _sums(sample: Sample, fired: Flags, thresholds: Integers, inside: Flags) -> HeldOut:
    unknown = sample.unknown(fired, thresholds)
    positive, passed = sample.positive & inside, sample.passed & inside
    count = np.count_nonzero
    return HeldOut(
        caught=(int(count(positive & fired)), int(count(positive))),
        false_fires=(int(count(passed & fired)), int(count(passed))),
        unknown_turn_limit=int(count(positive & unknown)),
        unknown_passed=int(count(passed & unknown)),
    )


def _difference(one: Share, other: Share) -> float | None:
    return one[0] / one[1] - other[0] / other[1] if one[1] and other[1] else None
