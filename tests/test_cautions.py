"""What a sweep warns of."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calib.cautions import of_point
from calib.corpus import open_corpus
from calib.point import parse_point
from calib.results import Counts, Tally, Unknown
from calib.score import Scored, score
from calib.selection import Selection
from calib.sweep import sweep
from calib.tools import Map
from tests.corpus import Episode, in_memory, ingested, pencil
from tests.ingest.dumping import episode, line, made


def scored(episodes: list[Episode]) -> Scored:
    return score(in_memory(episodes))  # type: ignore[arg-type]


def test_a_point_that_catches_nothing_is_no_guard() -> None:
    said = [text for text in sweep(scored(pencil()), at=parse_point("T2@99")).warnings if "none of" in text]
    assert said == [
        "the point catches none of 5 turn_limit episodes, so it saves nothing and nothing shows that it works; "
        "calib duel shows which rules catch some"
    ]
    assert not [text for text in sweep(scored(pencil())).warnings if "none of" in text]


@pytest.mark.parametrize(
    ("caught", "turn_limit", "hidden", "said"),
    [(0, 1, 0, "none of 1 turn_limit episode, so"), (0, 9, 7, "9 turn_limit episodes (7 not observable), so"),
     (1, 9, 7, ""), (0, 0, 0, "")],
)  # fmt: skip
def test_what_could_not_be_observed_is_said(caught: int, turn_limit: int, hidden: int, said: str) -> None:
    tally = Tally(caught=caught, missed=turn_limit - caught, false_fires=0, other_fires=0)
    counts = Counts(turn_limit=turn_limit)
    found = of_point(counts, tally, Unknown(turn_limit=hidden))
    assert [said in text for text in found] == [True] * bool(said)


def test_unlabelled_episodes_have_a_pointer_where_a_label_is_missing() -> None:
    episodes = [replace(one, label="unlabelled") if one.label == "turn_limit" else one for one in pencil()]
    told = f"5 of {len(episodes)} episodes unlabelled: join outcomes with calib ingest --labels FILE (docs/labels.md)"
    assert told in sweep(scored(episodes)).warnings
    assert not [text for text in sweep(scored(pencil())).warnings if "--labels" in text]


def test_rules_over_tools_that_nobody_calls_are_named(tmp_path: Path) -> None:
    corpus = ingested(pencil(), tmp_path)
    rules = ["run(tool:nobody)", "hermes_web_search_cap", "run(tool:*)", "repeated_plan"]
    told = [text for text in sweep(score(corpus, rules)).warnings if "no call is one" in text]
    assert told == [f"{name} cannot fire: no call is one that it looks at" for name in rules[:2]]


def limits(folder: Path, *more: tuple[str | None, str | None], **options: Any) -> list[str]:
    """Two episodes that failed at a step limit, one that a limit of time stopped, one that passed at one of steps."""
    ends = [("fail", "max_steps"), ("fail", "max_steps"), (None, "timeout"), ("pass", "max_steps"), ("fail", None)]
    dump = [line(episode(f"e{at}", outcome=end, stop_reason=stop)) for at, (end, stop) in enumerate([*ends, *more])]
    corpus = open_corpus(made(folder, {"d": b"".join(dump)}, **options).folder)
    warnings = sweep(score(corpus, selection=Selection(exclude=(("episode_id", "e1"),)))).warnings
    return [text for text in warnings if "--positive" in text]


def test_limits_that_do_not_count_are_named_where_nothing_counts(tmp_path: Path) -> None:
    """One of the two that failed is not selected."""
    assert limits(tmp_path) == [
        "2 failed or unlabelled episodes ran into a limit that is not counted as turn_limit (1 step_limit, "
        "1 time_limit); calib ingest --positive turn_limit,step_limit,time_limit counts it"
    ]


def test_beside_turn_limits_only_steps_are_named(tmp_path: Path) -> None:
    assert limits(tmp_path, ("fail", "max_turns")) == [
        "1 failed or unlabelled episode ran into a limit that is not counted as turn_limit (1 step_limit); "
        "calib ingest --positive turn_limit,step_limit counts it"
    ]


def test_what_turn_limit_stands_for_is_said_where_it_is_more_than_turns(tmp_path: Path) -> None:
    assert limits(tmp_path, positives=("turn_limit", "step_limit")) == [
        "turn_limit stands for turn_limit, step_limit: the corpus was made with --positive turn_limit,step_limit"
    ]


def reading(placing: Map | list[str]) -> list[str]:
    """Warn of how calls are placed, in a corpus whose calls are read_file, search_files and run_tests."""
    found = score(in_memory(pencil()), reads=placing)  # type: ignore[arg-type]
    return [text for text in sweep(found).warnings if "tool" in text]


def test_a_name_of_a_tool_that_meets_no_call_has_the_near_names() -> None:
    told = "tool name of --reads or [tools] that meets no call: "
    assert reading(["read_file", "serch_files", "reed_*"]) == [
        f"{told}serch_files; there are search_files, read_file, run_tests",
        f"{told}reed_*; there are read_file, run_tests, search_files",
    ]
    assert reading(Map(reads=("run_test",), writes=("read_*",))) == [
        f"{told}run_test; there are run_tests, search_files, read_file",
    ]
    assert reading(Map()) == reading(["read_file"]) == reading(["READ_file", "*_files"]) == []


def test_many_names_that_meet_no_call_share_a_warning() -> None:
    assert reading(["read_file", *"abcd"]) == [
        "4 tool names of --reads or [tools] meet no call: a, b, c, … (calib tools)"
    ]


def test_the_advice_where_nothing_reads_is_not_to_do_what_was_done() -> None:
    nothing = [text for text in reading(["nobody"]) if "cannot fire" in text]
    assert nothing == [
        "search_run cannot fire: only the tools of --reads (or [tools] only) read, and no call is of one; "
        "calib tools lists the calls"
    ]
    placed = [text for text in reading(Map(other=("read_file", "search_files"))) if "cannot fire" in text]
    assert placed == ["search_run cannot fire: no call only reads; place your tools with --reads or [tools] reads"]
