"""mini-swe-agent: `.traj.json` files of versions 1 and 2, and the bare message lists of its first months.

*Recognised by*: `trajectory_format` that begins with `mini-swe-agent`; or `messages` with an `info` that has
`exit_status` or `model_stats`; or a bare list of chat messages whose first answer holds a bash block.

*Turn*: one message of role `assistant`, or one raw response (`object` is `response`) in its place. The last message
of role `exit` is none. Replies that the harness refused as malformed may be missing from the file.

*Reasoning*: `reasoning_content` and kin, or the reasoning items of a raw response (native, summary, encrypted). In
version 1, where the action is a bash block in the text, the text before it (thought).

*Calls and results*: `tool_calls`, or the response's function calls; else `extra.actions`; else the one bash block of
the text, as a call of `bash`. The result is the `tool` message, in version 1 the next `user` message. A `returncode`
other than 0 is an error; in version 1 that at the beginning of the result's text.

*Tokens and times*: `extra.response.usage.completion_tokens`, or `usage.output_tokens` of a raw response; the time
from the message before it (`extra.timestamp`).

*Outcome and stop*: no outcome. The stop reason is `info.exit_status`; `LimitsExceeded` is followed by the limit that
was reached, as the configuration names it, such as `LimitsExceeded (step_limit)`. The turn limit is `step_limit`.

*Cannot know*: whether the patch resolves the task; which user messages of version 1 a person wrote.
"""

from collections.abc import Iterable
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._mini_swe_agent import FENCED, Messages
from calib.formats._reader import Records
from calib.formats._record import About, whole_number
from calib.formats._small import at, small, text_at
from calib.formats._talk import Episode, Stretch

SUMMARY = "mini-swe-agent trajectory (.traj.json)"
RANK = 20
STREAM = False


def recognises(value: Any) -> bool:
    """Tell whether a value is a trajectory of mini-swe-agent."""
    if isinstance(value, list):
        return _is_bare(value)
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    named = value.get("trajectory_format")
    if isinstance(named, str):
        return named.startswith("mini-swe-agent")
    info = value.get("info")
    return isinstance(info, dict) and ("exit_status" in info or "model_stats" in info)


def _is_bare(value: list[Any]) -> bool:
    """Tell whether a list is a version 1 transcript: only texts, and a bash block in the first answer."""
    if not all(isinstance(item, dict) and isinstance(item.get("content"), str) for item in value[:6]):
        return False
    answer = next((item["content"] for item in value[:6] if item.get("role") == "assistant"), "")
    return bool(FENCED.search(answer)) and not any("tool_calls" in item for item in value[:6])


class Reader(Records):
    """Reads trajectories; each record is one."""

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take a trajectory."""
        if not recognises(value) and not (isinstance(value, dict) and isinstance(value.get("messages"), list)):
            raise Rejected("no-messages", "expected a trajectory with a list `messages`")
        messages = value if isinstance(value, list) else value["messages"]
        talk = Messages(self.text)
        for message in messages:
            talk.take(message)
        about = about_of(value) if isinstance(value, dict) else About()
        about.model = about.model or talk.model
        about.stop_reason = about.stop_reason or talk.exit_status
        episodes = self.whole(talk, about, where)
        self.notices.update(talk.notices)
        return episodes


def about_of(value: dict[str, Any]) -> About:
    """Read what a trajectory says about itself."""
    info = value.get("info")
    agent, stats = at(info, "config", "agent"), at(info, "model_stats")
    task = text_at(value, "instance_id") or text_at(info, "instance_id")
    about = About(task=task, model=text_at(info, "config", "model", "model_name"))
    about.turn_limit = whole_number(at(agent, "step_limit")) or None
    about.stop_reason = stop_of(text_at(info, "exit_status"), agent, stats)
    about.metadata = {
        **small(info, "mini_version"),
        **small(stats, "instance_cost", "api_calls"),
        **small(agent, "step_limit", "cost_limit", "wall_time_limit_seconds"),
        **small(at(info, "config"), "agent_type", "model_type", "environment_type"),
    }
    return about


def stop_of(status: str | None, agent: Any, stats: Any) -> str | None:
    """Name the limit behind `LimitsExceeded`.

    >>> stop_of("LimitsExceeded", {"step_limit": 5, "cost_limit": 3.0}, {"api_calls": 5, "instance_cost": 0.1})
    'LimitsExceeded (step_limit)'
    """
    if status != "LimitsExceeded":
        return status
    for limit, spent in (("step_limit", "api_calls"), ("cost_limit", "instance_cost")):
        most, used = at(agent, limit), at(stats, spent)
        if isinstance(most, (int, float)) and isinstance(used, (int, float)) and 0 < most <= used:
            return f"{status} ({limit})"
    return status
