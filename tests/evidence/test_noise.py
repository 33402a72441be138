"""Wrong labels at a point, with what could not be observed on the unfavourable side of each end."""

from calib.evidence.noise import label_noise
from calib.point import parse_point
from calib.risk import at_point, by_trigger
from tests.sweeps import Drawn, note, pencil, scored


def noise_of(drawn: list[Drawn], spelled: str) -> list[tuple[object, ...]]:
    corpus = scored(drawn)
    labels = {label: corpus.labelled(label) for label in ("turn_limit", "passed", "failed")}
    found = label_noise(at_point(by_trigger(corpus, parse_point(spelled))), labels)
    return [
        (one.share, one.wrong["passed"], one.least_caught, one.greatest_caught, one.least_false_fires,
         one.greatest_false_fires)
        for one in found
    ]  # fmt: skip


def test_note_at_its_point() -> None:
    assert noise_of(note(), "repeated_plan@7 | search_run@35") == [
        (0.01, 6, (30, 36), (30, 30), (0, 635), (0, 635)),
        (0.05, 31, (29, 62), (31, 31), (0, 637), (2, 606)),
    ]


def test_an_episode_that_could_not_be_observed_may_have_fired() -> None:
    one_percent, _ = noise_of(pencil(), "repeated_plan@5 | search_run@10")
    assert one_percent == (0.01, 0, (5, 5), (5, 5), (0, 8), (1, 8))  # P8
