"""Chat messages to turns and calls: by pencil, and against a literal reading of random episodes."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats._chat import Transcript
from calib.formats._codes import Rejected
from calib.formats._reader import Context
from calib.formats._record import About
from calib.formats._talk import Episode
from calib.formats._thought import native_of
from calib.formats.episode_lines import Reader
from tests.timeless import timeless

Message = dict[str, Any]
COLUMNS = (
    "reasoning", "state", "kind", "reasoning_chars", "same_reasoning", "text", "text_chars", "same_text",
    "tools", "actions", "same_calls", "same_results", "orphans", "user_before", "after_compaction",
)  # fmt: skip


def read(messages: list[Message], text: bool = True) -> tuple[Episode, Counter[str]]:
    transcript = Transcript(text)
    for message in messages:
        transcript.add(message)
    return transcript.finish(About()), transcript.notices


def column(name: str, messages: list[Message]) -> list[Any]:
    return [turn[COLUMNS.index(name)] for turn in read(messages)[0].turns]


def said(reasoning: Any = None, text: Any = None, *calls: Any, **more: Any) -> Message:
    message: Message = {"role": "assistant", "content": text, "tool_calls": list(calls), **more}
    return message if reasoning is None else {**message, "reasoning": reasoning}


def call(name: Any, arguments: Any = "{}", id: Any = None) -> Message:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(content: Any, id: Any = None, **more: Any) -> Message:
    return {"role": "tool", "content": content, **({} if id is None else {"tool_call_id": id}), **more}


def test_same_reasoning_is_the_first_trimmed_equal() -> None:
    plans = ["A", " A\n", "\x1cA\x1f", "\u3000A", "B", "", " \t", None, "a", "B"]
    assert column("same_reasoning", [said(plan) for plan in plans]) == [0, 0, 0, 0, 4, None, None, None, 8, 4]


def test_reasoning_is_kept_as_recorded() -> None:
    assert column("reasoning", [said(" A\n"), said(" "), said("")]) == [" A\n", " ", ""]
    assert column("reasoning_chars", [said(" A\n"), said("😀"), said("")]) == [3, 1, 0]


@pytest.mark.parametrize(
    ("fields", "reasoning", "state"),
    [
        ({"reasoning_content": "a", "reasoning": "b", "thinking": "c"}, "a", "recorded"),
        ({"reasoning_content": "", "reasoning": "b"}, "b", "recorded"),
        ({"reasoning_content": None, "thinking": "c"}, "c", "recorded"),
        ({"reasoning_content": " "}, " ", "empty"),
        ({"reasoning": None}, None, "absent"),
        ({}, None, "absent"),
        ({"reasoning": [{"type": "text", "text": "a"}, "b"]}, "a\nb", "recorded"),
        ({"thinking": {"thinking": "a"}}, "a", "recorded"),
        ({"reasoning": 7}, None, "absent"),
        ({"content": [{"type": "thinking", "thinking": "a"}, {"type": "text", "text": "t"}]}, "a", "recorded"),
        ({"content": [{"type": "redacted_thinking", "data": "x"}]}, None, "withheld"),
        ({"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}, None, "encrypted"),
        ({"reasoning": "a", "reasoning_details": [{"type": "reasoning.encrypted"}]}, "a", "recorded"),
    ],
)
def test_reasoning_and_its_state(fields: Message, reasoning: str | None, state: str) -> None:
    turn = read([{"role": "assistant", **fields}])[0].turns[0]
    assert turn[:2] == [reasoning, state]


@pytest.mark.parametrize(
    ("plans", "states"),
    [
        ([None, None], ["absent", "absent"]),
        ([None, "a", None], ["absent", "recorded", "absent"]),
        ([None, ""], ["absent", "empty"]),
    ],
)
def test_a_turn_without_the_field_is_absent_whatever_others_carry(plans: list[str | None], states: list[str]) -> None:
    assert column("state", [said(plan) for plan in plans]) == states


def test_hidden_reasoning_does_not_make_others_empty() -> None:
    hidden = {"role": "assistant", "reasoning_details": [{"type": "reasoning.encrypted"}]}
    assert column("state", [hidden, said()]) == ["encrypted", "absent"]


def test_text_of_parts() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}, {"type": "text", "text": "b"}]
    texts = [said(None, None), said(None, ""), said(None, "a\nb"), said(None, parts), said(None, [])]
    assert column("text", texts) == [None, "", "a\nb", "a\nb", None]
    assert column("same_text", texts) == [None, None, 2, 2, None]


@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [
        ('{"a": 1, "b": [2]}', '{"b":[2],"a":1}', True),
        ('{"a": "\\u00e9"}', '{"a": "é"}', True),
        ('{"p": 1, "p": 2}', '{"p": 2}', True),
        ('{"a": 1}', '{"a": 1.0}', False),
        ('{"a": NaN}', '{"a":  NaN}', True),
        ('{"a": NaN}', '{"a": null}', False),
        ('{"a": 12345678901234567890123}', '{"a": 12345678901234567890124}', False),
        ('{"command": "x', '{"command": "y', False),
        ('{"command": "x', '{"command": "x', True),
        ("", "{}", False),
        ("{}", {}, True),
        (None, "{}", False),
        (None, None, True),
        ('"{}"', "{}", True),
        ('"{"', "{", False),
        ("[" * 100_000, "[" * 100_000 + " ", False),
    ],
)
def test_equal_calls(first: Any, second: Any, equal: bool) -> None:
    same = column("same_calls", [said(None, None, call("f", first)), said(None, None, call("f", second))])
    assert same == ([0, 0] if equal else [0, 1])


def test_calls_differ_by_tool_order_and_number() -> None:
    f, g = call("f"), call("g")
    lists = [[f], [g], [f, g], [g, f], [f, f], [f], [], [call(None)], [call(None)]]
    assert column("same_calls", [said(None, None, *calls) for calls in lists]) == [0, 1, 2, 3, 4, 0, None, 7, 7]
    assert column("tools", [said(None, None, *calls) for calls in lists[:3]]) == [["f"], ["g"], ["f", "g"]]


def test_results_belong_to_the_calls_of_their_turn() -> None:
    turns = [
        said(None, None, call("f", id="c"), call("g", id="d")), result("D", "d"), result("C", "c"),
        said(None, None, call("f", id="c"), call("g", id="d")), result("C", "c"), result("D", "d"),
        said(None, None, call("f"), call("g")), result("C"), result("D"),
        said(None, None, call("f", id="c")), result("C", "x"),
    ]  # fmt: skip
    episode, notices = read(turns)
    assert [(row[0], row[1], row[6]) for row in episode.calls] == [
        (0, 0, "C"), (0, 1, "D"), (1, 0, "C"), (1, 1, "D"), (2, 0, "C"), (2, 1, "D"), (3, 0, None),
    ]  # fmt: skip
    assert column("same_results", turns) == [0, 0, 0, 3]
    assert notices == {"call-id-reused": 1, "orphan-tool-result": 1, "missing-tool-result": 1}


def test_two_calls_of_one_id_are_paired_in_order() -> None:
    episode, notices = read(
        [said(None, None, call("f", '"a"', "e"), call("f", '"b"', "e")), result("A", "e"), result("B", "e")]
    )
    assert [row[6] for row in episode.calls] == ["A", "B"]
    assert notices == {"call-id-duplicate": 1, "args-not-object": 2}


def test_results_are_measured_and_shortened() -> None:
    episode, _ = read([said(None, None, call("f")), result("é" * 300, is_error=True)])
    assert episode.calls == [[0, 0, "f", "{}", "{}", 300, "é" * 200, True, 0, 0, 0, 0]]
    episode, _ = read([said(None, None, call("f")), result([{"type": "text", "text": "a"}], is_error="yes")])
    assert episode.calls[0][5:8] == [1, "a", None]
    episode, notices = read([said(None, None, call("f")), result(None)])
    assert episode.calls[0][5] == 0
    assert not notices


def test_the_old_function_call() -> None:
    turns: list[Message] = [
        {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "r"},
        {"role": "assistant", "content": "done", "tool_calls": [], "function_call": None},
    ]
    episode, notices = read(turns)
    assert episode.calls == [[0, 0, "f", "{}", "{}", 1, "r", None, 0, 0, 0, None]]
    assert [turn[8] for turn in episode.turns] == [["f"], []]
    assert not notices


def test_calls_in_other_spellings() -> None:
    item = call("f", '{"a":1}', "c")
    custom = {"id": "c", "type": "custom", "custom": {"name": "f", "input": '{"a": 1}'}}
    flat = {"id": 3, "name": "f", "arguments": {"a": 1}}
    spelled = [said(None, None, item), said(None, None, json.dumps(item)), said(None, None, custom), said("", "", flat)]
    assert column("same_calls", spelled) == [0, 0, 0, 0]
    with pytest.raises(Rejected):
        read([said(None, None, "oops")])


def test_arguments_that_are_no_json_are_counted() -> None:
    _, notices = read(
        [said(None, None, call("f", "{x"), call("f", ""), call("f", None)), result(""), result(""), result("")]
    )
    assert notices == {"args-not-json": 1}


def test_user_before() -> None:
    user = {"role": "user", "content": "x"}
    assert column("user_before", [user, said(), said(), user, {"role": "system"}, said()]) == [True, False, True]
    assert column("user_before", [said()]) == [False]


def test_roles_that_are_no_turns() -> None:
    roles = ["system", "developer", "user", "exit", "narrator"]
    episode, notices = read([{"role": role, "content": "x"} for role in roles])
    assert episode.turns == []
    assert notices == {"unknown-role": 1}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"content": "Submitted\ndiff"}, "Submitted"),
        ({"content": "", "extra": {"exit_status": "LimitsExceeded"}}, "LimitsExceeded"),
        ({"content": None}, None),
        ({"extra": 5, "content": [{"type": "text", "text": "x" * 300}]}, "x" * 200),
    ],
)
def test_what_the_last_message_of_a_harness_says(message: Message, said: str | None) -> None:
    transcript = Transcript(True)
    transcript.add({"role": "exit", **message})
    assert transcript.exit == said
    assert not transcript.notices


@pytest.mark.parametrize(
    ("fields", "turn"),
    [
        ({"reasoning_details": [{"text": "a"}, {"text": "b"}]}, ["a\nb", "recorded", "native"]),
        ({"reasoning_details": [{"summary": "a"}, {"type": "reasoning.encrypted"}]}, ["a", "recorded", "summary"]),
        ({"reasoning_details": [{"type": "reasoning.encrypted"}], "reasoning": "b"}, ["b", "recorded", "native"]),
        ({"provider_specific_fields": {"reasoning_content": "a"}}, ["a", "recorded", "native"]),
        ({"provider_specific_fields": {"refusal": None}}, [None, "absent", None]),
        ({"thinking_blocks": [{"type": "thinking", "thinking": "a"}]}, ["a", "recorded", "native"]),
        ({"thinking_blocks": [{"type": "redacted_thinking"}]}, [None, "withheld", None]),
        ({"reasoning_details": [], "reasoning": ""}, ["", "empty", None]),
    ],
)
def test_reasoning_in_the_fields_of_providers(fields: Message, turn: list[Any]) -> None:
    assert read([{"role": "assistant", **fields}])[0].turns[0][:3] == turn


def test_a_summary_stays_one_beside_tags_in_the_text() -> None:
    details = [{"summary": "a"}]
    (turn,) = read([{"role": "assistant", "content": "<think>b</think>c", "reasoning_details": details}])[0].turns
    assert (turn[0], turn[2], turn[5]) == ("a", "summary", "<think>b</think>c")


def test_calls_as_texts_and_of_custom_tools() -> None:
    spelled = json.dumps(call("f", '{"a": 1}', "c1"))
    custom = {"id": "c2", "type": "custom", "custom": {"name": "g", "input": "do it"}}
    episode, notices = read([said(None, None, spelled, custom), result("A", "c1"), result("B", "c2")])
    assert [row[2:4] + row[6:7] for row in episode.calls] == [["f", '{"a": 1}', "A"], ["g", "do it", "B"]]
    assert notices == {"args-not-json": 1}
    with pytest.raises(Rejected):
        read([said(None, None, "{broken")])


def test_markup_of_calls_is_counted_where_it_is_no_call() -> None:
    text = 'So.\n<tool_call>{"name": "f"}</tool_call>'
    episode, notices = read([said(None, text), said(None, text, call("f")), said(None, "as in <tool_call> tags")])
    assert column("text", [said(None, text)]) == [text]
    assert len(episode.calls) == 1
    assert notices["call-markup-in-text"] == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [('"{\\"a\\": 1}"', "args-double-encoded"), ("[1]", "args-not-object"), ('"x"', "args-not-object"),
     ("{}", ""), ("", ""), ('{"a": NaN}', ""), ("{", "args-not-json"), ([1], "")],
)  # fmt: skip
def test_what_is_odd_about_arguments(arguments: Any, code: str) -> None:
    _, notices = read([said(None, None, call("f", arguments)), result("A")])
    assert notices == ({code: 1} if code else {})


def test_a_refused_message_changes_nothing() -> None:
    transcript = Transcript(True)
    transcript.add(said("a"))
    with pytest.raises(Rejected):
        transcript.add(said("b", "t", "oops"))
    transcript.add(said("c"))
    transcript.add(said("b"))
    turns = transcript.finish(About()).turns
    assert [turn[4] for turn in turns] == [0, 1, 2]


def test_without_text_calls_have_none_and_the_rest_is_equal() -> None:
    turns = [said("plan", "text", call("f", '{"x":1}')), result("res"), said("plan")]
    with_text, without = read(turns)[0], read(turns, text=False)[0]
    assert without.turns == with_text.turns  # what rules read off the texts is counted when the part is written
    assert without.calls == [[0, 0, "f", None, None, 3, None, None, 0, 0, 0, None]]
    assert without.digest == with_text.digest


def test_the_digest_sees_equalities_and_lengths() -> None:
    same, other, longer = [said("a"), said("a")], [said("a"), said("b")], [said("aa"), said("aa")]
    digests = {read(turns)[0].digest for turns in (same, other, longer, [said("a")], [said("a"), said("a", "t")])}
    assert len(digests) == 5
    assert read([said("x"), said("x")])[0].digest == read(same)[0].digest


texts = st.sampled_from([None, "", " ", "a", " a", "a\n", "b", "é", "\x1fa"])
arguments = st.sampled_from([None, "", "{}", "{ }", '{"a":1,"b":2}', '{"b": 2, "a": 1}', "{x", {"a": 1, "b": 2}])
calls = st.lists(
    st.builds(call, st.sampled_from(["f", "g", None]), arguments, st.sampled_from(["1", "2", None])), max_size=3
)
turns = st.builds(lambda r, t, c: said(r, t, *c), texts, texts, calls)
said_back = st.sampled_from(["", "r", "s", "1 failed in 0.03s", "1 failed in 0.04s", "2 failed in 0.03s"])
results = st.builds(
    lambda text, id, error: result(text, id, **({} if error is None else {"is_error": error})),
    said_back, st.sampled_from(["1", "2", None]), st.sampled_from([None, False, True, True]),
)  # fmt: skip
others = st.sampled_from([{"role": "user", "content": "u"}, {"role": "system", "content": "s"}, {"role": "odd"}])
conversations = st.lists(turns | results | others, max_size=14)


def spell(arguments: Any) -> Any:
    if arguments is None:
        return None
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        return ("json", json.dumps(json.loads(text), sort_keys=True))
    except ValueError:
        return ("text", text)


def paired(turn: Message, answers: list[Message]) -> tuple[list[str | None], list[str]]:
    """The results of a turn: of each of its calls, and those of no call."""
    ids = [one["id"] for one in turn["tool_calls"]]
    slots: list[str | None] = [None] * len(ids)
    loose: list[str] = []
    for answer in answers:
        free = [at for at in range(len(ids)) if slots[at] is None]
        wanted = answer.get("tool_call_id")
        fits = [at for at in free if wanted is None or ids[at] == wanted] or [at for at in free if ids[at] is None]
        if fits:
            slots[fits[0]] = answer["content"]
        else:
            loose.append(answer["content"])
    return slots, loose


def turns_of(messages: list[Message]) -> list[tuple[Message, list[Message]]]:
    """Each turn with the results after it."""
    starts = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    ends = [*starts[1:], len(messages)]
    return [
        (messages[start], [message for message in messages[start:end] if message["role"] == "tool"])
        for start, end in zip(starts, ends, strict=False)
    ]


def key_of(one: Message) -> tuple[str | None, Any]:
    return one["function"]["name"], spell(one["function"]["arguments"])


def literal_calls(messages: list[Message]) -> list[list[int | None]]:
    """Compare each call and its result with every earlier one of the episode."""
    calls: list[Any] = []
    results: list[str | None] = []
    for turn, answers in turns_of(messages):
        calls += map(key_of, turn["tool_calls"])
        results += paired(turn, answers)[0]
    return [
        [calls.index(one), None if text is None else results.index(text)]
        for one, text in zip(calls, results, strict=True)
    ]


def literal(messages: list[Message]) -> list[list[int | None]]:
    """Read the four equalities word by word: compare each turn with every earlier one."""
    keys: list[list[Any]] = []
    for turn, answers in turns_of(messages):
        slots, loose = paired(turn, answers)
        texts = [text for text in slots if text is not None] + loose
        calls = [key_of(one) for one in turn["tool_calls"]]
        keys.append([(turn.get("reasoning") or "").strip(), (turn["content"] or "").strip(), calls, texts])
    return [
        [next(i for i, other in enumerate(keys) if other[k] == key[k]) if key[k] else None for k in range(4)]
        for key in keys
    ]


@given(conversations)
@settings(max_examples=200, deadline=None)
def test_equalities_are_the_literal_ones(messages: list[Message]) -> None:
    found = [[turn[4], turn[7], turn[10], turn[11]] for turn in read(messages)[0].turns]
    assert found == literal(messages)


def test_results_that_come_in_another_order() -> None:
    calls = [call("f", "1", "a"), call("f", "2", "b")]
    episode, _ = read([said("plan", None, *calls), result("r", "b"), result("r", "a")])
    assert [one[8:] for one in episode.calls] == [[0, 0, 0, None], [1, 0, 1, None]]


@given(conversations)
@settings(max_examples=150, deadline=None)
def test_equal_calls_and_results_are_the_literal_ones(messages: list[Message]) -> None:
    calls = read(messages)[0].calls
    assert [one[8:10] for one in calls] == literal_calls(messages)
    written = [(one[8], one[3]) for one in calls]
    assert [one[10] for one in calls] == [written.index(one) for one in written]
    failures = [(one[7], timeless(one[6])) if one[7] else None for one in calls]
    assert [one[11] for one in calls] == [failure and failures.index(failure) for failure in failures]


def test_calls_written_otherwise_are_equal_and_written_otherwise() -> None:
    texts = ['{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"b":2}', '{"b":2,"a":1}', '{"a": 1,"b":2}', '{"a":2}']
    for keep in (True, False):
        calls = read([said(None, None, *(call("f", text) for text in texts))], text=keep)[0].calls
        assert [one[8] for one in calls] == [0, 0, 0, 0, 0, 5]
        assert [one[10] for one in calls] == [0, 1, 0, 1, 4, 5]


@given(conversations)
@settings(max_examples=150, deadline=None)
def test_views_and_dicts_give_the_same_episode(messages: list[Message]) -> None:
    fast_notices: Counter[str] = Counter()
    slow_notices: Counter[str] = Counter()
    data = json.dumps({"episode_id": "x", "messages": messages}).encode()
    (fast,) = Reader(Context(True, fast_notices)).feed(data, (1, 0, len(data)))
    slowed = data[:-1] + b', "n": NaN}'  # the fast parser refuses NaN
    (slow,) = Reader(Context(True, slow_notices)).feed(slowed, (1, 0, len(data)))
    assert (fast.turns, fast.calls, fast.digest) == (slow.turns, slow.calls, slow.digest)
    assert slow_notices - fast_notices == {"nonfinite-number": 1}


def test_content_of_another_shape_is_kept_as_json() -> None:
    odd = {"b": 1, "a": [True]}
    episode, notices = read([said(None, odd, call("f")), result(odd), said(None, {"text": "t"}), said(None, 5)])
    assert [turn[5] for turn in episode.turns] == ['{"a":[true],"b":1}', "t", "5"]
    assert episode.calls[0][6] == '{"a":[true],"b":1}'
    assert notices == {"content-shape": 4}
    assert not read([said(None, []), said(None, None), said(None, [{"type": "image_url"}])])[1]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"thinking_blocks": [{"type": "thinking", "thinking": " \n"}]}, "empty"),
        ({"thinking_blocks": [{"type": "thinking", "thinking": ""}]}, "empty"),
        ({"thinking_blocks": [{"type": "thinking", "thinking": " ", "signature": "x"}]}, "withheld"),
        ({"thinking_blocks": [{"type": "thinking", "thinking": "a", "signature": "x"}]}, "recorded"),
        ({"thinking_blocks": []}, "absent"),
        ({"responses_reasoning_item": {"summary": [" "], "encrypted_content": "x"}}, "encrypted"),
        ({"content": [{"type": "thinking", "thinking": "", "signature": "x"}]}, "withheld"),
        ({"content": [{"type": "thinking", "thinking": ""}, {"type": "text", "text": "t"}]}, "empty"),
    ],
)
def test_reasoning_of_white_space_is_empty_and_behind_a_signature_withheld(message: Any, expected: str) -> None:
    assert native_of(message, message.get("content")).state == expected


def test_roles_in_other_spellings() -> None:
    talk = Transcript(True)
    for role in ("System", "Human", "AI", "model", "Tool", "narrator"):
        talk.add({"role": role, "content": role})
    episode = talk.finish(About())
    assert [turn[5] for turn in episode.turns] == ["AI", "model"]
    assert talk.notices == {"orphan-tool-result": 1, "unknown-role": 1}


@pytest.mark.parametrize(("other", "count"), [("a", 0), (" a\n", 0), ("b", 1), ("", 0), (None, 0)])
def test_two_fields_of_reasoning_that_differ(other: str | None, count: int) -> None:
    talk = Transcript(True)
    talk.add({"role": "assistant", "content": "t", "reasoning_content": "a", "reasoning": other})
    assert talk.notices["reasoning-conflict"] == count
    assert talk.finish(About()).turns[0][0] == "a"


@pytest.mark.parametrize("spelled", [
    json.dumps([call("f", "{}", "c"), call("g", "{}", "d")]), json.dumps([json.dumps(call("f", "{}", "c")), call("g")]),
])  # fmt: skip
def test_calls_as_one_text(spelled: str) -> None:
    message = {"role": "assistant", "content": "", "tool_calls": spelled}
    assert column("tools", [message, {"role": "tool", "content": "r"}]) == [["f", "g"]]


def test_one_call_that_is_no_list_and_an_old_one_as_text() -> None:
    alone = {"role": "assistant", "tool_calls": call("f", "{}", "c")}
    old = {"role": "assistant", "function_call": '{"name": "f", "arguments": "{}"}'}
    assert column("same_calls", [alone, old]) == [0, 0]


@pytest.mark.parametrize("none", ["", " ", "null", "[]", "None", {}, 0])
def test_no_calls_in_other_spellings(none: Any) -> None:
    assert column("tools", [{"role": "assistant", "content": "x", "tool_calls": none}]) == [[]]


@pytest.mark.parametrize("broken", ["[{", "7", '"x"'])
def test_calls_as_a_text_that_holds_none_are_refused(broken: str) -> None:
    with pytest.raises(Rejected):
        read([{"role": "assistant", "tool_calls": broken}])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": "", "refusal": "I will not."}, "I will not."),
        ({"content": "So.", "refusal": "I will not."}, "So."),
        ({"content": None, "refusal": None}, None),
        ({"content": "", "refusal": ""}, ""),
    ],
)
def test_a_refusal_is_text(fields: Message, said: str | None) -> None:
    assert column("text", [{"role": "assistant", **fields}]) == [said]


SUMMARY = [{"type": "summary_text", "text": "**Look**"}]


@pytest.mark.parametrize(
    ("fields", "turn"),
    [
        ({"reasoning": {"id": "rs", "summary": SUMMARY}}, ["**Look**", "recorded", "summary"]),
        ({"reasoning": [{"type": "reasoning", "summary": SUMMARY}]}, ["**Look**", "recorded", "summary"]),
        ({"reasoning": {"text": "a", "summary": SUMMARY}}, ["a", "recorded", "native"]),
        ({"content": [{"type": "reasoning", "summary": SUMMARY}]}, ["**Look**", "recorded", "summary"]),
        ({"content": [{"type": "reasoning", "summary": [], "encrypted_content": "x"}]}, [None, "encrypted", None]),
        ({"reasoning": {"id": "rs", "summary": [], "encrypted_content": "x"}}, [None, "encrypted", None]),
        ({"reasoning": {"effort": 7}}, [None, "absent", None]),
        ({"provider_specific_fields": {"reasoning_details": [{"summary": "a"}]}}, ["a", "recorded", "summary"]),
        ({"provider_specific_fields": {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}},
         [None, "encrypted", None]),
        ({"reasoning_details": [{"type": "reasoning.text", "text": "", "signature": "x"}]}, [None, "withheld", None]),
    ],
)  # fmt: skip
def test_reasoning_in_objects_and_lists(fields: Message, turn: list[Any]) -> None:
    assert read([{"role": "assistant", "content": "t", **fields}])[0].turns[0][:3] == turn
