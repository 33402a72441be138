"""Edits of a history: by pencil, and what every edit promises, on random histories."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.edits import EDITS, PROVIDERS, Edit, Edited, History, edit_name, edited, provider, removed, usual
from calib.edits.fires import told
from calib.errors import UsageError
from calib.formats._chat import Transcript
from calib.formats._record import About
from calib.formats._talk import Episode
from tests.edits.saved import FIELDS, Message, answers, histories, history, items, kept, step
from tests.formats.reading import column

PLAIN, BLANK = PROVIDERS["plain"], PROVIDERS["blank"]
BY = st.sampled_from([name for name in EDITS if name != "guard"])


def read(messages: list[Message]) -> Episode:
    transcript = Transcript(True)
    for message in messages:
        transcript.add(message)
    return transcript.finish(About())


def blocks(messages: list[Message]) -> list[str]:
    return [(text or "").strip() for text in column("reasoning", read(messages))]


# The worked example of note 000, section 6.5.
@pytest.mark.parametrize(
    ("by", "left"),
    [
        ("none", "A A A B A A"),
        ("keep_first", "A – – B A –"),
        ("drop_all_copies", "– – – B – –"),
        ("full", "– – – – – –"),
    ],
)
def test_the_worked_example_of_the_note(by: str, left: str) -> None:
    assert kept(edited(history("A A A B A A"), Edit(by))) == left


@pytest.mark.parametrize(
    ("plan", "first", "neither"),
    [
        ("A . A", "A – A", "A – A"),  # an empty block repeats nothing
        (". . A", "– – A", "– – A"),
        ("A - A", "A – A", "A – A"),
        ("A B A B", "A B A B", "A B A B"),
        ("A A", "A –", "– –"),
        ("A", "A", "A"),
    ],
)
def test_only_consecutive_equal_blocks_are_repeats(plan: str, first: str, neither: str) -> None:
    assert kept(edited(history(plan), Edit("keep_first"))) == first
    assert kept(edited(history(plan), Edit("drop_all_copies"))) == neither


def test_blocks_are_equal_after_trimming_as_python_trims() -> None:
    messages = history("A A")
    messages[4]["reasoning_content"] = "\x1c Plan A.\x1f\n"
    assert kept(edited(messages, Edit("keep_first"))) == "A –"


def test_the_last_block_of_a_request_is_no_copy_before_it_was_repeated() -> None:
    whole = Edited(History(history("A A A B B")), Edit("drop_all_copies"))
    assert [kept(whole.request(number)) for number in range(6)] == [
        "", "A", "– –", "– – –", "– – – B", "– – – – –",
    ]  # fmt: skip


def test_requests_before_the_first_one_edited_are_as_they_were() -> None:
    whole = Edited(History(history("A A A")), Edit("full"))
    assert [kept(whole.request(number, first=2)) for number in range(4)] == ["", "A", "– –", "– – –"]


def test_other_bytes_stay_and_their_order() -> None:
    (message,) = edited([{"reasoning": "a", "role": "assistant", "content": "b", "x": {"y": 1}}], Edit("full"))
    assert json.dumps(message) == '{"role": "assistant", "content": "b", "x": {"y": 1}}'


def test_some_servers_want_the_field_empty() -> None:
    messages = history("A A")
    assert [m["reasoning_content"] for m in edited(messages, Edit("full", BLANK))[2::2]] == ["", ""]
    assert "reasoning_content" not in edited(messages, Edit("full"))[2]


def test_the_open_tool_use_turn_stays_where_a_provider_wants_it() -> None:
    asked = [*history("A A"), {"role": "user", "content": "More."}, *history("A A")[2:]]
    assert kept(edited(asked, Edit("full", PROVIDERS["anthropic"]))) == "– – A A"
    assert kept(edited(asked, Edit("keep_first", PROVIDERS["anthropic"]))) == "A – A A"
    assert kept(edited(asked, Edit("full"))) == "– – – –"


def test_the_results_of_tools_ask_nothing() -> None:
    thought = {"type": "thinking", "thinking": "A", "signature": "s"}
    said = {"role": "assistant", "content": [thought, {"type": "tool_use", "id": "c", "name": "n", "input": {}}]}
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "r"}]}
    asked = {"role": "user", "content": [{"type": "text", "text": "Go."}]}
    messages: list[Message] = [asked, said, answer, said, answer]
    assert usual(messages).name == "anthropic"
    assert edited(messages, Edit("full", usual(messages))) == messages
    after = edited([*messages, asked], Edit("full", usual(messages)))
    assert [part["type"] for message in after if message["role"] == "assistant" for part in message["content"]] == [
        "tool_use", "tool_use",
    ]  # fmt: skip


def test_a_message_of_anthropic_that_is_reasoning_alone_keeps_it_for_empty_content_is_refused() -> None:
    alone = {"role": "assistant", "content": [{"type": "thinking", "thinking": "A", "signature": "s"}]}
    asked = {"role": "user", "content": "And?"}
    assert edited([alone, asked], Edit("full", PROVIDERS["anthropic"])) == [alone, asked]
    assert edited([alone, asked], Edit("full"))[0]["content"] == []


def test_items_are_turns_by_their_runs_and_reasoning_items_go_whole() -> None:
    messages = items("A A B . A")
    assert History(messages).turns == 5
    assert History(messages).blocks == ["Plan A.", "Plan A.", "Plan B.", None, "Plan A."]
    left = edited(messages, Edit("keep_first"))
    assert [item["summary"][0]["text"] for item in left if item.get("type") == "reasoning"] == [
        "Plan A.", "Plan B.", "Plan A.",
    ]  # fmt: skip
    assert [item for item in left if item.get("type") != "reasoning"] == [
        item for item in messages if item.get("type") != "reasoning"
    ]
    assert usual(messages).name == "openai"
    assert edited(messages, Edit("full", usual(messages))) == messages  # one user message: all of it is the open turn


def test_guard_cuts_inside_the_block_and_nothing_else() -> None:
    def cut(text: str) -> str:
        return text.partition("!!!")[0]

    messages: list[Message] = [
        {"role": "assistant", "reasoning": "a!!!!", "content": "x!!!"},
        {"role": "assistant", "content": "<think>b!!!!</think>x!!!"},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "c!!!"}, {"type": "text", "text": "x!!!"}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "d!!!", "signature": "s"}]},
        {"role": "assistant", "reasoning_content": "fine", "content": None},
    ]
    left = edited(messages, Edit("guard", cut=cut))
    assert left[0] == {"role": "assistant", "reasoning": "a", "content": "x!!!"}
    assert left[1]["content"] == "<think>b</think>x!!!"
    assert left[2]["content"] == [{"type": "thinking", "thinking": "c"}, {"type": "text", "text": "x!!!"}]
    assert left[3]["content"] == []  # signed: it goes whole
    assert left[4] is messages[4]


def test_guard_cuts_by_note_003_at_its_published_thresholds() -> None:
    loop = "Steps.\n" + "「" * 30 + "go" + "」" * 30
    messages = [step(loop), step("Fine.")]
    once = edited(messages, Edit("guard"))
    assert once[0]["reasoning_content"] == "Steps.\n\n[thinking truncated: repetition loop detected]"
    assert once[1] is messages[1]
    assert edited(once, Edit("guard")) == once


def test_names() -> None:
    assert (edit_name("F"), edit_name("D1"), edit_name("drop-all-copies")) == ("full", "keep_first", "drop_all_copies")
    with pytest.raises(UsageError, match=r"edit 'ful': expected one of full"):
        edit_name("ful")
    with pytest.raises(UsageError, match=r"provider 'open': expected one of openai"):
        provider("open")


@settings(max_examples=150, deadline=None)
@given(histories(), BY, st.sampled_from(list(PROVIDERS.values())))
def test_an_edit_removes_nothing_but_reasoning(messages: list[Message], by: str, rules: Any) -> None:
    before = copy.deepcopy(messages)
    left = edited(messages, Edit(by, rules))
    assert messages == before  # the saved history stays
    assert len(left) == len(messages)
    was, now = read(messages), read(left)
    for name in ("tools", "same_calls", "same_results", "user_before"):
        assert column(name, now) == column(name, was)
    answers = [message for message in messages if message["role"] == "assistant"]
    for message, text, old_text in zip(answers, column("text", now), column("text", was), strict=True):
        if isinstance(message["content"], str):
            assert text == old_text
        else:  # parts that are left empty go, and with them the line feeds between
            assert (text or "").strip() == (old_text or "").strip()
    assert now.calls == was.calls
    for old, new in zip(messages, left, strict=True):
        other = {key: value for key, value in old.items() if key not in (*FIELDS, "content", *DEEP)}
        assert {key: value for key, value in new.items() if key not in (*FIELDS, "content", *DEEP)} == other
    for text, old_text in zip(blocks(left), blocks(messages), strict=True):
        assert text in ("", old_text)


DEEP = ("reasoning_details", "thinking_blocks", "responses_reasoning_item", "provider_specific_fields")


@settings(max_examples=150, deadline=None)
@given(histories())
def test_the_edits_are_nested_and_full_leaves_none(messages: list[Message]) -> None:
    original = blocks(messages)
    first, copies, full = (blocks(edited(messages, Edit(by))) for by in ("keep_first", "drop_all_copies", "full"))
    for whole, one, two, none in zip(original, first, copies, full, strict=True):
        assert one in ("", whole)
        assert two in ("", one)
        assert none == ""


@settings(max_examples=150, deadline=None)
@given(histories(), BY, st.sampled_from(list(PROVIDERS.values())))
def test_editing_twice_is_editing_once(messages: list[Message], by: str, rules: Any) -> None:
    once = edited(messages, Edit(by, rules))
    assert edited(once, Edit(by, rules)) == once


@settings(max_examples=100, deadline=None)
@given(histories(), BY, st.sampled_from(list(PROVIDERS.values())), st.integers(0, 12))
def test_all_requests_at_once_are_each_request_alone(messages: list[Message], by: str, rules: Any, first: int) -> None:
    saved = History(messages)
    whole = Edited(saved, Edit(by, rules))
    for number in range(saved.turns + 1):
        sent = messages[: saved.end(number)]
        assert whole.request(number, first) == (sent if number < first else edited(sent, Edit(by, rules)))
        if number < first:
            assert json.dumps(whole.request(number, first)) == json.dumps(sent)


@settings(max_examples=150, deadline=None)
@given(st.lists(answers(), max_size=8))
def test_blocks_are_those_that_detectors_compare(messages: list[Message]) -> None:
    assert [block or "" for block in History(messages).blocks] == blocks(messages)


def test_each_message_is_edited_once_for_all_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = Edit.of

    def counted(self: Edit, message: Message, gone: bool) -> Message | None:
        seen.append(id(message))
        return real(self, message, gone)

    monkeypatch.setattr(Edit, "of", counted)
    messages = history("A A B B " * 25)
    whole = Edited(History(messages), Edit("drop_all_copies"))
    assert sum(len(whole.request(number)) for number in range(101)) > 10_000
    assert len(seen) == len(set(seen)) == 100


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from("AB.-")), BY)
def test_items_lose_their_reasoning_items_and_nothing_else(marks: list[str], by: str) -> None:
    messages = items(" ".join(marks))
    saved = History(messages)
    gone = removed(saved.blocks, by)
    left = edited(messages, Edit(by))
    expected = [
        item
        for item, turn in zip(messages, saved.turn_of, strict=True)
        if item.get("type") != "reasoning" or not gone[turn]
    ]
    assert left == expected
    assert edited(left, Edit(by)) == left
    assert saved.turns == len(marks)


@pytest.mark.parametrize("kind", ["mcp_approval_response", "unknown_to_all", None, ["a"]])
def test_an_item_that_readers_pass_over_does_not_end_a_turn(kind: object) -> None:
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "A"}]}
    call = {"type": "function_call", "call_id": "1", "name": "read_file", "arguments": "{}"}
    items: list[Any] = [{"role": "user", "content": "Go."}, thought, {"type": kind, "id": "x"}, call]
    assert History(items).turns == len(told(items, "responses").turns) == 1
