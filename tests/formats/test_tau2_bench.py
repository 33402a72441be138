"""τ²-bench: simulations with a simulated user that calls tools too."""

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from calib.formats.tau2_bench import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

OPEN = Path(__file__).parents[2].parent / "shared" / "corpora" / "tau2_bench"


def call(call_id: str, name: str, arguments: Any, requestor: str = "assistant") -> dict[str, Any]:
    return {"id": call_id, "name": name, "arguments": arguments, "requestor": requestor}


def result(call_id: str, text: str, requestor: str = "assistant", error: bool = False) -> dict[str, Any]:
    return {"id": call_id, "role": "tool", "content": text, "requestor": requestor, "error": error}


def said(content: str | None, *listed: dict[str, Any], role: str = "assistant", raw: Any = None) -> dict[str, Any]:
    return {"role": role, "content": content, "tool_calls": list(listed) or None, "raw_data": raw, "usage": None}


MESSAGES = [
    said("Hi! How can I help you today?"),
    said("My phone is slow.", role="user"),
    said(None, call("a", "get_line", {"id": "L1"}), call("b", "get_line", {"id": "L2"}),
         raw={"message": {"reasoning_content": "Look up both."}}),
    result("b", "second"),
    result("a", "first", error=True),
    said("Run a speed test.", raw={"thinking_blocks": [{"type": "thinking", "thinking": "Ask.", "signature": "s"}]}),
    said(None, call("u", "speed_test", {}, "user"), role="user"),
    result("u", "slow", "user"),
    said("It is slow.", role="user"),
    said("<think>Close.</think>Sorry.", raw=None),
]  # fmt: skip
SIMULATION = {
    "id": "sim-1", "task_id": "[data]slow[PERSONA:None]", "trial": 1, "seed": 9, "duration": 3.5, "agent_cost": 0.1,
    "termination_reason": "max_steps", "reward_info": {"reward": 0.0}, "messages": MESSAGES,
}  # fmt: skip
RUN: dict[str, Any] = {
    "timestamp": "t", "tasks": [{"id": "x"}],
    "info": {
        "git_commit": "abc", "num_trials": 1, "max_steps": 200, "max_errors": 10,
        "agent_info": {"implementation": "llm_agent", "llm": "m-1", "llm_args": {"api_key": "secret"}},
        "user_info": {"implementation": "user_simulator", "llm": "u-1"}, "environment_info": {"domain_name": "telecom"},
    },
    "simulations": [SIMULATION, {**SIMULATION, "id": "sim-2", "termination_reason": "user_stop",
                                 "reward_info": {"reward": 1.0}}],
}  # fmt: skip


def test_a_simulation() -> None:
    first, second = told("tau2_bench", [RUN]).episodes
    assert column("text", first) == [None, "Run a speed test.", "Sorry."]
    assert column("reasoning", first) == ["Look up both.", "Ask.", "Close."]
    assert column("kind", first) == ["native", "native", "inline"]
    assert column("tools", first) == [["get_line", "get_line"], [], []]
    assert column("user_before", first) == [True, False, True]
    assert calls(first, "turn", "call", "arguments", "result_head", "is_error") == [
        (0, 0, '{"id":"L1"}', "first", True),
        (0, 1, '{"id":"L2"}', "second", False),
    ]
    assert column("orphans", first) == [0, 0, 0]
    about = first.about
    assert (about.episode_id, about.task, about.model) == ("sim-1", "[data]slow[PERSONA:None]", "m-1")
    assert (about.outcome, about.stop_reason, about.turn_limit) == ("fail", "max_steps", None)
    assert (about.metadata["max_steps"], about.metadata["domain"], about.metadata["trial"]) == (200, "telecom", 1)
    assert "secret" not in about.metadata_text()
    assert (second.about.outcome, second.about.stop_reason) == ("pass", "user_stop")


def test_a_first_answer_that_calls_is_no_greeting() -> None:
    record = {**SIMULATION, "messages": [said("Let me see.", call("a", "look", {})), result("a", "ok")]}
    assert column("text", told("tau2_bench", [record]).one) == ["Let me see."]
    silent = {**SIMULATION, "messages": [said("Hi!"), said("Still there?")]}
    assert told("tau2_bench", [silent]).one.turns == []
    own = {**SIMULATION, "messages": [{**said("Hello, I am your agent."), "usage": {"completion_tokens": 9}}]}
    assert len(told("tau2_bench", [own]).one.turns) == 1


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, (None, "absent")),
        ({"choices": [{"message": {"reasoning_content": "R"}}]}, ("R", "recorded")),
        ({"message": {"thinking_blocks": [{"thinking": "", "signature": "s"}]}}, (None, "withheld")),
        ({"message": {"thinking_blocks": [{"type": "redacted_thinking", "data": "x"}]}}, (None, "withheld")),
        ({"message": {"reasoning_content": ""}}, ("", "empty")),
        ({"reasoning": "R", "message": {"content": "x"}}, ("R", "recorded")),
    ],
)
def test_shapes_of_the_providers_answer(raw: Any, expected: tuple[str | None, str]) -> None:
    record = {**SIMULATION, "messages": [said("Hello", role="user"), said("Answer", raw=raw)]}
    turn = told("tau2_bench", [record]).one.turns[0]
    assert (turn[0], turn[1]) == expected


def test_recognised_alone() -> None:
    assert known_by(RUN) == ["tau2_bench"]
    assert "tau2_bench" in known_by(SIMULATION)
    assert set(known_by(SIMULATION)) <= {"tau2_bench", "episode_lines"}
    assert not recognises({"messages": [], "task_id": 1})
    for value in odd_values(RUN, SIMULATION):
        recognises(value)


def test_every_field_is_heard() -> None:
    sim = "0.simulations.0."
    places = [
        sim + place
        for place in (
            "id", "task_id", "trial", "termination_reason", "messages.1.role", "messages.2.tool_calls.0.name",
            "messages.2.tool_calls.0.arguments.id", "messages.2.tool_calls.0.id",
            "messages.2.raw_data.message.reasoning_content", "messages.3.content",
            "messages.4.error", "messages.5.content", "messages.5.raw_data.thinking_blocks.0.thinking",
            "messages.9.content",
        )
    ]  # fmt: skip
    assert unheard("tau2_bench", [RUN], *places, "0.info.agent_info.llm", "0.info.max_steps") == []
    passed: Any = copy.deepcopy(RUN)
    passed["simulations"][0]["reward_info"]["reward"] = 1.0
    assert told("tau2_bench", [passed]).episodes[0].about.outcome == "pass"
    users: Any = copy.deepcopy(RUN)
    users["simulations"][0]["messages"][2]["tool_calls"][0]["requestor"] = "user"
    users["simulations"][0]["messages"][4]["requestor"] = "user"
    assert calls(told("tau2_bench", [users]).episodes[0], "result_head") == [("second",)]


def shapes(folder: Path) -> dict[str, Path]:
    """The same simulations in each of the shapes on disk."""
    alone = RUN["simulations"]
    texts = {
        "run.json": json.dumps(RUN), "pretty.json": json.dumps(RUN, indent=2), "list.json": json.dumps(alone),
        "lines.jsonl": "".join(json.dumps(one) + "\n" for one in alone), "one.json": json.dumps(SIMULATION),
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in texts}


@pytest.mark.parametrize("name", ["run.json", "pretty.json", "list.json", "lines.jsonl", "one.json"])
def test_each_shape_on_disk(tmp_path: Path, name: str) -> None:
    path = shapes(tmp_path)[name]
    read = ingested(tmp_path, [path])
    expected = ["sim-1"] if name == "one.json" else ["sim-1", "sim-2"]
    assert [row["episode_id"] for row in read.tables["episodes"]] == expected
    assert read.sources[0]["account"]["bytes"] == path.stat().st_size
    assert read.sources[0]["account"]["rejected"] == {}


def test_each_simulation_has_its_own_bytes(tmp_path: Path) -> None:
    path = shapes(tmp_path)["pretty.json"]
    other = tmp_path / "zz.json"
    other.write_text(json.dumps({**RUN, "simulations": [*RUN["simulations"], {**SIMULATION, "id": "sim-3"}]}))
    read = ingested(tmp_path, [path, other])
    assert [row["episode_id"] for row in read.tables["episodes"]] == ["sim-1", "sim-2", "sim-3"]
    text = other.read_text()
    kept = read.sources[1]["account"]["kept"]
    assert text[len(text) - kept :].lstrip(", ").startswith('{"id": "sim-3"')
    assert len({row["source_line"] for row in read.tables["episodes"] if row["source"] == "pretty.json"}) == 2


def test_one_bad_simulation_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    bad = {**SIMULATION, "id": "bad", "messages": [17]}
    path.write_text(json.dumps({**RUN, "simulations": [RUN["simulations"][0], bad, RUN["simulations"][1]]}))
    read = ingested(tmp_path, [path])
    assert [row["episode_id"] for row in read.tables["episodes"]] == ["sim-1", "sim-2"]
    assert [(row["code"], row["line"]) for row in read.tables["rejects"]] == [("bad-message", 1)]


def test_mended_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(RUN).replace('"duration": 3.5', '"duration": NaN'))
    read = ingested(tmp_path, [path])
    assert [row["episode_id"] for row in read.tables["episodes"]] == ["sim-1", "sim-2"]
    assert read.sources[0]["notices"]["nonfinite-number"] == 1


@pytest.mark.skipif(not OPEN.exists(), reason="the open corpora are not here")
def test_the_open_runs(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    assert [(source["format"], source["episodes"], source["turns"]) for source in read.sources] == [
        ("tau2_bench", 1, _turns(OPEN, "e2e")),
        ("tau2_bench", 50, _turns(OPEN, "airline")),
    ]
    stops = Counter(row["stop_reason"] for row in read.tables["episodes"])
    assert stops == {"user_stop": 45, "max_steps": 5, "too_many_errors": 1}
    assert Counter(row["outcome"] for row in read.tables["episodes"]) == {"passed": 20, "failed": 31}
    at_limit = {row["n_turns"] for row in read.tables["episodes"] if row["stop_reason"] == "max_steps"}
    assert at_limit == {100}
    assert {row["reasoning_state"] for row in read.tables["turns"]} == {"absent"}


def _turns(folder: Path, part: str) -> int:
    (path,) = (path for path in folder.rglob("*.json") if part in path.name)
    simulations = json.loads(path.read_text())["simulations"]
    answers = sum(message["role"] == "assistant" for one in simulations for message in one["messages"])
    return int(answers) - len(simulations)  # each begins with a greeting
