"""Logs of `calib proxy`: a line for each request, with the messages that are new and what the server answered.

*Recognised by*: an object with `calib_proxy`, `line` and `messages`.

*Turn*: a response. A line goes on where the line that it names under `after` ends; lines of one `task` whose histories
continue one another are one episode. A request that was sent again counts once. A history that does not go on from
another one of its task, and begins without an answer, is a further run: an episode of its own.

*Reasoning*: the response's own, whole, whatever was edited out of the request: the log holds what the harness sent.

*Calls and results*: as in the format `request_dump`.

*Tokens and times*: `usage.completion_tokens` of the responses; milliseconds from the request to the end of its answer,
as the proxy measured them.

*Outcome and stop*: no outcome. The stop reason is `finish_reason` of the last response. The arm is the name of the
edit, `shadow` where nothing was edited. Point, fire turn, who fired and the numbers of requests, of edited ones and of
those that got no answer are metadata.

*Cannot know*: the results of the last calls, turns that a harness removed before the first request, and requests that
the proxy did not understand. An episode is named after the header that names its task, else after file and line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from calib.formats._chat import Transcript
from calib.formats._codes import Rejected
from calib.formats._decode import Notices
from calib.formats._reader import Context, Given, Records, check
from calib.formats._record import scalar_text, whole_number
from calib.formats._requests import Attempt, Exchange, exchange_of
from calib.formats._small import at, small
from calib.formats._spent import tokens_in
from calib.formats._talk import Episode, Stretch

SUMMARY = "logs of calib proxy, a line for each request"
RANK = 5
STREAM = True
VERSION = 1
TOOK = "calib milliseconds"
"""Where an answer has the time that it took."""
FACTS = ("time", "point", "fire_turn", "failure")


def recognises(value: Any) -> bool:
    """Tell whether a value is a line of such a log."""
    return isinstance(value, dict) and "calib_proxy" in value and "line" in value and "messages" in value


def session_of(value: Any) -> str | None:
    """Give what the conversation of a line is told by: its task."""
    return scalar_text(value.get("task")) if isinstance(value, dict) else None


class Timed(Transcript):
    """A talk whose answers know how long they took."""

    def add_turn(self, message: dict[str, Any]) -> None:
        """Take one assistant message."""
        super().add_turn(message)
        if TOOK in message:
            self.spent(tokens_in(message.get("usage")), whole_number(message[TOOK]))


class Run(Attempt):
    """One run of a task, under way."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.talk = Timed(self.text)
        self.counts = Counter(dict.fromkeys(("edited_requests", "unanswered_requests"), 0))
        self.arm: str | None = None

    def note(self, value: dict[str, Any], exchange: Exchange, where: Stretch) -> None:
        """Take one line."""
        self.counts["edited_requests"] += value.get("edited") is True
        self.counts["unanswered_requests"] += exchange.answer is None
        self.arm = "shadow" if value.get("shadow") is True else scalar_text(value.get("edit"))
        self.take(exchange, where)

    def sent_again(self, exchange: Exchange) -> bool:
        """Tell whether a first request is this run's own: no answer came, or the task's name says that it is."""
        return self._keys == exchange.keys and (self._pending is None or self.session is not None)

    def end(self, notices: Notices, name: str, task: str | None) -> Episode:
        """Finish the episode."""
        episode = super().end(notices, name, task)
        episode.about.arm = self.arm
        episode.about.metadata.update(self.counts)
        return episode


class Reader(Records):
    """Reads the lines of one log; the runs of a task end with its last line."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._told: dict[str, dict[str, Exchange]] = {}
        self._runs: dict[str, list[Run]] = {}

    def record(self, value: Any, where: Stretch) -> Iterable[Given]:
        """Take one line.

        Raises Rejected.
        """
        check(value.get("calib_proxy") == VERSION, "no-messages", f"expected calib_proxy {VERSION}, the log's version")
        task, line = session_of(value), scalar_text(value.get("line"))
        if task is None or line is None or not isinstance(value.get("messages"), list):
            raise Rejected("no-messages", "expected `task`, `line` and a list `messages`")
        exchange = self._whole(value, task)
        self._told.setdefault(task, {})[line] = exchange
        self._run_of(exchange, self._runs.setdefault(task, [])).note(value, exchange, where)
        return self._ended(task) if self.context.last.get(task) == where[0] else ()

    def _whole(self, value: Any, task: str) -> Exchange:
        """Put the history of a line together.

        Raises Rejected when the line that it goes on from is not there.
        """
        session = task if value.get("named") is True else None
        new = replace(_exchange(value), session=session, facts=_facts(value))
        if new.answer is not None:
            new.answer[TOOK] = value.get("milliseconds")
        after = value.get("after")
        if after is None:
            return new
        before = self._told.get(task, {}).get(str(after))
        if before is None:
            raise Rejected("no-messages", "goes on from a line that the log does not hold")
        return replace(new, messages=before.messages + new.messages, keys=before.keys + new.keys)

    def _run_of(self, exchange: Exchange, runs: list[Run]) -> Run:
        """Find the run that a request goes on from, the one that its history repeats best, or begin one."""
        if exchange.answered and runs:
            sure = [run.continued_by(exchange) for run in runs]
            return runs[-1 - sure[::-1].index(max(sure))]
        if not exchange.answered and runs and runs[-1].sent_again(exchange):
            return runs[-1]
        runs.append(Run(self.text, exchange.session))
        return runs[-1]

    def finish(self) -> Iterator[Given]:
        """Give the runs that are still open."""
        for task in list(self._runs):
            yield from self._ended(task)

    def _ended(self, task: str) -> Iterator[Given]:
        self._told.pop(task, None)
        for number, run in enumerate(self._runs.pop(task), 1):
            line, _, _ = run.stretches[0]
            own = f"{task}#{number}" if number > 1 else task
            yield run.end(self.notices, own if run.session is not None else f"{self.context.source}:{line}", None)


def _exchange(value: dict[str, Any]) -> Exchange:
    """Read one line; an answer that is none leaves its request without one, for other lines go on from it.

    Raises Rejected.
    """
    response = value.get("response")
    if isinstance(at(response, "choices", 0, "message"), dict):
        with suppress(Rejected):
            return exchange_of(value, (value, value["messages"], response))
    return exchange_of(value, (value, value["messages"], None))


def _facts(value: dict[str, Any]) -> dict[str, Any]:
    fired = value.get("fired_by")
    names = [name for name in fired if isinstance(name, str)] if isinstance(fired, list) else []
    return {**small(value, *FACTS), **({"fired_by": " | ".join(names)} if names else {})}
