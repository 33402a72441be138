"""Seeded sessions in the shape of every format, with records of the sizes that real ones have.

Real sessions hold 5 to 20 KB a model response: mostly what tools gave back, some KB each, now and then a file of tens
of KB. A tenth of the bytes is what the model said. Benchmarks of tasks (tau-bench, InterCode) are far smaller.
"""

import json
import math
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, NamedTuple
from uuid import UUID

from benchmarks.dumps import Writer

SHELL = (
    "ls -la src",
    "grep -rn handler src | head -40",
    "git diff HEAD~1",
    "python -m pytest -q tests",
    "cat setup.py",
)


class Step(NamedTuple):
    """A model response with one call and its result."""

    id: str
    thought: str
    text: str
    tool: str
    arguments: dict[str, Any]
    result: str
    time: str


class Run(NamedTuple):
    """An episode without a form."""

    id: str
    task: str
    ask: str
    steps: list[Step]


Make = Callable[[Run], list[Any]]
"""Gives the lines of a session, or for a format of whole files the one value of a file."""


class Form(NamedTuple):
    """How the dump of a format is made.

    `runs` a file of lines, 0 for all in one; `whole`: a file is one value instead; `scale` of the results.
    """

    make: Make
    runs: int = 0
    whole: bool = False
    scale: float = 1.0
    name: str = "{}.jsonl"


def runs(seed: int, scale: float) -> Iterator[Run]:
    """Make runs without end."""
    writer = Writer("short", seed)
    random = writer.random
    number = 0
    while True:
        steps = []
        for at in range(random.randint(10, 64)):
            size = int(scale * math.exp(random.uniform(math.log(150), math.log(40_000))))
            thought = writer.text(60, 900)
            tool, arguments = _call(writer, scale)
            steps.append(
                Step(f"call_{number}_{at}", thought, writer.text(0, 300), tool, arguments,
                     writer.text(size, size + 1), f"2026-05-{1 + at % 28:02d}T10:{at % 60:02d}:00.000Z")
            )  # fmt: skip
        yield Run(f"run-{number:06d}", f"task-{number % 500}", writer.text(300, 2_000), steps)
        number += 1


def _call(writer: Writer, scale: float) -> tuple[str, dict[str, Any]]:
    random = writer.random
    kind = random.random()
    if kind < 0.5:
        return "bash", {"command": f"{random.choice(SHELL)} # {random.randint(0, 999)}"}
    if kind < 0.85:
        return "read_file", {"path": f"src/module_{random.randint(0, 400)}.py"}
    return "write_file", {
        "path": f"src/module_{random.randint(0, 400)}.py",
        "text": writer.text(200, int(4_000 * scale) + 300),
    }


def _asked(step: Step) -> dict[str, Any]:
    return {"id": step.id, "type": "function", "function": {"name": step.tool, "arguments": json.dumps(step.arguments)}}


def chat(run: Run, key: str = "reasoning_content") -> list[dict[str, Any]]:
    """Make the messages of the OpenAI form."""
    said: list[dict[str, Any]] = [{"role": "system", "content": run.ask}, {"role": "user", "content": run.ask}]
    for step in run.steps:
        said.append({"role": "assistant", "content": step.text, key: step.thought, "tool_calls": [_asked(step)]})
        said.append({"role": "tool", "tool_call_id": step.id, "content": step.result})
    return said


def _blocks(step: Step) -> list[dict[str, Any]]:
    return [
        {"type": "thinking", "thinking": step.thought, "signature": "s" * 300}, {"type": "text", "text": step.text},
        {"type": "tool_use", "id": step.id, "name": step.tool, "input": step.arguments},
    ]  # fmt: skip


USAGE = {"input_tokens": 9, "cache_creation_input_tokens": 900, "cache_read_input_tokens": 9_000, "output_tokens": 300}


def _uuid(*parts: Any) -> str:
    return str(UUID(bytes=blake2b(repr(parts[1:]).encode() + parts[0].id.encode(), digest_size=16).digest()))


def _claude_lines(run: Run, key: str, extra: dict[str, Any], copy: bool) -> list[Any]:
    lines: list[Any] = [
        {"type": "user", "message": {"role": "user", "content": run.ask}, "uuid": _uuid(run, "u"), **extra}
    ]
    for at, step in enumerate(run.steps):
        more = {key: run.id, **extra, "timestamp": step.time}
        for part, block in enumerate(_blocks(step)):  # one line a block, as the harness writes them
            message = {"id": f"msg_{run.id}_{at}", "type": "message", "role": "assistant", "model": "claude-opus",
                       "content": [block], "stop_reason": None, "usage": USAGE}  # fmt: skip
            lines.append({"type": "assistant", "message": message, "uuid": _uuid(run, at, part), **more})
        block = {"type": "tool_result", "tool_use_id": step.id, "content": step.result}
        told = {"type": "user", "message": {"role": "user", "content": [block]}, "uuid": _uuid(run, at, "r"), **more}
        lines.append({**told, "toolUseResult": {"stdout": step.result, "stderr": ""}} if copy else told)
    return lines


def claude_code(run: Run) -> list[Any]:
    """A session of Claude Code, which writes each result twice."""
    extra = {"sessionId": run.id, "parentUuid": None, "isSidechain": False, "cwd": "/w", "version": "2.1.0"}
    return _claude_lines(run, "sessionId", extra, copy=True)


def claude_stream(run: Run) -> list[Any]:
    """What a headless run of Claude Code prints."""
    init = {"type": "system", "subtype": "init", "session_id": run.id, "tools": [], "model": "claude-opus"}
    end = {"type": "result", "subtype": "success", "session_id": run.id, "num_turns": len(run.steps), "is_error": False}
    extra = {"session_id": run.id, "parent_tool_use_id": None}
    return [init, *_claude_lines(run, "session_id", extra, copy=False), end]


def codex(run: Run) -> list[Any]:
    """A rollout of Codex."""

    def line(kind: str, payload: dict[str, Any], time: str = "2026-05-01T10:00:00.000Z") -> dict[str, Any]:
        return {"timestamp": time, "type": kind, "payload": payload}

    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": run.ask}]}
    lines = [line("session_meta", {"id": run.id, "cwd": "/w", "cli_version": "0.140.0", "instructions": run.ask}),
             line("turn_context", {"model": "gpt-5-codex", "cwd": "/w"}), line("response_item", said)]  # fmt: skip
    for step in run.steps:
        name, arguments = ("shell", step.arguments) if step.tool == "bash" else (step.tool, step.arguments)
        summary = [{"type": "summary_text", "text": step.thought}]
        count = {"last_token_usage": {"input_tokens": 9_000, "output_tokens": 300}, "total_token_usage": {}}
        for payload in (
            {"type": "reasoning", "summary": summary, "content": None, "encrypted_content": "g" * 1_200},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": step.text}]},
            {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": step.id},
        ):
            lines.append(line("response_item", payload, step.time))
        output = {"type": "function_call_output", "call_id": step.id, "output": step.result}
        lines.append(line("response_item", output, step.time))
        lines.append(line("event_msg", {"type": "token_count", "info": count}, step.time))
    return lines


def responses(run: Run) -> list[Any]:
    """A chain of Responses: each line the answer, its input the results since the last one."""
    lines: list[Any] = []
    before, given = None, [{"role": "user", "content": run.ask}]
    for at, step in enumerate(run.steps):
        output = [
            {"type": "reasoning", "id": f"rs_{at}", "summary": [{"type": "summary_text", "text": step.thought}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": step.text}]},
            {"type": "function_call", "call_id": step.id, "name": step.tool, "arguments": json.dumps(step.arguments)},
        ]
        name = f"resp_{run.id}_{at}"
        lines.append(
            {"id": name, "object": "response", "status": "completed", "model": "gpt-5",
             "created_at": 1_760_000_000 + at,
             "input": given, "output": output, "previous_response_id": before,
             "usage": {"input_tokens": 9, "output_tokens": 300}}
        )  # fmt: skip
        before = name
        given = [{"type": "function_call_output", "call_id": step.id, "output": step.result}]
    return lines


def copilot_cli(run: Run) -> list[Any]:
    """A session of Copilot CLI."""
    lines: list[Any] = [
        {"type": "session.start", "data": {"sessionId": run.id, "version": 1}, "parentId": None, "id": f"{run.id}-s",
         "timestamp": run.steps[0].time},
        {"type": "user.message", "data": {"content": run.ask}, "parentId": None, "id": f"{run.id}-u",
         "timestamp": run.steps[0].time},
    ]  # fmt: skip
    for at, step in enumerate(run.steps):
        asked = [{"toolCallId": step.id, "name": step.tool, "arguments": step.arguments, "type": "function"}]
        message = {"messageId": f"m{at}", "content": step.text, "toolRequests": asked, "reasoningText": step.thought,
                   "reasoningOpaque": "o" * 900, "model": "gpt-5", "turnId": str(at), "outputTokens": 300}  # fmt: skip
        ended = {
            "toolCallId": step.id,
            "success": True,
            "result": {"content": step.result, "detailedContent": step.result},
        }
        for kind, data in (
            ("assistant.turn_start", {"turnId": str(at)}), ("assistant.message", message),
            ("tool.execution_start", {"toolCallId": step.id, "toolName": step.tool, "arguments": step.arguments}),
            ("tool.execution_complete", ended), ("assistant.turn_end", {"turnId": str(at)}),
        ):  # fmt: skip
            lines.append(
                {"type": kind, "data": data, "parentId": None, "id": f"{run.id}-{at}-{kind}", "timestamp": step.time}
            )
    return lines


def pi(run: Run) -> list[Any]:
    """A session of pi."""
    lines: list[Any] = [{"type": "session", "version": 3, "id": run.id, "timestamp": run.steps[0].time, "cwd": "/w"}]
    for at, step in enumerate(run.steps):
        content = [{"type": "thinking", "thinking": step.thought, "thinkingSignature": "s" * 300},
                   {"type": "text", "text": step.text},
                   {"type": "toolCall", "id": step.id, "name": step.tool, "arguments": step.arguments}]  # fmt: skip
        message = {"role": "assistant", "content": content, "model": "m", "api": "anthropic", "stopReason": "toolUse",
                   "usage": {"input": 9, "output": 300}, "timestamp": 1_760_000_000_000 + at}  # fmt: skip
        result = {"role": "toolResult", "toolCallId": step.id, "toolName": step.tool, "isError": False,
                  "content": [{"type": "text", "text": step.result}]}  # fmt: skip
        lines += [{"type": "message", "id": f"{at}-a", "timestamp": step.time, "message": message},
                  {"type": "message", "id": f"{at}-r", "timestamp": step.time, "message": result}]  # fmt: skip
    return lines


def gemini_cli(run: Run) -> list[Any]:
    """A session of Gemini CLI, as a log."""
    lines: list[Any] = [{"sessionId": run.id, "projectHash": "h", "startTime": run.steps[0].time, "kind": "main"},
                        {"id": "u", "timestamp": run.steps[0].time, "type": "user", "content": run.ask}]  # fmt: skip
    for at, step in enumerate(run.steps):
        answered = [{"functionResponse": {"id": step.id, "name": step.tool, "response": {"output": step.result}}}]
        call = {"id": step.id, "name": step.tool, "args": step.arguments, "result": answered, "status": "success",
                "timestamp": step.time, "resultDisplay": step.result[:500]}  # fmt: skip
        lines.append(
            {"id": f"g{at}", "timestamp": step.time, "type": "gemini", "content": step.text, "model": "gemini-3",
             "thoughts": [{"subject": "Plan", "description": step.thought, "timestamp": step.time}],
             "toolCalls": [call], "tokens": {"input": 9, "output": 300, "total": 309}}
        )  # fmt: skip
    return lines


def openhands(run: Run) -> list[Any]:
    """An evaluation output of OpenHands V0: the response stands on the action and on the observation."""
    history: list[Any] = [
        {"id": 0, "source": "user", "message": run.ask, "action": "message", "args": {"content": run.ask}}
    ]
    for at, step in enumerate(run.steps):
        response = {"id": f"r{at}", "model": "m", "choices": [{"message": {
            "role": "assistant", "content": step.text, "reasoning_content": step.thought,
            "tool_calls": [_asked(step)]}}], "usage": {"prompt_tokens": 9, "completion_tokens": 300}}  # fmt: skip
        meta = {
            "function_name": step.tool,
            "tool_call_id": step.id,
            "model_response": response,
            "total_calls_in_response": 1,
        }
        history += [
            {"id": 2 * at + 1, "timestamp": step.time[:-1], "source": "agent", "action": "run", "message": "Running",
             "args": {**step.arguments, "thought": step.text}, "tool_call_metadata": meta},
            {"id": 2 * at + 2, "timestamp": step.time[:-1], "source": "agent", "observation": "run",
             "cause": 2 * at + 1,
             "message": "ran", "content": step.result, "extras": {"command": "x"}, "tool_call_metadata": meta},
        ]  # fmt: skip
    return [{"instance_id": run.id, "metadata": {"max_iterations": 100, "llm_config": {"model": "m"}},
             "history": history,
             "test_result": {}, "error": None}]  # fmt: skip


def openhands_sdk(run: Run) -> list[Any]:
    """An evaluation output of the OpenHands SDK."""
    history: list[Any] = []
    for at, step in enumerate(run.steps):
        asked = {"id": step.id, "name": step.tool, "arguments": json.dumps(step.arguments), "origin": "completion"}
        seen = {"kind": "TerminalObservation", "content": [{"type": "text", "text": step.result}], "is_error": False}
        history += [
            {"kind": "ActionEvent", "id": f"a{at}", "timestamp": step.time[:-1], "source": "agent",
             "thought": [{"type": "text", "text": step.text}], "reasoning_content": step.thought, "thinking_blocks": [],
             "action": {**step.arguments, "kind": "TerminalAction"}, "tool_name": step.tool, "tool_call_id": step.id,
             "tool_call": asked, "llm_response_id": f"r{at}"},
            {"kind": "ObservationEvent", "id": f"o{at}", "timestamp": step.time[:-1], "source": "environment",
             "tool_name": step.tool, "tool_call_id": step.id, "observation": seen, "action_id": f"a{at}"},
        ]  # fmt: skip
    return [
        {
            "instance_id": run.id,
            "history": history,
            "test_result": {},
            "metadata": {"llm": {"model": "m"}},
            "error": None,
        }
    ]


def sharegpt(run: Run) -> list[Any]:
    """A conversation of ShareGPT with thinking and calls in the text."""
    said = [{"from": "system", "value": run.ask}, {"from": "human", "value": run.ask}]
    for step in run.steps:
        call = json.dumps({"name": step.tool, "arguments": step.arguments})
        value = f"<think>\n{step.thought}\n</think>\n{step.text}<tool_call>\n{call}\n</tool_call>"
        told = json.dumps({"tool_call_id": step.id, "name": step.tool, "content": step.result})
        said += [
            {"from": "gpt", "value": value},
            {"from": "tool", "value": f"<tool_response>\n{told}\n</tool_response>"},
        ]
    return [{"id": run.id, "conversations": said}]


def otel_genai(run: Run) -> list[Any]:
    """A trace of chat and tool spans, one export a line; each span repeats no history."""

    def attribute(key: str, value: str) -> dict[str, Any]:
        return {"key": key, "value": {"stringValue": value}}

    lines = []
    for at, step in enumerate(run.steps):
        parts = [{"type": "reasoning", "content": step.thought}, {"type": "text", "content": step.text},
                 {"type": "tool_call", "id": step.id, "name": step.tool, "arguments": step.arguments}]  # fmt: skip
        said = json.dumps([{"role": "assistant", "parts": parts, "finish_reason": "tool_call"}])
        spans = []
        for part, (kind, attributes) in enumerate((
            ("chat", [attribute("gen_ai.output.messages", said), attribute("gen_ai.request.model", "m"),
                      {"key": "gen_ai.usage.output_tokens", "value": {"intValue": "300"}}]),
            ("execute_tool", [attribute("gen_ai.tool.name", step.tool), attribute("gen_ai.tool.call.id", step.id),
                              attribute("gen_ai.tool.call.result", step.result)]),
        )):  # fmt: skip
            begun = 1_760_000_000_000_000_000 + at * 2_000_000_000 + part * 1_000_000_000
            spans.append({"traceId": run.id, "spanId": f"{at:08x}{part:08x}", "name": kind,
                          "startTimeUnixNano": str(begun), "endTimeUnixNano": str(begun + 500_000_000),
                          "attributes": [attribute("gen_ai.operation.name", kind),
                                         attribute("gen_ai.conversation.id", run.id), *attributes]})  # fmt: skip
        lines.append({"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": spans}]}]})
    return lines


def hermes_session(run: Run) -> list[Any]:
    """An exported session of hermes-agent."""
    return [{"id": run.id, "session_id": run.id, "source": "cli", "model": "m", "platform": "cli",
             "system_prompt": run.ask,
             "started_at": 1.0, "message_count": len(run.steps), "messages": chat(run, "reasoning")[1:]}]  # fmt: skip


def anthropic_messages(run: Run) -> list[Any]:
    """Requests and responses, of which the last of a run counts; only it is written."""
    messages: list[Any] = [{"role": "user", "content": run.ask}]
    for step in run.steps[:-1]:
        messages += [{"role": "assistant", "content": _blocks(step)}, {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": step.id, "content": step.result}]}]  # fmt: skip
    response = {"id": f"msg_{run.id}", "type": "message", "role": "assistant", "model": "m", "usage": USAGE,
                "content": _blocks(run.steps[-1]), "stop_reason": "end_turn"}  # fmt: skip
    return [{"request": {"model": "m", "max_tokens": 9, "system": run.ask, "messages": messages}, "response": response}]


def verifiers(run: Run) -> list[Any]:
    """A rollout with prompt and completion; each call is a JSON text."""
    said = chat(run)
    for message in said:
        if "tool_calls" in message:
            message["tool_calls"] = [json.dumps(call) for call in message["tool_calls"]]
    return [{"example_id": run.id, "prompt": said[:2], "completion": said[2:], "reward": 1.0, "task": "default"}]


def message_lines(run: Run) -> list[Any]:
    """A message a line."""
    return [{"episode_id": run.id, **message} for message in chat(run)]


def request_dump(run: Run) -> list[Any]:
    """The last request of a run with its response."""
    said = chat(run)
    return [{"messages": said[:-2], "response": {"id": run.id, "model": "m", "choices": [{"message": said[-2]}],
             "usage": {"completion_tokens": 300}}, "kwargs": {}, "timestamp": 1.0, "cost": 0.1}]  # fmt: skip


def swe_agent(run: Run) -> list[Any]:
    """A trajectory of SWE-agent: every step has its query with the whole prompt in 1.x; here the last messages only."""
    steps = [
        {"action": step.arguments.get("command", step.tool), "observation": step.result, "response": step.text,
         "thought": step.thought, "execution_time": 0.1, "state": {"open_file": "", "working_dir": "/w"},
         "query": [{"role": "user", "content": run.ask}], "extra_info": {}}
        for step in run.steps
    ]  # fmt: skip
    history: list[Any] = [{"role": "system", "content": run.ask, "agent": "main", "message_type": "system_prompt"}]
    for step in run.steps:
        history += [
            {"role": "assistant", "content": step.text, "thought": step.thought, "action": steps[0]["action"],
             "agent": "main",
             "tool_calls": [_asked(step)], "message_type": "action"},
            {"role": "tool", "content": step.result, "agent": "main", "tool_call_ids": [step.id],
             "message_type": "observation"},
        ]  # fmt: skip
    return [{"environment": run.id, "trajectory": steps, "history": history,
             "info": {"exit_status": "submitted", "model_stats": {"api_calls": len(steps)}}}]  # fmt: skip


def mini_swe_agent(run: Run) -> list[Any]:
    """A trajectory of mini-swe-agent v2: every answer holds the provider's response again."""
    messages = []
    for message in chat(run):
        if message["role"] == "assistant":
            response = {
                "id": "r",
                "model": "m",
                "choices": [{"message": dict(message)}],
                "usage": {"completion_tokens": 300},
            }
            message = {**message, "extra": {"actions": [], "response": response, "cost": 0.1, "timestamp": 1.76e9}}
        elif message["role"] == "tool":
            message = {**message, "extra": {"returncode": 0, "timestamp": 1.76e9, "raw_output": message["content"]}}
        messages.append(message)
    messages.append({"role": "exit", "content": "Submitted", "extra": {"exit_status": "Submitted", "submission": ""}})
    return [{"info": {"exit_status": "Submitted", "model_stats": {"api_calls": len(run.steps)},
                      "mini_version": "2.4.6"},
             "messages": messages, "trajectory_format": "mini-swe-agent-1.1", "instance_id": run.id}]  # fmt: skip


def atif(run: Run) -> list[Any]:
    """A trajectory of Harbor."""
    steps: list[Any] = [{"step_id": 1, "source": "user", "message": run.ask, "timestamp": run.steps[0].time}]
    for at, step in enumerate(run.steps, 2):
        steps.append(
            {"step_id": at, "source": "agent", "timestamp": step.time, "model_name": "m", "message": step.text,
             "reasoning_content": step.thought, "metrics": {"prompt_tokens": 9, "completion_tokens": 300},
             "tool_calls": [{"tool_call_id": step.id, "function_name": step.tool, "arguments": step.arguments}],
             "observation": {"results": [{"source_call_id": step.id, "content": step.result}]}}
        )  # fmt: skip
    return [
        {"schema_version": "ATIF-v1.6", "session_id": run.id, "agent": {"name": "a", "version": "1"}, "steps": steps}
    ]


def inspect_eval(run: Run) -> list[Any]:
    """A log of Inspect as JSON, with a sample."""
    messages: list[Any] = [{"role": "user", "content": run.ask}]
    events: list[Any] = [{"event": "sample_init", "sample": {"input": run.ask}}]
    for step in run.steps:
        content = [
            {"type": "reasoning", "reasoning": step.thought, "signature": "s"},
            {"type": "text", "text": step.text},
        ]
        calls = [{"id": step.id, "function": step.tool, "arguments": step.arguments, "type": "function"}]
        messages += [
            {
                "role": "assistant",
                "content": content,
                "tool_calls": calls,
                "model": "m",
                "source": "generate",
                "id": f"m-{step.id}",
            },
            {"role": "tool", "tool_call_id": step.id, "function": step.tool, "content": step.result},
        ]
        output = {"choices": [{"message": messages[-2]}], "usage": {"output_tokens": 300}, "time": 1.0}
        events += [{"event": "model", "input": [], "output": output},
                   {"event": "tool", "id": step.id, "result": step.result}]  # fmt: skip
    sample = {"id": run.id, "epoch": 1, "uuid": run.id, "input": run.ask, "target": "x", "messages": messages,
              "output": {"choices": []}, "scores": {"match": {"value": "C"}}, "events": events,
              "metadata": {}}  # fmt: skip
    return [{"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "run_id": run.id, "task_id": "t"},
             "plan": {}, "samples": [sample]}]  # fmt: skip


def tau_bench(run: Run) -> list[Any]:
    """A result of tau-bench."""
    return [[{"task_id": run.task, "trial": 0, "reward": 1.0, "info": {"task": {}}, "traj": chat(run)}]]


def tau2_bench(run: Run) -> list[Any]:
    """A result of tau2-bench with one simulation."""
    messages: list[Any] = []
    for at, step in enumerate(run.steps):
        calls = [{"id": step.id, "name": step.tool, "arguments": step.arguments, "requestor": "assistant"}]
        raw = {"message": {"content": step.text, "reasoning_content": step.thought, "role": "assistant"}}
        messages += [
            {"role": "assistant", "content": step.text, "tool_calls": calls, "turn_idx": at, "timestamp": step.time,
             "cost": 0.1, "usage": {"completion_tokens": 300, "prompt_tokens": 9}, "raw_data": raw},
            {"role": "tool", "id": step.id, "content": step.result, "requestor": "assistant", "error": False},
        ]  # fmt: skip
    simulation = {"id": run.id, "task_id": run.task, "trial": 0, "termination_reason": "user_stop",
                  "reward_info": {"reward": 1.0}, "messages": messages}  # fmt: skip
    return [
        {
            "timestamp": "t",
            "info": {"max_steps": 200, "agent_info": {"llm": "m"}},
            "tasks": [],
            "simulations": [simulation],
        }
    ]


def intercode(run: Run) -> list[Any]:
    """A log of InterCode: one map of episodes."""
    told = {
        "environment": "bash", "dataset": "d", "task_id": run.id, "query": run.ask,
        "turn_history": {"actions": [step.arguments.get("command", step.tool) for step in run.steps],
                         "observations": [step.result for step in run.steps], "rewards": [0.1] * len(run.steps),
                         "thoughts": [step.thought for step in run.steps], "valid_action": [True] * len(run.steps)},
        "summary": {"max_reward": 1.0, "turns_taken": len(run.steps), "turns_max": 99},
    }  # fmt: skip
    return [{run.id: told}]


def opencode(run: Run) -> list[Any]:
    """An export of OpenCode."""
    messages: list[Any] = [
        {"info": {"id": "m0", "role": "user", "time": {"created": 1}}, "parts": [{"type": "text", "text": run.ask}]}
    ]
    for at, step in enumerate(run.steps, 1):
        parts = [
            {"type": "step-start"}, {"type": "reasoning", "text": step.thought, "time": {"start": 1, "end": 2}},
            {"type": "text", "text": step.text},
            {"type": "tool", "tool": step.tool, "callID": step.id,
             "state": {"status": "completed", "input": step.arguments, "output": step.result, "title": "t"}},
            {"type": "step-finish", "reason": "tool-calls", "tokens": {"input": 9, "output": 300}},
        ]  # fmt: skip
        info = {"id": f"m{at}", "role": "assistant", "modelID": "m", "providerID": "p", "finish": "tool-calls",
                "tokens": {"input": 9, "output": 300}, "time": {"created": at, "completed": at + 1}}  # fmt: skip
        messages.append({"info": info, "parts": parts})
    return [{"info": {"id": f"ses_{run.id}", "title": "t", "version": "1.0.0"}, "messages": messages}]


FORMS: dict[str, Form] = {
    "message_lines": Form(message_lines, runs=20),
    "chat_completions": Form(verifiers),
    "sharegpt": Form(sharegpt),
    "request_dump": Form(request_dump, runs=20),
    "anthropic_messages": Form(anthropic_messages, runs=20),
    "responses": Form(responses, runs=20),
    "claude_code": Form(claude_code, runs=1),
    "claude_stream": Form(claude_stream, runs=1),
    "codex": Form(codex, runs=1),
    "copilot_cli": Form(copilot_cli, runs=1),
    "gemini_cli": Form(gemini_cli, runs=1),
    "pi": Form(pi, runs=1),
    "hermes_session": Form(hermes_session),
    "openhands": Form(openhands),
    "openhands_sdk": Form(openhands_sdk),
    "otel_genai": Form(otel_genai, runs=20),
    "swe_agent": Form(swe_agent, whole=True, name="{}.traj"),
    "mini_swe_agent": Form(mini_swe_agent, whole=True, name="{}.traj.json"),
    "atif": Form(atif, whole=True, name="{}.json"),
    "inspect_eval": Form(inspect_eval, whole=True, name="{}.json"),
    "opencode": Form(opencode, whole=True, name="{}.json"),
    "tau_bench": Form(tau_bench, whole=True, scale=0.1, name="{}.json"),
    "tau2_bench": Form(tau2_bench, whole=True, scale=0.1, name="{}.json"),
    "intercode": Form(intercode, whole=True, scale=0.05, name="{}.json"),
}
"""Every format that is JSON; a database and a zip archive have none to compare with."""
