"""Loops that the notes' rules miss, and the good work that looks like them, from dumps to fire turns.

`tests/data/loop_cases.jsonl`: made transcripts with the fire turns of the notes' rules and the lengths of what repeats
in them. What repeats inside one text is the scanners' (tests/scanners).
"""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.corpus import open_corpus
from calib.detectors import detector
from calib.evaluate import levels_of
from calib.ingest import ingest
from calib.rules import parse_rule
from calib.score import Scored, score
from calib.tools import Map
from tests.evaluate.episodes import columns
from tests.literal import Called, Turned
from tests.timeless import timeless

FILE = Path(__file__).parents[1] / "data" / "loop_cases.jsonl"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
}
OWN = (
    "call_burst", "call_cycle", "empty_turn", "near_duplicate_plan", "no_action", "plan_cycle",
    "same_call_same_result", "same_failure", "same_result", "same_text", "unfixed",
)  # fmt: skip
FIRES: dict[str, dict[str, int]] = {
    "004": {"call_cycle": 9, "same_call_same_result": 9, "same_result": 10},
    "013": {"call_cycle": 10, "same_call_same_result": 10, "same_result": 11},
    "016": {"call_cycle": 9, "same_result": 10},
    "018": {"plan_cycle": 11, "same_result": 10},
    "019": {"near_duplicate_plan": 12},
    "022": {"same_result": 10},
    "023": {"near_duplicate_plan": 12, "same_result": 10},
    "024": {"empty_turn": 2, "no_action": 4},
    "025": {"empty_turn": 2, "no_action": 4},
    "027": {"no_action": 4, "same_text": 6},
    "048": {"same_text": 5},
}
"""Of our own detectors, those that fire on a case at their defaults, and where; all others are silent on it."""
KNOWN_FALSE_FIRES = {
    ("060", "near_duplicate_plan"): 12,  # "Chunk 7." is one plan with every other chunk's once the number is masked
    ("069", "near_duplicate_plan"): 12,  # the same with "Round 7."
}
MOVES = "lag(masked_reasoning,1,reset=result|wrote)"
"""The same, silent on both: one gets news from the same call, the other writes. It is no default, for loops do both."""
MEASURES = {
    "identical_call_run": ("lag(calls,1)", 1),
    "identical_result_run": ("lag(results,1)", 1),
    "normalized_plan_run": ("lag(masked_reasoning,1)", 1),
    "identical_content_run": ("lag(text,1)", 1),
    "period2_call_cycle": ("lag(calls,2)", 2),
    "period2_plan_cycle": ("lag(reasoning,2)", 2),
    "empty_turn_run": ("run(empty)", 0),
    "no_call_run": ("run(idle)", 0),
}
"""Length of a stretch of turns: the rule whose peak it is, and by how much it is longer than the level."""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    """All cases, each a dump of its own, ingested and scored."""
    folder = tmp_path_factory.mktemp("loops")
    (folder / "dumps").mkdir()
    for number, case in CASES.items():
        (folder / "dumps" / f"{number}.jsonl").write_text("\n".join(case["input"]) + "\n", encoding="utf-8")
    ingest([folder / "dumps"], folder / "corpus", workers=1)
    wanted = ["T2", "T1", MOVES, *OWN, *(spelling for spelling, _ in MEASURES.values())]
    placing = Map(reads=("search_files", "read_file"), writes=("write_file", "edit_file"), only=True)
    return score(open_corpus(folder / "corpus"), wanted, None, placing)


def fired(scored: Scored, number: str, name: str, threshold: int) -> int | None:
    at = list(CASES).index(number)
    assert scored.episodes["episode_id"][at] == f"dumps/{number}.jsonl"
    turn = int(scored.reach[name].fire_turns(threshold, len(CASES))[at])
    return turn if turn >= 0 else None


@pytest.mark.parametrize("number", CASES)
def test_the_notes_rules_fire_at_the_stated_turns(scored: Scored, number: str) -> None:
    seed = CASES[number]["seed"]
    assert fired(scored, number, "repeated_plan", 7) == seed["T2"]["fires_at_turn"]
    assert fired(scored, number, "search_run", 35) == seed["T1"]["fires_at_turn"]
    at = list(CASES).index(number)
    assert scored.peaks["repeated_plan"][at] == seed["T2"]["longest_equal_transitions"]
    assert scored.peaks["search_run"][at] == seed["T1"]["longest_run"]


@pytest.mark.parametrize("number", CASES)
def test_what_repeats_has_the_stated_length(scored: Scored, number: str) -> None:
    for measure, found in CASES[number]["measures"].items():
        if measure in MEASURES:
            spelling, longer = MEASURES[measure]
            peak = int(scored.peaks[spelling][list(CASES).index(number)])
            assert peak + longer == found["turns"], measure
            assert fired(scored, number, spelling, peak) == found["end"], measure


@pytest.mark.parametrize("number", CASES)
def test_our_own_fire_on_loops_and_are_silent_on_good_work(scored: Scored, number: str) -> None:
    found = {name: fired(scored, number, name, detector(name).default or 0) for name in OWN}
    known = {name: turn for (case, name), turn in KNOWN_FALSE_FIRES.items() if case == number}
    assert {name: turn for name, turn in found.items() if turn is not None} == FIRES.get(number, {}) | known
    if CASES[number]["truth"] != "loop":
        assert number not in FIRES
        assert fired(scored, number, MOVES, 12) is None


def peak(name: str, *turns: Turned) -> int:
    return int(max(levels_of(detector(name).rule if "(" not in name else parse_rule(name), columns([list(turns)]))))


def plans(text: str) -> list[Turned]:
    return [Turned(reasoning=letter, masked_reasoning=letter, calls=[ok(str(at))]) for at, letter in enumerate(text)]


def ok(arguments: str = "a", result: str | None = "r", tool: str = "test") -> Called:
    return Called(tool, (tool, arguments), (tool, arguments), result, False, 1)


def bad(result: str, arguments: str = "a") -> Called:
    return Called("test", ("test", arguments), ("test", arguments), result, True, 1, timeless(result))


@pytest.mark.parametrize("period", [2, 3, 4, 5])
def test_laps_of_plans_and_calls_of_two_to_five_turns(period: int) -> None:
    lap = "abcde"[:period]
    assert peak("plan_cycle", *plans(lap * 6)) == 5
    assert peak("plan_cycle", *plans(lap * 5 + "z")) == 4
    turns = [Turned(calls=[ok(letter, letter)]) for letter in lap * 5]
    assert peak("call_cycle", *turns) == 4
    assert peak("call_cycle", *turns[:-1]) == 3
    news = [Turned(calls=[ok(letter, str(at))]) for at, letter in enumerate(lap * 5)]
    assert peak("call_cycle", *news) == 0  # the same calls bring something new


def test_the_same_plans_in_no_order_are_no_lap() -> None:
    assert peak("plan_cycle", *plans("abcacbabcbac")) == 0


def test_failing_the_same_way_after_each_edit() -> None:
    edit = Turned(calls=[ok("x", "written", "write_file")], writes=True)
    loop = [turn for _ in range(5) for turn in (edit, Turned(calls=[bad("1 failed: test_a")]))]
    progress = [turn for at in range(9) for turn in (edit, Turned(calls=[bad(f"{9 - at} failed")]))]
    assert peak("same_failure", *loop) == 4
    assert peak("same_failure", *progress) == 0
    varied = [Turned(calls=[bad("denied", str(at))]) for at in range(4)]  # whatever is called
    assert peak("same_failure", *varied) == 3
    assert (peak("unfixed", *loop), peak("unfixed", *progress)) == (4, 0)
    assert peak("unfixed", *varied) == 0  # nothing was edited between


def test_failing_again_without_an_edit_is_passed_over() -> None:
    edit, look = Turned(calls=[ok("x", "written", "write_file")], writes=True), Turned(calls=[ok("log")], reads=True)
    red, other = Turned(calls=[bad("1 failed: test_a")]), Turned(calls=[bad("2 failed: test_b")])
    assert peak("unfixed", red, red, edit, look, red, red, edit, red) == 2
    assert peak("unfixed", red, edit, other, edit, red) == 0  # each edit has another outcome
    both = Turned(calls=[ok("x", "written", "write_file"), bad("1 failed: test_a")], writes=True)
    assert peak("unfixed", both, both, both, both) == 3  # edit and test in one response


def test_a_burst_of_equal_calls_and_its_twin() -> None:
    assert peak("call_burst", Turned(calls=[ok(), ok("b"), ok(), ok()])) == 3
    assert peak("call_burst", Turned(calls=[ok("a"), ok("b"), ok("c"), ok("d")])) == 1
    assert peak("call_burst", *[Turned(calls=[ok(), ok()])] * 9) == 2  # over turns it is no burst


def test_a_poll_that_brings_something_new_and_one_that_does_not() -> None:
    assert peak("same_call_same_result", *(Turned(calls=[ok("job", f"{at} %")]) for at in range(40))) == 0
    assert peak("same_call_same_result", *[Turned(calls=[ok("job", "running")])] * 10) == 9
    assert peak("same_call_same_result", *[Turned(calls=[ok("job", None)])] * 10) == 0


def test_the_same_result_under_varying_calls_and_its_twin() -> None:
    assert peak("same_result", *(Turned(calls=[ok(str(at), "0 matches")]) for at in range(11))) == 10
    assert peak("same_result", *(Turned(calls=[ok(str(at), f"{at} matches")]) for at in range(40))) == 0


def test_silence_and_talk() -> None:
    assert peak("empty_turn", *[Turned(reasoning="hm")] * 3) == 3
    assert peak("empty_turn", *[Turned(text=str(at)) for at in range(9)]) == 0
    assert peak("no_action", *[Turned(text=str(at)) for at in range(9)]) == 9
    assert peak("no_action", Turned(text="a"), Turned(calls=[ok()]), Turned(text="b")) == 1
    assert peak("same_text", *[Turned(text="done")] * 6) == 5
    assert peak("same_text", *[Turned(calls=[ok()])] * 6) == 0  # no text equals nothing


def test_a_counter_in_a_plan_and_plans_about_other_files() -> None:
    assert peak("near_duplicate_plan", *(Turned(reasoning=f"n{at}", masked_reasoning="n") for at in range(13))) == 12
    assert peak("near_duplicate_plan", *plans("abcdefghij")) == 0


def test_a_counter_in_a_plan_of_work_that_moves() -> None:
    same = [Turned(reasoning=f"{at}", masked_reasoning="n", calls=[ok("page", f"page {at}")]) for at in range(20)]
    assert (peak("near_duplicate_plan", *same), peak(MOVES, *same)) == (
        19,
        0,
    )  # the same call brings something new each time
    wrote = [
        Turned(
            reasoning=f"{at}", masked_reasoning="n", calls=[ok(str(at), "written", "write_file")], writes=at % 5 == 4
        )
        for at in range(20)
    ]
    assert (peak("near_duplicate_plan", *wrote), peak(MOVES, *wrote)) == (19, 3)


def test_equal_results_as_well_tell_a_counter_from_work_that_moves() -> None:
    moving = [Turned(reasoning=f"{at}", masked_reasoning="n", calls=[ok("a", str(at))]) for at in range(20)]
    standing = [Turned(reasoning=f"{at}", masked_reasoning="n", calls=[ok("a", "0")]) for at in range(20)]
    assert peak("lag(masked_reasoning+results,1)", *moving) == 0
    assert peak("lag(masked_reasoning+results,1)", *standing) == 19
