"""What must hold for every row of a table by itself and for the row before it."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from calib.formats._codes import CODES
from calib.labels import LABEL_SOURCES, OUTCOMES
from calib.tables import LABELS, REASONING_STATES, TABLES

if TYPE_CHECKING:
    import polars as pl

CLOSED: Mapping[tuple[str, str], Sequence[str]] = {
    ("episodes", "outcome"): OUTCOMES,
    ("episodes", "label"): LABELS,
    ("episodes", "label_source"): tuple(LABEL_SOURCES),
    ("turns", "reasoning_state"): REASONING_STATES,
    ("rejects", "code"): tuple(CODES),
}
"""Columns that hold words of a closed list, where the table has them."""

SAME = ("same_reasoning_as", "same_text_as", "same_calls_as", "same_results_as")
SAME_CALL = ("same_call_as", "same_result_as", "same_written_call_as", "same_failure_as")


class Rule(NamedTuple):
    """What must be true of every row; null counts as true."""

    what: str
    expected: str
    holds: "pl.Expr"


def broken(frame: "pl.DataFrame", rules: Sequence[Rule], shown: str) -> list[str]:
    """Give one line for each rule that some row breaks: how many do, and which is the first."""
    if not len(frame) or not rules:
        return []
    wrong = [(~rule.holds).fill_null(False) for rule in rules]
    counts = frame.select(each.sum().alias(str(at)) for at, each in enumerate(wrong)).row(0)
    found = []
    for rule, each, count in zip(rules, wrong, counts, strict=True):
        if count:
            first = frame.select(each.arg_true().first()).item() + 1
            more = f" ({count} rows)" if count > 1 else ""
            found.append(f"{shown}: {rule.what}: expected {rule.expected}, found otherwise in row {first}{more}")
    return found


def rules(table: str, sources: Sequence[Mapping[str, Any]]) -> list[Rule]:
    """List what every row of a table must satisfy; `sources` are the entries of those in the part."""
    import polars as pl

    columns = {each.name: each.names() for each in TABLES}[table]
    key = {each.name: each.key for each in TABLES}[table]
    found = [Rule(", ".join(key), "each key once, sorted", _ascending(key))]
    found += [
        Rule(column, "a word of the closed list", pl.col(column).is_in(list(words)))
        for (name, column), words in CLOSED.items()
        if name == table and column in columns
    ]
    if "source" in columns:
        found.append(
            Rule("source", "the source of the part", pl.col("source").is_in([one["source"] for one in sources]))
        )
    return found + {"episodes": _episodes, "turns": _turns, "calls": _calls, "rejects": _rejects}[table](sources)


def _of_source(sources: Sequence[Mapping[str, Any]], values: Sequence[Any]) -> "pl.Expr":
    """Give for each row the value of its source; null where the source is none of them."""
    import polars as pl

    names = [one["source"] for one in sources]
    return pl.col("source").replace_strict(names, list(values), default=None)


def _ascending(key: Sequence[str]) -> "pl.Expr":
    """Compare each key with the one before, column by column; texts as UTF-8."""
    import polars as pl

    after, equal = pl.lit(False), pl.lit(True)
    for name in key:
        column = pl.col(name)
        after = after | (equal & (column > column.shift()))
        equal = equal & (column == column.shift())
    return after | (pl.int_range(pl.len()) == 0)


def _episodes(sources: Sequence[Mapping[str, Any]]) -> list[Rule]:
    import polars as pl

    label, outcome = pl.col("label"), pl.col("outcome")
    return [
        Rule(
            "format",
            "the format of the source",
            pl.col("format") == _of_source(sources, [one["format"] for one in sources]),
        ),
        Rule("source_line", "a line from 1", pl.col("source_line") >= 1),
        Rule("n_turns", "0 or more", pl.col("n_turns") >= 0),
        Rule("turn_limit", "1 or more", pl.col("turn_limit") >= 1),
        Rule("digest", "32 hexadecimal digits", pl.col("digest").str.contains(r"\A[0-9a-f]{32}\z")),
        Rule("label", "outcome passed where it is passed", (label != "passed") | (outcome == "passed")),
        Rule(
            "label",
            "no failure where the outcome is passed",
            (outcome != "passed") | ~label.is_in(["failed", "turn_limit"]),
        ),
        Rule("metadata", "a JSON object", pl.col("metadata").map_elements(_is_object, pl.Boolean)),
    ]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _turns(sources: Sequence[Mapping[str, Any]]) -> list[Rule]:
    import polars as pl

    turn = pl.col("turn")
    found = [Rule("turn", "0, 1, 2, … in each episode", turn == pl.int_range(pl.len()).over("episode_id"))]
    for name in SAME:
        found.append(Rule(name, "a turn of the episode, not later", pl.col(name).is_between(0, turn)))
    for name in ("reasoning", "text"):
        chars, same = pl.col(f"{name}_chars"), pl.col(f"same_{name}_as")
        found.append(
            Rule(f"{name}_chars", "some where the text equals one", (chars > 0) | (same.is_null() & (chars == 0)))
        )
    for name in ("output_tokens", "milliseconds"):
        found.append(Rule(name, "0 or more", pl.col(name) >= 0))
    found.append(Rule("same_calls_as", "one where there are calls", same_calls_fit()))
    return found


def same_calls_fit() -> "pl.Expr":
    """Tell whether a turn with calls, and no other, is compared by them."""
    import polars as pl

    return (pl.col("tools").list.len() > 0) == pl.col("same_calls_as").is_not_null()


def _calls(sources: Sequence[Mapping[str, Any]]) -> list[Rule]:
    import polars as pl

    number = pl.int_range(pl.len()).over("episode_id", "turn")
    ordinal = pl.int_range(pl.len()).over("episode_id")
    return [
        Rule("call", "0, 1, 2, … in each turn", pl.col("call") == number),
        *(Rule(name, "a call of the episode, not later", pl.col(name).is_between(0, ordinal)) for name in SAME_CALL),
        Rule(
            "same_result_as",
            "one where there is a result",
            pl.col("same_result_as").is_not_null() == pl.col("result_chars").is_not_null(),
        ),
        Rule(
            "same_failure_as",
            "one where the result is marked as an error",
            pl.col("same_failure_as").is_not_null() == pl.col("is_error").fill_null(False),
        ),
        Rule("result_chars", "0 or more", pl.col("result_chars") >= 0),
        Rule(
            "result_head",
            "no longer than the result",
            pl.col("result_head").is_null()
            | (pl.col("result_chars").is_not_null() & (pl.col("result_head").str.len_chars() <= 200)),
        ),
    ]


def _rejects(sources: Sequence[Mapping[str, Any]]) -> list[Rule]:
    import polars as pl

    size = _of_source(sources, [one["account"]["bytes"] for one in sources])
    shown = sources[0]["account"]["bytes"] if len(sources) == 1 else "all"
    return [
        Rule("line", "a line from 1", pl.col("line") >= 1),
        Rule("bytes", "0 or more", pl.col("bytes") >= 0),
        Rule("records", "1 or more", pl.col("records") >= 1),
        Rule(
            "offset",
            f"a stretch within the {shown} bytes of the source",
            (pl.col("offset") >= 0) & (pl.col("offset") + pl.col("bytes") <= size),
        ),
    ]
