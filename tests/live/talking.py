"""Random chat messages in which plans, calls and results come again, with whatever histories may hold."""

from typing import Any

from hypothesis import strategies as st

from calib.formats._chat import Transcript
from calib.formats._record import About
from calib.formats._talk import Episode

LOOPS = ["「" * 15, "a" * 200, "the " * 12, "-> " * 40, "= " * 12, "I check it again. " * 30, "One line.\n" * 12]
TEXTS = st.sampled_from(["", " ", "Look.", " Look.\n", "Look 1.", "Look 2.", "Write it.", *LOOPS])
CALLS = st.builds(
    lambda tool, arguments, named: ({"function": {"name": tool, "arguments": arguments}}, named),
    st.sampled_from(["search_files", "read_file", "write_file", "run_tests", "bash", "mcp__fs__read_file"]),
    st.sampled_from(
        ['{"a": 1, "b": 2}', '{"b":2,"a":1}', '{"a": 2}', '{"command": "ls"}', '{"command": "rm x"}', "no"]
    ),
    st.booleans(),
)
RESULTS = st.tuples(
    st.sampled_from(["ok", "0 matches", "", "1 failed in 0.03s", "1 failed in 0.04s"]),
    st.sampled_from([None, False, True]),
)


@st.composite
def responses(draw: st.DrawFn) -> list[dict[str, Any]]:
    """One response and the results of its calls; some results are missing, some answer nothing."""
    message: dict[str, Any] = {"role": "assistant", "content": draw(st.none() | TEXTS)}
    where = draw(st.sampled_from(["reasoning_content", "reasoning", "inline", "none"]))
    if where == "inline":
        message["content"] = f"<think>{draw(TEXTS)}</think>{message['content'] or ''}"
    elif where != "none":
        message[where] = draw(TEXTS)
    called = draw(st.lists(CALLS, max_size=3))
    calls = [{**call, "id": f"c{at}"} if named else call for at, (call, named) in enumerate(called)]
    if calls:
        message["tool_calls"] = calls
    messages = [message]
    for call in calls:
        text, error = draw(RESULTS)
        if draw(st.integers(0, 5)):
            result = {"role": "tool", "content": text, **({"tool_call_id": call["id"]} if "id" in call else {})}
            messages.append(result if error is None else {**result, "is_error": error})
    if draw(st.integers(0, 9)) == 0:
        messages.append({"role": "tool", "tool_call_id": "nobody's", "content": draw(RESULTS)[0]})
    if draw(st.integers(0, 5)) == 0:
        messages.append({"role": "user", "content": "Go on."})
    return messages


def talks() -> st.SearchStrategy[list[dict[str, Any]]]:
    """A history: few responses, many said again."""
    repeated = st.lists(st.tuples(st.lists(responses(), min_size=1, max_size=3), st.integers(1, 5)), max_size=4)
    begun = [{"role": "system", "content": "s"}, {"role": "user", "content": "Go."}]
    return repeated.map(
        lambda parts: begun + [m for some, times in parts for _ in range(times) for one in some for m in one]
    )


def ingested(messages: list[dict[str, Any]]) -> Episode:
    """What the reader of a dump makes of them."""
    transcript = Transcript(True)
    for message in messages:
        transcript.add(message)
    return transcript.finish(About())
