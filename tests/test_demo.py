"""The demo dump: each figure that its docstring claims, counted by the oracle on the dump's own bytes."""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from calib import demo
from calib.errors import UsageError
from calib.score import score_frames
from calib.sweep import sweep
from tests import oracle
from tests.corpus import frames, pencil
from tests.oracle import PLAN, SEARCH, Story

POINT = {PLAN: 7, SEARCH: 35}
SHA256 = "278faf10e25080a57111e9b347fe28c26c76e0dc7610be4ded8ee27d74e8c1ec"


@cache
def dump() -> bytes:
    return b"".join(demo.lines())


@cache
def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in dump().splitlines()]


def story(record: dict[str, Any]) -> Story:
    turns = [message for message in record["messages"] if message["role"] == "assistant"]
    label = "turn_limit" if record["stop_reason"] == "turn_limit" else f"{record['outcome']}ed"
    return Story(
        record["episode_id"],
        label,
        [turn.get("reasoning_content") for turn in turns],
        [[call["function"]["name"] for call in turn.get("tool_calls", [])] for turn in turns],
    )


@cache
def stories() -> dict[str, Story]:
    """The 707 after the exclusion, by id."""
    return {record["episode_id"]: story(record) for record in records() if record.get("arm") != "always-strip"}


def calibration() -> list[Story]:
    return list(stories().values())


def spirals() -> list[Story]:
    return [story for story in calibration() if story.label == "turn_limit"]


def test_same_bytes_every_time() -> None:
    assert hashlib.sha256(dump()).hexdigest() == SHA256
    assert len(dump()) < 6_000_000


def test_every_episode_says_that_it_is_synthetic() -> None:
    assert all(record["metadata"]["synthetic"] is True for record in records())


def test_counts_of_section_4() -> None:
    assert len(records()) == len({record["episode_id"] for record in records()}) == 755
    assert len(records()) - len(stories()) == 48
    assert Counter(story.label for story in calibration()) == {"turn_limit": 30, "passed": 635, "failed": 42}
    assert sum(record["metadata"]["suite"] == "repair" for record in records()) == 14


def test_the_rule_catches_thirty_and_fires_on_one_other() -> None:
    tried = oracle.tried(calibration(), POINT)
    assert (tried.caught, tried.missed, tried.false_fires, tried.other_fires) == (30, 0, 0, 1)
    assert (tried.fire_turn_min, tried.fire_turn_median, tried.fire_turn_max) == (10, 14.0, 38)
    assert oracle.fire(stories()[demo.OTHER_FIRE], POINT) == (20, (PLAN,))


def test_thresholds_stand_one_step_above_the_closest_pass() -> None:
    assert oracle.closest_pass_point(calibration()) == POINT
    assert oracle.closest_pass(calibration(), POINT, PLAN) == (demo.CLOSEST_PLAN, 6, 1)
    assert oracle.closest_pass(calibration(), POINT, SEARCH) == (demo.CLOSEST_SEARCH, 34, 1)


def test_plateaus_their_ends_and_their_far_corner() -> None:
    assert oracle.plateau(calibration(), POINT, PLAN) == (7, 39)
    assert oracle.plateau(calibration(), POINT, SEARCH) == (35, 53)
    assert oracle.first_loss(calibration(), POINT, PLAN) == (demo.WEAKEST_PLAN, 39, 1)
    assert oracle.first_loss(calibration(), POINT, SEARCH) == (demo.WEAKEST_SEARCH, 53, 1)
    corner = {PLAN: 39, SEARCH: 53}
    assert oracle.tried(calibration(), corner).counts == (30, 0)
    for beyond in ({**corner, PLAN: 40}, {**corner, SEARCH: 54}):
        assert oracle.tried(calibration(), beyond).caught < 30


def test_turn_limit_episodes_have_64_turns_and_no_other_has() -> None:
    assert {len(story.reasoning) for story in spirals()} == {64}
    assert max(len(story.reasoning) for story in calibration() if story.label != "turn_limit") < 64


def census() -> list[dict[str, Any]]:
    suite = [record for record in records() if record["metadata"]["suite"] == "six-task"]
    return [record for record in suite if record.get("arm") not in ("always-strip", "screen")]


@pytest.mark.parametrize(
    ("model", "configuration", "episodes", "out_of_turns"),
    [
        ("Qwen3.8-27B", None, 236, 15),
        ("Qwen3.8-27B", "FP8", 36, 1),
        ("Qwen3.8-27B", "FP8-lossy", 24, 7),
        ("Qwen3.8-Flash", None, 352, 0),
    ],
)
def test_census_of_section_3(model: str, configuration: str | None, episodes: int, out_of_turns: int) -> None:
    found = [
        record
        for record in census()
        if record["model"] == model and configuration in (None, record["metadata"]["configuration"])
    ]
    assert len(found) == episodes
    assert sum(record["stop_reason"] == "turn_limit" for record in found) == out_of_turns


def test_the_lossy_configuration_has_the_highest_share() -> None:
    total: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for record in census():
        if record["model"] == "Qwen3.8-27B":
            total[record["metadata"]["configuration"]] += 1
            lost[record["metadata"]["configuration"]] += record["stop_reason"] == "turn_limit"
    assert max(total, key=lambda name: lost[name] / total[name]) == "FP8-lossy"


def test_spirals_of_section_6_fire_on_the_plan_at_turns_10_to_31() -> None:
    replayed = [
        record for record in records() if record["model"] == "Qwen3.8-27B" and record["stop_reason"] == "turn_limit"
    ]
    assert Counter(record["task"] for record in replayed) == {"batch": 18, "argv": 2, "refund": 2}
    fires = [oracle.fire(stories()[record["episode_id"]], POINT) for record in replayed]
    assert {who for _, who in fires} == {(PLAN,)}
    turns = [turn for turn, _ in fires if turn is not None]
    assert (len(turns), min(turns), max(turns)) == (22, 10, 31)


def test_the_other_spirals_are_the_fine_tune_s_and_fire_on_the_search() -> None:
    others = [story for story in spirals() if story.episode_id.startswith("tune-")]
    assert [oracle.fire(story, POINT)[1] for story in others] == [(SEARCH,)] * 8


def calls(episode_id: str) -> list[tuple[str, dict[str, str], str]]:
    """Tool, arguments and result of an episode's calls, one per turn."""
    messages = next(record["messages"] for record in records() if record["episode_id"] == episode_id)
    made = [call["function"] for message in messages for call in message.get("tool_calls", [])]
    results = [message["content"] for message in messages if message["role"] == "tool"]
    return [(call["name"], json.loads(call["arguments"]), result) for call, result in zip(made, results, strict=True)]


def test_batch_trace_is_the_table_of_section_3() -> None:
    reasoning = stories()[demo.BATCH_TRACE].reasoning
    made = calls(demo.BATCH_TRACE)
    table = [
        (4, "fixed", 0), (5, "vulnerable", 0), (6, "control", 0), (7, "replay", 0), (8, "runner", 0), (9, "Budget", 1),
        (10, "balance", 4), (11, "sum", 1), (12, "def", 3), (13, "import", 0), (14, "test", 1),
    ]  # fmt: skip
    for turn, pattern, count in table:
        tool, arguments, result = made[turn]
        assert (tool, arguments["pattern"], int(result.split()[0])) == ("search_files", pattern, count)
    assert made[1][1:] == ({"path": "service.py"}, made[1][2])
    assert len(made[1][2]) == 380
    assert made[15][1] == {"path": "model_tests.py"}
    assert len(made[15][2]) == 51
    empty = [result.startswith("0 ") for _, _, result in made[16:]]
    assert (empty.count(True), empty.count(False)) == (20, 28)
    assert Counter(tool for tool, _, _ in made) == {"search_files": 61, "read_file": 3}
    looking = "Let’s look for the runner and the fixed implementation. I’ll try searching for "
    assert reasoning[4] == (
        "Let’s look for the trusted runner and the fixed implementation. I’ll search for related files."
    )
    assert reasoning[5:8] == [
        looking + "“vulnerable” and “control”.",
        looking + "“control” and “runner”.",
        looking + "“runner” and “replay”.",
    ]
    assert set(reasoning[8:]) == {reasoning[7]}
    assert oracle.fire(stories()[demo.BATCH_TRACE], POINT) == (14, (PLAN,))


def test_argv_trace_runs_the_same_tests_53_times() -> None:
    told = stories()[demo.ARGV_TRACE]
    made = calls(demo.ARGV_TRACE)
    assert made[10][0] == "write_file"
    assert {(tool, result.splitlines()[-1]) for tool, _, result in made[11:]} == {("run_tests", "OK")}
    assert len(made[11:]) == 53
    assert len(set(told.reasoning[12:14])) == 2
    assert set(told.reasoning[14:]) == {told.reasoning[13]}
    assert oracle.fire(told, POINT) == (20, (PLAN,))
    assert oracle.peak(told, PLAN) == 50


@pytest.mark.parametrize("name", demo.RECOVERED)
def test_recovered_episodes_keep_one_plan_for_five_turns(name: str) -> None:
    told = stories()[name]
    assert [turn for turn, level in enumerate(oracle.levels(told, PLAN)) if level] == [8, 9, 10, 11]
    assert str(told.reasoning[12]).startswith("Maybe the search only targets specific files")
    assert told.tools[14] == ["write_file"]
    assert told.label == "passed"


def test_alternating_episode_is_caught_by_the_search_alone() -> None:
    told = stories()[demo.ALTERNATING]
    assert len(set(told.reasoning)) == 2
    assert oracle.peak(told, PLAN) == 0
    assert oracle.fire(told, POINT) == (34, (SEARCH,))


def test_left_out_arm_has_no_reasoning() -> None:
    stripped = [story(record) for record in records() if record.get("arm") == "always-strip"]
    assert {text for told in stripped for text in told.reasoning} == {None}


def test_write_demo_writes_the_dump_and_says_what_it_is(tmp_path: Path) -> None:
    written = demo.write_demo(tmp_path / "new" / "demo")
    assert written.read_bytes() == dump()
    assert sorted(file.name for file in written.parent.iterdir()) == [demo.NOTICE, demo.DUMP]
    assert "is synthetic" in (written.parent / demo.NOTICE).read_text()


def test_write_demo_refuses_a_file(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("mine")
    with pytest.raises(UsageError, match="expected a folder"):
        demo.write_demo(tmp_path / "here")
    assert (tmp_path / "here").read_text() == "mine"


def test_checks_tell_which_figures_do_not_hold() -> None:
    found = {check.figure: check for check in demo.checks(sweep(score_frames([frames(pencil())])))}
    assert not found["point"].holds
    assert (found["caught"].published, found["caught"].found) == ("30 of 30", "5 of 5")
    assert found["fire turn of the batch trace"].found == "None"


def test_demo_imports_nothing_heavy() -> None:
    code = "import sys, calib.demo; print(sorted({'polars', 'pyarrow', 'numpy', 'matplotlib'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
