"""What a record of a data set says about its episode: the many names of one thing."""

from typing import Any

from calib.formats._reader import first
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._small import at, small

IDS = ("episode_id", "session_id", "conversation_id", "trajectory_id", "rollout_id", "uuid")
EXAMPLES = ("example_id", "id", "index")
VERDICTS = ("resolved", "success", "passed", "is_correct", "correct")
STOPS = ("stop_condition", "stop_reason", "termination_reason", "finish_reason")
TOLD = frozenset((*IDS, *STOPS, "prompt", "completion", "model", "arm", "turn_limit", "system", "tools"))
"""Keys that are no metadata: a column holds what they say, or they are prompts."""


def about_of(value: dict[str, Any], run: dict[str, Any] | None = None) -> About:
    """Read what a record says, and what holds for all records of its run."""
    limit = first(value, "turn_limit", "max_turns")
    if limit is None and run:
        limit = at(run, "max_turns") or at(run, "env_args", "max_turns")
    return About(
        episode_id=scalar_text(first(value, *IDS)) or None,
        task=task_of(value),
        model=scalar_text(value.get("model")) or scalar_text((run or {}).get("model")) or None,
        arm=scalar_text(value.get("arm")) or None,
        outcome=outcome_of(value),
        stop_reason=scalar_text(first(value, *STOPS)) or None,
        turn_limit=whole_number(limit) or None,
        metadata=_facts(value),
    )


def task_of(value: dict[str, Any]) -> str | None:
    """Name the task: `task_id` or `instance_id`, else `task` with the number of the example.

    >>> task_of({"task": "arc", "example_id": 3}), task_of({"task": "default", "id": 0}), task_of({"task_id": "t"})
    ('arc/3', '0', 't')
    """
    named = scalar_text(first(value, "task_id", "instance_id"))
    if named:
        return named
    task = scalar_text(value.get("task"))
    parts = (None if task == "default" else task, scalar_text(first(value, *EXAMPLES)))
    return "/".join(part for part in parts if part) or None


def outcome_of(value: dict[str, Any]) -> str | None:
    """Give a verdict, else a reward: 1 is a pass, less a failure, any other as it is written.

    >>> outcome_of({"success": 0.0, "reward": 1.0}), outcome_of({"reward": 0.7})
    ('fail', 'fail')
    >>> outcome_of({"score": 12}), outcome_of({"outcome": "partial"}), outcome_of({"reward": None})
    ('12', 'partial', None)
    """
    for key in VERDICTS:
        said = value.get(key)
        if isinstance(said, (bool, int, float)) and said in (0, 1):
            return "pass" if said else "fail"
    reward = first(value, "outcome", "reward", "score")
    if isinstance(reward, (int, float)) and not isinstance(reward, bool) and -1e-6 <= reward <= 1 + 1e-6:
        return "pass" if reward >= 1 - 1e-6 else "fail"
    return scalar_text(reward) or None


def _facts(value: dict[str, Any]) -> dict[str, Any]:
    facts = small(value, *[key for key in value if key not in TOLD])
    for key in ("info", "metrics", "metadata"):
        inner = value.get(key)
        if isinstance(inner, dict):
            facts |= {f"{key}.{name}": fact for name, fact in small(inner, *inner).items()}
    return facts
