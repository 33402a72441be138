"""Run a proxy until it is told to stop: one process, or several that share a port."""

import asyncio
import gc
import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY, create_server, socket
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import httpx
import uvicorn

from calib.errors import UsageError
from calib.escape import visible
from calib.live._judge import Judge
from calib.live._log import Log, Policy
from calib.live._relay import Relay
from calib.live.filter import Filter
from calib.live.proxy import COUNTS, Proxy

KEEP_ALIVE = 600
"""Seconds that an idle connection of a client stays open: a harness may run a tool for minutes between requests."""

BACKLOG = 2048
"""Connections that may wait to be taken."""
TWICE = 1.0
"""Seconds after which a second signal means: at once. A terminal sends the first one twice, to parent and children."""


@dataclass(frozen=True)
class Service:
    """What to serve and where."""

    upstream: str
    filter: Filter
    log: str = ""
    host: str = "127.0.0.1"
    port: int = 0
    workers: int = 1


Say = Callable[[str], None]
Fault = Callable[[BaseException], None]


def serve(service: Service, say: Say, fault: Fault) -> Counter[str]:
    """Serve until SIGINT or SIGTERM; requests that are under way are answered first, a second signal cuts them off.

    `say` is told once where it listens. Gives the counts of all processes. Raises UsageError when the address is taken.
    """
    _checked(service.upstream)
    if service.log:
        Log(service.log, _policy(service))  # a wrong name shows before anything is served
    config = uvicorn.Config(
        _nothing, log_config=None, log_level="critical", lifespan="off", ws="none",
        timeout_keep_alive=KEEP_ALIVE, server_header=False, date_header=False, proxy_headers=False, access_log=False,
    )  # fmt: skip
    listening = _bound(service)
    try:
        with TemporaryDirectory(prefix="calib-proxy-") as armed:
            say(_where(listening))
            place = _Place(service, config, listening, Path(armed), fault)
            return asyncio.run(_serving(place)) if service.workers == 1 else _many(place)
    finally:
        listening.close()


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """Stand for the application until the event loop runs."""


def _policy(service: Service) -> Policy:
    return Policy(str(service.filter.point), service.filter.edit.by, service.filter.shadow)


def _bound(service: Service) -> socket:
    family = AF_INET6 if ":" in service.host else AF_INET
    try:
        listening = create_server((service.host, service.port), family=family, backlog=BACKLOG)
    except OSError as error:
        where = f"{visible(service.host)[:80]}:{service.port}"
        raise UsageError(f"{where}: could not listen there: {error.strerror}; name a free port") from None
    listening.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)  # else small pieces of an answer wait 40 ms for each other
    return listening


def _checked(upstream: str) -> None:
    try:
        url = httpx.URL(upstream)
        if url.scheme in ("http", "https") and url.host and (url.port or 1) <= 65535:
            return
    except httpx.InvalidURL:
        pass
    raise UsageError(f"--upstream: expected http://HOST or https://HOST, found {visible(upstream)[:80]!r}")


def _where(listening: socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Server(uvicorn.Server):
    """A server that leaves signals to us: uvicorn would raise them again when it has stopped."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(frozen=True)
class _Place:
    """What all processes of a service share. `life` ends when the parent does, where there is one."""

    service: Service
    config: uvicorn.Config
    listening: socket
    armed: Path
    fault: Fault
    life: int = -1


async def _serving(place: _Place) -> Counter[str]:
    service, config = place.service, place.config
    relay = Relay(service.upstream)
    log = Log(service.log, _policy(service)) if service.log else None
    proxy = Proxy(relay, Judge(service.filter, place.armed), log, place.fault)
    config.app = proxy
    server = _Server(config)
    gc.freeze()  # what lives as long as the process need not be looked at again and again
    _obey(server, place.life)
    try:
        await server.serve([place.listening])
    finally:
        await relay.close()
    return proxy.counts


def _obey(server: uvicorn.Server, life: int) -> None:
    """Stop at a signal, at once at a second one, and when the parent is gone."""
    loop = asyncio.get_running_loop()
    asked: list[float] = []

    def stop() -> None:
        asked.append(loop.time())
        server.should_exit = True
        server.force_exit = asked[-1] - asked[0] > TWICE

    def orphaned() -> None:
        loop.remove_reader(life)
        stop()

    def told(number: int, _: object) -> None:
        with suppress(RuntimeError):  # the loop has ended: it must not end the process before it has said its counts
            loop.call_soon_threadsafe(stop)

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, told)
    if life >= 0:
        loop.add_reader(life, orphaned)


def _many(place: _Place) -> Counter[str]:
    """Serve in several processes that take connections from one socket; pass signals on and add the counts up."""
    children: dict[int, int] = {}
    life, alive = os.pipe()
    for _ in range(place.service.workers):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            os.close(alive)
            _child(write, replace(place, life=life))
        os.close(write)
        children[child] = read

    def passed_on(number: int, _: object) -> None:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, passed_on)
    total = Counter(dict.fromkeys(COUNTS, 0))
    for child, read in list(children.items()):
        with os.fdopen(read, "rb") as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        del children[child]
        total.update(json.loads(said) if said else {"faults": 1})
    return total


def _child(write: int, place: _Place) -> NoReturn:
    """Serve, hand the counts to the parent, and end without what the parent would do at its end."""
    code = 1
    try:
        counts = asyncio.run(_serving(place))
        with os.fdopen(write, "wb") as pipe:
            pipe.write(json.dumps(counts).encode())
        code = 0
    except Exception as error:
        place.fault(error)
    finally:
        os._exit(code)
