"""Runs out of a corpus: shared histories found by content, amounts after them, fires after them."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.arms import Comparison, Design, Run, compare
from calib.arms.corpora import _Told, runs_of
from calib.corpus import open_corpus
from calib.ingest import ingest
from calib.point import parse_point
from calib.score import score
from calib.stats.paired import Sides
from tests.edits.saved import history

POINT = parse_point("T2@2")
DESIGN = Design(pair=("history", "engine"), cluster="task")


def line(history_id: str, engine: str, arm: str, plan: str, outcome: str, text: str = "") -> dict[str, Any]:
    messages = history(plan)
    messages[2]["content"] = text or "Now."
    about = {"history": history_id, "engine": engine}
    name = f"{history_id}-{engine}-{arm}"
    stop = "turn_limit" if outcome == "fail" else "completed"
    return {
        "episode_id": name, "task": "t", "arm": arm, "outcome": outcome, "stop_reason": stop, "metadata": about,
        "messages": messages,
    }  # fmt: skip


def found(folder: Path, *lines: dict[str, Any], design: Design = DESIGN) -> list[Run]:
    dump = folder / "d.jsonl"
    dump.write_text("".join(json.dumps(one) + "\n" for one in lines))
    ingest([dump], folder / "c", workers=1)
    corpus = open_corpus(folder / "c")
    return runs_of(corpus, score(corpus, ["repeated_plan"]), POINT, design)


REPLAY = (
    line("h1", "x", "old", "A A A A A A", "fail"),
    line("h1", "x", "new", "A A A B C", "pass"),
    line("h1", "y", "old", "A A A D D D", "fail"),
    line("h1", "y", "new", "A A A E", "pass"),
    line("h2", "x", "old", "A A A A", "fail", "Other."),
    line("h2", "x", "new", "A A A F", "fail", "Other."),
)


def test_a_replay_shares_its_history_through_the_fire_turn(tmp_path: Path) -> None:
    by_name = {run.name: run for run in found(tmp_path, *REPLAY)}
    old, new = by_name["h1-x-old"], by_name["h1-x-new"]
    assert (old.fire_turn, new.fire_turn, old.turns, new.turns) == (2, 2, 3.0, 2.0)
    assert (old.fires_again, new.fires_again) == (True, False)
    assert (by_name["h1-y-old"].fires_again, by_name["h2-x-old"].fires_again) == (True, False)
    prefixes = {name: run.prefix for name, run in by_name.items()}
    assert len({prefixes[name] for name in prefixes if name.startswith("h1")}) == 1
    assert prefixes["h2-x-old"] == prefixes["h2-x-new"] != prefixes["h1-x-old"]


def test_the_levels_of_a_replay(tmp_path: Path) -> None:
    made: Comparison = compare(
        found(tmp_path, *REPLAY), Design(pair=("history", "engine"), cluster="task", baseline="old")
    )
    assert [(level.name, level.sides) for level in made.versus[0].levels] == [
        ("pair", Sides(2, 0, 1)), ("distinct prefix", Sides(1, 0, 1)), ("task", Sides(1, 0, 0)),
    ]  # fmt: skip
    assert made.versus[0].again == Sides(2, 0, 1)
    assert [(flip.episodes, flip.fire_turns) for flip in made.versus[0].flips] == [
        (("h1-x-old", "h1-x-new"), (2, 2)), (("h1-y-old", "h1-y-new"), (2, 2)),
    ]  # fmt: skip


def test_runs_that_begin_differently_share_no_history(tmp_path: Path) -> None:
    runs = found(tmp_path, line("h", "x", "old", "A B", "pass", "One."), line("h", "x", "new", "A B", "pass", "Two."))
    assert [(run.prefix, run.turns, run.fires_again, run.fired) for run in runs] == [(None, 2.0, None, False)] * 2


def test_a_common_beginning_without_a_fire_is_no_replay(tmp_path: Path) -> None:
    runs = found(tmp_path, line("h", "x", "old", "A B C", "pass"), line("h", "x", "new", "A B D", "pass"))
    assert len({run.prefix for run in runs}) == 1
    assert [(run.turns, run.fires_again) for run in runs] == [(3.0, None)] * 2


def test_histories_of_two_tasks_are_two(tmp_path: Path) -> None:
    other = [
        {**line("h3", "x", arm, plan, "pass"), "task": "u"} for arm, plan in (("old", "A A A A"), ("new", "A A A B"))
    ]
    runs = found(tmp_path, *REPLAY[:2], *other)
    assert len({run.prefix for run in runs}) == 2


def test_without_pairs_whole_runs_are_compared(tmp_path: Path) -> None:
    runs = found(tmp_path, *REPLAY, design=Design())
    assert {run.key for run in runs} == {()}
    assert {run.prefix for run in runs} == {None}


def test_a_run_in_which_the_point_sees_nothing_has_neither_fired_nor_not(tmp_path: Path) -> None:
    hidden = line("h", "x", "b", "A A A A", "fail")
    for message in hidden["messages"]:
        message.pop("reasoning_content", None)
    runs = found(tmp_path, line("h", "x", "a", "A A A A", "fail"), hidden, design=Design())
    assert [(run.arm, run.fired) for run in runs] == [("a", True), ("b", None)]


def test_amounts_are_those_after_the_prefix_of_a_replay() -> None:
    told = _Told({}, 1, upto=[b""] * 4, prefix=2, replay=True)
    assert told.spent([None, 5, 7, 8]) == 15.0
    assert told.spent([1, 5, None, 8]) is None
    told.replay = False
    assert told.spent([1, 5, 7, 8]) == 21.0
    assert told.spent([]) is None


@pytest.mark.parametrize("text", [True, False])
def test_no_text_finds_the_same_histories(tmp_path: Path, text: bool) -> None:
    dump = tmp_path / "d.jsonl"
    dump.write_text("".join(json.dumps(one) + "\n" for one in REPLAY))
    ingest([dump], tmp_path / "c", workers=1, text=text)
    corpus = open_corpus(tmp_path / "c")
    runs = runs_of(corpus, score(corpus, ["repeated_plan"]), POINT, DESIGN)
    assert len({run.prefix for run in runs}) == 2
