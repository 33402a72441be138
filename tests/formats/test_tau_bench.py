"""τ-bench: one run a record, in a list or in lines."""

import json
from pathlib import Path
from typing import Any

from calib.formats.tau_bench import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told


def call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


TRAJ = [
    {"role": "system", "content": "policy"},
    {"role": "user", "content": "Cancel my flight."},
    {"role": "assistant", "content": None, "tool_calls": [call("c1", "get_user", '{"id": "u1"}')]},
    {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": '{"name": "Ann"}'},
    {"role": "assistant", "content": "Which one?"},
    {"role": "user", "content": "The second."},
    {"role": "assistant", "content": None, "function_call": {"name": "cancel", "arguments": '{"n": 2}'}},
    {"role": "function", "name": "cancel", "content": "done"},
    {"role": "assistant", "content": "<think>All done.</think>Bye."},
]
RUN = {
    "task_id": 7, "trial": 2, "reward": 1.0, "traj": TRAJ,
    "info": {"source": "user", "user_cost": 0.25, "task": {"user_id": "u1"}, "reward_info": {"reward": 1.0}},
}  # fmt: skip


def test_a_run() -> None:
    episode = told("tau_bench", [RUN], "runs/gpt.json").one
    assert column("text", episode) == [None, "Which one?", None, "Bye."]
    assert column("tools", episode) == [["get_user"], [], ["cancel"], []]
    assert column("user_before", episode) == [True, False, True, False]
    assert column("state", episode) == ["absent", "absent", "absent", "recorded"]
    assert column("kind", episode) == [None, None, None, "inline"]
    assert calls(episode, "turn", "tool", "arguments", "result_head") == [
        (0, "get_user", '{"id": "u1"}', '{"name": "Ann"}'),
        (2, "cancel", '{"n": 2}', "done"),
    ]
    about = episode.about
    assert (about.episode_id, about.task, about.outcome) == ("runs/gpt.json#task 7, trial 2", "7", "pass")
    assert about.metadata == {"trial": 2, "reward": 1.0, "user_cost": 0.25, "source": "user"}


def test_rewards() -> None:
    found = told("tau_bench", [{**RUN, "reward": reward} for reward in (1, 0.0, 0.5, None, "1")])
    assert [episode.about.outcome for episode in found.episodes] == ["pass", "fail", "fail", None, None]


def test_recognised_alone() -> None:
    assert known_by(RUN) == ["tau_bench"]
    assert known_by([RUN]) == []
    assert not recognises({"traj": None, "task_id": 1})
    for value in odd_values(RUN):
        recognises(value)


def test_every_field_is_heard() -> None:
    places = (
        "0.task_id", "0.trial", "0.reward", "0.traj.1.role", "0.traj.2.tool_calls.0.function.name",
        "0.traj.2.tool_calls.0.function.arguments", "0.traj.2.tool_calls.0.id", "0.traj.3.content",
        "0.traj.4.content", "0.traj.6.function_call.name", "0.traj.6.function_call.arguments", "0.traj.7.content",
        "0.traj.8.content",
    )  # fmt: skip
    assert unheard("tau_bench", [RUN], *places) == []


def test_a_list_of_runs_and_one_that_is_broken(tmp_path: Path) -> None:
    broken = {"task_id": 8, "reward": 0.0, "traj": [{"role": "assistant", "content": ""}, 5]}
    (tmp_path / "gpt.json").write_text(json.dumps([RUN, broken, {**RUN, "trial": 3}], indent=1))
    read = ingested(tmp_path, [tmp_path / "gpt.json"])
    assert [row["n_turns"] for row in read.tables["episodes"]] == [4, 4]
    assert [row["code"] for row in read.tables["rejects"]] == ["bad-message"]
    assert read.sources[0]["format"] == "tau_bench"
