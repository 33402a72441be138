"""What an edit removes, request by request, against a literal comparison of the two requests."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.edits import EDITS, PROVIDERS, Edit, Edited, History, reasoning_of
from calib.edits.account import Account, Ledger, Removed, tokens_of
from tests.edits.saved import Message, histories, history, items


def literal(sent: list[Message], left: list[Message], number: int) -> Removed:
    """Compare two chat requests message by message."""
    pairs = list(zip(sent, left, strict=True))
    lost = [(old, new) for old, new in pairs if old != new]
    characters = sum(len(reasoning_of(old) or "") - len(reasoning_of(new) or "") for old, new in lost)
    same = next((at for at, (old, new) in enumerate(pairs) if old != new), len(pairs))
    size = sum(len(msgspec.json.encode(message).decode()) + 1 for message in sent[:same])
    return Removed(number, len(sent), len(lost), characters, 0 if not lost else None, same, size)


@settings(max_examples=100, deadline=None)
@given(
    histories(), st.sampled_from([name for name in EDITS if name != "guard"]),
    st.sampled_from(list(PROVIDERS.values())), st.integers(0, 12),
)  # fmt: skip
def test_sums_over_turns_are_what_the_requests_differ_in(
    messages: list[Message], by: str, rules: Any, first: int
) -> None:
    saved = History(messages)
    edited, plain = Edited(saved, Edit(by, rules)), Edited(saved, Edit("none"))
    ledger = Ledger(edited)
    for number in range(saved.turns + 1):
        expected = literal(plain.request(number), edited.request(number, first), number)
        assert ledger.row(number, first) == expected


def test_the_worked_example() -> None:
    rows = list(Ledger(Edited(History(history("A A A B A A")), Edit("drop_all_copies"))).rows(2))
    assert [(row.request, row.blocks, row.characters) for row in rows] == [
        (2, 2, 14),
        (3, 3, 21),
        (4, 3, 21),
        (5, 3, 21),
    ]
    assert {row.same_messages for row in rows} == {2}  # the first block is a copy


def test_keep_first_keeps_what_stands_before_the_first_repeat() -> None:
    (row,) = Ledger(Edited(History(history("A B B")), Edit("keep_first"))).rows(3)
    assert (row.blocks, row.same_messages, row.messages) == (1, 6, 8)


def test_what_is_kept_is_counted_in_characters_as_what_is_removed_is() -> None:
    messages = [{"role": "user", "content": "漢"}, *history("A A")[2:]]
    (row,) = Ledger(Edited(History(messages), Edit("full"))).rows(2)
    assert (row.same_messages, row.same_characters) == (1, len('{"role":"user","content":"漢"},'))


def test_tokens_are_counted_where_every_removed_block_has_them() -> None:
    messages = history("A A B")
    for message in messages[2::2]:
        message["usage"] = {"completion_tokens_details": {"reasoning_tokens": 25}}
    (row,) = Ledger(Edited(History(messages), Edit("keep_first"))).rows(3)
    assert row.tokens == 25
    del messages[4]["usage"]
    (row,) = Ledger(Edited(History(messages), Edit("keep_first"))).rows(3)
    assert row.tokens is None
    assert tokens_of({"extra": {"response": {"usage": {"output_tokens_details": {"reasoning_tokens": 3}}}}}) == 3


def test_a_reasoning_item_that_goes_is_one_block() -> None:
    (row,) = Ledger(Edited(History(items("A A B")), Edit("keep_first"))).rows(3)
    assert (row.blocks, row.characters, row.same_messages) == (1, 7, 4)


def test_the_account_sums_its_rows() -> None:
    rows = (Removed(2, 4, 0, 0, 0, 4, 9), Removed(3, 6, 1, 7, 5, 2, 3), Removed(4, 8, 2, 14, 10, 2, 3))
    account = Account("e", 5, "full", "plain", 1, rows, None)
    assert account.total == (3, 21, 15)
    assert account.first_changed == 3
    assert Account("e", 5, "full", "plain", None, (), None).first_changed is None
