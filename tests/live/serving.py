"""A scripted server in a thread, a proxy in a process, a scripted harness: all on loopback, all with time limits."""

import asyncio
import json
import signal
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.cli_faults.running import CALIB, environment

PLAN = "Let's look for the runner and the fixed implementation."
LIMIT = 60.0
"""Seconds after which a test that hangs fails."""


class Asked:
    """One request as the server got it."""

    def __init__(self, head: bytes, body: bytes) -> None:
        first, _, rest = head.partition(b"\r\n")
        self.method, self.target = first.decode().split(" ")[:2]
        self.headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in rest.decode("latin-1").split("\r\n"))
        }
        self.body = body

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.body)["messages"]
        return found


Script = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]
"""Writes the whole answer, head included; the connection stays open unless it closes it."""


def answer(body: bytes, status: str = "200 OK", kind: str = "application/json") -> bytes:
    """An answer as bytes."""
    return f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


def completion(message: dict[str, Any], finish: str = "stop") -> dict[str, Any]:
    """A chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion", "model": "stub", "choices": [choice]}


class Server:
    """Answers by a script; `asked` lists every request that came."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.port = 0
        self.loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                asked = Asked(head[:-4], b"")
                asked.body = await reader.readexactly(int(asked.headers.get("content-length", 0)))
                self.asked.append(asked)
                await self.script(asked, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """Run a server in a thread of its own."""
    server = Server(script)
    ready = threading.Event()
    ends: list[Callable[[], Any]] = []

    async def main() -> None:
        end = asyncio.Event()
        ends.append(end.set)
        listening = await asyncio.start_server(server._serve, "127.0.0.1", 0, limit=1 << 22)
        server.port = listening.sockets[0].getsockname()[1]
        server.loop = asyncio.get_running_loop()
        ready.set()
        await end.wait()
        listening.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.05)  # connections close in the next rounds of the loop

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    assert ready.wait(LIMIT)
    try:
        yield server
    finally:
        assert server.loop is not None
        server.loop.call_soon_threadsafe(ends[0])
        thread.join(LIMIT)


class Running:
    """A proxy in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.process = process
        self.url = url
        self.said = ""
        """Standard error after the line that says where it listens, once it has ended."""

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait; give the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        assert self.process.stderr is not None
        _, self.said = self.process.communicate(timeout=LIMIT)
        return self.process.returncode

    def counts(self) -> dict[str, int]:
        """What it counted, as printed at its end."""
        line = self.said.splitlines()[-1].removeprefix("calib proxy: ")
        parts = [part.split(" ", 1) for part in line.split(", ")]
        return {name: int(number.replace(",", "")) for number, name in parts}


@contextmanager
def proxy(upstream: str, *words: str | Path, cwd: Path) -> Iterator[Running]:
    """Run `calib proxy` before a server, on a free port."""
    process = subprocess.Popen(
        [*CALIB, "proxy", "--upstream", upstream, "--port", "0", *map(str, words)],
        cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    stop = threading.Timer(LIMIT, process.kill)
    stop.start()
    try:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert "listening on" in first, first
        yield Running(process, first.split("listening on ")[1].split(",")[0])
    finally:
        stop.cancel()
        process.kill()
        process.wait(LIMIT)
        assert process.stderr is not None
        process.stderr.close()


def plan_until_clean(asked: Asked) -> dict[str, Any]:
    """Repeat a plan while the history holds reasoning; hand in once there is a history without any."""
    history = [message for message in asked.messages if message["role"] == "assistant"]
    if history and not any(message.get("reasoning_content") for message in history):
        return completion({"reasoning_content": "Write it.", "content": "Done."})
    number = len(history)
    call = {"name": "search_files", "arguments": json.dumps({"query": str(number)})}
    calls = [{"id": f"call-{number}", "type": "function", "function": call}]
    return completion({"reasoning_content": PLAN, "content": "", "tool_calls": calls}, "tool_calls")


async def spiral(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """The server of note 000: as a body, or as a stream when that is asked for."""
    made = plan_until_clean(asked)
    if not json.loads(asked.body).get("stream"):
        writer.write(answer(json.dumps(made).encode()))
        return
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    for piece in [*streamed(made), "[DONE]"]:
        data = f"data: {piece}\n\n".encode()
        writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        await writer.drain()
    writer.write(b"0\r\n\r\n")


def streamed(made: dict[str, Any]) -> Iterator[str]:
    """A completion in pieces: texts of five characters, calls in two."""
    choice = made["choices"][0]
    message = choice["message"]

    def piece(delta: dict[str, Any], finish: str | None = None) -> str:
        part = {"index": 0, "delta": delta, "finish_reason": finish}
        return json.dumps({"id": "c", "object": "chat.completion.chunk", "model": "stub", "choices": [part]})

    yield piece({"role": "assistant"})
    for key in ("reasoning_content", "content"):
        for at in range(0, len(message.get(key) or ""), 5):
            yield piece({key: message[key][at : at + 5]})
    for index, call in enumerate(message.get("tool_calls", ())):
        function = call["function"]
        begun = {"name": function["name"], "arguments": function["arguments"][:4]}
        yield piece({"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": begun}]})
        yield piece({"tool_calls": [{"index": index, "function": {"arguments": function["arguments"][4:]}}]})
    yield piece({}, choice["finish_reason"])


def harness(url: str, turn_limit: int, task: str = "", stream: bool = False) -> list[dict[str, Any]]:
    """Run one task to its answer or to the turn limit; gives the saved history."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": "Prove the flaw."},
    ]
    headers = {"authorization": "Bearer secret-of-the-harness", **({"x-calib-task": task} if task else {})}
    with httpx.Client(base_url=url, timeout=LIMIT, trust_env=False, headers=headers) as client:
        for _ in range(turn_limit):
            body = {"model": "stub", "messages": messages, **({"stream": True} if stream else {})}
            response = client.post("/v1/chat/completions", json=body)
            response.raise_for_status()
            messages.append(put_together(response.text) if stream else response.json()["choices"][0]["message"])
            if not messages[-1].get("tool_calls"):
                break
            messages += [
                {"role": "tool", "tool_call_id": call["id"], "content": "0 matches"}
                for call in messages[-1]["tool_calls"]
            ]
    return messages


def put_together(text: str) -> dict[str, Any]:
    """What a client makes of a stream, written here once more, for the proxy's own must not judge itself."""
    found: dict[str, Any] = {"role": "assistant", "content": "", "reasoning_content": ""}
    for line in text.splitlines():
        if not line.startswith("data: {"):
            continue
        delta = json.loads(line[6:])["choices"][0]["delta"]
        for key in ("content", "reasoning_content"):
            found[key] += delta.get(key, "")
        for piece in delta.get("tool_calls", ()):
            calls = found.setdefault("tool_calls", [])
            if "id" in piece:
                calls.append({**piece, "function": dict(piece["function"])})
                del calls[-1]["index"]
            else:
                calls[piece["index"]]["function"]["arguments"] += piece["function"]["arguments"]
    return found
