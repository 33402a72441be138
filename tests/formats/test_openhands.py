"""OpenHands V0: runs in every shape, turns by pencil, what changes nothing, the open files."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.openhands import bundled, recognises
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

SHARED = Path(__file__).parents[2].parent / "shared"
OPEN = SHARED / "corpora" / "openhands"
Event = dict[str, Any]


def event(number: int | None, source: str | None, **more: Any) -> Event:
    head = {} if number is None else {"id": number, "timestamp": f"2025-04-30T16:00:{number:02}"}
    return {**head, **({} if source is None else {"source": source}), **more}


def call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def response(name: str, content: str | None, *listed: dict[str, Any], **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "tool_calls": list(listed), **more}
    return {"id": name, "model": "m-1", "choices": [{"message": message}], "usage": {"total_tokens": 9}}


def made(call_id: str, answer: dict[str, Any] | None, name: str = "execute_bash") -> dict[str, Any]:
    return {"tool_call_metadata": {"function_name": name, "tool_call_id": call_id, "model_response": answer}}


def acts(number: int, action: str, args: dict[str, Any], call_id: str = "", answer: Any = None, **more: Any) -> Event:
    return event(number, "agent", action=action, args=args, **(made(call_id, answer) if answer else {}), **more)


def sees(number: int, kind: str, cause: int, content: str, call_id: str = "", answer: Any = None, **more: Any) -> Event:
    beside = made(call_id, answer) if answer else {}
    return event(number, "agent", observation=kind, cause=cause, content=content, extras={}, **beside, **more)


TWO = response("r1", "Look around.", call("k1", "execute_bash", '{"command": "ls"}'), call("k2", "think", "{}"))
ONE = response("r2", "", call("k1", "execute_bash", '{"command":"ls"}'), reasoning_content="Again.")
LAST = response("r3", "All is done.", call("k3", "finish", '{"message": "ok"}'))
HISTORY = [
    event(0, "agent", action="system", args={"content": "prompt", "openhands_version": "0.35.0"}),
    event(1, "user", action="message", args={"content": "fix it"}),
    event(2, "user", action="recall", args={"query": "fix it"}),
    event(4, "environment", observation="recall", cause=2, content="context", extras={}),
    acts(5, "run", {"command": "ls", "thought": "Look around.", "hidden": False}, "k1", TWO),
    acts(6, "think", {"thought": "hm"}, "k2", TWO),
    sees(7, "run", 5, "a.py", "k1", TWO, success=True),
    sees(8, "think", 6, "noted", "k2", TWO),
    acts(9, "run", {"command": "ls", "thought": ""}, "k1", ONE),
    sees(10, "run", 9, "no such file", "k1", ONE, success=False),
    event(11, "agent", observation="error", content="bad arguments", extras={}),
    acts(12, "finish", {"final_thought": "ok"}, "k3", LAST),
]
RUN = {
    "instance_id": "repo__1", "instruction": "fix it", "history": HISTORY, "error": None,
    "metadata": {"agent_class": "CodeActAgent", "max_iterations": 50, "llm_config": {"model": "m-0"}},
    "metrics": {"accumulated_cost": 0.5, "token_usages": [{}, {}, {}]}, "test_result": {"git_patch": "diff"},
}  # fmt: skip


def test_a_run() -> None:
    episode = told("openhands", [RUN]).one
    assert column("tools", episode) == [["execute_bash", "think"], ["execute_bash"], ["finish"]]
    assert column("reasoning", episode) == ["Look around.", "Again.", "All is done."]
    assert column("kind", episode) == ["thought", "native", "thought"]
    assert column("text", episode) == [None, "", None]
    assert column("user_before", episode) == [True, False, False]
    assert column("orphans", episode) == [0, 1, 0]  # a reply that became no action leaves its error only
    assert calls(episode, "arguments", "result_head", "is_error") == [
        ('{"command": "ls"}', "a.py", False),
        ("{}", "noted", None),
        ('{"command":"ls"}', "no such file", True),
        ('{"message": "ok"}', None, None),
    ]


def test_what_a_run_says_of_itself() -> None:
    about = told("openhands", [RUN]).one.about
    assert (about.episode_id, about.task, about.model, about.turn_limit) == (None, "repo__1", "m-1", 50)
    assert (about.outcome, about.stop_reason) == (None, "finish")
    assert about.metadata == {
        "openhands_version": "0.35.0", "agent_class": "CodeActAgent", "max_iterations": 50, "accumulated_cost": 0.5,
        "responses": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({"test_result": True}, "pass"),
        ({"test_result": {"resolved": False}}, "fail"),
        ({"test_result": {"report": {"resolved": True}}}, "pass"),
        ({"report": {"resolved": False}}, "fail"),
        ({"test_result": {"final_score": {"result": 2, "total": 2}}}, "pass"),
        ({"test_result": {"final_score": {"result": 1, "total": 2}}}, "fail"),
        ({"test_result": {"final_score": {"result": 0, "total": 0}}}, None),
        ({"success": True}, "pass"),
        ({}, None),
    ],
)
def test_outcomes(more: dict[str, Any], outcome: str | None) -> None:
    assert told("openhands", [{**RUN, **more}]).one.about.outcome == outcome


@pytest.mark.parametrize(
    ("error", "limit"),
    [
        ("RuntimeError: Agent reached maximum iteration. Current iteration: 30, max iteration: 30", 50),
        ("Agent reached maximum iteration in headless mode", 50),
        ("AgentStuckInLoopError: Agent got stuck in a loop", 50),
    ],
)
def test_the_error_is_the_stop_reason(error: str, limit: int) -> None:
    about = told("openhands", [{**RUN, "error": error + "\nTraceback"}]).one.about
    assert (about.stop_reason, about.turn_limit) == (error, limit)


def test_the_limit_of_an_error_counts_when_the_file_names_no_other() -> None:
    said = "RuntimeError: Agent reached maximum iteration. Current iteration: 30, max iteration: 30"
    assert told("openhands", [{"history": HISTORY, "error": said}]).one.about.turn_limit == 30


def test_the_limit_of_a_folder_counts_when_nothing_else_names_one() -> None:
    source = "out/CodeActAgent/m_maxiter_30_N_v0.9/a.json"
    assert told("openhands", [HISTORY], source).one.about.turn_limit == 30
    assert told("openhands", HISTORY, source).one.about.turn_limit == 30
    assert told("openhands", [RUN], source).one.about.turn_limit == 50
    assert told("openhands", [HISTORY], "out/m_maxiter_30_N.json").one.about.turn_limit is None


def test_every_shape_gives_the_same_turns() -> None:
    pairs = [[one, {"observation": "null", "content": "", "extras": {}}] for one in HISTORY]
    turns = told("openhands", [RUN]).one.turns
    assert told("openhands", [{"history": pairs}]).one.turns == turns
    assert told("openhands", [HISTORY]).one.turns == turns
    assert told("openhands", HISTORY).one.turns == turns


def test_the_oldest_events_say_neither_source_nor_arguments_of_their_own() -> None:
    history = [
        {"content": "fix it", "wait_for_response": False, "action": "message", "action_risk": None},
        {"command": "ls", "thought": "Look.", "keep_prompt": True, "action": "run", "action_risk": None},
        {"content": "a.py", "command_id": -1, "exit_code": 0, "observation": "run"},
        {"content": "Which one?", "wait_for_response": True, "action": "message"},
        {"content": "the first", "action": "message", "wait_for_response": False},
        {"outputs": {}, "thought": "Done.", "action": "finish", "action_risk": None},
    ]
    episode = told("openhands", [{"history": history, "issue": {"owner": "o", "repo": "r", "number": 5}}]).one
    assert column("tools", episode) == [["run"], [], ["finish"]]
    assert column("user_before", episode) == [True, False, True]
    assert column("text", episode) == [None, "Which one?", None]
    assert calls(episode, "arguments", "result_head") == [('{"command":"ls"}', "a.py"), ('{"outputs":{}}', None)]
    assert episode.about.task == "o/r#5"


def test_results_between_the_actions_of_one_response_part_no_turn() -> None:
    twice = [call(f"k{at}", "execute_bash", '{"command": "ls"}') for at in (1, 2)]
    answer = response("r1", None, *twice, reasoning_content="Plan.")
    answer["usage"] = {"completion_tokens": 7}
    history = [
        acts(2, "run", {"command": "ls", "thought": "x"}, "k1", answer),
        sees(5, "run", 2, "a", "k1", answer),
        acts(6, "run", {"command": "ls", "thought": ""}, "k2", answer),
        sees(9, "run", 6, "b", "k2", answer),
    ]
    episode = told("openhands", [history]).one
    assert (column("reasoning", episode), column("output_tokens", episode)) == (["Plan."], [7])
    assert calls(episode, "turn", "result_head") == [(0, "a"), (0, "b")]


def test_a_result_of_an_earlier_action_answers_no_other() -> None:
    history = [
        acts(2, "run", {"command": "ls", "thought": ""}),
        acts(3, "run", {"command": "pwd", "thought": ""}),
        event(4, "agent", observation="run", cause=2, content="late", extras={}),
        event(5, "agent", observation="run", cause=3, content="/", extras={}),
    ]
    episode = told("openhands", [history]).one
    assert calls(episode, "result_head") == [(None,), ("/",)]
    assert column("orphans", episode) == [0, 1]


def test_a_message_is_a_turn_and_a_user_may_act() -> None:
    history = [
        event(1, "user", action="message", args={"content": "hi"}),
        acts(2, "message", {"content": "Hello."}),
        event(3, "user", action="run", args={"command": "pwd"}),
        event(4, "agent", observation="run", cause=3, content="/", extras={}),
        acts(5, "run", {"command": "ls", "thought": "", "confirmation_state": "confirmed"}),
        event(6, "agent", observation="user_rejected", cause=5, content="no", extras={}),
        event(7, "environment", observation="agent_state_changed", content="", extras={"agent_state": "stopped"}),
    ]
    episode = told("openhands", [history]).one
    assert column("text", episode) == ["Hello.", ""]
    assert column("orphans", episode) == [0, 0]
    assert calls(episode, "tool", "arguments", "result_head", "is_error") == [("run", '{"command":"ls"}', "no", True)]
    assert episode.about.stop_reason == "stopped"


def test_a_response_whose_action_is_gone_still_counts() -> None:
    episode = told("openhands", [[HISTORY[1], HISTORY[6], *HISTORY[8:]]]).one
    assert column("tools", episode)[0] == ["execute_bash", "think"]
    assert len(episode.turns) == 3


def test_condensation_marks_the_next_turn() -> None:
    condensed = event(20, "agent", action="condensation", args={"forgotten_event_ids": [1]})
    episode = told("openhands", [[*HISTORY[:8], condensed, *HISTORY[8:]]]).one
    assert column("after_compaction", episode) == [False, True, False]


def test_a_delegate_is_an_episode_of_its_own() -> None:
    history = [
        event(1, "user", action="message", args={"content": "go"}),
        acts(2, "delegate", {"agent": "BrowsingAgent", "inputs": {"task": "t"}, "thought": ""}),
        acts(3, "browse", {"url": "u", "thought": "Open."}),
        event(4, "agent", observation="browse", cause=3, content="page", extras={"error": True}),
        acts(5, "finish", {"outputs": {}, "thought": ""}),
        event(6, "agent", observation="delegate", cause=2, content="found", extras={"outputs": {}}),
        acts(7, "finish", {"outputs": {}, "thought": ""}),
    ]
    child, parent = told("openhands", [history]).episodes
    assert (child.about.parent, child.about.metadata) == ("d.jsonl@0", {"agent": "BrowsingAgent"})
    assert (child.about.episode_id, parent.about.episode_id) == ("d.jsonl@0/delegate-1", "d.jsonl@0")
    assert calls(child, "tool", "result_head", "is_error") == [("browse", "page", True), ("finish", None, None)]
    assert calls(parent, "tool", "result_head") == [("delegate", "found"), ("finish", None)]
    assert sum(size for _, _, size in child.stretches) == 0


def test_recognition() -> None:
    assert recognises(RUN)
    assert recognises(HISTORY)
    assert recognises({"history": [], "instance_id": "a", "test_result": {}})
    assert bundled(HISTORY[1])
    assert not bundled(RUN)
    others: tuple[Any, ...] = (
        [], {}, None, 1, "a", [[]], [{"action": "x"}], {"history": [{"role": "user", "content": "a"}]},
        {"history": [{"kind": "ActionEvent", "source": "agent"}]}, {"history": "a"}, {"action": "x", "args": {}},
        [{"action": "ls", "observation": "a", "thought": "t", "response": "r"}],
    )  # fmt: skip
    for other in others:
        assert not recognises(other), other


def test_an_odd_event_costs_itself_only() -> None:
    found = told("openhands", [*HISTORY[:6], {"id": 99, "timestamp": "t", "source": "agent"}, *HISTORY[6:]])
    assert found.rejected == [(7, "bad-message")]
    assert found.one.turns == told("openhands", HISTORY).one.turns
    inside = told("openhands", [[*HISTORY[:6], 7, *HISTORY[6:]]])
    assert inside.notices["unknown-record-type"] == 1
    assert told("openhands", [{"history": "none", "instance_id": "a"}]).rejected == [(1, "bad-message")]


def test_every_field_that_a_detector_needs_changes_a_column() -> None:
    message = "tool_call_metadata.model_response.choices.0.message"
    assert not unheard(
        "openhands", [{**RUN, "error": "E", "test_result": {"resolved": True}}],
        f"0.history.4.{message}.content", f"0.history.4.{message}.tool_calls.0.function.name",
        f"0.history.4.{message}.tool_calls.1.function.arguments", f"0.history.8.{message}.reasoning_content",
        "0.history.5.tool_call_metadata.model_response.id", "0.history.1.action", "0.history.1.source",
        "0.history.6.content", "0.history.6.success", "0.history.6.tool_call_metadata.tool_call_id",
        "0.history.9.success", "0.error", "0.instance_id",
        "0.test_result.resolved", "0.metadata.max_iterations", "0.metrics.accumulated_cost",
    )  # fmt: skip


def test_without_the_response_the_action_itself_is_heard() -> None:
    history = [
        event(1, "user", action="message", args={"content": "go"}),
        acts(2, "run", {"command": "ls", "thought": "Look."}),
        event(3, "agent", observation="run", cause=2, content="a", extras={}),
        acts(4, "message", {"content": "Hello."}),
        event(5, "environment", observation="agent_state_changed", content="", extras={"agent_state": "error"}),
    ]
    needed = (
        "0.1.action", "0.1.source", "0.1.args.command", "0.1.args.thought", "0.2.content", "0.3.args.content",
        "0.4.extras.agent_state",
    )  # fmt: skip
    assert not unheard("openhands", [history], *needed)


def _responses(events: list[Any]) -> set[str]:
    """A literal look at a history: the ids of model responses, and the agent's messages."""
    flat = [one for item in events for one in (item if isinstance(item, list) else [item])]
    kept = {one["tool_call_metadata"]["model_response"]["id"] for one in flat if one.get("tool_call_metadata")}
    plain = [
        one
        for at, one in enumerate(flat)
        if one.get("action") and not one.get("tool_call_metadata") and one.get("source", "agent") == "agent"
        and (one["action"] not in ("system", "message") or (one["action"] == "message" and at > 0))
    ]  # fmt: skip
    return kept | {f"{at}" for at in range(len(plain))}


@pytest.mark.skipif(not OPEN.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    literal = []
    for path in sorted(OPEN.rglob("*.json*")):
        text = path.read_text()
        records = [json.loads(text)] if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
        histories = [record["history"] if isinstance(record, dict) else record for record in records]
        literal += [len(_responses(history)) for history in histories if "model_patch" not in history[0]]
    rows = {row["episode_id"]: row for row in read.tables["episodes"]}
    assert sorted(row["n_turns"] for row in rows.values()) == sorted(literal)
    assert {row["format"] for row in rows.values()} == {"openhands"}
    assert sum(literal) == 145
    limited = next(row for name, row in rows.items() if name.endswith("multi_swe_bench/examples/output.jsonl:3"))
    assert limited["stop_reason"].startswith("RuntimeError: Agent reached maximum iteration")
    assert (limited["turn_limit"], limited["n_turns"], limited["task"]) == (50, 49, "ponylang__ponyc-4588")
    assert limited["label"] == "turn_limit"
    assert {row["code"] for row in read.tables["rejects"]} == {"unknown-format"}  # a list of patches
