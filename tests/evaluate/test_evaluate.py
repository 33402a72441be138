"""Whole columns at a time give what the literal reading of every rule gives."""

import pytest
from hypothesis import given, settings

from calib import live
from calib.errors import CorpusError
from calib.evaluate import Columns, calls_columns, levels_of, observable, reach_of, turns_columns
from calib.levels import reach
from calib.live import Monitor
from calib.point import Point, Trigger
from calib.rules import AnyOf, Rule, parse_rule
from tests import literal
from tests.evaluate.episodes import PLACING, columns, drawn, episodes, tables
from tests.literal import Called, Turned
from tests.rules.drawing import every_rule


@settings(max_examples=150, deadline=None)
@given(every_rule(), episodes())
def test_levels_are_the_literal_ones(rule: Rule | AnyOf, made: list[list[Turned]]) -> None:
    expected = [level for episode in made for level in literal.levels(rule, episode)]
    assert levels_of(rule, columns(made)).tolist() == expected


@settings(max_examples=100, deadline=None)
@given(every_rule(), episodes())
def test_reach_is_that_of_the_levels(rule: Rule | AnyOf, made: list[list[Turned]]) -> None:
    whole = columns(made)
    found, expected = reach_of(rule, whole), reach(levels_of(rule, whole), whole.turn)
    assert found.episode.tolist() == expected.episode.tolist()
    assert found.level.tolist() == expected.level.tolist()
    assert found.turn.tolist() == expected.turn.tolist()


@settings(max_examples=60, deadline=None)
@given(every_rule(), episodes())
def test_no_level_depends_on_the_other_episodes_of_a_part(rule: Rule | AnyOf, made: list[list[Turned]]) -> None:
    apart = [level for episode in made for level in levels_of(rule, columns([episode])).tolist()]
    assert levels_of(rule, columns(made)).tolist() == apart


@settings(max_examples=60, deadline=None)
@given(every_rule(), episodes())
def test_a_rule_reads_no_other_columns_than_it_says(rule: Rule | AnyOf, made: list[list[Turned]]) -> None:
    turns, calls = tables(made[0])
    wanted = calls_columns(rule)
    narrow = Columns(
        turns.select(sorted(turns_columns(rule))),
        calls.select(wanted & set(calls.columns)) if wanted else None,
        PLACING,
    )
    if "call" not in wanted:
        assert levels_of(rule, narrow).tolist() == levels_of(rule, Columns(turns, calls, PLACING)).tolist()
        assert observable(rule, narrow).shape == (1,)


@pytest.mark.parametrize("size", [2, 3, 7])
def test_stretches_hold_whole_episodes_and_change_nothing(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [drawn("a b a b a b"), drawn("ab ab . ab"), drawn("a a a")]

    def found(spelling: str) -> tuple[list[list[int]], list[int]]:
        rule, whole = parse_rule(spelling), columns(made)
        reached = reach_of(rule, whole)
        return [each.tolist() for each in (reached.episode, reached.level, reached.turn)], levels_of(
            rule, whole
        ).tolist()

    before = {spelling: found(spelling) for spelling, _, _ in PENCIL}
    monkeypatch.setattr("calib.levels.cuts.__defaults__", (size,))
    assert before == {spelling: found(spelling) for spelling, _, _ in PENCIL}


PENCIL = [
    ("lag(call,1)", "a a b b b", [0, 1, 0, 1, 2]),
    ("lag(call,2)", "a b a b a", [0, 0, 1, 2, 3]),
    ("lag(calls,1)", "ab ab ba ab", [0, 1, 0, 0]),
    ("lag(call_set,1)", "ab ab ba ab", [0, 1, 2, 3]),
    ("cycle(call,1..3)", "a b c a b c a b c", [0, 0, 0, 0, 0, 1, 1, 1, 2]),
    ("count(call)", "a b a c a", [1, 1, 2, 1, 3]),
    ("count(call,window=3)", "a b a c a", [1, 1, 2, 1, 2]),
    ("count(calls,window=4,warm_up=4)", "a a b c d", [0, 0, 0, 2, 1]),
    ("run(idle)", "a . . a .", [0, 1, 2, 0, 1]),
    ("lag(call,1,reset=turn)", "aaa a aab", [2, 0, 1]),
    ("lag(call,1,reset=idle)", "a a . a a", [0, 1, 0, 0, 1]),
    ("lag(call,1)", "a a . a a", [0, 1, 0, 2, 3]),
    ("lag(call,1,reset=result)", "a a b a", [0, 1, 0, 0]),
    ("lag(call,1,breaks=tool:b)", "a b a a", [0, 0, 0, 1]),
    ("lag(call,1,only=!tool:b)", "a b a a", [0, 0, 1, 2]),
    ("lag(call,1,exempt=b)", "a b a a", [0, 0, 1, 2]),
    ("lag(call_set,1,exempt=b)", "a b a ab", [0, 0, 1, 0]),
    ("lag(call,1,batch=once)", "aaa a aab", [0, 1, 2]),
    ("lag(call,1,per=tool)", "a b a b", [0, 0, 1, 1]),
    ("count(tool:a,window=2)", "a a b a", [1, 2, 1, 1]),
    ("count(tool:a,window=9,seen=!tool:a)", "a a b a", [0, 0, 2, 3]),
    ("budget(always)", "a . a", [1, 2, 3]),
    ("budget(always,unit=call)", "aa . a", [2, 0, 3]),
    ("budget(tool:a)", "a b a", [1, 1, 2]),
    ("any(lag(call,1)@2 | run(idle)@1)", "a a a a a .", [0, 0, 1, 1, 2, 1]),
]


@pytest.mark.parametrize(("spelling", "drawing", "expected"), PENCIL)
def test_levels_by_pencil(spelling: str, drawing: str, expected: list[int]) -> None:
    rule = parse_rule(spelling)
    assert literal.levels(rule, drawn(drawing)) == expected
    assert levels_of(rule, columns([drawn(drawing)])).tolist() == expected


def test_reach_names_the_turns_at_which_a_level_tops_all_before() -> None:
    found = reach_of(parse_rule("lag(call,1)"), columns([drawn("a a b b b"), drawn("a a")]))
    assert (found.episode.tolist(), found.level.tolist(), found.turn.tolist()) == ([0, 0, 1], [1, 2, 1], [1, 4, 1])


def test_a_part_whose_tables_disagree_is_refused() -> None:
    turns, calls = tables(drawn("a a"))
    for table in (None, calls.head(1)):
        with pytest.raises(CorpusError, match="turns and calls of a part disagree"):
            levels_of(parse_rule("lag(call,1)"), Columns(turns, table, PLACING))


def test_a_corpus_without_the_column_is_to_be_ingested_again() -> None:
    turns, calls = tables(drawn("a a"))
    with pytest.raises(CorpusError, match="no column same_call_as; ingest the dumps again"):
        levels_of(parse_rule("lag(call,1)"), Columns(turns, calls.drop("same_call_as"), PLACING))


def test_a_call_is_what_its_turn_is_in_a_batch() -> None:
    look, write = Called("read", "r", "r", "x", False, 1), Called("write", "w", "w", "ok", False, 2)
    both = Turned(calls=[look, write], reads=False, writes=True, user=True, numbers={"output_tokens": 5})
    reading = Turned(calls=[look, look], reads=True, numbers={"output_tokens": 5})
    made = [reading, both, reading, reading]
    for spelling, expected in {
        "run(reads,unit=call)": [2, 0, 2, 4],  # beside a write no call reads
        "lag(tool,1,reset=user)": [1, 0, 1, 3],  # forgotten before the first call of the turn, not before the second
        "lag(tool,1,reset=wrote)": [1, 0, 1, 3],
        "budget(output_tokens,unit=call)": [10, 20, 30, 40],
        "lag(call,1,only=writes)": [0, 0, 0, 0],
        "count(call)": [2, 3, 5, 7],
        "count(call,batch=once)": [1, 2, 3, 4],
        "lag(call_set,1)": [0, 0, 0, 1],
    }.items():
        rule = parse_rule(spelling)
        assert literal.levels(rule, made) == expected, spelling
        assert levels_of(rule, columns([made])).tolist() == expected, spelling


def polled(results: str) -> list[Turned]:
    """One call again and again: a letter is its result, `-` is none, `w` is another call that never changes."""
    made = {"w": Called("t", "other", "other", "same", False, 4), "-": Called("t", "c", "c", None, False, None)}
    return [Turned(calls=[made.get(each) or Called("t", "c", "c", each, False, 1)]) for each in results]


@pytest.mark.parametrize(
    ("spelling", "results", "expected"),
    [
        ("lag(call,1,reset=result)", "aaabbb", [0, 1, 2, 0, 1, 2]),
        ("lag(calls,1,reset=result)", "aaabbb", [0, 1, 2, 0, 1, 2]),
        ("cycle(call,1..2,reset=result)", "awawaxwb", [0, 0, 0, 1, 1, 0, 0, 0]),
        ("run(always,unit=call,reset=result)", "aab", [1, 2, 1]),
        ("run(always,reset=result)", "aab", [1, 2, 1]),
        ("count(call,reset=result)", "awawabw", [1, 1, 2, 2, 3, 1, 1]),
        ("count(call,window=9,reset=result)", "aawab", [1, 2, 1, 3, 1]),
        ("budget(always,unit=call,reset=result)", "awab", [1, 2, 3, 1]),
        ("budget(result_chars,reset=result)", "awab", [1, 5, 6, 1]),
        ("lag(call,1,reset=result)", "a-ab", [0, 1, 2, 0]),  # no result is no news
        ("lag(call,1,reset=result)", "a-b", [0, 1, 0]),
        ("lag(call,1,reset=result,per=call)", "awbw", [0, 0, 0, 0]),  # what is forgotten is everything
    ],
)
def test_a_changed_result_forgets_what_came_before(spelling: str, results: str, expected: list[int]) -> None:
    rule = parse_rule(spelling)
    assert literal.levels(rule, polled(results)) == expected
    assert levels_of(rule, columns([polled(results)])).tolist() == expected
    assert levels_of(rule, columns([polled(results), polled(results)])).tolist() == expected * 2
    monitor = Monitor(Point((Trigger(spelling, 1),)))
    told = [
        [live.Called(one.tool, one.call, str(one.result) if one.result else None) for one in turn.calls]
        for turn in polled(results)
    ]
    assert [monitor.turn(None, calls)[spelling] for calls in told] == expected


def test_a_changed_result_inside_a_response_counts_too() -> None:
    calls = [Called("t", "c", "c", result, False, 1) for result in "aab"]
    rule = parse_rule("lag(call,1,reset=result)")
    assert (
        literal.levels(rule, [Turned(calls=calls)]) == levels_of(rule, columns([[Turned(calls=calls)]])).tolist() == [1]
    )
    whole = parse_rule("run(always,reset=result)")
    turns = [Turned(calls=calls[:2]), Turned(calls=calls), Turned(calls=calls[2:])]
    assert literal.levels(whole, turns) == levels_of(whole, columns([turns])).tolist() == [1, 1, 2]
