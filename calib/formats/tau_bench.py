"""τ-bench results: a JSON list, or lines, of `{task_id, trial, reward, info, traj}`.

*Recognised by*: an object with a list `traj` and `task_id` or `reward`.

*Turn*: a message of role `assistant` in `traj`.

*Reasoning*: `reasoning_content` or `reasoning` of the message (native), `<think>` at the start of its text (inline).

*Calls and results*: `tool_calls`, or the old `function_call`; results are the `tool` messages after it.

*Tokens and times*: neither is recorded.

*Outcome and stop*: `reward` 1 is a pass, any other number a failure; `task` is `task_id`. The file has no stop reason.

*Cannot know*: the model, the turn limit and why a run ended. Runs have no id of their own, so an episode is named after
its file, its task and its trial.
"""

from collections.abc import Iterable
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._reader import Records, check
from calib.formats._record import About, scalar_text
from calib.formats._talk import Episode, Stretch

SUMMARY = "τ-bench results: objects with `task_id`, `reward` and messages in `traj`"
RANK = 34
STREAM = False


def recognises(value: Any) -> bool:
    """Tell whether a value is one run of τ-bench."""
    return isinstance(value, dict) and isinstance(value.get("traj"), list) and ("task_id" in value or "reward" in value)


def outcome_of_reward(reward: Any) -> str | None:
    """Give `pass` for a reward of 1, `fail` for any other number, None for none.

    >>> outcome_of_reward(1.0), outcome_of_reward(0.5), outcome_of_reward(None)
    ('pass', 'fail', None)
    """
    if isinstance(reward, bool) or not isinstance(reward, (int, float)):
        return None
    return "pass" if abs(reward - 1) < 1e-6 else "fail"


class Reader(Records):
    """Gives one episode a record."""

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Read one run.

        Raises Rejected.
        """
        check(recognises(value), "no-messages", "expected an object with a list `traj`")
        talk = Transcript(self.text, self.notices)
        for message in value["traj"]:
            talk.add(message)
        return self.whole(talk, self._about(value), where)

    def _about(self, value: dict[str, Any]) -> About:
        task = scalar_text(value.get("task_id"))
        trial = scalar_text(value.get("trial"))
        reward = value.get("reward")
        about = About(task=task, outcome=outcome_of_reward(reward))
        if task is not None:
            about.episode_id = f"{self.context.source}#task {task}, trial {trial or '0'}"
        info = value["info"] if isinstance(value.get("info"), dict) else {}
        more = {key: info.get(key) for key in ("user_cost", "source")}
        said = {"trial": value.get("trial"), "reward": reward, **more}
        about.metadata = {key: fact for key, fact in said.items() if isinstance(fact, (str, int, float))}
        return about
