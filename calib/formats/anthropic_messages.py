"""Anthropic Messages API: logged requests and responses, bare conversations, single messages.

*Recognised by*: an object that holds a response (`type` `message`, `role` `assistant`), or `messages` whose content
blocks are `tool_use`, `tool_result`, signed `thinking` or `redacted_thinking`, or a request with `system` and
`max_tokens`, tools with `input_schema`, or `anthropic_version`. Requests may stand under `request`, responses under
`response`, both under `body` in there; a response may be the text of its event stream. A JSON list of messages with
such blocks is one conversation.

*Turn*: each response, and each `assistant` message of the history whose response was not logged. A response that ended
with `pause_turn` and the one that continues it are two. A prefilled beginning of an answer is none.
A request that begins with all messages of an earlier one continues its episode, and only what is new is read; any
other one begins an episode. It is named by `episode_id`, else by the `id` of its first response, else by its place.
The files of a folder, one request each, are read in order of their names as one log.

*Reasoning*: `thinking` blocks, joined in order, native. Withheld when redacted, or empty with a signature.

*Calls and results*: `tool_use` blocks (and those that the server runs); `tool_result` blocks of the next user message.

*Tokens and times*: `usage.output_tokens` of a response that was logged; no times, for the API gives none.

*Outcome and stop*: `outcome` and the other known keys of the record, if it has any. Stop reason is the `stop_reason`
of the last response.

*Cannot know*: the task and its outcome in most logs; the first part of a conversation whose early messages were dropped
from later requests (it becomes two episodes).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from calib.formats._claude import CALLS, Response, blocks_of, result_of
from calib.formats._codes import Rejected
from calib.formats._event_stream import is_stream, message_of
from calib.formats._message_key import message_key
from calib.formats._reader import Context, Records
from calib.formats._record import KNOWN, About, read_about
from calib.formats._talk import Episode, Stretch, Talk, stretch

SUMMARY = "Anthropic Messages: requests with their responses, conversations, messages"
RANK = 50
STREAM = True
BUNDLE = True

BLOCKS = (*CALLS, "tool_result", "redacted_thinking")
ROLES = ("user", "assistant")
FACTS = ("max_tokens", "temperature", "thinking")

Message = dict[str, Any]


def recognises(value: Any) -> bool:
    """Tell whether a value is a request, a response, both, a conversation or a message."""
    if isinstance(value, list):
        return all(_is_message(one) for one in value[:20]) and any(_has_blocks(one) for one in value[:20])
    if not isinstance(value, dict):
        return False
    if _is_message(value):
        return _is_response(value) or ("type" not in value and _has_blocks(value))
    request, response = pair(value)
    messages = request.get("messages")
    if not isinstance(messages, list):
        return response is not None and "message" not in value
    if response is not None:
        return True
    tools = request.get("tools")
    schema = isinstance(tools, list) and tools and isinstance(tools[0], dict) and "input_schema" in tools[0]
    if schema or "anthropic_version" in request or ("system" in request and "max_tokens" in request):
        return all(_is_message(one) for one in messages[:3])
    return any(_has_blocks(one) for one in messages[:20])


def pair(value: Message) -> tuple[Message, Message | None]:
    """Give request and response of a record; the response is None when it is none of this API."""
    request, response = _body(value.get("request")), _body(value.get("response"))
    if is_stream(response):
        response = message_of(response)
    return request if isinstance(request, dict) else value, response if _is_response(response) else None


def _body(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    body = part.get("body") or part.get("body_raw")
    return body if isinstance(body, dict) or is_stream(body) else part


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("role") in ROLES and isinstance(value.get("content"), (str, list))


def _is_response(value: Any) -> bool:
    if not (isinstance(value, dict) and value.get("type") == "message" and value.get("role") == "assistant"):
        return False
    return isinstance(value.get("content"), list)


def _has_blocks(value: Any) -> bool:
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, list) or not _is_message(value):
        return False
    blocks = [block for block in content if isinstance(block, dict)]
    return any(block.get("type") in BLOCKS or ("signature" in block and "thinking" in block) for block in blocks)


@dataclass
class _Conversation:
    about: About
    talk: Talk
    told: list[bytes] = field(default_factory=list)
    answered: bool = False
    stop: str | None = None
    stretches: list[Stretch] = field(default_factory=list)

    def continued_by(self, keys: list[bytes]) -> bool:
        """Whether a request with these messages goes on from here; once answered, it must hold the answer, too."""
        return keys[: len(self.told)] == self.told and len(keys) >= len(self.told) + self.answered


class Reader(Records):
    """Reads the records of one file or folder; its conversations end with it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._open: list[_Conversation] = []
        self._loose: _Conversation | None = None
        self._seen: set[str] = set()

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one record.

        Raises Rejected.
        """
        if isinstance(value, list):
            return self._all(value, About(), where)
        if value.get("role") is not None and "messages" not in value:
            self._single(value, where)
            return ()
        request, response = pair(value)
        messages = request.get("messages")
        if isinstance(messages, list):
            self._request(value, request, response, where)
        elif response is not None:
            self._single(response, where)
        else:
            raise Rejected("no-messages", "neither a list `messages` nor a response")
        return ()

    def _all(self, messages: list[Any], about: About, where: Stretch) -> tuple[Episode]:
        talk = Talk(self.text, Counter())
        _history(talk, messages)
        episode = self.whole(talk, about, where)
        self.notices.update(talk.notices)
        return episode

    def _single(self, message: Message, where: Stretch) -> None:
        if not _is_message(message):
            raise Rejected("bad-message", "a message has no text `role`, or no `content`")
        name = message.get("id")
        if self._loose is None:
            self._loose = _Conversation(About(), Talk(self.text, Counter()))
            self._open.append(self._loose)
        stretch(self._loose.stretches, where)
        if isinstance(name, str) and name in self._seen:
            return
        if isinstance(name, str):
            self._seen.add(name)
        if message["role"] == "assistant":
            self._answer(self._loose, message)
        else:
            _history(self._loose.talk, [message])

    def _request(self, value: Message, request: Message, response: Message | None, where: Stretch) -> None:
        messages = request["messages"]
        if not all(isinstance(message, dict) for message in messages):
            raise Rejected("bad-message", "a message is no object")
        about = read_about(value, [key for key in value if key in KNOWN], frozenset(), self.notices)
        if request is not value and isinstance(request.get("model"), str):
            about.model = about.model or request["model"]
        about.metadata.update({key: request[key] for key in FACTS if key in request})
        keys = [message_key(message) for message in messages]
        talked = self._conversation(about, keys, where)
        stretch(talked.stretches, where)
        new = messages[len(talked.told) + talked.answered :]
        if response is not None and new and new[-1].get("role") == "assistant":
            new = new[:-1]
        _history(talked.talk, new)
        talked.told, talked.answered = keys, False
        if response is not None:
            self._answer(talked, response)
            talked.answered = True
            if talked.about.episode_id is None and isinstance(response.get("id"), str):
                talked.about.episode_id = response["id"]

    def _conversation(self, about: About, keys: list[bytes], where: Stretch) -> _Conversation:
        for talked in reversed(self._open):
            known = about.episode_id is None or about.episode_id == talked.about.episode_id
            if known and talked is not self._loose and talked.continued_by(keys):
                talked.about.fill(about)
                return talked
        made = _Conversation(about, Talk(self.text, Counter()))
        self._open.append(made)
        return made

    def _answer(self, talked: _Conversation, message: Message) -> None:
        response = Response()
        response.add(message["content"], talked.talk.notices)
        response.about(message)
        response.tell(talked.talk)
        talked.stop = response.stop
        talked.about.model = talked.about.model or response.model

    def finish(self) -> Iterator[Episode]:
        """Give the conversations."""
        for talked in self._open:
            about = talked.about
            about.stop_reason = about.stop_reason or talked.stop
            if about.episode_id is None and talked is not self._loose:
                about.episode_id = f"{self.context.source}:{talked.stretches[0][0]}"
            episode = talked.talk.finish(about)
            episode.stretches = talked.stretches
            self.notices.update(talked.talk.notices)
            yield episode


def _history(talk: Talk, messages: list[Any]) -> None:
    """Tell messages of a request to a talk."""
    for message in messages:
        role = message.get("role") if isinstance(message, dict) else None
        if role == "assistant":
            response = Response()
            response.add(message.get("content"), talk.notices)
            response.tell(talk)
        elif role == "user":
            _ask(talk, message.get("content"))
        elif role != "system":
            talk.notices["unknown-role"] += 1


def _ask(talk: Talk, content: Any) -> None:
    asked = False
    for block in blocks_of(content):
        if block.get("type") == "tool_result":
            talk.result(*result_of(block))
        else:
            asked = True
    if asked:
        talk.user()
