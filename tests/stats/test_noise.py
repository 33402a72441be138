"""Wrong labels: the note's figures, and every way to move a few labels of a small corpus."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.stats.noise import greatest, least, wrong_labels

NOTE = {"turn_limit": (30, 0), "passed": (0, 635), "failed": (1, 41)}


def ends(counts: dict[str, tuple[int, int]], label: str, share: str) -> list[tuple[int, int]]:
    wrong = {each: wrong_labels(sum(size), share) for each, size in counts.items()}
    others = [(counts[each], wrong[each]) for each in counts if each != label]
    return [end(counts[label], wrong[label], others) for end in (least, greatest)]


@pytest.mark.parametrize(
    ("share", "caught", "false_fires", "wrong"),
    [("0.01", (30, 36), (0, 635), [0, 6, 0]), ("0.05", (29, 62), (2, 606), [1, 31, 2])],
)
def test_the_note(share: str, caught: tuple[int, int], false_fires: tuple[int, int], wrong: list[int]) -> None:
    assert [wrong_labels(sum(size), share) for size in NOTE.values()] == wrong
    assert ends(NOTE, "turn_limit", share)[0] == caught
    assert ends(NOTE, "passed", share)[1] == false_fires


def test_the_notes_percentages() -> None:
    assert f"{100 * 30 / 36:.1f} {100 * 29 / 62:.1f} {100 * 2 / 606:.3f}" == "83.3 46.8 0.330"


counts = st.fixed_dictionaries(
    {label: st.tuples(st.integers(0, 2), st.integers(0, 2)) for label in ("turn_limit", "passed", "failed")}
)


@settings(max_examples=60, deadline=None)
@given(counts, st.sampled_from(("0", "0.3", "0.5")))
def test_agrees_with_every_way_to_be_wrong(found: dict[str, tuple[int, int]], share: str) -> None:
    for label in ("turn_limit", "passed"):
        low, high = ends(found, label, share)
        if sum(found[label]):
            rates = [Fraction(*moved) for moved in ways(found, share, label) if moved[1]]
            assert (min(rates), max(rates)) == (Fraction(*low), Fraction(*high))


def ways(found: dict[str, tuple[int, int]], share: str, label: str) -> set[tuple[int, int]]:
    """Fired and size of one kind, however the labels of a corpus are moved within what may be wrong."""
    rows = [(kind, fires) for kind, size in found.items() for fires in [True] * size[0] + [False] * size[1]]
    allowed = {kind: wrong_labels(sum(size), share) for kind, size in found.items()}
    made = set()
    choices = [
        [moved for n in range(allowed[kind] + 1) for moved in combinations(places, n)]
        for kind in found
        for places in [[at for at, row in enumerate(rows) if row[0] == kind]]
    ]
    for chosen in product(*choices):
        moved = [at for some in chosen for at in some]
        for kinds in product(found, repeat=len(moved)):
            labels = [row[0] for row in rows]
            for at, kind in zip(moved, kinds, strict=True):
                labels[at] = kind
            inside = [row[1] for row, kind in zip(rows, labels, strict=True) if kind == label]
            made.add((sum(inside), len(inside)))
    return made
