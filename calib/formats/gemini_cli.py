"""Gemini CLI chats: the old single JSON file, and the newer log of events.

*Recognised by*: an object with `sessionId`, `projectHash` and, in the old form, `messages`; in the log also lines with
`$set` or `$rewindTo`, and messages of type `gemini`.

*Turn*: one message of type `gemini`, as it stands at the end of the log: a message that is written again under its id
takes the place of the earlier one (it is first written without the results of its calls), `$rewindTo` drops that
message and all after it (all messages when the id is unknown), and `$set.messages` replaces every message.

*Reasoning*: `thoughts`, each subject and description, as `summary`. Without thoughts the state is `withheld` when
`tokens.thoughts` counts some, `empty` for an empty list, else `absent`.

*Calls and results*: `toolCalls`, with the outputs of their `functionResponse`, else `resultDisplay`; an error when the
status is `error` or `cancelled`.

*Tokens and times*: `tokens.output` and `tokens.thoughts`; the time from the message before, or from the end of its
last call, to the message (`timestamp`).

*Outcome and stop*: no outcome; `error` is the stop reason when the last message is one, notes behind it aside.

*Cannot know*: turn limits; turns that a rewind or a checkpoint took out of the log; encrypted thoughts.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from calib.formats._calls import Call, made_call
from calib.formats._codes import Rejected
from calib.formats._decode import json_text, shallow
from calib.formats._item import parts_of
from calib.formats._items import Output
from calib.formats._reader import Context, Open, Records, check
from calib.formats._small import at
from calib.formats._spent import Watch, tokens_in
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "Gemini CLI chats: session JSON, or its log of events"
RANK = 35
STREAM = True

TURNS = frozenset(("gemini", "model"))
NOTES = frozenset(("info", "warning"))
TYPES = frozenset(("gemini", "model", "user", "error", *NOTES))
CHATS = "chats"
FACTS = ("projectHash", "startTime", "kind")


def recognises(value: Any) -> bool:
    """Tell whether a value is a chat, or a line of its log."""
    if not isinstance(value, dict):
        return False
    if "sessionId" in value and "projectHash" in value:
        return isinstance(value.get("messages", []), list)
    if isinstance(value.get("$set"), dict) or isinstance(value.get("$rewindTo"), str):
        return True
    return value.get("type") == "gemini" and isinstance(value.get("id"), str) and "content" in value


class Message(NamedTuple):
    """A message as far as it matters, made when it is read, so that what is wrong with it costs its line only."""

    id: str | None
    type: str
    model: str | None = None
    reasoning: str | None = None
    state: str = ""
    text: str | None = None
    calls: Sequence[Call] = ()
    results: Sequence[Output] = ()
    time: Any = None
    ended: Any = None
    """When it was written, and when the last of its calls was done."""
    tokens: int | None = None


class Reader(Records):
    """Reads chats, one after the other, and holds the messages of one at a time: any may still be replaced."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._open: Open | None = None
        self._messages: dict[str, Message] = {}

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take a chat or a line of its log.

        Raises Rejected.
        """
        if not isinstance(value, dict):
            raise Rejected("not-an-object")
        ended: list[Episode] = []
        if "sessionId" in value:
            if self._open is not None and self._open.about.episode_id not in (None, value["sessionId"]):
                ended = list(self.finish())
                self.notices["mixed-sessions"] += 1
            checked = self._listed(value)
            self._head(value)
            self._replace(checked)
        elif isinstance(changed := value.get("$set"), dict):
            checked = self._listed(changed)
            self._replace(checked)
            self._head(changed)
        elif "$rewindTo" in value:
            check(isinstance(value["$rewindTo"], str), "bad-message", "`$rewindTo` is no text")
            self._rewind(value["$rewindTo"])
        else:
            self._put(self._read(value))
        self._session().cover(where)
        return ended

    def finish(self) -> Iterator[Episode]:
        """Give the chat that is open."""
        if self._open is not None:
            opened, messages = self._open, self._messages
            self._open, self._messages = None, {}
            watch = Watch()
            for message in messages.values():
                _tell(opened, message, watch)
            yield opened.end()

    def _session(self) -> Open:
        if self._open is None:
            self._open = Open(Talk(self.text, self.notices))
        return self._open

    def _head(self, value: dict[str, Any]) -> None:
        about = self._session().about
        if isinstance(value.get("sessionId"), str):
            about.episode_id = value["sessionId"]
        about.metadata.update({key: value[key] for key in FACTS if isinstance(value.get(key), str)})
        folder = PurePosixPath(self.context.source).parent.name
        if value.get("kind") == "subagent" and folder not in ("", CHATS):
            about.parent = folder  # the chats of sub-agents lie in a folder named after their parent

    def _replace(self, messages: list[Message] | None) -> None:
        if messages is not None:
            self._messages = {}
            for message in messages:
                self._put(message)

    def _put(self, message: Message) -> None:
        self._messages[f"\0{len(self._messages)}" if message.id is None else message.id] = message

    def _rewind(self, name: str) -> None:
        names = list(self._messages)
        kept = names[: names.index(name)] if name in self._messages else []
        self._messages = {name: self._messages[name] for name in kept}

    def _listed(self, value: dict[str, Any]) -> list[Message] | None:
        messages = value.get("messages")
        if messages is None:
            return None
        if not isinstance(messages, list):
            raise Rejected("no-messages", "`messages` is no list")
        return [self._read(message) for message in messages]

    def _read(self, message: Any) -> Message:
        kind = message.get("type") if isinstance(message, dict) else None
        if not isinstance(kind, str):
            raise Rejected("bad-message", "a message is no object, or has no text `type`")
        name, model = message.get("id"), message.get("model")
        name = name if isinstance(name, str) else None
        if kind not in TURNS:
            if kind not in TYPES:
                self.notices["unknown-record-type"] += 1
            return Message(name, kind, time=message.get("timestamp"))
        texts = parts_of(message.get("content", message.get("parts")))
        calls, results = _calls(message.get("toolCalls"))
        times = message.get("timestamp"), at(message, "toolCalls", -1, "timestamp")
        text = "\n".join(texts) if texts else None
        return Message(
            name, kind, model if isinstance(model, str) else None, *_reasoning(message), text, calls, results,
            *times, tokens_in(message.get("tokens"), "thoughts"),
        )  # fmt: skip


def _tell(opened: Open, message: Message, watch: Watch) -> None:
    about = opened.about
    if message.type not in NOTES:
        about.stop_reason = "error" if message.type == "error" else None
    if message.type == "user":
        opened.talk.user()
    elif message.type in TURNS:
        about.model = about.model or message.model
        opened.talk.turn(message.reasoning, message.state, "summary", message.text, message.calls)
        opened.talk.spent(message.tokens, watch.lap(message.time))
        for result in message.results:
            opened.talk.result(*result)
    watch.see(message.time)
    watch.see(message.ended)


def _calls(listed: Any) -> tuple[list[Call], list[Output]]:
    calls, results = [], []
    for said in listed if isinstance(listed, list) else ():
        if not isinstance(said, dict):
            raise Rejected("bad-message", "a tool call is no object")
        call_id, tool = said.get("id"), said.get("name")
        call_id = call_id if isinstance(call_id, str) else None
        calls.append(made_call(call_id, tool if isinstance(tool, str) else None, said.get("args")))
        if (result := _result(said)) is not None:
            results.append((call_id, result, FAILED.get(str(said.get("status")))))
    return calls, results


FAILED = {"error": True, "cancelled": True, "success": False}


def _reasoning(message: dict[str, Any]) -> tuple[str | None, str]:
    thoughts = message.get("thoughts")
    said = []
    for thought in thoughts if isinstance(thoughts, list) else ():
        if isinstance(thought, dict):
            parts = [thought[key] for key in ("subject", "description") if isinstance(thought.get(key), str)]
            said.append("\n".join(parts))
    text = "\n\n".join(said)
    if text.strip():
        return text, "recorded"
    tokens = message.get("tokens")
    if isinstance(tokens, dict) and tokens.get("thoughts"):
        return None, "withheld"
    return ("", "empty") if isinstance(thoughts, list) else (None, "absent")


def _result(call: dict[str, Any]) -> str | None:
    result = call.get("result")
    if result is None:
        shown = call.get("resultDisplay")
        return shown if isinstance(shown, str) else None
    if isinstance(result, str):
        return result
    texts = []
    for part in result if isinstance(result, list) else [result]:
        answer = part.get("functionResponse") if isinstance(part, dict) else None
        said = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(said, dict):
            said = next((said[key] for key in ("output", "error") if said.get(key) is not None), said)
        elif said is None:
            said = part.get("text") if isinstance(part, dict) and isinstance(part.get("text"), str) else part
        texts.append(said if isinstance(said, str) else json_text(shallow(said)))
    return "\n".join(texts)
