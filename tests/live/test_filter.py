"""The filter: nothing before the fire, an edit ever after, the saved history untouched."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.edits import Edit, edited
from calib.errors import UsageError
from calib.live import Filter, Fire, NotUnderstood
from tests.live.talking import talks

Message = dict[str, Any]
TASK = {"role": "user", "content": "Go."}


def said(reasoning: str) -> Message:
    return {"role": "assistant", "reasoning_content": reasoning, "content": "…"}


def blocks(messages: list[Message]) -> str:
    """The reasoning of each response, `-` for none."""
    return " ".join(message.get("reasoning_content", "-") for message in messages if message["role"] == "assistant")


def sent(live: Filter, drawing: str) -> list[str]:
    """What each request of an episode holds: one before each turn, and one after the last."""
    history: list[Message] = [TASK]
    found = [blocks(live.request(history))]
    for block in drawing.split():
        history = [*history, said(block)]
        found.append(blocks(live.request(history)))
    return found[1:]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ("full", ["A", "A A", "- - -", "- - - -", "- - - - -", "- - - - - -"]),
        ("keep_first", ["A", "A A", "A - -", "A - - B", "A - - B A", "A - - B A -"]),
        ("D2", ["A", "A A", "- - -", "- - - B", "- - - B A", "- - - B - -"]),
        ("none", ["A", "A A", "A A A", "A A A B", "A A A B A", "A A A B A A"]),
    ],
)
def test_the_example_of_the_note_live(edit: str, expected: list[str]) -> None:
    live = Filter("repeated_plan@2", edit)
    assert sent(live, "A A A B A A") == expected
    assert live.fire == Fire(2, ("repeated_plan",))


def test_the_guard_cuts_what_swells() -> None:
    live = Filter("scan(guard_brackets)@12", "guard")
    history = [TASK, said("Plan. " + "「" * 20)]
    assert live.request(history)[1]["reasoning_content"] == "Plan.\n\n[thinking truncated: repetition loop detected]"
    assert live.request([*history, said("Next.")])[2] == said("Next.")


def test_in_shadow_it_fires_and_edits_nothing() -> None:
    live = Filter("T2@2", shadow=True)
    assert sent(live, "A A A B") == ["A", "A A", "A A A", "A A A B"]
    assert live.armed


def test_before_the_fire_the_list_is_the_same_object() -> None:
    live, history = Filter("T2@2"), [TASK, said("A"), said("A")]
    assert live.request(history) is history


def test_a_shortened_history_stays_edited_and_is_counted_anew() -> None:
    live = Filter("T2@1")
    live.request([TASK, said("A"), said("A")])
    assert blocks(live.request([TASK, said("B")])) == "-"
    assert (live.fire, live.monitor.turns) == (Fire(1, ("repeated_plan",)), 1)


def test_a_request_sent_again_counts_once() -> None:
    live, history = Filter("T2@2"), [TASK, said("A"), said("A")]
    assert live.request(history) is live.request(history) is live.request(list(history)) or live.monitor.turns == 2
    assert not live.armed


def test_a_message_that_is_none_does_not_spoil_the_count() -> None:
    live, history = Filter("T2@2"), [TASK, said("A"), said("A")]
    with pytest.raises(NotUnderstood):
        live.request([*history, {"role": "assistant", "tool_calls": [5]}])
    assert live.request(history) is history


@pytest.mark.parametrize("words", [{"edit": "half"}, {"server": "mine"}, {"point": "nobody@3"}, {"point": "T2"}])
def test_unknown_names_are_refused(words: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Filter(**{"point": "T2@7", **words})


@settings(max_examples=60, deadline=None)
@given(talks(), st.sampled_from(["full", "keep_first", "drop_all_copies"]))
def test_what_is_sent_is_the_history_or_its_edit(messages: list[Message], edit: str) -> None:
    saved = copy.deepcopy(messages)
    live = Filter("repeated_plan@1 | search_run@2", edit)
    armed = False
    for end in range(1, len(messages) + 1):
        if end < len(messages) and messages[end]["role"] != "assistant":
            continue  # no request stands here
        history = messages[:end]
        got = live.request(history)
        assert armed <= live.armed
        armed = live.armed
        assert got is history if not armed else got == edited(history, Edit(edit))
    assert messages == saved
