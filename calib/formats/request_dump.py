"""Dumps of chat-completions requests with their responses: a record for each call, which repeats the history.

*Recognised by*: an object with `messages` (or a `request` that holds them, itself or in `body`) and a `response` with
`choices` (itself or in `body`); a bare response of type `chat.completion` is an episode of one turn. The files of one
folder, such as OpenHands writes them (`llm_completions`), are one stream in the order of their names.

*Turn*: a response. Requests whose history continues one another are one episode: the assistant messages of its history,
then the responses. Which conversation a request continues is decided by what its history holds; one without any answer
begins a new one. When several in a folder begin with the same user message they are attempts at one task, and only the
last one is an episode; in a file of lines each is one. A request that was sent again counts once.

*Reasoning*: as in chat messages; the response's own, for requests often leave it out.

*Calls and results*: `tool_calls` or `function_call`; results are the messages of role `tool` in the next request.

*Tokens and times*: `usage.completion_tokens` of the responses; no times, for those between requests hold the tools'
work, too.

*Outcome and stop*: no outcome. The stop reason is `finish_reason` of the last response, or the type of its `error`.
The turn limit is that of a folder `…maxiter_N…`, as OpenHands names its evaluations. Where the history was shortened
the next turn is marked as after a compaction.

*Cannot know*: the result of the last call, and turns that compaction removed before the first request that was kept.
The episode is named after `session_id` of a record, else the folder, else the first file or line; a folder's name is
taken for the task when it holds one task only.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._openhands_output import limit_of
from calib.formats._reader import Context, Given, Ignored, Passed, Records
from calib.formats._requests import Attempt, Exchange, exchange_of, parts_of, task_of
from calib.formats._talk import Stretch

SUMMARY = "dumps of chat-completions requests and responses, a file or line for each call"
RANK = 45
STREAM = True
BUNDLE = True


def recognises(value: Any) -> bool:
    """Tell whether a value is a request with its response, or a response."""
    return isinstance(value, dict) and parts_of(value) is not None


def session_of(value: Any) -> bytes | None:
    """Give what the conversation of a record begins with."""
    parts = parts_of(value) if isinstance(value, dict) else None
    return task_of(parts) if parts is not None else None


class Reader(Records):
    """Reads the requests of one file or folder; a conversation ends with its last record."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._tasks: dict[bytes, list[Attempt]] = {}
        self._several = False
        folder, _, last = context.source.rpartition("/")
        self._folder = folder if last.startswith("*") else None

    def record(self, value: Any, where: Stretch) -> Iterable[Given]:
        """Take one request.

        Raises Rejected.
        """
        parts = parts_of(value) if isinstance(value, dict) else None
        if parts is None:
            raise Rejected("no-messages", "expected `messages` and a `response` with `choices`")
        exchange = exchange_of(value, parts)
        if not exchange.messages and exchange.answer is None:
            raise Ignored("request-without-messages")
        task = exchange.task
        self._attempt_of(exchange, self._tasks.setdefault(task, [])).take(exchange, where)
        self._several = self._several or len(self._tasks) > 1
        return self._ended(task) if self.context.last.get(task) == where[0] else ()

    def _attempt_of(self, exchange: Exchange, attempts: list[Attempt]) -> Attempt:
        """Find the attempt that a request continues: the one that its history repeats best, else the last one."""
        if exchange.answered:
            own = [attempt for attempt in attempts if attempt.session == exchange.session]
            sure = [attempt.continued_by(exchange) for attempt in own]
            if own:
                return own[-1 - sure[::-1].index(max(sure))]
        attempts.append(Attempt(self.text, exchange.session))
        return attempts[-1]

    def finish(self) -> Iterator[Given]:
        """Give the conversations that are still open."""
        for task in list(self._tasks):
            yield from self._ended(task)

    def _ended(self, task: bytes) -> Iterator[Given]:
        """Give the conversations that begin alike; of several in a folder the last one."""
        attempts = self._tasks.pop(task)
        for attempt in attempts[:-1] if self._folder is not None else ():
            yield from (Passed("earlier-attempt", size) for size in attempt.sizes)
        for attempt in attempts[-1:] if self._folder is not None else attempts:
            alone = self._folder if not self._several else None
            episode = attempt.end(
                self.notices, self._name(attempt), alone.rpartition("/")[2] or None if alone else None
            )
            episode.about.turn_limit = limit_of(self.context.source)
            yield episode

    def _name(self, attempt: Attempt) -> str:
        if attempt.session is not None:
            return attempt.session
        place, _, _ = attempt.stretches[0]
        if self._folder is None:
            return f"{self.context.source}:{place}"
        if not self._several:
            return self._folder or self.context.source
        names = self.context.names
        own = names[place - 1] if place <= len(names) else str(place)
        return f"{self._folder}/{own}" if self._folder else own
