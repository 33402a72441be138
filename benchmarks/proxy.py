"""What `calib proxy` adds to a request, and what it sustains: on loopback, against the stub server alone, in one run.

Run: python -m benchmarks.proxy [--quick]. The histories are synthetic; nothing fires, so every request goes on as it
came, but every one is judged and logged.
"""

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SIZE = 500_000
RATE = 200
WORKERS = 2
TASKS = 32
POINT = "repeated_plan@7 | search_run@35"
STUB = """
import asyncio, sys
BODY = (b'{"id": "c", "object": "chat.completion", "model": "stub", "choices": [{"index": 0, "finish_reason": "stop", '
        b'"message": {"role": "assistant", "content": "ok"}}]}')
ANSWER = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(BODY) + BODY
async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\\r\\n\\r\\n")).lower()
            await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\\r\\n")[0]))
            writer.write(ANSWER)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 22)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


def turn(number: int, lines: int) -> str:
    """Make one turn with its result: a plan that changes, a search, or else T1 fires a write."""
    name = "write_file" if number % 30 == 29 else "search_files"
    call = {"name": name, "arguments": json.dumps({"query": str(number)})}
    step: list[dict[str, Any]] = [
        {"role": "assistant", "content": "", "reasoning_content": f"Next I look for number {number}. " * 15,
         "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": 'a line of "text"\n' * lines},
    ]  # fmt: skip
    return json.dumps(step)[1:-1]


class History:
    """The requests of one task: the first has 500 KB, each further one a small turn more."""

    def __init__(self, task: str) -> None:
        self._said = '{"model": "stub", "messages": [' + json.dumps({"role": "user", "content": task})
        self._turns = 0
        while len(self._said) < SIZE - 5_000:
            self._add(220 + self._turns % 40)

    def _add(self, lines: int) -> None:
        self._said += ", " + turn(self._turns, lines)
        self._turns += 1

    def body(self) -> bytes:
        return (self._said + "]}").encode()

    def next(self) -> bytes:
        """Give the request as it stands; the next one goes on from it."""
        made = request(self.body())
        self._add(2)
        return made


def request(data: bytes) -> bytes:
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return head + b"content-length: %d\r\n\r\n" % len(data) + data


@contextmanager
def process(*words: str) -> Iterator["subprocess.Popen[str]"]:
    started = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield started
    finally:
        started.terminate()
        started.communicate(timeout=60)


@contextmanager
def stub() -> Iterator[int]:
    with process("-c", STUB) as started:
        assert started.stdout is not None
        yield int(started.stdout.readline())


@contextmanager
def proxy(upstream: int, workers: int, log: Path) -> Iterator[tuple[int, int]]:
    """Give its port and its process."""
    words = ["--upstream", f"http://127.0.0.1:{upstream}", "--point", POINT, "--port", "0"]
    with process("-m", "calib", "proxy", *words, "--workers", str(workers), "--log", str(log)) as started:
        assert started.stderr is not None
        yield int(started.stderr.readline().split("listening on http://127.0.0.1:")[1].split(",")[0]), started.pid


def asked(connection: socket.socket, data: bytes) -> float:
    """Send one request, read its answer; give the seconds."""
    began = time.perf_counter()
    connection.sendall(data)
    answer = b""
    while b"\r\n\r\n" not in answer or not answer.endswith(b"]}"):
        piece = connection.recv(1 << 16)
        assert piece, "closed"
        answer += piece
    assert answer.startswith(b"HTTP/1.1 200")
    return time.perf_counter() - began


def processor_seconds(pid: int) -> float:
    """Give the processor time of a process and its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(processor_seconds(int(child)) for child in children)


def latency(ports: list[int], rounds: int) -> list[list[float]]:
    """Ask each port in turn, round after round; the first tenth does not count."""
    data = request(History("Task.").body())
    connections = [socket.create_connection(("127.0.0.1", port)) for port in ports]
    for connection in connections:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    spent = [[asked(connection, data) for connection in connections] for _ in range(rounds)]
    for connection in connections:
        connection.close()
    return [list(column) for column in zip(*spent[rounds // 10 :], strict=True)]


async def load(port: int, seconds: float) -> tuple[int, int, float]:
    """Send 200 requests a second, each at its time whatever became of others; give sent, failed, seconds taken."""
    histories = [History(f"Task {task} of {seconds} s.") for task in range(TASKS)]
    total = int(RATE * seconds)
    began = time.perf_counter()
    failed = 0

    async def lane(task: int) -> None:
        nonlocal failed
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in range(task, total, TASKS):
            await asyncio.sleep(max(0.0, began + number / RATE - time.perf_counter()))
            try:
                writer.write(histories[task].next())
                await writer.drain()
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]))
                failed += not head.startswith(b"HTTP/1.1 200")
            except (OSError, asyncio.IncompleteReadError):
                failed += 1
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()

    await asyncio.gather(*(lane(task) for task in range(TASKS)))
    return total, failed, time.perf_counter() - began


def main() -> None:
    quick = "--quick" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "live.jsonl"
        rounds = 60 if quick else 600
        with stub() as alone, proxy(alone, 1, log) as (through, pid):
            before = processor_seconds(pid)
            direct, proxied = latency([alone, through], rounds)
            each = (processor_seconds(pid) - before) / rounds * 1e3
        with stub() as server, proxy(server, WORKERS, log) as (port, pid):
            before = processor_seconds(pid)
            sent, failed, seconds = asyncio.run(load(port, 2 if quick else 20))
            share = (processor_seconds(pid) - before) / sent * 1e3
    one, other = statistics.median(direct) * 1e3, statistics.median(proxied) * 1e3
    added = statistics.median(b - a for a, b in zip(direct, proxied, strict=True)) * 1e3
    low = (min(proxied) - min(direct)) * 1e3
    size = len(History("Task.").body()) // 1000
    print(
        f"- a request of {size} KB: the stub alone {one:.2f} ms, through the proxy {other:.2f} ms, median added "
        f"{added:.2f} ms, least {low:.2f} ms, its processor time {each:.2f} ms (bar: 2 ms added; {verdict(added < 2)})"
    )
    kept = failed == 0 and sent / seconds > 0.98 * RATE
    print(
        f"- {WORKERS} workers, {RATE} requests/s of 500 KB asked for: {sent:,} sent in {seconds:.1f} s "
        f"({sent / seconds:.0f}/s), {failed} failed, processor time {share:.2f} ms each "
        f"(bar: {RATE}/s without an error; {verdict(kept)})"
    )


def verdict(reached: bool) -> str:
    return "reached" if reached else "NOT reached"


if __name__ == "__main__":
    main()
