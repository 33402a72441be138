"""How an episode ended, and its task, where a record says it under other names than the native ones."""

from collections.abc import Mapping
from typing import Any

from calib.formats._decode import Notices
from calib.formats._record import About, scalar_text, whole_number
from calib.labels import outcome_of, outcome_of_reward

VERDICTS = ("resolved", "success", "passed", "correct", "is_correct")
FIGURES = ("score", "reward")
STOPS = ("exit_status", "termination_reason", "exit_reason", "stop_condition")
LIMITS = ("max_turns", "max_iterations")
TASKS = ("task_id", "instance_id")
NAMES = frozenset((*VERDICTS, *FIGURES, *STOPS, *LIMITS, *TASKS))


def fill_ending(about: About, said: Mapping[str, Any], notices: Notices) -> None:
    """Take from other fields of a record, `said`, what is still missing of the end of an episode, and its task.

    Verdicts that disagree are counted, and nobody is believed. A `score` counts when it is exactly 0 or 1, a `reward`
    of less than 1 is a fail; both only when there is no verdict.
    """
    if NAMES.isdisjoint(said):
        return
    words = {outcome_of(said[name]) for name in VERDICTS if name in said} - {"unknown"}
    if about.outcome is not None:
        words |= {outcome_of(about.outcome)} - {"unknown"}
    if len(words) > 1:
        notices["label-conflict"] += 1
        about.outcome = None
    elif about.outcome is None:
        reward = outcome_of_reward(said["reward"]) if "reward" in said else "unknown"
        found = next((word for word in (*words, outcome_of(said.get("score")), reward) if word != "unknown"), None)
        about.outcome = found
    about.stop_reason = about.stop_reason or _first(scalar_text(said.get(name)) for name in STOPS)
    about.task = about.task or _first(scalar_text(said.get(name)) for name in TASKS)
    about.turn_limit = about.turn_limit or _first(whole_number(said.get(name)) for name in LIMITS)


def _first(found: Any) -> Any:
    return next((one for one in found if one), None)
