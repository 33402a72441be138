"""The sentences on what a count rests on, in the words that are promised; the pencil corpus by hand."""

from dataclasses import replace

import pytest

from calib.evidence import statistics
from calib.reports._statistics import sentences
from calib.results import Certified
from calib.sweep import sweep
from tests.sweeps import NOTHING, Drawn, known_of, note, pencil, report_of, scored, sweep_of


def said(drawn: list[Drawn], at: str = "", certified: Certified | None = None) -> str:
    found = sweep_of(drawn, at=at)
    report = report_of(found, replace(NOTHING, certified=certified), known=known_of(found, drawn=drawn))
    return "\n".join(f"{title}: {text}" if title else text for title, text in sentences(report, lambda text: text))


@pytest.mark.parametrize(
    "sentence",
    [
        "at risk: of 8 passed episodes 6 were at risk for the point (1 too short, 1 not observable): 0 fired, ",
        "of 8 passed episodes 4 were at risk for search_run@10 (4 too short): 0 fired, at most 52.8 % of such\n",
        "0 fires in 39 turns at risk for the point: at most 76.9 per 1,000 turns, if fires come at a constant rate\n",
        "can it fire: repeated_plan@5 from turn 5 on, with 14 turns of 20 left\n",
        "other groups: other thresholds without the task A (T2@5 | T1@8, then 1 of its 2 passed fire), "
        "B (T2@4 | T1@10, then 1 of its 3 passed fire)\n",
        "3 tasks drawn anew from these give repeated_plan 4/5/5, search_run 8/10/10 (5, 50, 95 %); "
        "all unchanged in 44.4 % of draws\n",
        "chosen on B alone, 1 of 2 passed of A fire: the worst of such pairs\n",
        "one label: were L1 passed, not turn_limit, the rule would give T2@13 | T1@15 and catch 2; "
        "7 other labels would move a threshold too\n",
        "one label decides: were L4 passed, repeated_plan would be 16 and its plateau closed\n",
        "pays as long as a false fire costs less than 8 turns\n",
        "each trigger: dropping repeated_plan loses 2 of 5 caught and no false fire; it is first alone in 3\n",
        "dropping search_run loses 1 of 5 caught and no false fire; it is first alone in 1\n",
        "turn count: beats turn_count@19, which saves 5 turns; of 5 that both catch, earlier on 5, later on 0 "
        "(p = 0.062)",
    ],
)
def test_the_pencil_corpus(sentence: str) -> None:
    assert sentence in said(pencil()) + "\n"


def test_the_notes_ahead() -> None:
    assert (
        "ahead: chance of a false fire among the next 100 passed episodes: at most 25.4 %, among 1,000: 85.0 %"
        in said(note())
    )


def test_what_never_changes_between_groups_is_said_so() -> None:
    alike = [replace(one, episode_id=f"{task}{one.episode_id}", task=task) for one in pencil() for task in "AB"]
    text = said(alike)
    assert "other groups: each task left out in turn: the same thresholds every time\n" in text
    assert "chosen on one task alone, no passed episode of another fires\n" in text


def test_a_point_that_is_late_does_not_beat_counting_turns() -> None:
    assert "turn count: does not beat plain turn count" in said(pencil(), "T1@16")


@pytest.mark.parametrize(
    ("certified", "sentence"),
    [
        (Certified(0.01, "episode", 635, 2, 0, None, 627),
         "certified: at 1 % (95 %): all points with 0 false fires, 627 pairs around this one"),
        (Certified(0.02, "episode", 635, 3, 1, None, None),
         "certified: at 2 % (95 %): all points with at most 1 false fire"),
        (Certified(0.005, "episode", 635, 2, None, 947, None),
         "certified: not at 0.5 %: needs 947 passed episodes, has 635"),
        (Certified(0.01, "task", 6, 2, None, 473, None),
         "certified: not at 1 % by task: needs 473 tasks with a passed episode, has 6"),
        (None, ""),
    ],
)  # fmt: skip
def test_what_a_limit_certifies(certified: Certified | None, sentence: str) -> None:
    text = said(pencil(), certified=certified)
    assert [line for line in text.split("\n") if line.startswith("certified")] == ([sentence] if sentence else [])


def test_a_unit_other_than_the_episode_stands_in_the_look_ahead() -> None:
    corpus = scored(pencil())
    found = sweep(corpus)
    report = report_of(found, known=statistics(corpus, found, unit="task"))
    text = [line for title, line in sentences(report, str) if title == "ahead"]
    assert text == [] or "tasks with a passed episode" in text[0]


def test_one_of_each_is_one() -> None:
    alone = [Drawn("L", "turn_limit", 20, ((5, 12), (0, 2)), None, 20), Drawn("P", "passed", 9, ((1, 2), (0, 2)))]
    text = said(alone)
    assert "of 1 passed episode 1 was at risk for the point: 0 fired" in text
    assert "turn count: beats turn_count@10" in text


def test_where_nothing_ran_out_of_turns_nothing_is_said_of_counting_them() -> None:
    assert "turn count" not in said([one for one in pencil() if one.label != "turn_limit"])


def test_what_pays_for_less_than_a_turn_is_said_so() -> None:
    late = [Drawn("L", "turn_limit", 20, ((17, 2), (0, 0)), None, 20)]
    others = [Drawn(f"P{at}", "passed", 9, ((1, 1), (0, 0)), None, 20) for at in range(3)]
    assert "pays only where a false fire costs less than a turn" in said([*late, *others])


def test_groups_of_any_key_have_a_plural() -> None:
    drawn = pencil()
    found = sweep_of(drawn)
    known = statistics(scored(drawn), found, by="n_turns")
    lines = [line for _, line in sentences(report_of(found, known=known), lambda text: text)]
    assert any(" groups by n_turns drawn anew from these give " in line for line in lines)


def test_of_a_label_that_no_episode_has_wrong_labels_say_nothing() -> None:
    wrong = "if 1 % of each label were wrong: "
    assert f"{wrong}at least 30 of 36 caught, at most 0 of 635 false fires" in said(note())
    assert f"{wrong}at most 0 of 635 false fires" in said([one for one in note() if one.label != "turn_limit"])
