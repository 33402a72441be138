"""Episodes that went on since: known by their beginnings, against a literal comparison of every turn."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from calib.beginnings import LEAST, beginnings, continued
from calib.calibration import held_against, record_of, seen_before
from calib.corpus import Corpus, open_corpus
from calib.ingest import ingest
from calib.score import score
from calib.sweep import sweep

Turn = tuple[str, tuple[str, ...], str]
"""Reasoning, tools called, and what each of them gave."""


def messages(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for turn, (plan, tools, said) in enumerate(turns):
        calls = [{"id": f"{turn}.{n}", "function": {"name": tool, "arguments": "{}"}} for n, tool in enumerate(tools)]
        made.append({"role": "assistant", "reasoning_content": plan, "content": "", "tool_calls": calls})
        made += [{"role": "tool", "tool_call_id": call["id"], "content": said} for call in calls]
    return made


def corpus(folder: Path, episodes: Mapping[str, Sequence[Turn]], **options: Any) -> Corpus:
    folder.mkdir()
    records = [
        {"episode_id": name, "outcome": "pass", "stop_reason": "completed", "messages": messages(turns)}
        for name, turns in episodes.items()
    ]
    (folder / "d.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    ingest([folder / "d.jsonl"], folder / "corpus", **options)
    return open_corpus(folder / "corpus")


def run(*plans: str) -> list[Turn]:
    return [(plan, ("f",), "ok") for plan in plans]


LONG = run("a", "bb", "ccc", "dddd", "e")


@pytest.mark.parametrize(
    ("now", "goes_on"),
    [
        ([*LONG, *run("new")], True),
        ([*LONG[:4], ("a longer end", ("f", "g"), "x")], True),  # the last turn was unfinished
        ([*LONG[:4], ("a longer end", (), ""), *run("new")], True),
        (LONG, True),
        (LONG[:4], False),
        ([*run("other"), *LONG[1:], *run("new")], False),
        ([*LONG[:3], ("dddd", ("f",), "no"), *run("e", "new")], True),  # only lengths are compared
        ([*LONG[:3], ("dddd", ("f",), "other"), *run("e", "new")], False),  # another result
        ([*LONG[:3], ("dddd", ("f", "f"), "ok"), *run("e", "new")], False),  # another call
        ([*run("bb", "a"), *LONG[2:], *run("new")], False),  # another order
    ],
)  # fmt: skip
def test_what_goes_on_where_another_ended(tmp_path: Path, now: Sequence[Turn], goes_on: bool) -> None:
    then = corpus(tmp_path / "then", {"s": LONG, "short": LONG[:4]})
    known = beginnings(then, score(then).episodes)
    assert len(known) == 1  # the other one is too short
    later = corpus(tmp_path / "later", {"0": LONG, "s": now, "t": [*LONG, *run("x")]})
    assert continued(later, score(later).episodes, known).tolist() == [False, goes_on, False]


def test_it_is_the_same_without_text(tmp_path: Path) -> None:
    then = corpus(tmp_path / "then", {"s": LONG}, text=False)
    later = corpus(tmp_path / "later", {"s": [*LONG, *LONG]})
    assert continued(later, score(later).episodes, beginnings(then, score(then).episodes)).all()


def test_a_later_report_knows_the_session_that_grew(tmp_path: Path) -> None:
    then = corpus(tmp_path / "then", {"s": LONG, "t": run("1", "2", "3", "4", "5")})
    chosen = score(then)
    record = record_of(chosen, sweep(chosen), then)
    later = corpus(
        tmp_path / "later", {"new": run("a", "b"), "s": [*LONG, *run("f")], "t": run("1", "2", "3", "4", "5")}
    )
    found = score(later)
    assert seen_before(record, found).tolist() == [False, False, True]
    assert seen_before(record, found, later).tolist() == [False, True, True]
    assert held_against(record, found, 0.05, later).shared == 2
    assert continued(later, found.episodes, []).tolist() == [False] * 3


def literal(then: Mapping[str, Sequence[Turn]], now: Mapping[str, Sequence[Turn]]) -> list[bool]:
    """Compare turn by turn what is counted of each: lengths, and calls."""

    def seen(turns: Sequence[Turn]) -> list[tuple[int, int, int]]:
        return [(len(plan), len(tools), len(said) if tools else 0) for plan, tools, said in turns]

    return [
        name in then
        and len(then[name]) > LEAST
        and len(now[name]) >= len(then[name])
        and seen(now[name])[: len(then[name]) - 1] == seen(then[name])[:-1]
        for name in sorted(now)
    ]


def test_against_the_literal_comparison(tmp_path: Path) -> None:
    draw = random.Random(5)
    alike, marked = 0, 0

    def turns(count: int) -> list[Turn]:
        return [("p" * draw.randint(0, 1), ("f",) * draw.randint(0, 2), "r" * draw.randint(0, 1)) for _ in range(count)]

    for round in range(12):
        then = {f"e{n}": turns(draw.randint(1, 9)) for n in range(20)}
        now = {}
        for name, old in then.items():
            kept = old[: draw.randint(0, len(old))] if draw.random() < 0.4 else old
            now[name] = [*kept, *turns(draw.randint(0, 3))] or turns(1)
        first, second = corpus(tmp_path / f"then{round}", then), corpus(tmp_path / f"now{round}", now)
        found = continued(second, score(second).episodes, beginnings(first, score(first).episodes)).tolist()
        expected = literal(then, now)
        assert found == expected
        alike, marked = alike + len(found), marked + sum(found)
    assert 40 < marked < alike - 40
