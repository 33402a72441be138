"""Can a threshold fire at all: the examples of a limit of 64 turns, and every reason why it cannot."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calib.evidence.reachability import reachability
from calib.point import parse_point
from calib.score import Scored, score
from calib.spelling import can_fire
from calib.statistics import Reachability
from tests.corpus import ingested
from tests.corpus import pencil as small
from tests.sweeps import Drawn, Ramp, scored


def long(turns: int = 64, limit: int | None = 64, plan: Ramp = (1, 2)) -> Drawn:
    return Drawn(f"{turns}-{limit}", "passed", turns, (plan, (0, 3)), "A", limit)


def audit(spelled: str, rows: Sequence[Drawn] = (long(),)) -> list[Reachability]:
    return list(reachability(scored(rows), parse_point(spelled)))


@pytest.mark.parametrize(
    ("trigger", "status", "earliest", "left", "highest"),
    [
        ("repeated_plan@7", "reachable", 7, 56, 63), ("repeated_plan@39", "reachable", 39, 24, 63),
        ("repeated_plan@63", "last turn only", 63, 0, 63), ("repeated_plan@64", "cannot fire", None, None, 63),
        ("search_run@35", "reachable", 34, 29, 64), ("search_run@53", "reachable", 52, 11, 64),
        ("search_run@64", "last turn only", 63, 0, 64), ("search_run@65", "cannot fire", None, None, 64),
    ],
)  # fmt: skip
def test_a_limit_of_64_turns(trigger: str, status: str, earliest: int, left: int, highest: int) -> None:
    (found,) = audit(trigger)
    assert (found.status, found.earliest_fire_turn, found.turns_left) == (status, earliest, left)
    assert (found.turn_limit, found.highest_level) == (64, highest)


def test_no_episode_lasted_long_enough() -> None:
    (found,) = audit("search_run@35", [long(34)])
    assert (found.status, found.earliest_fire_turn, found.turns_left) == ("no episode long enough", 34, 29)


def test_without_a_limit_the_longest_episode_judges() -> None:
    found = audit("repeated_plan@30 | search_run@40", [long(40, None), long(20, None)])
    assert [(one.turn_limit, one.status, one.turns_left) for one in found] == [
        (None, "reachable", 9),
        (None, "last turn only", 0),
    ]
    assert audit("search_run@41", [long(40, None)])[0].status == "no episode long enough"


def test_where_nothing_is_labelled_every_episode_says_whether_it_could_fire() -> None:
    unlabelled = [replace(long(turns, None), label="unlabelled") for turns in (20, 40)]
    assert [one.status for one in audit("search_run@30", unlabelled)] == ["reachable"]
    assert audit("search_run@41", unlabelled)[0].status == "no episode long enough"


def test_each_limit_has_its_own_line() -> None:
    found = audit("repeated_plan@30", [long(20, 20), long(60, 64), long(9, None)])
    assert [(one.turn_limit, one.status) for one in found] == [
        (None, "no episode long enough"),
        (20, "cannot fire"),
        (64, "reachable"),
    ]


def test_what_no_counted_episode_recorded() -> None:
    labels = [long(plan=None), replace(long(), episode_id="x", label="unlabelled")]
    assert audit("repeated_plan@64", labels)[0].status == "not observable"  # said before that it cannot fire


def test_a_tool_that_is_never_called() -> None:
    corpus = replace(scored([long()]), called={"search_run": np.array([False])})
    plan, search = reachability(corpus, parse_point("repeated_plan@7 | search_run@65"))
    assert (plan.status, search.status) == ("reachable", "tool never called")


@pytest.mark.parametrize(
    ("trigger", "status"),
    [
        ("run(tool:grep)@1", "reachable"), ("run(tool:web_search|gr*)@1", "reachable"),
        ("run(tool:web_search)@1", "tool never called"), ("lag(call,1,only=tool:web_*)@3", "tool never called"),
        ("hermes_web_search_cap@2", "tool never called"), ("hermes_subagents_cap@2", "tool never called"),
        ("search_run@10", "reachable"), ("any(run(tool:web_search)@1 | run(idle)@1)@1", "reachable"),
    ],
)  # fmt: skip
def test_a_rule_over_tools_that_no_call_is_of_can_never_fire(trigger: str, status: str, tmp_path: Path) -> None:
    point = parse_point(trigger)
    corpus = ingested([replace(one, tools=[["grep"] for _ in one.tools]) for one in small()], tmp_path)
    found = reachability(score(corpus, list(point.thresholds)), point)
    assert {each.status for each in found} == {status}
    if status != "reachable":
        said = f"{trigger} cannot fire here: no call is one that it looks at (episodes with a turn limit of 20)"
        assert can_fire(found[0]) == said


def test_calls_of_episodes_that_do_not_count_say_nothing(tmp_path: Path) -> None:
    first, *others = small()
    unlabelled = replace(first, label="censored", tools=[["web_search"] for _ in first.tools])
    corpus, point = ingested([unlabelled, *others], tmp_path), parse_point("run(tool:web_search)@1")
    assert reachability(score(corpus, list(point.thresholds)), point)[0].status == "tool never called"


def test_a_detector_that_cannot_say() -> None:
    corpus = scored([long()])
    made_up = replace(corpus, reach={"made_up": corpus.reach["search_run"]}, observable={"made_up": np.array([True])})
    assert isinstance(made_up, Scored)
    (found,) = reachability(made_up, parse_point("made_up@1000"))
    assert (found.status, found.highest_level, found.earliest_fire_turn) == ("reachable", None, None)
