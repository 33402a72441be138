"""What wrong labels could do to the shares of a point."""

import numpy as np

from calib.evidence.sample import Flags
from calib.risk import Standing
from calib.statistics import LabelNoise
from calib.stats.noise import greatest, least, wrong_labels

SHARES = ("0.01", "0.05")
"""How many labels of each kind may be wrong."""


def label_noise(point: Standing, labels: dict[str, Flags]) -> tuple[LabelNoise, ...]:
    """Bound caught and false fires if up to 1 %, and up to 5 %, of the labels of each kind were wrong."""
    fired = {label: int(np.count_nonzero(point.fired & among)) for label, among in labels.items()}
    hidden = {label: int(np.count_nonzero(point.unknown & among)) for label, among in labels.items()}
    sizes = {label: int(np.count_nonzero(among)) for label, among in labels.items()}
    low = {label: (fired[label], n - fired[label]) for label, n in sizes.items()}
    high = {label: (fired[label] + hidden[label], n - fired[label] - hidden[label]) for label, n in sizes.items()}
    found = []
    for share in SHARES:
        wrong = {label: wrong_labels(n, share) for label, n in sizes.items()}
        ends = [
            end(counts[label], wrong[label], [(counts[other], wrong[other]) for other in labels if other != label])
            for label in ("turn_limit", "passed")
            for end, counts in ((least, low), (greatest, high))
        ]
        found.append(LabelNoise(float(share), wrong, *ends))
    return tuple(found)
