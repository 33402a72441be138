"""What came after the fires: turns always, tokens and seconds where recorded; against a literal sum."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.corpus import Corpus
from calib.reports import _words as words
from calib.results import Savings
from calib.savings import after_fire, could_save
from tests.sweeps import pencil, sweep_of

Turn = tuple[int | None, int | None]


class Held(Corpus):
    """A corpus of frames in memory; `parts` are the episodes of each part with their turns' tokens and times."""

    parts: list[dict[str, list[Turn]]]

    def __init__(self, parts: list[dict[str, list[Turn]]]) -> None:
        super().__init__(Path(), {"parts": [{}] * len(parts)})
        object.__setattr__(self, "parts", parts)

    def read_part(self, table: str, part: int, columns: Any) -> pl.DataFrame:
        held = self.parts[part]
        if table == "episodes":
            sizes = [len(turns) for turns in held.values()]
            return pl.DataFrame(
                {"episode_id": list(held), "n_turns": sizes}, {"episode_id": pl.String, "n_turns": pl.Int32}
            )
        rows = [(at, *turn) for turns in held.values() for at, turn in enumerate(turns)]
        names = ["turn", "output_tokens", "milliseconds"]
        return pl.DataFrame(rows, dict.fromkeys(names, pl.Int32), orient="row").select(columns)


def fires(**turns: int | None) -> pl.DataFrame:
    kinds = {"episode_id": pl.String, "fire_turn": pl.Int32}
    return pl.DataFrame({"episode_id": list(turns), "fire_turn": list(turns.values())}, kinds)


def test_amounts_after_the_fire_turn() -> None:
    corpus = Held([
        {"a": [(1, 10), (2, 20), (3, 30)], "b": [(1, None), (2, 20), (None, 30)]},
        {"c": [(1, 1)], "d": [(1, 1), (1, 1)], "e": []},
    ])  # fmt: skip
    found = after_fire(corpus, fires(a=0, b=0, c=0, d=None, e=None))
    assert found.rows() == [
        ("a", 0, 2, 5, 50), ("b", 0, 2, None, 50), ("c", 0, 0, 0, 0), ("d", None, None, None, None),
        ("e", None, None, None, None),
    ]  # fmt: skip
    assert after_fire(corpus, fires()).rows() == []


def test_a_fire_at_the_last_turn_records_nothing_of_the_others() -> None:
    corpus = Held([{"a": [(1, 10), (None, 20), (None, 30)], "b": [(1, 10)]}])
    table = fires(a=0, b=0).with_columns(label=pl.lit("turn_limit"))
    assert could_save(corpus, table) == Savings(2, 2, None, 0, 0.05, 2)
    last = fires(b=0).with_columns(label=pl.lit("turn_limit"))
    assert could_save(corpus, last) == Savings(1, 0, 0, 1, 0.0, 1)


def test_only_caught_episodes_count() -> None:
    corpus = Held([{"a": [(1, 500), (2, 500)], "b": [(None, 500), (None, 700)], "c": [(9, 9)] * 5}])
    table = fires(a=0, b=0, c=0).with_columns(label=pl.Series(["turn_limit", "turn_limit", "passed"]))
    assert could_save(corpus, table) == Savings(2, 2, 2, 1, 1.2, 2)
    nothing = fires(a=None).with_columns(label=pl.Series(["turn_limit"]))
    assert could_save(corpus, nothing) == Savings(0, 0, None, 0, None, 0)


AMOUNT = st.one_of(st.none(), st.integers(0, 5))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.lists(st.tuples(AMOUNT, AMOUNT), max_size=6), st.one_of(st.none(), st.integers(0, 5)))))
def test_sums_are_literal(drawn: list[tuple[list[Turn], int | None]]) -> None:
    named = {
        f"e{at}": (turns, None if fire is None or fire >= len(turns) else fire)
        for at, (turns, fire) in enumerate(drawn)
    }
    half = len(named) // 2
    parts = [{name: turns for name, (turns, _) in list(named.items())[cut]} for cut in (slice(half), slice(half, None))]
    found = after_fire(Held(parts), fires(**{name: fire for name, (_, fire) in named.items()}))
    for name, fire, left, tokens, milliseconds in found.rows():
        rest = [] if fire is None else named[name][0][fire + 1 :]
        assert left == (None if fire is None else len(rest))
        for at, value in enumerate((tokens, milliseconds)):
            amounts = [turn[at] for turn in rest]
            assert value == (None if fire is None or None in amounts else sum(amount or 0 for amount in amounts))


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        (None, ""),
        (Savings(0, 0, None, 0, None, 0), ""),
        (
            Savings(5, 45, None, 0, None, 0),
            "at most 45 turns (upper bound: all that came after the fires); tokens and seconds not recorded",
        ),
        (
            Savings(5, 45, 1200, 4, 60.4, 5),
            "at most 45 turns, 1,200 tokens in the 4 of 5 that record them, 60 seconds "
            "(upper bound: all that came after the fires)",
        ),
    ],
)
def test_the_sentence_names_the_bound(saved: Savings | None, said: str) -> None:
    assert words.could_save(replace(sweep_of(pencil()), could_save=saved)) == said
