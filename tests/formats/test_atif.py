"""ATIF: steps and turns, copied context and continuations, sub-agents, Harbor's result."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.atif import beside, recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

OPEN = Path(__file__).parents[2].parent / "shared" / "corpora" / "atif"


def agent(message: Any, *listed: dict[str, Any], results: Any = None, **more: Any) -> dict[str, Any]:
    step = {"source": "agent", "message": message, **more}
    if listed:
        step["tool_calls"] = list(listed)
    if results is not None:
        step["observation"] = {"results": results}
    return step


def call(call_id: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "arguments": arguments}


def said(source: str, message: str, **more: Any) -> dict[str, Any]:
    return {"source": source, "message": message, **more}


STEPS = [
    said("system", "be good"),
    said("user", "fix it"),
    agent("[tool call]", call("a", "bash", {"cmd": "ls"}), call("b", "bash", {"cmd": "pwd"}), reasoning_content="Look.",
          results=[{"source_call_id": "b", "content": "/app"}, {"source_call_id": "a", "content": "x.py"}]),
    agent("Scripted.", call("s", "bash", {"cmd": "boot"}), llm_call_count=0, results=[{"content": "up"}]),
    agent([{"type": "text", "text": "Done"}, {"type": "image", "source": {}}], llm_call_count=3),
    said("user", "more"),
    agent("<think>Again.</think>Fine.", results=[{"content": "$ "}]),
]  # fmt: skip
FILE = {
    "schema_version": "ATIF-v1.7", "session_id": "s-1", "trajectory_id": "t-1", "steps": STEPS,
    "agent": {"name": "oh", "version": "1.0", "model_name": "m-1", "extra": {"parser": "json"}},
}  # fmt: skip
RESULT = {
    "task_name": "hello", "trial_name": "hello__1", "verifier_result": {"rewards": {"reward": 1.0}},
    "agent_result": {}, "exception_info": {"exception_type": "AgentTimeoutError"}, "started_at": "2026-01-01",
    "config": {"agent": {"name": "oh", "kwargs": {"max_turns": 30}}},
}  # fmt: skip


def test_steps_and_turns() -> None:
    episode = told("atif", [FILE], "trajectory.json").one
    assert column("text", episode) == [None, "Done", "Fine."]
    assert column("reasoning", episode) == ["Look.", None, "Again."]
    assert column("state", episode) == ["recorded", "absent", "recorded"]
    assert column("kind", episode) == ["native", None, "inline"]
    assert column("user_before", episode) == [True, False, True]
    assert calls(episode, "turn", "call", "tool", "arguments", "result_head") == [
        (0, 0, "bash", '{"cmd":"ls"}', "x.py"),
        (0, 1, "bash", '{"cmd":"pwd"}', "/app"),
    ]
    assert column("orphans", episode) == [0, 0, 1]
    about = episode.about
    assert (about.episode_id, about.model, about.outcome, about.stop_reason) == ("t-1", "m-1", None, None)
    assert about.metadata["aggregated_steps"] == 1
    assert (about.metadata["agent"], about.metadata["session_id"]) == ("oh", "s-1")


def test_steps_of_one_response_are_one_turn() -> None:
    parts = [
        agent("One", extra={"message_id": "m1"}, reasoning_content="R"),
        agent("", call("a", "ls", {}), extra={"message_id": "m1"}, results=[{"source_call_id": "a", "content": "x"}]),
        agent("Two", extra={"message_id": "m2"}),
        agent("Three"),
        agent("Four"),
    ]
    episode = told("atif", [{**FILE, "steps": parts}]).one
    assert column("text", episode) == ["One", "Two", "Three", "Four"]
    assert column("reasoning", episode) == ["R", None, None, None]
    assert calls(episode, "turn", "result_head") == [(0, "x")]


def test_copied_context_counts_once() -> None:
    steps = [
        said("user", "task", is_copied_context=True),
        agent("old", is_copied_context=True),
        agent("new"),
    ]
    episode = told("atif", [{**FILE, "steps": steps}]).one
    assert column("text", episode) == ["new"]
    assert column("user_before", episode) == [False]


def test_subagents_are_episodes_of_their_own() -> None:
    inner = {"schema_version": "ATIF-v1.7", "steps": [agent("deep")], "agent": {"model_name": "m-3"}}
    child = {**FILE, "trajectory_id": "t-2", "steps": [agent("inner")], "subagent_trajectories": [inner]}
    found = told("atif", [{**FILE, "subagent_trajectories": [child, {"no": "steps"}]}]).episodes
    assert [(e.about.episode_id, e.about.parent, len(e.turns)) for e in found] == [
        ("t-1", None, 3),
        ("t-1/t-2", "t-1", 1),
        ("t-1/t-2/1", "t-1/t-2", 1),
    ]
    assert [size for episode in found for _, _, size in episode.stretches][1:] == [0, 0]


def test_recognised_alone() -> None:
    assert known_by(FILE) == ["atif"]
    assert known_by(RESULT) == ["atif"]
    assert not recognises({"schema_version": "1.0", "steps": []})
    for value in odd_values(FILE, RESULT):
        recognises(value)


def test_every_field_is_heard() -> None:
    places = (
        "0.trajectory_id", "0.agent.model_name", "0.steps.1.source", "0.steps.2.reasoning_content",
        "0.steps.2.tool_calls.0.function_name", "0.steps.2.tool_calls.0.arguments.cmd",
        "0.steps.2.tool_calls.0.tool_call_id", "0.steps.2.observation.results.0.content",
        "0.steps.2.observation.results.0.source_call_id", "0.steps.2.message", "0.steps.3.llm_call_count",
        "0.steps.4.message.0.text", "0.steps.6.message",
    )  # fmt: skip
    assert unheard("atif", [FILE], *places) == []


def trial(folder: Path, result: dict[str, Any], **files: dict[str, Any]) -> Path:
    """A trial as Harbor lays it out: result.json, and the trajectories in agent/."""
    (folder / "trial" / "agent").mkdir(parents=True)
    (folder / "trial" / "result.json").write_text(json.dumps(result))
    for name, value in files.items():
        (folder / "trial" / "agent" / f"{name.replace('_', '.').replace('cont.', 'cont-')}.json").write_text(
            json.dumps(value)
        )
    return folder / "trial"


@pytest.mark.parametrize(
    ("rewards", "outcome"),
    [({"reward": 1.0}, "passed"), ({"a": 1, "b": 0}, "failed"), ({"reward": 0.5}, "unknown"), ({}, "unknown")],
)
def test_harbors_result(tmp_path: Path, rewards: dict[str, Any], outcome: str) -> None:
    anonymous = {key: value for key, value in FILE.items() if key != "trajectory_id"}
    folder = trial(tmp_path, {**RESULT, "verifier_result": {"rewards": rewards}}, trajectory=anonymous)
    read = ingested(tmp_path, [folder])
    (row,) = read.tables["episodes"]
    assert (row["episode_id"], row["task"], row["outcome"]) == ("hello__1", "hello", outcome)
    assert (row["stop_reason"], row["turn_limit"]) == ("AgentTimeoutError", 30)
    assert [source["account"]["ignored"] for source in read.sources] == [
        {},
        {"harbor-result": {"records": 1, "bytes": (folder / "result.json").stat().st_size}},
    ]


def test_a_changed_result_is_read_again(tmp_path: Path) -> None:
    folder = trial(tmp_path, RESULT, trajectory=FILE)
    assert [row["outcome"] for row in ingested(tmp_path, [folder]).tables["episodes"]] == ["passed"]
    (folder / "result.json").write_text(json.dumps({**RESULT, "verifier_result": {"rewards": {"reward": 0}}}))
    assert [row["outcome"] for row in ingested(tmp_path, [folder]).tables["episodes"]] == ["failed"]


COPIED = [said("user", "task", is_copied_context=True), agent("old", is_copied_context=True)]
FIRST = {**FILE, "steps": [said("user", "task"), agent("old")], "continued_trajectory_ref": "trajectory.cont-1.json"}
HELPER = {"schema_version": "ATIF-v1.7", "trajectory_id": "h", "steps": [agent("summary")], "agent": {}}
SECOND = {
    **FILE, "steps": [*COPIED, agent("new")], "continued_trajectory_ref": "trajectory.cont-2.json",
    "subagent_trajectories": [HELPER],
}  # fmt: skip
THIRD = {**FILE, "steps": [*COPIED, agent("newer")], "trajectory_id": "t-3", "subagent_trajectories": [HELPER]}


def test_a_continuation_is_the_same_episode(tmp_path: Path) -> None:
    folder = trial(tmp_path, RESULT, trajectory=FIRST, trajectory_cont_1=SECOND, trajectory_cont_2=THIRD)
    read = ingested(tmp_path, [folder])
    assert {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]} == {"t-1": 3, "t-1/h": 1}
    assert [turn["text"] for turn in read.of("t-1")] == ["old", "new", "newer"]
    assert [turn["after_compaction"] for turn in read.of("t-1")] == [False, True, True]
    assert [sum(part["records"] for part in s["account"]["ignored"].values()) for s in read.sources] == [1, 1, 0, 1]


def test_a_continuation_whose_beginning_is_missing_is_kept(tmp_path: Path) -> None:
    folder = trial(tmp_path, RESULT, trajectory=FIRST, trajectory_cont_2=THIRD)
    read = ingested(tmp_path, [folder])
    assert {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]} == {"t-1": 1, "t-3": 1, "t-3/h": 1}
    alone = {**SECOND, "agent": {"name": "terminus", "extra": {"continuation_index": 1}}}
    assert column("after_compaction", told("atif", [alone], "x.cont-1.json").episodes[0]) == [True]


def test_names_of_what_lies_beside() -> None:
    assert beside("a.cont-3.json") == ("a.json", "a.cont-1.json", "a.cont-2.json")
    assert beside("a.json")[:2] == ("a.cont-1.json", "a.cont-2.json")


def test_a_broken_step_costs_the_file() -> None:
    found = told("atif", [{**FILE, "steps": [5]}, FILE])
    assert (found.rejected, len(found.episodes)) == ([(1, "bad-message")], 1)


@pytest.mark.skipif(not OPEN.exists(), reason="the open corpora are not here")
def test_the_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    turns = {row["source"].rpartition("/")[2]: row["n_turns"] for row in read.tables["episodes"]}
    assert turns == {
        "openhands_hello-world.trajectory.json": 2,
        "openhands_hello-world.trajectory.no_function_calling.json": 2,
        "terminus_2_hello-world-context-summarization-linear-history.trajectory.json": 7,
    }
    own = {
        path.name: sum(
            step["source"] == "agent" and not step.get("is_copied_context") and step.get("llm_call_count") != 0
            for step in json.loads(path.read_text())["steps"]
        )
        for path in OPEN.rglob("*.json")
    }
    assert sum(own.values()) == sum(turns.values())
    assert sum(row["after_compaction"] for row in read.tables["turns"]) == 1
