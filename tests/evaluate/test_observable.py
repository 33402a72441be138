"""What was not recorded is not observable there, which is not silence."""

from dataclasses import replace

import pytest

from calib.evaluate import observable, rests_on_calls
from calib.rules import parse_rule
from tests.evaluate.episodes import columns
from tests.literal import Called, Turned

CALL = Called("t", "c", "c", "r", False, 1)
FULL = Turned(reasoning="p", calls=[CALL], user=True, numbers={"output_tokens": 5, "milliseconds": 7})
LACKING = {
    "results": replace(FULL, calls=[replace(CALL, result=None, error=None, result_chars=None)]),
    "errors": replace(FULL, calls=[replace(CALL, error=None)]),
    "users": replace(FULL, user=False),
    "output_tokens": replace(FULL, numbers={"milliseconds": 7}),
    "milliseconds": replace(FULL, numbers={"output_tokens": 5}),
}
RULES = {
    "lag(calls,1)": set(),
    "lag(text,1)": set(),
    "run(idle)": set(),
    "lag(call+result,1)": {"results"},
    "lag(results,1)": {"results"},
    "budget(result_chars)": {"results"},
    "run(error)": {"results", "errors"},  # a call without a result does not say that it failed
    "lag(result,1,only=error)": {"results", "errors"},
    "lag(call,1,reset=user)": {"users"},
    "lag(call,1,reset=compaction)": set(),
    "lag(call,1,reset=result)": {"results"},
    "run(reads,reset=result)": {"results"},
    "budget(output_tokens)": {"output_tokens"},
    "budget(milliseconds)": {"milliseconds"},
    "any(lag(calls,1)@2 | run(error)@2)": {"results", "errors"},
}


@pytest.mark.parametrize("spelling", RULES)
def test_a_rule_is_not_observable_where_what_it_needs_was_not_recorded(spelling: str) -> None:
    lacking = columns([[turn, turn] for turn in LACKING.values()])
    found = observable(parse_rule(spelling), lacking).tolist()
    assert {what for what, seen in zip(LACKING, found, strict=True) if not seen} == RULES[spelling]
    assert observable(parse_rule(spelling), columns([[FULL, FULL]])).tolist() == [True]


@pytest.mark.parametrize("what", LACKING)
def test_an_episode_that_recorded_it_once_counts_with_what_was_recorded(what: str) -> None:
    rule = parse_rule("any(lag(result,1,only=error,reset=user)@1 | budget(output_tokens)@1 | budget(milliseconds)@1)")
    assert observable(rule, columns([[LACKING[what], FULL, LACKING[what]]])).tolist() == [True]


def test_without_a_call_there_is_no_result_to_miss() -> None:
    quiet = Turned(reasoning="p", text="t")
    assert observable(parse_rule("lag(call+result,1)"), columns([[quiet, quiet]])).tolist() == [True]
    assert observable(parse_rule("run(error)"), columns([[quiet]])).tolist() == [True]


def test_an_episode_without_turns_is_observable_for_rules_that_rest_on_calls() -> None:
    assert rests_on_calls(parse_rule("run(reads)"))
    assert rests_on_calls(parse_rule("any(lag(calls,1)@2 | run(idle)@2)"))
    assert not rests_on_calls(parse_rule("lag(reasoning,1)"))
    assert not rests_on_calls(parse_rule("any(lag(calls,1)@2 | run(error)@2)"))
    assert not rests_on_calls(parse_rule("scan(guard_characters)"))
