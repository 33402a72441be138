"""The OpenHands SDK: conversations event by event and as outputs, turns by pencil, bundles, the open files."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.openhands_sdk import bundled, recognises
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

SHARED = Path(__file__).parents[2].parent / "shared"
OPEN = SHARED / "corpora" / "openhands_sdk"
Event = dict[str, Any]


def event(kind: str, source: str = "environment", **more: Any) -> Event:
    return {"id": f"e-{kind}", "timestamp": "2026-02-18T19:10:19", "source": source, "kind": kind, **more}


def texts(*said: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text, "cache_prompt": False} for text in said]


def acts(response: str | None, call_id: str, tool: str, arguments: str, *thought: str, **more: Any) -> Event:
    asked = {"id": call_id, "name": tool, "arguments": arguments, "origin": "completion"}
    return event(
        "ActionEvent", "agent", thought=texts(*thought), action=None, tool_name=tool, tool_call_id=call_id,
        tool_call=asked, llm_response_id=response, **more,
    )  # fmt: skip


def sees(call_id: str, text: str, failed: bool = False) -> Event:
    seen = {"content": texts(text), "is_error": failed, "kind": "TerminalObservation"}
    return event("ObservationEvent", tool_name="terminal", tool_call_id=call_id, action_id="a", observation=seen)


def says(source: str, text: str, response: str | None = None, **more: Any) -> Event:
    role = "assistant" if source == "agent" else "user"
    message = {"role": role, "content": texts(text), "thinking_blocks": [], **more}
    return event("MessageEvent", source, llm_message=message, llm_response_id=response)


EVENTS = [
    event("SystemPromptEvent", "agent", system_prompt=texts("prompt")[0], tools=[]),
    says("user", "go"),
    acts("r1", "k1", "terminal", '{"command": "ls"}', "Look.", reasoning_content="Plan.", thinking_blocks=[]),
    acts("r1", "k2", "file_editor", '{"command": "view"}'),
    sees("k2", "b"),
    sees("k1", "a", True),
    event("Condensation", forgotten_event_ids=["x"]),
    acts("r2", "k3", "terminal", "{}", "Run it."),
    event("AgentErrorEvent", "agent", tool_name="terminal", tool_call_id="k3", error="no such tool"),
    acts("r3", "k4", "terminal", '{"command":"rm"}', thinking_blocks=[{"type": "redacted_thinking", "data": "x"}]),
    event("UserRejectObservation", tool_name="terminal", tool_call_id="k4", rejection_reason="not that"),
    says("agent", "What then?", "r4"),
    says("user", "stop"),
    acts("r5", "k5", "finish", '{"message": "ok"}', responses_reasoning_item={"summary": ["**End**"]}),
    sees("k5", "ok"),
]


def test_a_conversation() -> None:
    episode = told("openhands_sdk", EVENTS).one
    assert column("tools", episode) == [["terminal", "file_editor"], ["terminal"], ["terminal"], [], ["finish"]]
    assert column("reasoning", episode) == ["Plan.", "Run it.", None, None, "**End**"]
    assert column("state", episode) == ["recorded", "recorded", "withheld", "absent", "recorded"]
    assert column("kind", episode) == ["native", "thought", None, None, "summary"]
    assert column("text", episode) == ["Look.", None, None, "What then?", None]
    assert column("user_before", episode) == [True, False, False, False, True]
    assert column("after_compaction", episode) == [False, True, False, False, False]
    assert calls(episode, "turn", "result_head", "is_error") == [
        (0, "a", True), (0, "b", False), (1, "no such tool", True), (2, "not that", True), (4, "ok", False),
    ]  # fmt: skip
    assert episode.about.episode_id == "d.jsonl"  # the name of its folder or file
    assert episode.about.stop_reason == "finish"


def test_the_end_of_a_conversation() -> None:
    state = event("ConversationStateUpdateEvent", key="execution_status", value="stuck")
    full = event("ConversationStateUpdateEvent", key="full_state", value={
        "id": "c-1", "execution_status": "running", "max_iterations": 7, "agent": {"llm": {"model": "m-1"}},
        "stats": {"usage_to_metrics": {"agent": {"model_name": "m-2", "accumulated_cost": 0.25}}},
    })  # fmt: skip
    about = told("openhands_sdk", [full, *EVENTS, state]).one.about
    assert (about.episode_id, about.model, about.turn_limit, about.stop_reason) == ("c-1", "m-1", 7, "stuck")
    assert about.metadata == {"max_iterations": 7, "accumulated_cost": 0.25}
    failed = event(
        "ConversationErrorEvent", code="MaxIterationsReached", detail="Agent reached maximum iterations limit (30)."
    )
    about = told("openhands_sdk", [*EVENTS, failed, state]).one.about
    assert (about.stop_reason, about.turn_limit) == ("MaxIterationsReached", 30)
    about = told("openhands_sdk", [failed, *EVENTS]).one.about
    assert about.stop_reason == "finish"  # it went on


def test_a_message_of_the_agent_has_reasoning_of_its_own() -> None:
    said = says("agent", "Hi.", "r1", reasoning_content="Think.")
    bare = event("ActionEvent", "agent", tool_name="g", tool_call_id="k", llm_response_id="r2", action={"a": 1})
    episode = told("openhands_sdk", [says("user", "go"), said, bare]).one
    assert column("reasoning", episode) == ["Think.", None]
    assert column("text", episode) == ["Hi.", None]
    assert calls(episode, "tool", "arguments") == [("g", '{"a":1}')]


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ({"kind": "X", "output": "out"}, "out"),
        ({"kind": "X", "content": []}, ""),
        ({"kind": "X", "command": "view", "path": "a"}, '{"command":"view","path":"a"}'),
        ({}, ""),
    ],
)
def test_what_the_model_saw(seen: Event, text: str) -> None:
    result = event("ObservationEvent", tool_name="f", tool_call_id="k", action_id="a", observation=seen)
    assert calls(told("openhands_sdk", [acts("r", "k", "f", "{}"), result]).one, "result_head") == [(text,)]


def test_quiet_events_end_no_response() -> None:
    kinds = ("TokenEvent", "LLMCompletionLogEvent", "StreamingDeltaEvent", "PauseEvent", "CondensationRequest",
             "CondensationSummaryEvent", "ConversationStateUpdateEvent", "SystemPromptEvent")  # fmt: skip
    between = [event(kind, "agent") for kind in kinds]
    found = told("openhands_sdk", [acts("r1", "k1", "f", "{}"), *between, acts("r1", "k2", "g", "{}")])
    assert column("tools", found.one) == [["f", "g"]]
    assert not found.notices["unknown-record-type"]


def test_a_response_told_again_counts_once() -> None:
    episode = told("openhands_sdk", [*EVENTS, *EVENTS[2:6]]).one
    assert len(episode.turns) == 5


def test_thinking_that_also_stands_in_the_text_is_taken_once() -> None:
    found = told("openhands_sdk", [acts("r", "k", "f", "{}", "<think>Plan.</think>\n\n", reasoning_content="Plan.\n")])
    assert column("reasoning", found.one) == ["Plan.\n"]
    assert column("text", found.one) == ["\n\n"]
    assert not found.notices["reasoning-conflict"]


RUN = {
    "instance_id": "t-1", "history": EVENTS, "error": None,
    "test_result": {"final_score": {"result": 1, "total": 2}},
    "metadata": {"llm": {"model": "m-3"}, "max_iterations": 9},
}  # fmt: skip


def test_a_run() -> None:
    first, second = told("openhands_sdk", [RUN, {**RUN, "error": "Boom: x\ntrace"}]).episodes
    assert first.turns == second.turns == told("openhands_sdk", EVENTS).one.turns
    about = first.about
    assert (about.episode_id, about.task, about.model, about.turn_limit) == (None, "t-1", "m-3", 9)
    assert (about.outcome, about.stop_reason, second.about.stop_reason) == ("fail", "finish", "Boom: x")


def test_a_run_that_left_only_its_error() -> None:
    said = "Instance t-1 failed after 1 attempts:\nMaxIterationsReached: Agent reached maximum iterations limit (500)."
    run = {**RUN, "history": [], "test_result": {}, "metadata": {"llm": {"model": "m"}}, "error": said}
    episode = told("openhands_sdk", [run]).one
    assert (len(episode.turns), episode.about.turn_limit) == (0, 500)
    assert episode.about.stop_reason == said.partition("\n")[2]


def test_recognition() -> None:
    assert recognises(RUN)
    assert not bundled(RUN)
    assert all(recognises(one) and bundled(one) for one in EVENTS)
    assert recognises({"history": [], "instance_id": "a", "test_result": {}, "metadata": {"llm": {}}})
    others: tuple[Any, ...] = (
        [], {}, None, 1, "a", {"kind": "ActionEvent"}, {"kind": ["x"], "source": "a"}, {"history": [{"kind": "x"}]},
        {"kind": "Else", "source": "agent"},
    )  # fmt: skip
    for other in others:
        assert not recognises(other), other


def test_unknown_kinds_are_counted() -> None:
    found = told("openhands_sdk", [*EVENTS, event("FutureEvent"), 7, {"a": 1}])
    assert found.ignored == ["FutureEvent"]
    assert found.notices["unknown-record-type"] == 1
    assert [code for _, code in found.rejected] == ["not-an-object", "bad-message"]
    inside = told("openhands_sdk", [{**RUN, "history": [*EVENTS, event("FutureEvent"), None]}])
    assert inside.notices["unknown-record-type"] == 2


def test_every_field_that_a_detector_needs_changes_a_column() -> None:
    state = event("ConversationStateUpdateEvent", key="execution_status", value="error")
    assert not unheard(
        "openhands_sdk", [*EVENTS, state],
        "1.source", "2.thought.0.text", "2.reasoning_content", "2.tool_name", "2.tool_call.arguments",
        "3.tool_call.arguments", "3.llm_response_id", "3.tool_name", "4.observation.content.0.text",
        "4.observation.is_error", "4.tool_call_id", "5.observation.content.0.text", "6.kind", "8.error",
        "9.thinking_blocks.0.type", "10.rejection_reason", "11.llm_message.content.0.text", "11.source", "12.source",
        "13.responses_reasoning_item.summary.0", "15.value",
    )  # fmt: skip
    needed = ("instance_id", "test_result.final_score.result", "metadata.max_iterations", "metadata.llm.model")
    assert not unheard("openhands_sdk", [RUN], *(f"0.{place}" for place in needed))


def _store(folder: Path, events: list[Event], first: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(events, first):
        (folder / f"event-{number:05}-u{one['kind']}.json").write_text(json.dumps(one, indent=1))


def test_a_stored_conversation_is_one_episode(tmp_path: Path) -> None:
    _store(tmp_path / "dump" / "abc" / "events", EVENTS)
    state = {"id": "c-9", "agent": {"llm": {"model": "m-9"}}, "max_iterations": 5, "execution_status": "paused"}
    (tmp_path / "dump" / "abc" / "base_state.json").write_text(json.dumps(state))
    read = ingested(tmp_path, [tmp_path / "dump"])
    (row,) = read.tables["episodes"]
    assert (row["episode_id"], row["source"], row["n_turns"]) == ("c-9", "dump/abc/events/*", 5)
    assert (row["model"], row["turn_limit"], row["stop_reason"]) == ("m-9", 5, "paused")
    assert [source["source"] for source in read.sources] == ["dump/abc/base_state.json", "dump/abc/events/*"]
    assert list(read.sources[0]["account"]["ignored"]) == ["beside"]
    assert not read.tables["rejects"]


def _responses(events: list[Event]) -> int:
    """A literal look: how many different responses the agent's events name."""
    kinds = ("ActionEvent", "MessageEvent")
    return len({one["llm_response_id"] for one in events if one["kind"] in kinds and one["source"] == "agent"})


@pytest.mark.skipif(not OPEN.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    folders = sorted({path.parent for path in OPEN.rglob("event-0*.json")})
    literal = [_responses([json.loads(path.read_text()) for path in sorted(folder.iterdir())]) for folder in folders]
    for path in sorted(OPEN.rglob("*.jsonl")):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        literal += [_responses(one["history"]) for one in records] if "history" in records[0] else [_responses(records)]
    read = ingested(tmp_path, [*folders, *OPEN.rglob("*.jsonl")])
    rows = read.tables["episodes"]
    assert sorted(row["n_turns"] for row in rows) == sorted(literal) == [2, 2, 2, 3, 6, 6, 9, 9]
    assert {row["format"] for row in rows} == {"openhands_sdk"}
    assert not read.tables["rejects"]
    kinds = [row["reasoning_kind"] for row in read.tables["turns"]]
    assert (kinds.count("native"), kinds.count("thought")) == (13, 1)
