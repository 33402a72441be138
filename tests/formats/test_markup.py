"""Calls in texts: each syntax by pencil, and texts of markup in time."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats._markup import calls_in

OPENED, CLOSED = "<in" + 'voke name="', "</in" + "voke>"
GIVEN, TAKEN = "<para" + 'meter name="', "</para" + "meter>"


def invoke(name: str, space: str = "", **given: str) -> str:
    inner = "".join(f'{GIVEN}{key}">{value}{TAKEN}\n' for key, value in given.items())
    text = f'{OPENED}{name}">\n{inner}{CLOSED}'
    return text.replace("<", f"<{space}").replace(f"<{space}/", f"</{space}") if space else text


@pytest.mark.parametrize(
    ("text", "rest", "found"),
    [
        ('a\n<tool_call>\n{"name": "f", "arguments": {"x": 1}}\n</tool_call>', "a", [("f", '{"x":1}')]),
        ('<tool_call>[{"name": "f", "arguments": {}}, {"name": "g"}]</tool_call>b', "b", [("f", "{}"), ("g", None)]),
        ('<tool_call>{"name": "f", "arguments": "{}"}\n{"name": "g", "arguments": {}}</tool_call>', "",
         [("f", "{}"), ("g", "{}")]),
        ('<tool_call>{"function": {"name": "f", "arguments": {}}}</tool_call>', "", [("f", "{}")]),
        ('<tool_call>{"name": "f", "argum', "", [("f", '{"name": "f", "argum')]),
        ("<tool_call>{'name': 'f'}</tool_call>", "", [("f", "{'name': 'f'}")]),
        ('<tool_call>search("x")</tool_call>', "", [(None, 'search("x")')]),
        ("<tool_call>\n<function=f>\n<parameter=x>\n1\n</parameter>\n<parameter=y>a\nb</parameter>\n</function>\n"
         "</tool_call>", "", [("f", '{"x":"1","y":"a\\nb"}')]),
        ("So.\n<function=f><parameter=x>1</parameter></function>", "So.", [("f", '{"x":"1"}')]),
        ("<function=f></function>", "", [("f", "{}")]),
        ('<function=f>{"x": 1}</function>', "", [("f", '{"x": 1}')]),
        ("<function=f>\n<parameter=x>\n1", "", [("f", '{"x":"1"}')]),
        (f"<function_calls>\n{invoke('f', x='1')}\n{invoke('g')}\n</function_calls>end", "end",
         [("f", '{"x":"1"}'), ("g", "{}")]),
        (invoke("f", x="1", y="<b>"), "", [("f", '{"x":"1","y":"<b>"}')]),
        (invoke("f", "ns:", x="1"), "", [("f", '{"x":"1"}')]),
        ('```json\n{"name": "f", "arguments": {"x": 1}}\n```\nend', "end", [("f", '{"x":1}')]),
        ('```json\n{"action": "f", "action_input": "x"}\n```', "", [("f", "x")]),
        ('```tool_call\n{"name": "f"}\n```', "", [("f", None)]),
        ("```tool_code\nprint(1)\n```", "", [(None, "print(1)")]),
        ('[TOOL_CALLS] [{"name": "f", "arguments": {}}]', "", [("f", "{}")]),
    ],
)  # fmt: skip
def test_syntaxes(text: str, rest: str, found: list[tuple[Any, Any]]) -> None:
    left, calls = calls_in(text)
    assert left == rest
    assert [(call.tool, call.arguments) for call in calls] == found


@pytest.mark.parametrize(
    "text",
    ["", "Use `<tool_call>` for it.", "<tool_call>", "the <tool_call> tag", "```python\nprint(1)\n```\nDone.",
     '```json\n{"name": "Ann"}\n```', '```json\n[1]\n```', "```\nls\n```", "a <function> b", "<invoke it>",
     "```json\n{"],
)  # fmt: skip
def test_texts_that_hold_no_call(text: str) -> None:
    assert calls_in(text) == (text, [])


def test_an_id_and_broken_arguments() -> None:
    (call,) = calls_in('<tool_call>{"id": "c1", "name": "f", "arguments": "{x"}</tool_call>').calls
    assert (call.id, call.broken) == ("c1", True)
    (call,) = calls_in("<tool_call>{f</tool_call>").calls
    assert call.broken is True


PIECES = (
    "<tool_call>", "</tool_call>", "<function=f>", "</function>", "```", "```json", "\n", "{", "}", '"name": "f"',
    "[1]", "[TOOL_CALLS]", "<function_calls>", CLOSED, OPENED + 'f">', GIVEN + 'x">', TAKEN, "a", " ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    rest, calls = calls_in(text)
    assert len(rest) <= len(text)
    assert calls or rest == text
    assert all(json.dumps(call.arguments) for call in calls)


@pytest.mark.parametrize("piece", [piece for piece in PIECES if len(piece) > 1] + ['```\n{"name":1}\n', "<function=a>"])
def test_the_time_grows_with_the_text(piece: str) -> None:
    def taken(times: int) -> float:
        began = time.process_time()
        calls_in(piece * times)
        return time.process_time() - began

    taken(100)
    assert taken(40_000) < 400 * max(taken(1_000), 0.002)
