"""SWE-agent: `.traj` files of versions 0.x and 1.x.

*Recognised by*: an object with a list `trajectory` of steps (`action`, `observation`, `thought`) and `info`,
`history` or `environment`; or only a `history` whose items name their `agent`.

*Turn*: one step of `trajectory`, replies that were refused as malformed included. The step that the harness adds when
it ends the run ("Exit due to …" in place of thought and response) is none; where the model's last malformed reply
stands in it, that is one. Without `trajectory`: one assistant item of `history` that is no demonstration.

*Reasoning*: `thinking_blocks` of the step's item in `history` (native), else its `thought` (thought).

*Calls and results*: the item's `tool_calls`; else the `action`: SWE-agent's own commands are tools of that name with
the action as arguments, anything else is a `bash` call of that command. The result is the step's `observation`.

*Tokens and times*: neither is recorded for a response; `execution_time` is the tools'.

*Outcome and stop*: no outcome. The stop reason is `info.exit_status` as it stands, such as `submitted (exit_cost)`.
The turn limit is `per_instance_call_limit` of the replay configuration. The task is its problem statement's id, else
`environment`, else the name of the file.

*Cannot know*: whether the patch resolves the task (results.json); in files of 0.x the model. Attempts that a retry
loop did not choose are episodes of their own.
"""

import json
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._reader import Records
from calib.formats._record import About, whole_number
from calib.formats._small import at, small, text_at
from calib.formats._swe_agent import tell_history, tell_steps
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "SWE-agent trajectory (.traj)"
RANK = 21
STREAM = False
GENERIC = frozenset(("main", "primary", "swe_main", "swe-main", "swe"))
"""Names of environments that say nothing about the task."""


def recognises(value: Any) -> bool:
    """Tell whether a value is a trajectory of SWE-agent."""
    if not isinstance(value, dict):
        return False
    steps, history = value.get("trajectory"), value.get("history")
    if isinstance(steps, list):
        beside = "info" in value or "history" in value or "environment" in value
        return beside and all(isinstance(step, dict) and "action" in step and "thought" in step for step in steps[:2])
    item = history[0] if isinstance(history, list) and history else None
    return isinstance(item, dict) and isinstance(item.get("role"), str) and "agent" in item


class Reader(Records):
    """Reads trajectories; each record is one."""

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take a trajectory and the attempts beside it."""
        if not recognises(value):
            raise Rejected("bad-message", "expected an object with a list `trajectory` or `history`")
        told = self._told(value, value)
        episodes = [*self.whole(*told, where)]
        self.notices.update(told[0].notices)
        for number, attempt in enumerate(value.get("attempts") or (), 1):
            if recognises(attempt) and attempt.get("trajectory") != value.get("trajectory"):
                talk, about = self._told(attempt, value)
                about.episode_id = f"{self.context.source}:{where[0]}/attempt-{number}"
                episodes += self.whole(talk, about, (where[0], where[1], 0))
                self.notices.update(talk.notices)
        return episodes

    def _told(self, value: dict[str, Any], outer: dict[str, Any]) -> tuple[Talk, About]:
        talk = Talk(self.text)
        if isinstance(value.get("trajectory"), list):
            tell_steps(talk, value["trajectory"], value.get("history"))
        else:
            tell_history(talk, value["history"])
        return talk, self._about(value, outer)

    def _about(self, value: dict[str, Any], outer: dict[str, Any]) -> About:
        info, replay = value.get("info"), replay_of(value) or replay_of(outer)
        model, problem = at(replay, "agent", "model"), at(replay, "problem_statement")
        about = About(stop_reason=text_at(info, "exit_status"))
        about.task = text_at(problem, "id") or text_at(outer, "instance_id") or self._task(outer.get("environment"))
        about.model = text_at(model, "name") or text_at(replay, "args", "agent", "model", "model_name")
        about.turn_limit = whole_number(at(model, "per_instance_call_limit")) or None
        about.metadata = {
            **small(model, "per_instance_cost_limit", "per_instance_call_limit", "total_cost_limit", "temperature"),
            **small(at(info, "model_stats"), "instance_cost", "tokens_sent", "tokens_received", "api_calls"),
            **small(info, "swe_agent_version", "swe_agent_hash"),
            **small(value, "environment"),
        }
        return about

    def _task(self, environment: Any) -> str | None:
        if isinstance(environment, str) and environment and environment not in GENERIC:
            return environment
        return PurePosixPath(self.context.source).name.split(".traj")[0] or None


def replay_of(value: dict[str, Any]) -> Any:
    """Give the replay configuration, which is an object or a text that holds one."""
    found = value.get("replay_config")
    if not isinstance(found, str):
        return found
    try:
        return json.loads(found)
    except (ValueError, RecursionError):
        return None
