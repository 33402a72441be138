"""Episode per line: one JSON object a line, with `messages` and, all optional, what is known about the episode.

Such as (every key but `messages` is optional)::

    {"episode_id": "run-1", "task": "fix-argv", "model": "m", "arm": "baseline", "outcome": "fail",
     "stop_reason": "turn_limit", "turn_limit": 64, "metadata": {"seed": 1}, "messages": [
      {"role": "user", "content": "Fix it."},
      {"role": "assistant", "reasoning_content": "Look first.", "content": null, "tool_calls": [
       {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}]},
      {"role": "tool", "tool_call_id": "c1", "content": "x = 1"}]}

`outcome` is `pass` or `fail` (also `passed`, `resolved`, `true`, `1` and their opposites); `stop_reason` is any word,
and `docs/labels.md` lists those that are understood.

*Recognised by*: an object with a list `messages`, when no other format knows it.

*Turn*: a message of role `assistant`.

*Reasoning*: the first of `reasoning_content`, `reasoning`, `thinking` and thinking parts of the content that is not
empty, else `reasoning_details`, `provider_specific_fields`, `thinking_blocks` (native, summary or encrypted); `<think>`
and its like at the beginning of the text (inline), if no field holds any.

*Calls and results*: `tool_calls`, also as JSON in texts, the whole list in one text, a single call that is no list, or
of type `custom`, else the old `function_call`; results are the messages of role `tool` or `function` after it, matched
by `tool_call_id`, without one in order. The markup of a call in a text whose message has no call stays text and is
counted: whoever served the model did not take it for one. A `refusal` is the text of a message without content.

*Tokens and times*: `usage.completion_tokens` (or `output_tokens`) and `timestamp` of messages, where a writer adds
them. The time is that from the message before.

*Outcome and stop*: `outcome`, `stop_reason`, `turn_limit`, `episode_id`, `task`, `model` and `arm` of the object; every
other key goes to `metadata`. Where `outcome` is missing, `resolved`, `success`, `passed`, `correct` or `is_correct`
tell it, else a `score` of exactly 0 or 1, else a `reward`; verdicts that disagree are counted and none is believed.
Other names of the stop reason are `exit_status`, `termination_reason`, `exit_reason` and `stop_condition`, of the limit
`max_turns` and `max_iterations`, of the task `task_id` and `instance_id`. A last message of role `exit` gives the stop
reason when the object does not.

*Cannot know*: without `episode_id` an episode is named after file and line.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._codes import Rejected, Reread
from calib.formats._decode import ARRAY, Decoder, Line
from calib.formats._ending import fill_ending
from calib.formats._reader import Context
from calib.formats._record import read_about
from calib.formats._talk import Episode, Stretch

SUMMARY = "one episode a line: an object with `messages`"
RANK = 90
STREAM = False
MESSAGES = frozenset(("messages",))


def recognises(value: Any) -> bool:
    """Tell whether a value is an episode: an object with a list of chat messages."""
    return isinstance(value, dict) and isinstance(value.get("messages"), list)


class Reader:
    """Reads lines of one file; each gives one episode."""

    def __init__(self, context: Context) -> None:
        self._text = context.text
        self._notices = context.notices
        self._decoder = Decoder()

    def feed(self, line: Line, where: Stretch) -> Iterable[Episode]:
        """Read one line.

        Raises Rejected.
        """
        episode = self._decoder.read(line, self._notices, self._episode)
        episode.stretches.append(where)
        return (episode,)

    def _episode(self, record: Any) -> Episode:
        keys = tuple(record)
        if len(set(keys)) < len(keys):
            raise Reread
        if "messages" not in keys:
            raise Rejected("no-messages", "expected an object with a list `messages`")
        transcript = Transcript(self._text)
        about = read_about(record, keys, MESSAGES, transcript.notices)
        messages = record["messages"]
        if not isinstance(messages, ARRAY):
            raise Rejected("no-messages", "`messages` is no list")
        for message in messages:
            transcript.add(message)
        fill_ending(about, about.metadata, transcript.notices)
        about.stop_reason = about.stop_reason or transcript.exit
        episode = transcript.finish(about)
        self._notices.update(transcript.notices)
        return episode

    def finish(self) -> Iterator[Episode]:
        """Give what is still open: nothing."""
        return iter(())
