"""Steps and history items of SWE-agent as turns."""

from typing import Any

from calib.formats._calls import Call, calls_of
from calib.formats._codes import Rejected
from calib.formats._commands import command_call
from calib.formats._parts import text_of
from calib.formats._talk import Talk
from calib.formats._thought import native_of, spoken

OWN = frozenset(
    ("open", "goto", "scroll_up", "scroll_down", "create", "edit", "insert", "append", "submit", "search_dir",
     "search_file", "find_file", "str_replace_editor", "undo_edit", "view_image", "exit_forfeit", "connect_start",
     "connect_sendline", "connect_stop", "debug_start", "debug_stop", "debug_step", "debug_continue",
     "debug_add_breakpoint", "debug_exec", "decompile", "disassemble", "filemap")
)  # fmt: skip
"""Commands of SWE-agent's own tool bundles; anything else is a command of the shell."""
EXITS = ("Exit due to ", "Exiting due to ")
EXITS_FOLDED = tuple(words.casefold() for words in EXITS)


def tell_steps(talk: Talk, steps: list[Any], history: Any) -> None:
    """Tell the steps of a trajectory; `history` adds thinking blocks and tool calls."""
    items = [item for item in history if _is_answer(item)] if isinstance(history, list) else []
    talk.user()
    at = 0
    for place, step in enumerate(steps):
        if not isinstance(step, dict):
            talk.notices["unknown-record-type"] += 1
        elif own := _own(step):
            found = place if len(items) == len(steps) else _item(step, items, at)
            at = found + 1 if found is not None else at
            _tell(talk, own, items[found] if found is not None else {})


def tell_history(talk: Talk, history: list[Any]) -> None:
    """Tell a history without steps: what follows an answer is its result."""
    for item in history:
        if not isinstance(item, dict):
            talk.notices["unknown-record-type"] += 1
        elif _is_answer(item):
            said = item.get("content")
            step = {"thought": item.get("thought", said), "action": item.get("action"), "response": said}
            if own := _own(step):
                _tell(talk, own, item)
        elif item.get("role") in ("user", "tool") and not item.get("is_demo"):
            if not talk.turns:
                talk.user()
            else:
                ids = item.get("tool_call_ids")
                call_id = ids[0] if isinstance(ids, list) and ids and isinstance(ids[0], str) else None
                talk.result(call_id, text_of(item.get("content")) or "")


def _is_answer(item: Any) -> bool:
    return isinstance(item, dict) and item.get("role") == "assistant" and not item.get("is_demo")


def _own(step: dict[str, Any]) -> dict[str, Any] | None:
    """Give what the model said of a step; None when the harness made all of it because the run ended.

    Such a step says why in place of a thought, and again, or nothing, in place of a response; only after malformed
    replies (0.x) the last of them stands there.
    """
    thought, action, response = (step.get(key) for key in ("thought", "action", "response"))
    if not isinstance(thought, str) or not thought.startswith(EXITS):
        return step
    if isinstance(action, str) and action.strip() and not action.startswith("exit_"):
        return step
    if not isinstance(response, str) or not response.strip() or response.casefold().startswith(EXITS_FOLDED):
        return None
    return {"thought": response, "action": None}


def _item(step: dict[str, Any], items: list[dict[str, Any]], at: int) -> int | None:
    """Find a step's item at or after `at`: the first of the same action and response."""
    action, response = step.get("action"), step.get("response")
    return next(
        (
            place
            for place in range(at, len(items))
            if items[place].get("action") == action and response in (None, items[place].get("content"))
        ),
        None,
    )


def _tell(talk: Talk, step: dict[str, Any], item: dict[str, Any]) -> None:
    calls = _calls(item, step.get("action"))
    thought = text_of(step.get("thought")) or text_of(step.get("response"))
    said = spoken(native_of(item), thought, bool(calls), talk.notices)
    talk.turn(said.reasoning, said.state, said.kind, said.text, calls)
    observation = step.get("observation")
    if calls and observation is not None:
        talk.result(calls[0].id, text_of(observation) or "")


def _calls(item: dict[str, Any], action: Any) -> list[Call]:
    try:
        if calls := calls_of(item):
            return calls
    except Rejected:
        pass
    if not isinstance(action, str) or not action.strip():
        return []
    word = action.split(None, 1)[0]
    if word in OWN:
        return [Call(None, word, action, (word, action.strip()), False)]
    return [command_call("bash", action)]
