"""What is remembered of histories changes no verdict; edited requests lose nothing but reasoning."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.edits import Edit, edited
from calib.live import Filter
from calib.live._judge import Judge, Verdict
from tests.live.talking import talks

POINT = "repeated_plan@1 | search_run@2"


def body(messages: list[dict[str, Any]], **more: Any) -> bytes:
    return json.dumps({"model": "m", "messages": messages, **more}).encode()


def seen(verdict: Verdict | None) -> Any:
    assert verdict is not None
    return verdict.task, verdict.turns, verdict.levels, verdict.fire, verdict.body


@settings(max_examples=60, deadline=None)
@given(st.lists(talks(), min_size=1, max_size=3), st.data(), st.sampled_from(["full", "keep_first", "drop_all_copies"]))
def test_no_verdict_depends_on_what_was_judged_before(
    histories: list[list[dict[str, Any]]], data: st.DataObject, edit: str
) -> None:
    judge = Judge(Filter(POINT, edit))
    for _ in range(12):
        messages = data.draw(st.sampled_from(histories))
        ends = [at for at in range(1, len(messages) + 1) if at == len(messages) or messages[at]["role"] == "assistant"]
        history = messages[: data.draw(st.sampled_from(ends))]
        name = data.draw(st.sampled_from([None, "a"]))
        request = body(history, stream=True, note="é\n")
        fresh = Judge(Filter(POINT, edit)).verdict(request, name)
        assert seen(judge.verdict(request, name)) == seen(fresh)
        assert fresh is not None
        if fresh.body is not None:
            sent = json.loads(fresh.body)
            assert sent == {**json.loads(request), "messages": edited(history, Edit(edit))}
            assert list(sent) == list(json.loads(request))


def test_what_loses_nothing_keeps_its_bytes() -> None:
    step = '{"role":  "assistant", "reasoning_content": "Look.", "content": "\\u00e9"}'
    user = '{"role":\t"user", "content": "\\u00e9  \\/", "x": 1.50}'
    request = f'{{ "messages": [ {user},{step}, {step} ], "temperature": 0.10 }}'.encode()
    verdict = Judge(Filter("repeated_plan@1")).verdict(request, None)
    assert verdict is not None
    assert verdict.body is not None
    assert user.encode() in verdict.body
    assert b'"temperature":0.10' in verdict.body
    assert b"Look" not in verdict.body
    assert verdict.removed == len(request) - len(verdict.body)


def test_a_named_task_stays_armed_in_every_process(tmp_path: Path) -> None:
    ask = {"role": "user", "content": "Go."}
    step = {"role": "assistant", "reasoning_content": "A", "content": "b"}
    one, other = (Judge(Filter("repeated_plan@1"), tmp_path) for _ in range(2))
    fired = one.verdict(body([ask, step, step]), "t")
    assert fired is not None
    assert (fired.fire is not None, fired.earlier) == (True, False)
    short = other.verdict(body([ask, step]), "t")
    assert short is not None
    assert (short.fire, short.earlier, b"reasoning" in (short.body or b"")) == (None, True, False)
    for judge, name in ((other, "u"), (one, None), (other, None)):
        free = judge.verdict(body([ask, step]), name)
        assert free is not None
        assert (free.earlier, free.body) == (False, None)


@pytest.mark.parametrize("count", [3, 600])
def test_what_is_remembered_is_bounded(count: int) -> None:
    judge = Judge(Filter(POINT))
    for number in range(count):
        judge.verdict(body([{"role": "user", "content": str(number)}]), None)
        judge.verdict(body([{"role": "user", "content": "same"}, {"role": "user", "content": str(number)}]), None)
    known = judge._known
    assert len(known) <= min(count + 1, 512)
    assert max(map(len, known.values())) <= min(count, 64)


def test_a_message_that_loses_reasoning_keeps_the_bytes_of_every_other_field() -> None:
    kept = '"content":  "\\u00e9", "tool_calls": [{"function": {"name": "f", "arguments": {"n": 1.50E+2, "z": -0}}}]'
    step = f'{{"role": "assistant", "reasoning_content": "Look.", {kept}}}'
    ask = '{"role": "user", "content": "Go."}'
    sent = f'{{"messages": [{", ".join([ask, step, step])}]}}'.encode()
    verdict = Judge(Filter(POINT)).verdict(sent, None)
    assert verdict is not None
    assert verdict.body is not None
    for value in ('"\\u00e9"', '[{"function": {"name": "f", "arguments": {"n": 1.50E+2, "z": -0}}}]'):
        assert verdict.body.count(value.encode()) == 2
    assert b"Look." not in verdict.body
