"""Chat completions under other names than `messages`: an episode a record, as verifiers writes its results.

*Recognised by*: an object with a list of messages under `completion`, `conversation` or `traj`, or with `prompt` and
`completion` as texts. (With the list under `messages` it is of the format `episode_lines`.)

*Turn*: a message of role `assistant`. Those under `prompt` are examples, not answers of this run, and do not count. A
`completion` that is a text is one turn.

*Reasoning*: `reasoning_content`, `reasoning`, `thinking`, thinking parts of the content, `reasoning_details`,
`provider_specific_fields` (native, summary or encrypted), `<think>` at the beginning of the text (inline). verifiers
saves none, so that `absent` may mean: not saved.

*Calls and results*: `tool_calls`, whose elements may be JSON in texts, else the old `function_call`. A result without
an id answers the first call that waits.

*Tokens and times*: `usage.completion_tokens` and `timestamp` of messages, where a writer adds them; few do.

*Outcome and stop*: the first truth value among `resolved`, `success`, `passed`, `is_correct` and `correct`, else
`reward` or `score`, of which only 1 is a pass; the stop reason is `stop_condition`, `stop_reason`, `termination_reason`
or `finish_reason`. The model and the turn limit may stand in `metadata.json` beside the file.

*Cannot know*: `id` and `example_id` name the task, for they repeat with each rollout; an episode has an id of its own
only under `episode_id`, `session_id`, `conversation_id`, `trajectory_id`, `rollout_id` or `uuid`, else it is named
after file and line.
"""

from collections.abc import Iterable
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._codes import Rejected
from calib.formats._decode import tolerant
from calib.formats._example import about_of
from calib.formats._reader import Context, Records, check
from calib.formats._small import at
from calib.formats._talk import Episode, Stretch

SUMMARY = "an episode a record, its messages under `completion` (with `prompt`), `conversation` or `traj`"
RANK = 80
STREAM = False
BESIDE = ("metadata.json",)

LISTS = ("completion", "conversation", "traj")


def recognises(value: Any) -> bool:
    """Tell whether a value is an episode."""
    if not isinstance(value, dict) or isinstance(value.get("messages"), list):
        return False
    if isinstance(value.get("completion"), str):
        return isinstance(value.get("prompt"), (str, list)) and "choices" not in value
    return _messages(value) is not None


def _messages(value: dict[str, Any]) -> list[Any] | None:
    for key in LISTS:
        found = value.get(key)
        if key == "traj" and ("task_id" in value or "reward" in value):
            continue  # τ-bench
        if isinstance(found, list) and (at(found, 0, "role") is not None or (not found and "prompt" in value)):
            return found
    return None


class Reader(Records):
    """Gives one episode a record."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._run = _beside(context.beside.get(BESIDE[0]))

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Read one episode.

        Raises Rejected.
        """
        check(recognises(value), "no-messages", "expected an object with a list `completion`, `conversation` or `traj`")
        talk = Transcript(self.text)
        for message in _asked(value.get("prompt")):
            if at(message, "role") == "user":
                talk.user()
        if isinstance(value.get("completion"), str):
            talk.add_turn({"content": value["completion"]})
        else:
            for message in _messages(value) or ():
                talk.add(message)
        episodes = self.whole(talk, about_of(value, self._run), where)
        self.notices.update(talk.notices)
        return episodes


def _asked(prompt: Any) -> list[Any]:
    return [{"role": "user"}] if isinstance(prompt, str) else prompt if isinstance(prompt, list) else []


def _beside(data: bytes | None) -> dict[str, Any]:
    try:
        found = tolerant(data)[0] if data else {}
    except Rejected:
        return {}
    return found if isinstance(found, dict) else {}
