"""Small random corpora as plain values, and everything said of them by trying it. Knows nothing of the package."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from hypothesis import strategies as st

from calib.score import Scored
from tests.sweeps import DETECTORS, Drawn, scored

Chosen = tuple[int, ...]
COUNTED = ("turn_limit", "passed", "failed")


@dataclass(frozen=True)
class Row:
    """One episode: what each detector reached, and whether it could observe it."""

    episode_id: str
    label: str
    task: str | None
    turns: int
    peaks: tuple[int, ...]
    seen: tuple[bool, ...]

    def fires(self, point: Chosen) -> bool:
        return any(peak >= threshold for peak, threshold in zip(self.peaks, point, strict=True))

    def unknown(self, point: Chosen) -> bool:
        """Too little recorded to know, of an episode long enough: a plan of k repeats needs k + 1 turns."""
        allowed = (self.turns - 1, self.turns)
        hidden = zip(self.seen, allowed, point, strict=True)
        return not self.fires(point) and any(not seen and most >= threshold for seen, most, threshold in hidden)


@st.composite
def rows(draw: st.DrawFn, most: int = 7) -> list[Row]:
    """Draw a few episodes of few tasks, short, with many ties, some not observable."""
    made = []
    for number in range(draw(st.integers(1, most))):
        peaks = (draw(st.integers(0, 5)), draw(st.integers(0, 5)))
        made.append(
            Row(
                f"e{number}",
                draw(st.sampled_from(("turn_limit", "passed", "passed", "failed", "censored"))),
                draw(st.sampled_from(("A", "B", "C", None))),
                max(peaks) + 1 + draw(st.integers(0, 3)),
                peaks,
                (draw(st.sampled_from((True, True, False))), True),
            )
        )
    return made


def corpus(drawn: Sequence[Row]) -> Scored:
    """Make of plain rows what scoring would have made."""
    made = scored([
        Drawn(row.episode_id, row.label, row.turns, ((1, row.peaks[0]), (0, row.peaks[1])), row.task, 20)
        for row in drawn
    ])  # fmt: skip
    seen = {name: np.array([row.seen[place] for row in drawn]) for place, name in enumerate(DETECTORS)}
    return replace(made, observable=seen)


def labelled(drawn: Sequence[Row], label: str) -> list[Row]:
    return [row for row in drawn if row.label == label]


def choose(drawn: Sequence[Row]) -> Chosen | None:
    """One step above the highest passed peak, for each detector that saw a passed episode."""
    passed = labelled(drawn, "passed")
    if not all(any(row.seen[place] for row in passed) for place in (0, 1)):
        return None
    return tuple(1 + max(row.peaks[place] for row in passed) for place in (0, 1))


def shares(drawn: Sequence[Row], point: Chosen) -> tuple[tuple[int, int], tuple[int, int]]:
    """Caught of turn_limit, false fires of passed."""
    each = (labelled(drawn, "turn_limit"), labelled(drawn, "passed"))
    caught, false = ((sum(row.fires(point) for row in some), len(some)) for some in each)
    return caught, false


def groups(drawn: Sequence[Row]) -> list[str | None]:
    found = {row.task for row in drawn if row.label in ("turn_limit", "passed")}
    return sorted(found, key=lambda name: (name is None, name or ""))


def of_group(drawn: Sequence[Row], name: str | None, inside: bool = True) -> list[Row]:
    return [row for row in drawn if (row.task == name) == inside]


def draws(drawn: Sequence[Row]) -> Iterator[Chosen]:
    """The thresholds of every way to draw as many of the groups that choose, with replacement."""
    own = [choice for name in groups(drawn) if (choice := choose(of_group(drawn, name)))]
    for drawn_groups in product(own, repeat=len(own)) if own else ():
        yield tuple(max(choice[place] for choice in drawn_groups) for place in (0, 1))


def relabelled(drawn: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Each counted episode, and the corpus with its label alone changed."""
    for at, row in enumerate(drawn):
        if row.label in COUNTED:
            other = "turn_limit" if row.label == "passed" else "passed"
            yield row, [*drawn[:at], replace(row, label=other), *drawn[at + 1 :]]


def closing(drawn: Sequence[Row], point: Chosen, place: int) -> list[str]:
    """The labels that leave no threshold of one detector without a new false fire and without a loss."""
    return [
        row.episode_id
        for row, changed in relabelled(drawn)
        if row.label != "passed"
        and not any(part >= k for at, (part, k) in enumerate(zip(row.peaks, point, strict=True)) if at != place)
        and not any(_holds(drawn, changed, point, place, threshold) for threshold in range(1, 9))
    ]


def _holds(drawn: Sequence[Row], changed: Sequence[Row], point: Chosen, place: int, threshold: int) -> bool:
    moved = tuple(threshold if at == place else k for at, k in enumerate(point))
    before = {row.episode_id for row in labelled(drawn, "passed") if row.fires(point)}
    now = {row.episode_id for row in labelled(changed, "passed") if row.fires(moved)}
    lost = [row for row in labelled(changed, "turn_limit") if row.fires(point) and not row.fires(moved)]
    return not (now - before) and not lost
