"""A reverse proxy for chat completions: it counts what each history shows and edits requests after a fire.

Whatever it does not understand goes on unchanged. A failure of the server reaches the client as it is. The extra `live`
has to be installed.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from calib.live._answer import answer_of
from calib.live._judge import Judge, Verdict
from calib.live._log import Log, Outcome
from calib.live._relay import Exchange, Relay, Unreached

CHAT = "/chat/completions"
HEADER = "x-calib-task"
"""The header that names the task of a request; it is not sent on."""
FAULTS_TOLD = 3
"""Bugs that each process tells of; the others are counted."""
COUNTS = (
    "requests", "chat", "not understood", "fired", "edited", "answered", "cut short", "unreached", "clients left",
    "not logged", "faults",
)  # fmt: skip
"""What a proxy counts: all requests; chat completions; those of them that went on unread; those whose history had a
fire; those edited; answers sent back whole; answers that the server cut short; requests that never reached it; clients
that left before their answer; requests that the log did not take; bugs."""


class Proxy:
    """An ASGI application. `log` may be None; `fault` is told of what should never happen."""

    def __init__(self, relay: Relay, judge: Judge, log: Log | None, fault: Callable[[BaseException], None]) -> None:
        self._relay, self._judge, self._log, self._fault = relay, judge, log, fault
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        self.counts["requests"] += 1
        try:
            await self._answer(request, await request.body(), send)
        except ClientDisconnect:
            self.counts["clients left"] += 1
        except Exception as error:
            self._faulty(error)
            raise

    async def _answer(self, request: Request, body: bytes, send: Send) -> None:
        verdict = self._judged(request, body)
        kept = Exchange()
        work = asyncio.ensure_future(
            self._send_on(request, body if verdict is None else verdict.body or body, send, kept)
        )
        gone = asyncio.ensure_future(_left(request.receive))
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        if not work.done() and not kept.whole:
            work.cancel()
        gone.cancel()
        failure = "the client left"
        with suppress(asyncio.CancelledError):
            failure = await work
        self._count(kept, failure)
        if verdict is not None and self._log is not None:
            self._write(verdict, kept, failure)

    def _judged(self, request: Request, body: bytes) -> Verdict | None:
        """Judge a chat completion; a bug in that must not keep a request from its answer."""
        if request.method != "POST" or not request.scope["path"].endswith(CHAT):
            return None
        self.counts["chat"] += 1
        verdict = None
        try:
            verdict = self._judge.verdict(body, request.headers.get(HEADER) or None)
        except Exception as error:
            self._faulty(error)
        self.counts["not understood"] += verdict is None
        if verdict is not None:
            self.counts["fired"] += verdict.fire is not None or verdict.earlier
            self.counts["edited"] += verdict.body is not None
        return verdict

    async def _send_on(self, request: Request, body: bytes, send: Send, kept: Exchange) -> str:
        """Send a request on and its answer back; give what failed, in words."""
        scope = request.scope
        query = scope["query_string"]
        target = scope.get("raw_path") or scope["path"].encode()
        headers = [(name, value) for name, value in scope["headers"] if name != HEADER.encode()]
        try:
            await self._relay.send(
                scope["method"], target + (b"?" + query if query else b""), headers, body, send, kept
            )
        except Unreached as error:
            await _unreached(send, str(error))
            return f"not reached: {error}"
        return "" if kept.whole else "the answer was cut short"

    def _count(self, kept: Exchange, failure: str) -> None:
        if kept.whole:
            self.counts["answered"] += 1
        elif failure == "the client left":
            self.counts["clients left"] += 1
        else:
            self.counts["unreached" if kept.status is None else "cut short"] += 1

    def _write(self, verdict: Verdict, kept: Exchange, failure: str) -> None:
        answer = answer_of(kept.data, kept.encoding) if kept.data and kept.status == 200 else None
        outcome = Outcome(answer, kept.status, kept.whole, kept.milliseconds, failure or None)
        try:
            assert self._log is not None
            self._log.write(verdict, outcome)
        except OSError:
            self.counts["not logged"] += 1
        except Exception as error:
            self._faulty(error)

    def _faulty(self, error: Exception) -> None:
        """Count a bug, and tell of the first ones: a reader who left standard error unread must not stop us."""
        self.counts["faults"] += 1
        if self.counts["faults"] <= FAULTS_TOLD:
            self._fault(error)


async def _left(receive: Receive) -> None:
    """Wait until the client has gone: after the body nothing else comes."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _unreached(send: Send, reason: str) -> None:
    """Tell the client that there is no server, in the form of an error of the API."""
    said = {"error": {"message": f"calib proxy: the server could not be reached: {reason}", "type": "upstream_error"}}
    body = msgspec.json.encode(said)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 502, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
