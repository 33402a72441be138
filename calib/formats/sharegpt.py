"""ShareGPT: a conversation a record, under `conversations`, as data sets for training hold it.

*Recognised by*: an object with a list `conversations` (or `conversation`) of entries with `from` and `value`; also with
`role` and `content` under that name.

*Turn*: an entry from `gpt`, `assistant`, `model`, `bot`, `chatgpt`, `ai` or `agent`, and one from `function_call`.

*Reasoning*: `<think>` and its like at the beginning of the text (inline); fields of their own where an entry has them.
A pair of tags with nothing between them is empty reasoning.

*Calls and results*: calls stand in the text and are taken out of it: `<tool_call>` around JSON, `<function=…>` and
`<invoke name=…>` with parameters, fenced blocks, `[TOOL_CALLS]`. Results are entries from `tool`, `function` or
`observation`, and `<tool_response>` in them or in a user's entry, in the order of the calls when they have no id.

*Tokens and times*: neither is recorded.

*Outcome and stop*: as in the format `chat_completions`: a verdict, reward or score, a stop reason, when there is one.

*Cannot know*: what training templates took out. They often keep the thinking of the last turn only; then the turns
before it are `absent` although the model thought. Calls of other syntaxes stay in the text.
"""

from collections.abc import Iterable
from typing import Any

from calib.formats._example import about_of
from calib.formats._reader import Records, check
from calib.formats._sharegpt import ROLES, Told, role_of
from calib.formats._talk import Episode, Stretch

SUMMARY = "ShareGPT: an object with `conversations`, entries with `from` and `value`"
RANK = 70
STREAM = False


def recognises(value: Any) -> bool:
    """Tell whether a value is a conversation."""
    if not isinstance(value, dict) or isinstance(value.get("messages"), list):
        return False
    return _entries(value) is not None


def _entries(value: dict[str, Any]) -> list[Any] | None:
    for key in ("conversations", "conversation"):
        entries = value.get(key)
        if not isinstance(entries, list) or not entries or role_of(entries[0]) not in ROLES:
            continue
        if key == "conversations" or "from" in entries[0]:
            return entries
    return None


class Reader(Records):
    """Gives one episode a record."""

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Read one conversation.

        Raises Rejected.
        """
        entries = _entries(value) if isinstance(value, dict) else None
        check(entries is not None, "no-messages", "expected an object with a list `conversations`")
        talk = Told(self.text)
        for entry in entries or ():
            talk.entry(entry)
        episodes = self.whole(talk, about_of(value), where)
        self.notices.update(talk.notices)
        return episodes
