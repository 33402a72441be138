"""One request on to the server and its answer back: bytes as they are, failures as they are."""

from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic

import httpx
from starlette.types import Send

HOP = frozenset(
    (b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
     b"trailer", b"transfer-encoding", b"upgrade", b"host", b"content-length", b"expect")
)  # fmt: skip
"""Headers of a request that are about one connection, or that are written anew."""
BACK = HOP - {b"content-length", b"host"}
"""The same for an answer."""
KEPT = 64 << 20
"""Most bytes of an answer that are kept for the log."""
IDLE = 2.0
"""Seconds after which an idle connection is not used again: servers close theirs after 5, and a request that meets the
closing would be lost."""
CONNECT = 10.0
"""Seconds to wait for a connection. An answer may take as long as it takes."""

Headers = list[tuple[bytes, bytes]]


class Unreached(Exception):  # noqa: N818 - the server's failure, not the program's
    """The server could not be reached, or went away before it answered."""


class Exchange:
    """What came back for one request, as far as it came."""

    def __init__(self) -> None:
        self.began = monotonic()
        self.status: int | None = None
        self.encoding = ""
        self.whole = False
        """Whether the answer was sent on to its end."""
        self._kept: list[bytes] = []
        self._size = 0

    @property
    def milliseconds(self) -> int:
        """Time since the request came."""
        return round((monotonic() - self.began) * 1000)

    def keep(self, piece: bytes) -> None:
        """Keep a piece of the answer, unless it gets too large."""
        self._size += len(piece)
        if self._size <= KEPT:
            self._kept.append(piece)

    @property
    def data(self) -> bytes | None:
        """The answer so far; None when it is too large."""
        return b"".join(self._kept) if self._size <= KEPT else None


class Relay:
    """Sends requests on to one server. Made inside the event loop that uses it."""

    def __init__(self, upstream: str) -> None:
        self._base = httpx.URL(upstream)
        self._path = self._base.raw_path.rstrip(b"/")
        self._urls: dict[bytes, httpx.URL] = {}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=256, keepalive_expiry=IDLE)
        # The transport alone: a client would follow redirects, keep cookies and unpack answers.
        self._transport = httpx.AsyncHTTPTransport(limits=limits, trust_env=False)
        self._timeout = {"connect": CONNECT, "read": None, "write": None, "pool": None}

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    def _url(self, target: bytes) -> httpx.URL:
        """Put a path behind the server's own, unless it begins with it: both `http://host` and `http://host/v1` do."""
        found = self._urls.get(target)
        if found is None:
            under = target.startswith(self._path + b"/")
            found = self._base.copy_with(raw_path=target if under else self._path + target)
            if len(self._urls) < 100:
                self._urls[target] = found
        return found

    async def send(self, method: str, target: bytes, headers: Headers, body: bytes, send: Send, kept: Exchange) -> None:
        """Send a request on and its answer back.

        Raises Unreached before anything was sent back. An answer that ends too early ends too early here too: then this
        returns with `kept.whole` False.
        """
        request = httpx.Request(
            method, self._url(target),
            headers=[*((name, value) for name, value in headers if name not in HOP), *_length(method, headers, body)],
            content=body or None, extensions={"timeout": self._timeout},
        )  # fmt: skip
        try:
            response = await self._transport.handle_async_request(request)
        except (httpx.TransportError, OSError) as error:
            raise Unreached(str(error) or type(error).__name__) from error
        try:
            kept.status = response.status_code
            kept.encoding = response.headers.get("content-encoding", "").lower().strip()
            back = [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in BACK]
            with suppress(httpx.TransportError, OSError):
                await _send_back(response, back, send, kept)
        finally:
            await response.aclose()


def _length(method: str, headers: Headers, body: bytes) -> Headers:
    said = any(name in (b"content-length", b"transfer-encoding") for name, _ in headers)
    return [(b"content-length", b"%d" % len(body))] if body or said or method in ("POST", "PUT", "PATCH") else []


async def _send_back(response: httpx.Response, headers: Headers, send: Send, kept: Exchange) -> None:
    stream: AsyncIterator[bytes] = response.stream.__aiter__()  # type: ignore[union-attr]
    first, broken = b"", False
    if "content-length" in response.headers:  # the head of a whole answer goes with its body: the client wakes once
        try:
            first = await anext(stream, b"")
        except (httpx.TransportError, OSError):
            broken = True
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    if broken:
        return
    if first:
        kept.keep(first)
        await send({"type": "http.response.body", "body": first, "more_body": True})
    async for piece in stream:
        kept.keep(piece)
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    kept.whole = True
    await send({"type": "http.response.body", "body": b"", "more_body": False})
