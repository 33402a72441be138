"""Every case of rules that other agents ship: at the index upstream gives, or never."""

import json
from typing import Any

import pytest

from calib.corpus import open_corpus
from calib.detectors import detector
from calib.evaluate import levels_of
from calib.ingest import ingest
from calib.rules import AnyOf, Rule
from calib.score import Scored, score
from calib.tools import Map
from tests import literal
from tests.detectors.published import CASES, OURS, asked, called, messages_of, turns_of
from tests.evaluate.episodes import columns
from tests.literal import Called, Turned

PAIRED = {
    "cline_soft", "cline_hard", "openhands_v0_repeat", "openhands_v1_repeat", "openhands_v0_error",
    "openhands_v1_error",
}  # fmt: skip
"""Those that a case asks about in twos."""
NOTE = Map.exactly(["search_files", "read_file"])
IDS = [f"{case['detector']}: {case['case']}" for case in CASES]


def first(levels: list[int], threshold: int | None) -> int | None:
    return next((at for at, level in enumerate(levels) if threshold and level >= threshold), None)


def fires(name: str, threshold: int | None, turns: list[Turned]) -> int | None:
    """The turn at which ours fires, by both evaluators; at the published threshold where none is given."""
    found = detector(name)
    assert isinstance(found.rule, Rule | AnyOf)
    levels = literal.levels(found.rule, turns)
    assert levels_of(found.rule, columns([turns])).tolist() == levels
    return first(levels, threshold)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_it_fires_where_upstream_does(case: dict[str, Any]) -> None:
    turns = turns_of(case)
    if case["detector"] == "roo_all":
        assert again_and_again("roo", case["params"]["limit"], turns) == case["expect"]
        return
    for each in asked(case):
        threshold = each.threshold
        if threshold is None and case["params"] in ({}, {"equal": True}, {"equal": False}):
            threshold = detector(each.detector).default
        if case["detector"] == "opencode":
            assert call_at(each.detector, threshold, case) == each.expected
        else:
            assert fires(each.detector, threshold, turns) == each.expected


def again_and_again(name: str, threshold: int, turns: list[Turned]) -> list[int]:
    """Every fire of a rule that counts anew after each."""
    found: list[int] = []
    begin = 0
    while (at := fires(name, threshold, turns[begin:])) is not None:
        found.append(begin + at)
        begin = found[-1] + 1
    return found


def call_at(name: str, threshold: int | None, case: dict[str, Any]) -> int | None:
    """The call at which a rule fires inside a response, counted through: the shortest beginning that fires."""
    calls = [(turn, call) for turn, row in enumerate(case["input"]) for call in row["calls"]]
    for n in range(1, len(calls) + 1):
        turns = [
            Turned(calls=[called(call) for at, call in calls[:n] if at == turn]) for turn in range(calls[-1][0] + 1)
        ]
        if fires(name, threshold, turns) is not None:
            return n - 1
    return None


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    """All cases as one dump, ingested and scored with everything that is asked."""
    folder = tmp_path_factory.mktemp("cases")
    rows = [json.dumps({"episode_id": f"c{at:02d}", "messages": messages_of(case)}) for at, case in enumerate(CASES)]
    (folder / "dump.jsonl").write_text("\n".join(rows) + "\n")
    ingest([folder / "dump.jsonl"], folder / "corpus", workers=1)
    ours = {name for each in OURS.values() for name in each} | PAIRED
    return score(open_corpus(folder / "corpus"), sorted(ours), None, NOTE)


@pytest.mark.parametrize("case", [case for case in CASES if case["detector"] not in ("roo_all", "opencode")], ids=str)
def test_it_does_from_a_dump_too(case: dict[str, Any], scored: Scored) -> None:
    at = CASES.index(case)
    for each in asked(case):
        default = case["params"] in ({}, {"equal": True}, {"equal": False})
        threshold = each.threshold or (detector(each.detector).default if default else None)
        if threshold:
            found = scored.reach[each.detector].fire_turns(threshold, len(CASES))[at]
            assert (None if found < 0 else found) == each.expected
            assert scored.observable[each.detector][at]


def test_there_are_seventy_five() -> None:
    assert len(CASES) == 75
    assert {name for names in OURS.values() for name in names} <= set(
        __import__("calib.detectors", fromlist=["x"]).names()
    )


def call(tool: str, arguments: str, written: str | None = None) -> Called:
    return Called(tool, (tool, arguments), (tool, written or arguments), "r", False, 1)


def test_openrouter_counts_responses_of_one_tool() -> None:
    search, other, read = call("search", "x"), call("search", "y"), call("read", "f")
    assert fires("openrouter", 5, [Turned(calls=[search])] * 6) == 5
    assert fires("openrouter", 5, [Turned(calls=[each]) for each in [search, read] * 6]) == 10  # others lie between
    assert fires("openrouter", 1, [Turned(calls=[search] * 9)]) is None  # equal calls of one response are one
    assert fires("openrouter", 5, [Turned(calls=[search, search])] * 6) == 5
    assert fires("openrouter", 1, [Turned(calls=[search]), Turned(calls=[other]), Turned(calls=[search])]) is None


@pytest.mark.parametrize("name", ["opencode", "kilo"])
def test_arguments_written_otherwise_are_other_calls(name: str) -> None:
    same = [call("edit", "ab", '{"a":1,"b":2}')] * 2
    assert fires(name, 2, [Turned(calls=[*same, same[0]])]) == 0
    assert fires(name, 2, [Turned(calls=[*same, call("edit", "ab", '{"b":2,"a":1}')])]) is None
