"""Whether an episode makes a call that a rule looks at."""

import pytest
from hypothesis import given, settings

from calib.evaluate import called
from calib.rules import AnyOf, Rule, parse_rule
from tests import literal
from tests.evaluate.episodes import columns, drawn, episodes
from tests.literal import Turned
from tests.rules.drawing import every_rule


@pytest.mark.parametrize(
    ("spelling", "makes"),
    [
        ("run(tool:a)", [True, False, False]),
        ("run(tool:c|b)", [True, True, False]),
        ("run(!tool:b)", [True, False, False]),  # some other tool than b
        ("budget(tool:[xyz]*)", [False, False, False]),
        ("lag(call,1)", [True, True, False]),
        ("lag(calls,1)", [True, True, False]),
        ("lag(calls?,1)", None),  # no call twice is an equal turn
        ("lag(call,1,only=tool:a)", [True, False, False]),
        ("lag(call,1,breaks=tool:b)", [True, False, False]),
        ("lag(call,1,exempt=a|b)", [False, False, False]),
        ("lag(text,1,exempt=b)", [True, True, True]),  # a turn without a call is none of b's
        ("count(tool:b,window=9,seen=tool:a)", [True, False, False]),
        ("run(reads)", [False, False, False]),
        ("run(!reads)", None),
        ("run(idle)", None),
        ("lag(reasoning,1)", None),
        ("any(run(tool:a)@1 | run(tool:x)@1)", [True, False, False]),
        ("any(run(tool:x)@1 | run(idle)@1)", None),
        ("scan(repeated_window)", None),
    ],
)
def test_by_pencil(spelling: str, makes: list[bool] | None) -> None:
    found = called(parse_rule(spelling), columns([drawn("a b a"), drawn("b b ."), drawn(". .")]))
    assert (None if found is None else found.tolist()) == makes


@settings(max_examples=150, deadline=None)
@given(every_rule(), episodes())
def test_without_such_a_call_no_level_rises(rule: Rule | AnyOf, made: list[list[Turned]]) -> None:
    found = called(rule, columns(made))
    if found is None:
        return
    for makes, episode in zip(found.tolist(), made, strict=True):
        assert makes or not any(literal.levels(rule, episode))


@settings(max_examples=40, deadline=None)
@given(every_rule(), episodes())
def test_no_episode_depends_on_the_others(rule: Rule | AnyOf, made: list[list[Turned]]) -> None:
    together, apart = called(rule, columns(made)), [called(rule, columns([episode])) for episode in made]
    assert (together is None) == any(each is None for each in apart)
    if together is not None:
        assert together.tolist() == [bool(each[0]) for each in apart if each is not None]
