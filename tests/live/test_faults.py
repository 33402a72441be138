"""Whatever servers and clients do: answers arrive as they are, none is lost, nothing crashes."""

import asyncio
import gzip
import hashlib
import json
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.live.serving import LIMIT, Asked, Running, Server, answer, completion, plan_until_clean, proxy, serving

POINT = "repeated_plan@7 | search_run@35"
MESSAGES = [{"role": "user", "content": "Go."}]
PIECE = bytes(range(256)) * 4096
HUGE = 70
"""Pieces of a MiB: more than is kept of an answer for the log."""


@dataclass
class Place:
    """One proxy for the tests of a module, and the server behind it."""

    live: Running
    server: Server
    log: Path
    asked: int = 0

    def messages(self) -> list[dict[str, str]]:
        """Messages that no other request has."""
        self.asked += 1
        return [{"role": "user", "content": f"Go {self.asked}."}]

    def told(self) -> dict[str, Any]:
        """The log line of the last of them: it is written when the answer has been sent."""
        began = time.monotonic()
        while time.monotonic() - began < LIMIT:
            for line in map(json.loads, self.log.read_text().splitlines()):
                if line["messages"] and line["messages"][-1].get("content") == f"Go {self.asked}.":
                    return dict(line)
            time.sleep(0.02)
        raise AssertionError("not logged")


async def script(asked: Asked, writer: asyncio.StreamWriter) -> None:  # noqa: C901 - a list of cases
    """Do what the first part of the path says."""
    what = asked.target.split("/")[1]
    if what == "error":
        writer.write(answer(b'{"error": "no memory"}', "500 Internal Server Error"))
    elif what == "garbage":
        writer.write(b"\x00\x01 nonsense\r\n\r\n")
        writer.close()
    elif what == "closed":
        writer.close()
    elif what == "short":
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
        writer.close()
    elif what == "torn":
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\ndata:\r\n")
        writer.close()
    elif what == "huge":
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % (HUGE * len(PIECE)))
        for _ in range(HUGE):
            writer.write(PIECE)
            await writer.drain()
    elif what == "malformed":
        writer.write(answer(b'{"choices": [', kind="text/html"))
    elif what == "packed":
        packed = gzip.compress(json.dumps(plan_until_clean(asked)).encode())
        writer.write(answer(packed).replace(b"\r\n\r\n", b"\r\ncontent-encoding: gzip\r\n\r\n", 1))
    elif what == "slow":
        await asyncio.sleep(1.5)
        writer.write(answer(json.dumps(completion({"content": "late"})).encode()))
    elif what == "endless":
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"400\r\n" + b"x" * 1024 + b"\r\n")
            await writer.drain()
            await asyncio.sleep(0.01)
    else:
        made = answer(f"{asked.method} {asked.target}".encode(), "203 Fine", "text/plain")
        writer.write(made.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if asked.method == "HEAD" else made)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("proxy")
    with serving(script) as server, proxy(server.url, "--point", POINT, "--log", "live.jsonl", cwd=folder) as live:
        yield Place(live, server, folder / "live.jsonl")
        assert live.stop() == 0
        assert live.said.count("\n") == 1  # the counts and no other word
        counts = live.counts()
        ends = ("answered", "cut short", "unreached", "clients left")
        assert (counts["faults"], sum(counts[end] for end in ends)) == (0, counts["requests"])


def post(place: Place, what: str, **named: Any) -> httpx.Response:
    body = {"json": {"messages": place.messages()}, **named}
    return httpx.post(f"{place.live.url}/{what}/chat/completions", timeout=LIMIT, trust_env=False, **body)


@pytest.mark.parametrize(
    ("what", "status", "body"),
    [("error", 500, b'{"error": "no memory"}'), ("malformed", 200, b'{"choices": ['), ("other", 203, None)],
)
def test_an_answer_arrives_as_it_is(place: Place, what: str, status: int, body: bytes | None) -> None:
    response = post(place, what)
    assert response.status_code == status
    assert response.content == (body or f"POST /{what}/chat/completions".encode())
    told = place.told()
    assert (told["status"], told["response"]) == (status, None)


@pytest.mark.parametrize("what", ["garbage", "closed"])
def test_no_answer_is_told_as_an_error_of_the_api(place: Place, what: str) -> None:
    response = post(place, what)
    assert response.status_code == 502
    assert response.json()["error"]["type"] == "upstream_error"
    assert place.told()["failure"].startswith("not reached")


@pytest.mark.parametrize("what", ["short", "torn"])
def test_an_answer_that_ends_too_early_ends_too_early(place: Place, what: str) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        post(place, what)
    last = place.told()
    assert (last["failure"], last["delivered"], last["response"]) == ("the answer was cut short", False, None)


def test_a_huge_answer_arrives_whole_and_is_not_logged_whole(place: Place) -> None:
    found, size = hashlib.sha256(), 0
    with httpx.stream(
        "POST", f"{place.live.url}/huge/chat/completions", json={"messages": place.messages()}, timeout=LIMIT
    ) as response:
        for piece in response.iter_raw():
            found.update(piece)
            size += len(piece)
    assert size == HUGE * len(PIECE)
    assert found.hexdigest() == hashlib.sha256(PIECE * HUGE).hexdigest()
    assert place.told()["response"] is None


def test_a_packed_answer_stays_packed_and_is_read_for_the_log(place: Place) -> None:
    with httpx.stream(
        "POST", f"{place.live.url}/packed/chat/completions", json={"messages": place.messages()}, timeout=LIMIT
    ) as response:
        raw = b"".join(response.iter_raw())
    assert json.loads(gzip.decompress(raw)) == place.told()["response"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[1]", b'{"messages": 5}', b'{"messages": []}', b'{"messages": [1]}', b'{"messages": [{"a": 1}]}',
     b'{"messages": [{"role": "assistant", "tool_calls": [5]}]}', b'{"messages": [{"role": "user", "x": NaN}]}',
     b"\xff\xfe" * 9, gzip.compress(b"{}", mtime=0)],
)  # fmt: skip
def test_what_is_not_understood_goes_on_unchanged(place: Place, body: bytes) -> None:
    assert post(place, "other", json=None, content=body).status_code == 203
    assert place.server.asked[-1].body == body


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT"])
def test_other_requests_go_through(place: Place, method: str) -> None:
    response = httpx.request(method, f"{place.live.url}/v1/models%2Fa?b=c%20d&b=e", timeout=LIMIT, trust_env=False)
    assert response.status_code == 203
    assert place.server.asked[-1].target == "/v1/models%2Fa?b=c%20d&b=e"
    assert response.text == ("" if method == "HEAD" else f"{method} /v1/models%2Fa?b=c%20d&b=e")


def test_headers_go_on_but_for_the_task(place: Place) -> None:
    headers = {"authorization": "Bearer key", "x-calib-task": "t", "x-own": "1", "accept-encoding": "identity"}
    post(place, "other", headers=headers)
    sent = place.server.asked[-1].headers
    assert (sent["authorization"], sent["x-own"], sent["accept-encoding"]) == ("Bearer key", "1", "identity")
    assert "x-calib-task" not in sent
    assert sent["host"] == place.server.url.removeprefix("http://")
    assert place.told()["task"] == "t"
    assert "Bearer" not in place.log.read_text()


def test_a_client_that_leaves_ends_its_request_at_the_server(place: Place) -> None:
    with httpx.stream(
        "POST", f"{place.live.url}/endless/chat/completions", json={"messages": place.messages()}, timeout=LIMIT
    ) as response:
        next(response.iter_raw())
    assert place.told()["failure"] == "the client left"
    assert post(place, "error").status_code == 500


def test_a_mixed_crowd_gets_every_answer(place: Place) -> None:
    kinds = ["slow", "error", "malformed", "other", "packed", "garbage", "short", "endless"]
    wanted = {"slow": 200, "error": 500, "malformed": 200, "other": 203, "packed": 200, "garbage": 502}

    async def one(client: httpx.AsyncClient, number: int) -> tuple[str, int]:
        what = kinds[number % len(kinds)]
        body = {"messages": [{"role": "user", "content": f"{number} " * 2000}]}
        try:
            limit = 1.0 if what == "endless" else LIMIT
            response = await client.post(
                f"/{what}/chat/completions", json=body, timeout=httpx.Timeout(LIMIT, read=limit)
            )
            return what, response.status_code
        except httpx.RemoteProtocolError:
            return what, 0

    async def leaving(client: httpx.AsyncClient, number: int) -> tuple[str, int]:
        try:
            return await asyncio.wait_for(
                one(client, number), 2.0 if kinds[number % len(kinds)] == "endless" else LIMIT
            )
        except (TimeoutError, httpx.ReadTimeout):
            return "endless", -1

    async def crowd() -> list[tuple[str, int]]:
        limits = httpx.Limits(max_connections=40)
        async with httpx.AsyncClient(base_url=place.live.url, trust_env=False, limits=limits) as client:
            return await asyncio.gather(*(leaving(client, number) for number in range(160)))

    found = asyncio.run(crowd())
    for what, status in wanted.items():
        assert [each for kind, each in found if kind == what] == [status] * 20
    assert [each for kind, each in found if kind == "short"] == [0] * 20
    assert [each for kind, each in found if kind == "endless"] == [-1] * 20


@pytest.mark.parametrize("words", [[], ["--workers", "2"]], ids=["one", "two"])
def test_at_sigterm_what_is_under_way_is_answered(tmp_path: Path, words: list[str]) -> None:
    async def late(url: str, live: Running) -> list[int]:
        async with httpx.AsyncClient(timeout=LIMIT, trust_env=False) as client:
            asks = [
                asyncio.create_task(client.post(f"{url}/slow/chat/completions", json={"messages": MESSAGES}))
                for _ in range(8)
            ]
            while len(server.asked) < 8:
                await asyncio.sleep(0.05)
            live.process.send_signal(signal.SIGTERM)
            return [response.status_code for response in await asyncio.gather(*asks)]

    with (
        serving(script) as server,
        proxy(server.url, "--point", POINT, "--log", "live.jsonl", *words, cwd=tmp_path) as live,
    ):
        assert asyncio.run(asyncio.wait_for(late(live.url, live), LIMIT)) == [200] * 8
        assert live.stop() == 0
        assert live.counts()["answered"] == 8
        assert len((tmp_path / "live.jsonl").read_text().splitlines()) == 8
        with pytest.raises(httpx.ConnectError):
            httpx.get(live.url, trust_env=False)


def test_without_a_server_and_without_room_for_the_log(tmp_path: Path) -> None:
    with serving(script) as server:
        closed = server.url
    with proxy(closed, "--point", POINT, "--log", "/dev/full", cwd=tmp_path) as live:
        response = httpx.post(f"{live.url}/v1/chat/completions", json={"messages": MESSAGES}, timeout=LIMIT)
        assert response.status_code == 502
        assert "could not be reached" in response.json()["error"]["message"]
        assert live.stop(signal.SIGINT) == 0
    counts = live.counts()
    assert (counts["requests"], counts["unreached"], counts["not logged"], counts["faults"]) == (1, 1, 1, 0)


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    async def stop(live: Running) -> None:
        async with httpx.AsyncClient(timeout=LIMIT, trust_env=False) as client:
            ask = asyncio.create_task(client.post(f"{live.url}/endless/chat/completions", json={"messages": MESSAGES}))
            while not server.asked:
                await asyncio.sleep(0.05)
            live.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(1.2)
            assert live.process.poll() is None
            live.process.send_signal(signal.SIGTERM)
            with pytest.raises(httpx.HTTPError):
                await ask
            live.process.wait(LIMIT)  # while Python ends, a third signal would meet no handler of ours

    with serving(script) as server, proxy(server.url, "--point", POINT, cwd=tmp_path) as live:
        asyncio.run(asyncio.wait_for(stop(live), LIMIT))
        assert live.stop() == 0
    assert live.counts()["requests"] == 1
