"""SWE-agent: steps and histories, exits, tool calls of their own, the open files."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.swe_agent import recognises
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

SHARED = Path(__file__).parents[2].parent / "shared"
OPEN = SHARED / "corpora" / "swe_agent"


def step(thought: str, action: str, observation: str | None, **more: Any) -> dict[str, Any]:
    response = more.pop("response", f"{thought}\n```\n{action}\n```")
    return {"action": action, "observation": observation, "response": response, "thought": thought, **more}


def item(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": "main", **more}


def answer(one: dict[str, Any], **more: Any) -> dict[str, Any]:
    return item("assistant", one["response"], thought=one["thought"], action=one["action"], **more)


def call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


STEPS = [
    step("Look.", "ls -a | head\n", "a.py"),
    step("Open it.", "open a.py 3\n", "[File: a.py]"),
    step("", "", "Your output was not formatted"),
    step("Open it.", "open a.py 3\n", "[File: a.py]"),
]
EXIT = step("Exit due to cost limit", "exit_cost", "Exited (autosubmitted)", response="Exit due to cost limit")
REPLAY = {
    "agent": {"model": {"name": "m-1", "per_instance_call_limit": 40, "per_instance_cost_limit": 3.0}},
    "problem_statement": {"id": "repo__1", "text": "long"},
}  # fmt: skip
FILE = {
    "environment": "swe_main", "trajectory": [*STEPS, EXIT],
    "history": [item("system", "s"), item("user", "demo", is_demo=True), item("user", "fix it")],
    "info": {"exit_status": "submitted (exit_cost)", "model_stats": {"api_calls": 4, "instance_cost": 3.1}},
    "replay_config": json.dumps(REPLAY),
}  # fmt: skip


def test_a_trajectory() -> None:
    episode = told("swe_agent", [FILE], "run/repo__1.traj").one
    assert column("reasoning", episode) == ["Look.", "Open it.", None, "Open it."]
    assert column("state", episode) == ["recorded", "recorded", "absent", "recorded"]
    assert column("kind", episode) == ["thought", "thought", None, "thought"]
    assert column("same_reasoning", episode) == [0, 1, None, 1]
    assert column("tools", episode) == [["bash"], ["open"], [], ["open"]]
    assert column("same_calls", episode) == [0, 1, None, 1]
    assert calls(episode, "arguments", "result_head") == [
        ('{"command":"ls -a | head\\n"}', "a.py"), ("open a.py 3\n", "[File: a.py]"), ("open a.py 3\n", "[File: a.py]"),
    ]  # fmt: skip
    assert column("user_before", episode) == [True, False, False, False]
    about = episode.about
    assert (about.task, about.model, about.turn_limit) == ("repo__1", "m-1", 40)
    assert (about.outcome, about.stop_reason) == (None, "submitted (exit_cost)")
    assert about.metadata["api_calls"] == 4


@pytest.mark.parametrize(
    ("last", "texts"),
    [
        (EXIT, []),
        ({**EXIT, "action": ""}, []),
        ({**EXIT, "thought": "Exit due to retry error: x", "response": "exit due to retry error: x"}, []),
        ({**EXIT, "response": ""}, []),
        ({**EXIT, "thought": "Exit due to format error", "action": "exit_format", "response": "Hm."}, ["Hm."]),
        (step("Exit due to what?", "ls", "a"), [None]),
    ],
)
def test_what_the_harness_says_at_the_end_is_no_turn(last: dict[str, Any], texts: list[Any]) -> None:
    episode = told("swe_agent", [{**FILE, "trajectory": [*STEPS, last]}]).one
    assert column("text", episode)[len(STEPS) :] == texts
    history = [answer(one) for one in (*STEPS, last)]
    assert told("swe_agent", [{**FILE, "trajectory": [*STEPS, last], "history": history}]).one.turns == episode.turns
    assert len(told("swe_agent", [{"history": history}]).one.turns) == len(episode.turns)


@pytest.mark.parametrize(
    ("more", "task"),
    [
        ({"replay_config": None}, "repo__7"),
        ({"replay_config": "{", "environment": "pandas.pr_1"}, "pandas.pr_1"),
        ({"replay_config": REPLAY}, "repo__1"),
    ],
)
def test_the_task(more: dict[str, Any], task: str) -> None:
    assert told("swe_agent", [{**FILE, **more}], "run/repo__7.traj").one.about.task == task


def test_history_adds_calls_and_thinking() -> None:
    first, second = STEPS[0], step("Open it.", "open a.py", "text", response="Open it.")
    history = [
        item("system", "s"),
        answer(first, is_demo=True, thinking_blocks=[{"type": "thinking", "thinking": "demo"}]),
        answer(first, tool_calls=[call("k", "bash", '{"command": "ls"}')]),
        answer(second, tool_calls=None, thinking_blocks=[{"type": "thinking", "thinking": "Deep."}]),
    ]
    episode = told("swe_agent", [{**FILE, "trajectory": [first, second], "history": history}]).one
    assert column("reasoning", episode) == ["Look.", "Deep."]
    assert column("kind", episode) == ["thought", "native"]
    assert column("text", episode) == [None, "Open it."]
    assert calls(episode, "tool", "arguments", "result_head") == [
        ("bash", '{"command": "ls"}', "a.py"), ("open", "open a.py", "text"),
    ]  # fmt: skip


def test_items_are_found_by_action_when_some_are_missing() -> None:
    submit = step("Done.", "submit", "", response="Done.")
    history = [answer(submit, tool_calls=[call("k", "submit", "{}")])]
    episode = told("swe_agent", [{**FILE, "trajectory": [STEPS[0], submit], "history": history}]).one
    assert calls(episode, "tool", "arguments") == [("bash", '{"command":"ls -a | head\\n"}'), ("submit", "{}")]


def test_a_history_alone() -> None:
    history = [
        item("system", "s"), item("user", "demo", is_demo=True), item("user", "fix it"),
        item("assistant", "Look.", thought="Look.", action="ls", tool_calls=[call("k", "bash", '{"command":"ls"}')]),
        item("tool", [{"type": "text", "text": "a.py"}], tool_call_ids=["k"]),
        item("assistant", "Say.", thought="Say.", action=""),
    ]  # fmt: skip
    episode = told("swe_agent", [{"history": history}], "demo.traj").one
    assert column("reasoning", episode) == ["Look.", None]
    assert column("text", episode) == [None, "Say."]
    assert calls(episode, "tool", "result_head") == [("bash", "a.py")]
    assert (episode.about.task, episode.about.stop_reason) == ("demo", None)


def test_attempts_that_were_not_chosen_are_episodes() -> None:
    other = {"trajectory": STEPS[:1], "history": [], "info": {"exit_status": "exit_format"}}
    chosen = {"trajectory": FILE["trajectory"], "history": []}
    main, second = told("swe_agent", [{**FILE, "attempts": [chosen, other]}]).episodes
    assert (len(main.turns), len(second.turns), second.about.stop_reason) == (4, 1, "exit_format")
    assert (second.about.episode_id, second.about.task) == ("d.jsonl:1/attempt-2", "repo__1")
    assert sum(size for _, _, size in second.stretches) == 0


def test_recognition() -> None:
    assert recognises(FILE)
    assert recognises({"history": [item("system", "s")]})
    assert recognises({"trajectory": [], "info": {}})
    others: tuple[Any, ...] = (
        [], {}, None, 1, "a", {"trajectory": []}, {"trajectory": [1], "info": {}}, {"history": []},
        {"history": [{"role": "user", "content": "a", "name": "b"}]}, {"history": "a"}, {"trajectory": {}, "info": {}},
    )  # fmt: skip
    for other in others:
        assert not recognises(other), other


def test_every_field_that_a_detector_needs_changes_a_column() -> None:
    history = [answer(STEPS[0], thinking_blocks=[{"type": "thinking", "thinking": "Deep."}])]
    file = {**FILE, "trajectory": STEPS[:2], "replay_config": REPLAY}
    assert not unheard(
        "swe_agent", [{**file, "history": [*history, answer(STEPS[1], tool_calls=[call("k", "open", "{}")])]}],
        "0.trajectory.0.action", "0.trajectory.0.observation", "0.trajectory.0.thought", "0.trajectory.1.thought",
        "0.history.0.thinking_blocks.0.thinking", "0.history.1.tool_calls.0.function.name",
        "0.history.1.tool_calls.0.function.arguments", "0.info.exit_status", "0.replay_config.agent.model.name",
        "0.replay_config.agent.model.per_instance_call_limit", "0.replay_config.problem_statement.id",
        "0.info.model_stats.api_calls",
    )  # fmt: skip


@pytest.mark.skipif(not OPEN.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    literal = {}
    for path in OPEN.rglob("*.traj"):
        value = json.loads(path.read_text())
        answers = [one for one in value["history"] if one["role"] == "assistant"]
        literal[path.name] = len(value.get("trajectory", answers))
    rows = {Path(row["source"]).name: row for row in read.tables["episodes"]}
    assert {name: row["n_turns"] for name, row in rows.items()} == literal
    assert sum(literal.values()) == 68
    assert {row["format"] for row in rows.values()} == {"swe_agent"}
    assert not read.tables["rejects"]
    turns = read.tables["turns"]
    assert {row["reasoning_kind"] for row in turns if row["reasoning_state"] == "recorded"} == {"thought"}
    assert rows["pandas-dev__pandas.95280573.pr_53856.traj"]["turn_limit"] == 150
