"""τ²-bench results: one object with `simulations`, or simulations alone (in a list, in lines, or each in its file).

*Recognised by*: an object with a list `simulations` beside `info` or `tasks`; or an object with `task_id`, a list
`messages` and the key `termination_reason` or `reward_info`.

*Turn*: a message of role `assistant`. One that stands before any word of the user, calls nothing and shows no answer of
a provider (`usage`, `raw_data`) is the fixed greeting of the harness and no turn.

*Reasoning*: what the provider's answer in `raw_data` holds: `reasoning_content`, `reasoning` or `thinking_blocks` of
the answer, of its `message`, or of its first choice's message (native); else `<think>` in the text (inline). Without
`raw_data` the state is absent.

*Calls and results*: `tool_calls` of the assistant; results are the `tool` messages whose `requestor` is not the user,
with `error` as the error flag. In some domains the simulated user calls tools too; these calls and their results are no
part of the agent's turns.

*Tokens and times*: `usage.completion_tokens` of a message; the time from the message before it (`timestamp`).

*Outcome and stop*: `reward_info.reward` 1 is a pass, any other number a failure; the stop reason is
`termination_reason`. `max_steps` of the run counts steps of agent, user and tools together, so it is kept under
metadata and is no turn limit.

*Cannot know*: the turn limit. A simulation alone does not name its model.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._decode import Line
from calib.formats._inline import TAGGED, split_inline
from calib.formats._parts import reasoning_of, text_of
from calib.formats._places import each, split
from calib.formats._reader import Given, Ignored, Records, check
from calib.formats._record import About, scalar_text
from calib.formats._spent import Watch, tokens_in
from calib.formats._talk import Episode, Stretch, Talk
from calib.formats.tau_bench import outcome_of_reward

SUMMARY = "τ²-bench results: `simulations` with messages, a reward and a termination reason"
RANK = 32
STREAM = False
FACTS = ("trial", "seed", "agent_cost", "user_cost", "duration", "start_time")
RUN = ("num_trials", "max_steps", "max_errors", "git_commit")


def recognises(value: Any) -> bool:
    """Tell whether a value is a run's results or one simulation."""
    return isinstance(value, dict) and (_is_run(value) or _is_simulation(value))


def _is_run(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("simulations"), list) and ("info" in value or "tasks" in value)


def _is_simulation(value: Mapping[str, Any]) -> bool:
    listed = isinstance(value.get("messages"), list)
    return listed and "task_id" in value and ("termination_reason" in value or "reward_info" in value)


class Reader(Records):
    """Gives one episode a simulation."""

    def feed(self, line: Line, where: Stretch) -> Iterable[Given]:
        """Read one record.

        Raises Rejected or Ignored.
        """
        value, placed = split(line, "simulations", where, self.notices, ("info",))
        if "simulations" not in value and not placed and _is_simulation(value):
            return (self._simulation(value, {}, where),)
        check(placed or "info" in value or "tasks" in value, "no-messages", "expected an object with `simulations`")
        if not placed:
            raise Ignored("run-without-simulations")
        info = value.get("info")
        about = info if isinstance(info, dict) else {}
        return each(placed, lambda simulation, own: (self._simulation(simulation, about, own),))

    def _simulation(self, value: Any, info: dict[str, Any], where: Stretch) -> Episode:
        check(isinstance(value, dict) and isinstance(value.get("messages"), list), "no-messages", "no list `messages`")
        talk, watch = Talk(self.text, self.notices), Watch()
        heard = False
        for message in value["messages"]:
            check(isinstance(message, dict), "bad-message", "a message is no object")
            heard = self._message(talk, message, heard, watch)
            watch.see(message.get("timestamp"))
        episode = talk.finish(_about(value, info))
        episode.stretches.append(where)
        return episode

    def _message(self, talk: Talk, message: dict[str, Any], heard: bool, watch: Watch) -> bool:
        role = message.get("role")
        if role == "user":
            if not message.get("tool_calls"):
                talk.user()
            return True
        if role == "assistant":
            calls = _calls(message)
            if heard or calls or message.get("usage") or message.get("raw_data"):
                self._turn(talk, message, calls)
                talk.spent(tokens_in(message.get("usage")), watch.lap(message.get("timestamp")))
        elif role == "tool":
            for result in message.get("tool_messages") or [message]:
                if isinstance(result, dict) and result.get("requestor") != "user":
                    error = result["error"] if isinstance(result.get("error"), bool) else None
                    talk.result(_text(result.get("id")), text_of(result.get("content")) or "", error)
        elif role != "system":
            self.notices["unknown-role"] += 1
        return heard

    def _turn(self, talk: Talk, message: dict[str, Any], calls: list[Call]) -> None:
        text = text_of(message.get("content"))
        reasoning, state = _reasoning(message)
        kind = "native"
        if text and ">" in text and TAGGED.search(text):
            reasoning, state, kind, text = split_inline(text, reasoning, state, self.notices)
        talk.turn(reasoning, state, kind, text, calls)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _calls(message: dict[str, Any]) -> list[Call]:
    listed = message.get("tool_calls")
    if not isinstance(listed, list):
        return []
    check(all(isinstance(call, dict) for call in listed), "bad-message", "a tool call is no object")
    return [
        made_call(_text(call.get("id")), _text(call.get("name")), call.get("arguments"))
        for call in listed
        if call.get("requestor") != "user"
    ]


def _reasoning(message: dict[str, Any]) -> tuple[str | None, str]:
    """Look for reasoning in the message and in each shape of the provider's answer; the first that says more wins."""
    best: tuple[str | None, str] = reasoning_of(message, message.get("content"))
    if best[1] == "recorded" or not message.get("raw_data"):
        return best
    for place in _answers(message["raw_data"]):
        blocks = place.get("thinking_blocks")
        found = _of_blocks(blocks) if isinstance(blocks, list) and blocks else reasoning_of(place, place.get("content"))
        if found[1] == "recorded":
            return found
        if best[1] in ("absent", "empty") and found[1] != "absent":
            best = found
    return best


def _answers(raw: Any) -> list[dict[str, Any]]:
    if not isinstance(raw, dict):
        return []
    choices = raw.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    found = [raw, raw.get("message"), first, first.get("message") if isinstance(first, dict) else None]
    return [place for place in found if isinstance(place, dict)]


def _of_blocks(blocks: list[Any]) -> tuple[str | None, str]:
    texts = [str(block.get("thinking") or "") for block in blocks if isinstance(block, dict)]
    joined = "\n".join(text for text in texts if text.strip())
    if joined:
        return joined, "recorded"
    hidden = any(isinstance(b, dict) and (b.get("signature") or b.get("type") == "redacted_thinking") for b in blocks)
    return None, "withheld" if hidden else "empty"


def _about(value: dict[str, Any], info: dict[str, Any]) -> About:
    reward = value.get("reward_info")
    reward = reward.get("reward") if isinstance(reward, dict) else None
    agent, user = _part(info, "agent_info"), _part(info, "user_info")
    about = About(
        episode_id=scalar_text(value.get("id")),
        task=scalar_text(value.get("task_id")),
        model=scalar_text(agent.get("llm")),
        outcome=outcome_of_reward(reward),
        stop_reason=scalar_text(value.get("termination_reason")),
    )
    said = {
        **{key: value.get(key) for key in FACTS},
        **{key: info.get(key) for key in RUN},
        "reward": reward,
        "domain": _part(info, "environment_info").get("domain_name"),
        "agent": agent.get("implementation"),
        "user": user.get("implementation"),
        "user_model": user.get("llm"),
    }
    about.metadata = {key: fact for key, fact in said.items() if isinstance(fact, (str, int, float))}
    return about


def _part(info: dict[str, Any], key: str) -> dict[str, Any]:
    part = info.get(key)
    return part if isinstance(part, dict) else {}
