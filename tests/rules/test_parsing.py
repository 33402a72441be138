"""One spelling for every rule: what is printed is read back, and anything else is one line of usage."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.errors import UsageError
from calib.rules import AnyOf, Rule, parse_rule
from tests.rules.drawing import every_rule


@settings(max_examples=200, deadline=None)
@given(every_rule())
def test_parse_gives_back_what_was_printed(rule: Rule | AnyOf) -> None:
    assert parse_rule(str(rule)) == rule


@settings(max_examples=100, deadline=None)
@given(every_rule(), st.randoms())
def test_white_space_says_nothing(rule: Rule | AnyOf, random: object) -> None:
    spaced = str(rule).replace("(", " ( ").replace(",", " , ").replace("=", " = ").replace(")", " )")
    assert parse_rule(spaced) == rule


@pytest.mark.parametrize(
    ("spelling", "unit"),
    [
        ("run(reads)", "turn"),
        ("lag(calls,2)", "turn"),
        ("lag(reasoning?+call,1)", "call"),
        ("run(error)", "call"),
        ("lag(results,1,only=error)", "turn"),
        ("count(text,per=tool)", "call"),
        ("budget(result_chars)", "call"),
    ],
)
def test_a_rule_is_a_calls_when_what_it_counts_is(spelling: str, unit: str) -> None:
    rule = parse_rule(spelling)
    assert isinstance(rule, Rule)
    assert rule.unit == unit
    assert str(rule) == spelling


@pytest.mark.parametrize(
    ("spelling", "needs"),
    [
        ("run(reads)", {"calls"}),
        ("lag(reasoning?,1)", {"reasoning"}),
        ("lag(call+result,1,reset=user)", {"calls", "results", "users"}),
        ("count(tool,only=error)", {"calls", "errors"}),
        ("budget(output_tokens)", {"output_tokens"}),
    ],
)
def test_a_rule_says_what_must_have_been_recorded(spelling: str, needs: set[str]) -> None:
    rule = parse_rule(spelling)
    assert isinstance(rule, Rule)
    assert rule.needs == needs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected FAMILY"),
        ("reads", "expected FAMILY"),
        ("rum(reads)", "no family named 'rum'"),
        ("run()", "expects what it counts first"),
        ("run(window=3)", "expects what it counts first"),
        ("run(read)", "no test named 'read'"),
        ("run(reads,2)", "expects one thing"),
        ("run(tool)", "after tool:"),
        ("run(reads:x)", "after tool:"),
        ("run(tool:a b)", "tool names"),
        ("run(tool:\x1b[31m)", "tool names"),
        ("run(tool:\u202eevil)", "tool names"),
        ("lag(calls)", r"lag\(calls,2\)"),
        ("lag(calls,0)", "a lag from 1 to 64"),
        ("lag(calls,２)", "a lag from 1 to 64"),
        ("lag(called,1)", "no key named 'called'"),
        ("lag(calls+calls,1)", "a key twice"),
        ("lag(call,1,unit=turn)", "is a call's"),
        ("budget(result_chars,unit=turn)", "is a call's"),
        ("budget(tokens)", "nothing named 'tokens' to add up"),
        ("cycle(calls,5..2)", "a longest lap from 5"),
        ("lag(calls,1,window=3)", "parameter of count"),
        ("lag(calls,1,size=3)", "no parameter named 'size'"),
        ("lag(calls,1,only=idle,only=idle)", "given twice"),
        ("lag(calls,1,reset=users)", "no reset named 'users'"),
        ("count(reads)", "needs a window"),
        ("count(calls,window=5,warm_up=6)", "at most its window"),
        ("run(reads,warm_up=6)", "in a count only"),
        ("lag(calls,1,batch=once)", "expected unit=call"),
        ("run(error,batch=once)", "expected a key"),
        ("any(run(reads))", "RULE@THRESHOLD"),
        ("any(any(run(reads)@1)@1)", "not another"),
        ("scan(a b)", "the name of a scanner"),
        ("scan(guard_words,words=30,words=40)", "words is given twice"),
        ("run(reads)\x1b", "expected FAMILY"),
    ],
)
def test_anything_else_is_one_line_of_usage(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as error:
        parse_rule(text)
    assert "\n" not in str(error.value)
    assert "\x1b" not in str(error.value)


def test_a_scan_has_one_spelling() -> None:
    assert str(parse_rule("scan(guard_words, words=030, chunk=00)")) == "scan(guard_words,chunk=0,words=30)"
    assert parse_rule("scan(guard_words,chunk=5,words=30)") == parse_rule("scan(guard_words,words=30,chunk=5)")


def test_a_rule_needs_no_frame_library() -> None:
    import subprocess
    import sys

    code = "import calib.rules, sys; sys.exit(any(m in sys.modules for m in ('polars', 'numpy', 'pyarrow')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
