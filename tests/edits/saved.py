"""Saved histories for tests: chat messages with reasoning in every place that is known, Anthropic messages, items."""

from typing import Any

from hypothesis import strategies as st

Message = dict[str, Any]
PLAN = {".": "", "-": None}


def step(block: str | None, **more: Any) -> Message:
    """An answer with reasoning, text and a call."""
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
    message = {"role": "assistant", "content": "Now.", "tool_calls": [call], **more}
    return message if block is None else {**message, "reasoning_content": block}


def history(plan: str) -> list[Message]:
    """A history after a drawing such as `A A B . -`, a turn a letter."""
    made: list[Message] = [{"role": "system", "content": "s"}, {"role": "user", "content": "Go."}]
    for mark in plan.split():
        made += [
            step(PLAN.get(mark, f"Plan {mark}.")),
            {"role": "tool", "tool_call_id": "c", "content": f"r{len(made)}"},
        ]
    return made


def kept(messages: list[Message]) -> str:
    """The drawing of what is left: the plan's letter, or – for none."""
    said = [message for message in messages if message.get("role") == "assistant"]
    return " ".join((message.get("reasoning_content") or "Plan –.")[5] for message in said)


BLOCKS = st.sampled_from(["A", " A\n", "B", "C", "", " "])
FIELDS = ("reasoning_content", "reasoning", "thinking")


@st.composite
def answers(draw: st.DrawFn) -> Message:
    """An answer of any of the forms in which chat messages carry reasoning, or of none."""
    block = draw(BLOCKS)
    where = draw(st.sampled_from(("none", *FIELDS, "details", "blocks", "fields", "item", "inline", "parts", "sealed")))
    visible = draw(st.sampled_from(["Done.", "", " as in <think>x</think>", "a\n</think>\nb"]))
    message = step(None, content=visible, refusal=None)
    if where in FIELDS:
        return {**message, where: block}
    if where == "inline":
        return {**message, "content": f"<think>{block}</think>{visible}"}
    thought = {"type": "thinking", "thinking": block, "signature": "s"}
    if where == "sealed":
        hidden = [thought, {"type": "redacted_thinking", "data": "x"}]
        return {**message, "content": [*hidden, {"type": "text", "text": visible}]}
    said = [{"type": "text", "text": f"<think>{block}"}, {"type": "text", "text": f"</think>{visible}"}]
    return {
        "none": message,
        "details": {**message, "reasoning_details": [{"type": "reasoning.text", "text": block, "format": None}]},
        "blocks": {**message, "thinking_blocks": [thought]},
        "fields": {**message, "provider_specific_fields": {"refusal": None, "reasoning_content": block}},
        "item": {**message, "responses_reasoning_item": {"summary": [block], "encrypted_content": "x"}},
        "parts": {**message, "content": said},
    }[where]


@st.composite
def histories(draw: st.DrawFn) -> list[Message]:
    """Histories of up to a dozen turns, with tool results and users in between."""
    made: list[Message] = [{"role": "user", "content": "Go."}]
    for answer in draw(st.lists(answers(), max_size=12)):
        made.append(answer)
        made += draw(st.sampled_from([[], [{"role": "tool", "content": "r"}], [{"role": "user", "content": "And?"}]]))
    return made


def items(plan: str) -> list[Message]:
    """The same as items of the Responses API."""
    made: list[Message] = [{"role": "user", "content": "Go."}]
    for mark in plan.split():
        if block := PLAN.get(mark, f"Plan {mark}."):
            made.append({"type": "reasoning", "summary": [{"type": "summary_text", "text": block}]})
        made.append({"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"})
        made.append({"type": "function_call_output", "call_id": "c", "output": "r"})
    return made
