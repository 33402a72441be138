import json
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.errors import CorpusError, UsageError
from calib.selection import Selection, by_groups, parse_pair, parse_where
from calib.tables import EPISODES, arrow_schema
from calib.where import Term, Where

ROWS: list[dict[str, Any]] = [
    {"episode_id": "e1", "task": "argv", "model": "m1", "n_turns": 8, "metadata": {"seed": 1, "split": "a"}},
    {"episode_id": "e2", "task": "argv", "model": None, "n_turns": 64, "metadata": {"seed": 10, "split": None}},
    {"episode_id": "e3", "task": None, "model": "m2", "n_turns": 9, "metadata": {"seed": "9", "task": "inner"}},
    {"episode_id": "e4", "task": "é", "model": "m1", "n_turns": 10, "metadata": {"ok": True, "cfg": {"a": [1, 2]}}},
]


def frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    fixed = {
        "source": "d.jsonl",
        "source_line": 1,
        "format": "episodes",
        "outcome": "passed",
        "label": "passed",
        "digest": "0",
    }
    filled = [dict.fromkeys(EPISODES.names()) | fixed | row | {"metadata": json.dumps(row["metadata"])} for row in rows]
    import pyarrow as pa

    found = pl.from_arrow(pa.Table.from_pylist(filled, schema=arrow_schema(EPISODES)))
    assert isinstance(found, pl.DataFrame)
    return found


EPISODES_FRAME = frame(ROWS)


def kept(*wheres: str, exclude: tuple[str, ...] = ()) -> str:
    selection = Selection(tuple(map(parse_where, wheres)), tuple(map(parse_pair, exclude)))
    return " ".join(EPISODES_FRAME.filter(selection.keep(EPISODES_FRAME))["episode_id"])


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ("n_turns < 10", "e1 e3"),
        ("n_turns = 8 or n_turns = 64 and task = argv", "e1 e2"),
        ("task = argv", "e1 e2"),
        ("task != argv", "e4"),  # not e3: what is not recorded matches nothing
        ("task = (none)", "e3"),
        ("task != (none)", "e1 e2 e4"),
        ("task = é", "e4"),
        ("task > b", "e4"),
        ("episode_id ~ 3", "e3"),
        ("seed > 2", "e2 e3"),  # 10 as a number, "9" as text
        ("seed = 9", "e3"),
        ("metadata.seed = 10", "e2"),
        ("split = (none)", "e2 e3 e4"),
        ("metadata.task = inner", "e3"),
        ("ok = true", "e4"),
        ("cfg ~ '[1, 2]'", "e4"),
        ("n_turns > 1000", ""),
        ("label = passed and source_line = 1", "e1 e2 e3 e4"),
    ],
)
def test_where(where: str, ids: str) -> None:
    assert kept(where) == ids


def test_everything_is_kept_by_default() -> None:
    assert kept() == "e1 e2 e3 e4"


def test_every_where_must_hold_and_no_exclude() -> None:
    assert kept("n_turns > 8", "task = argv or task = é") == "e2 e4"
    assert kept("n_turns > 8", exclude=("model=m1",)) == "e2 e3"
    assert kept(exclude=("model=m1", "seed=9")) == "e2"
    assert kept(exclude=("model=(none)",)) == "e1 e3 e4"


def test_unknown_key_names_the_near_ones() -> None:
    with pytest.raises(UsageError, match=r"^no column or metadata key named 'sede'; there are seed, "):
        kept("sede = 1")
    with pytest.raises(UsageError, match=r"named 'metadata\.model'"):  # a column, and no key of the metadata
        kept("metadata.model = m1")
    with pytest.raises(UsageError, match="'modle'"):
        kept(exclude=("modle=m1",))
    with pytest.raises(UsageError, match="there are model, "):
        by_groups(EPISODES_FRAME, "modle")


def test_hostile_keys_are_spelled_out() -> None:
    rows = [{**ROWS[0], "metadata": {"\x1b[2Jsede" + "x" * 5000: 1}}]
    with pytest.raises(UsageError) as caught:
        Selection((parse_where("'\x1b]0;sede' = 1"),)).keep(frame(rows))
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 1200


@pytest.mark.parametrize("text", ["[1]", "{", "", '{"a": 1} x', "[" * 5000])
def test_metadata_that_is_no_object_is_a_damaged_corpus(text: str) -> None:
    damaged = EPISODES_FRAME.with_columns(metadata=pl.lit(text))
    with pytest.raises(CorpusError, match="metadata"):
        Selection((parse_where("seed = 1"),)).keep(damaged)


@pytest.mark.parametrize("text", ["arm", "=x", " = x", ""])
def test_pair_without_key_or_value(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--exclude: expected KEY=VALUE, found"):
        parse_pair(text)


def grouped(key: str) -> list[tuple[str | None, str]]:
    return [
        (name, " ".join(EPISODES_FRAME.filter(rows)["episode_id"])) for name, rows in by_groups(EPISODES_FRAME, key)
    ]


def test_groups_come_in_order_of_bytes_and_what_is_not_recorded_last() -> None:
    assert grouped("task") == [("argv", "e1 e2"), ("é", "e4"), (None, "e3")]
    assert grouped("model") == [("m1", "e1 e4"), ("m2", "e3"), (None, "e2")]
    assert grouped("seed") == [("1", "e1"), ("10", "e2"), ("9", "e3"), (None, "e4")]
    assert grouped("metadata.cfg") == [('{"a": [1, 2]}', "e4"), (None, "e1 e2 e3")]


def test_values_that_read_the_same_are_one_group() -> None:
    rows = [{**ROWS[0], "episode_id": f"e{i}", "metadata": {"seed": seed}} for i, seed in enumerate((7, "7"))]
    assert [(name, rows.to_list()) for name, rows in by_groups(frame(rows), "seed")] == [("7", [True, True])]


def test_too_many_groups_are_refused() -> None:
    rows = [{**ROWS[0], "episode_id": f"e{i}", "metadata": {"seed": i}} for i in range(1_001)]
    with pytest.raises(UsageError, match="at most 1,000 groups, found 1,001"):
        by_groups(frame(rows), "seed")
    for key in ("episode_id", "digest", "label", "outcome"):
        with pytest.raises(UsageError, match=f"^--by {key}: .*; choose another key"):
            by_groups(frame(rows), key)


@pytest.mark.parametrize("where", ["n_turns > many", "n_turns = many", "task = argv or source_line != '8a'"])
def test_a_word_is_not_compared_with_a_column_of_numbers(where: str) -> None:
    with pytest.raises(UsageError, match=r"^--where: expected a number to compare (n_turns|source_line) with, found "):
        kept(where)
    assert kept("n_turns ~ 4", "n_turns != (none)", "seed = many or seed = 10") == "e2"  # a key may hold either


def test_a_value_that_a_column_never_has_is_named_with_the_near_ones() -> None:
    def unmet(*wheres: str) -> list[str]:
        return Selection(tuple(map(parse_where, wheres))).unmet(EPISODES_FRAME)

    assert unmet("task = agrv and n_turns = 8", "model = m3 or model = m1") == [
        "no task is 'agrv', there are argv, é", "no model is 'm3', there are m1, m2",
    ]  # fmt: skip
    assert unmet("task != agrv", "task ~ agrv", "task = (none)", "arm = x") == []  # arm: nobody recorded one
    many = frame([{**ROWS[0], "task": f"t{n}"} for n in range(51)])
    assert Selection((parse_where("task = agrv"),)).unmet(many) == []


VALUES = st.none() | st.sampled_from(["a", "b", "10", "9"]) | st.integers(0, 12)
RECORDS = st.lists(st.fixed_dictionaries({"key": VALUES}), min_size=1, max_size=12)
WANTED = st.sampled_from([None, "a", "9", "10", "1"])


@settings(max_examples=100, deadline=None)
@given(RECORDS, st.lists(st.tuples(st.sampled_from(["=", "!=", "<", ">=", "~"]), WANTED), min_size=1, max_size=3))
def test_frames_agree_with_asking_each_episode(
    records: list[dict[str, Any]], asked: list[tuple[Any, str | None]]
) -> None:
    terms = tuple(Term("key", op if wanted is not None else "=", wanted) for op, wanted in asked)
    rows = [{**ROWS[0], "metadata": record} for record in records]
    for where in (Where((terms,)), Where(tuple((term,) for term in terms))):
        every = len(where.alternatives) == 1
        expected = [(all if every else any)(term.matches(record["key"]) for term in terms) for record in records]
        assert Selection((where,)).keep(frame(rows)).to_list() == expected
