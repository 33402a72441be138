"""Large and hostile dumps: peak memory, time, and what a kill leaves.

Run: python -m benchmarks.large [--full | --quick] [--no-kills] [sessions | hostile | NAME…]. It prints a section of
Markdown. Without --full every dump is an eighth as large: some three minutes instead of half an hour.
Dumps are made in a temporary folder and removed. Memory is the largest sum of the resident sizes of the process and
its workers; the bar is 400 MB and four times the largest record. With --full the larger sessions are killed, too.
"""

import base64
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from benchmarks.ingest import cpu, tree_bytes

SESSIONS = Path(__file__).parents[1].parent / "shared" / "corpora" / "claude_code"
UUID = re.compile(rb"\b([0-9a-f]{8})(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)")
SEED = 5
BASE, TIMES = 400_000_000, 4
EPISODE = (
    b'{"episode_id": "%d", "messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": "ok"}]}\n'
)


class Run(NamedTuple):
    """What one ingest took."""

    seconds: float
    cpu: float
    memory: int
    said: str


def again(data: bytes, number: int) -> bytes:
    """Give a session under new ids: every UUID in it is another one."""
    return UUID.sub(lambda found: b"%08x" % (int(found[1], 16) ^ number), data)


def sessions() -> list[bytes]:
    """Read the open Claude Code sessions."""
    return [path.read_bytes().rstrip(b"\n") + b"\n" for path in sorted(SESSIONS.rglob("*.jsonl"))]


def repeated(folder: Path, size: int) -> int:
    """Write sessions under new ids until there are `size` bytes: a quarter in one file, the others in one each.

    Gives the largest record.
    """
    known = sessions()
    largest = max(len(line) for data in known for line in data.split(b"\n"))
    folder.mkdir()
    written = number = 0
    with (folder / "all.jsonl").open("wb") as whole:
        while written < size:
            for at, data in enumerate(known):
                copy = again(data, number + 1)
                if written < size // 4:
                    whole.write(copy)
                else:
                    (folder / f"{number:06}-{at:02}.jsonl").write_bytes(copy)
                written += len(copy)
            number += 1
    return largest


@contextmanager
def started(dumps: Path, out: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start an ingest in a process group of its own; it and its workers are gone at the end, whatever happens."""
    command = [sys.executable, "-m", "calib", "ingest", str(dumps), "--out", str(out)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def watched(dumps: Path, out: Path) -> Run:
    """Ingest once, to the end."""
    before, begun = cpu(), time.perf_counter()
    peak = [0]
    done = threading.Event()
    with started(dumps, out) as process:

        def watch() -> None:
            while not done.wait(0.02):
                peak[0] = max(peak[0], tree_bytes(process.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            said, code = process.communicate()[0], process.returncode
        finally:
            done.set()
            watcher.join()
    if code not in (0, 2, 5):  # 5: no transcript in it
        raise SystemExit(f"the ingest ended with {code}: {said[-300:]}")
    return Run(time.perf_counter() - begun, cpu() - before, peak[0], said)


def digest(folder: Path) -> str:
    """Hash every file of a corpus with its name."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return found.hexdigest()


def killed(dumps: Path, folder: Path, times: int) -> str:
    """Kill an ingest at random moments, let the next one follow, and compare with an undisturbed one."""
    took = watched(dumps, folder / "whole").seconds
    moments = random.Random(SEED)
    landed = 0
    while landed < times:
        with started(dumps, folder / "killed") as process:
            time.sleep(moments.uniform(0, took))
            ended = process.poll() is not None
        landed += not ended
        if ended:  # the kill came after the end
            shutil.rmtree(folder / "killed")
    watched(dumps, folder / "killed")
    same = digest(folder / "whole") == digest(folder / "killed")
    size = sum(path.stat().st_size for path in dumps.iterdir())
    return (
        f"{times} kill -9 at random moments of {took:.0f} s over {size / 1e6:,.0f} MB, "
        f"then a run to the end: the corpus is {'byte-identical to' if same else 'NOT that of'} an undisturbed one."
    )


def line_of(size: int) -> bytes:
    """Give one episode of `size` bytes."""
    head, tail = (EPISODE % 1).split(b"ok")
    return head + b"x" * (size - len(head) - len(tail)) + tail


def nested(path: Path, size: int) -> None:
    path.write_bytes(b'{"messages": ' + b"[" * size + b"]" * size + b"}\n" + EPISODE % 1)


def packed(path: Path, blocks: Iterator[bytes]) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.writelines(blocks)


def zstd(path: Path, blocks: Iterator[bytes]) -> None:
    import zstandard

    with path.open("wb") as raw, zstandard.ZstdCompressor(level=1).stream_writer(raw) as file:
        for block in blocks:
            file.write(block)


def bomb(size: int) -> Iterator[bytes]:
    """Yield an episode and then long blank lines."""
    yield EPISODE % 1
    for _ in range(size >> 20):
        yield (b" " * 4095 + b"\n") * 256


def flood(path: Path, size: int, line: bytes) -> None:
    with path.open("wb") as file:
        file.write(EPISODE % 1)
        for _ in range(size >> 20):
            file.write(line * ((1 << 20) // len(line)))


def types(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.write(b'{"role": "user", "content": "go"}\n{"role": "assistant", "content": "ok"}\n')
        file.writelines(b'{"type": "t%d", "a%d": 1}\n' % (at, at) for at in range(size // 26))


def large_call(path: Path, size: int) -> None:
    arguments = json.dumps({"path": "x", "content": base64.b64encode(os.urandom(size * 3 // 4)).decode()})
    call = {"id": "c", "type": "function", "function": {"name": "write_file", "arguments": arguments}}
    path.write_text(json.dumps({"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]}) + "\n")


def large_result(path: Path, size: int) -> None:
    said = {"role": "tool", "content": base64.b64encode(os.urandom(size * 3 // 4)).decode()}
    path.write_text(json.dumps({"messages": [{"role": "assistant", "content": "ok"}, said]}) + "\n")


def large_emoji(path: Path, size: int) -> None:
    said = {"role": "assistant", "content": "\N{GRINNING FACE}\N{PARTY POPPER}xy" * (size // 10)}
    path.write_text(json.dumps({"messages": [said]}, ensure_ascii=False) + "\n", encoding="utf-8")


def many_turns(path: Path, count: int) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    turn = [{"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "tool", "content": "r"}]
    path.write_text(json.dumps({"episode_id": "t", "messages": turn * count}) + "\n")


def many_files(folder: Path, count: int) -> None:
    folder.mkdir()
    for at in range(count):
        if at % 1000 == 0:
            (folder / f"{at // 1000:04}").mkdir()
        (folder / f"{at // 1000:04}" / f"{at}.jsonl").write_bytes(EPISODE % at)


MIB = 1 << 20
HOSTILE: dict[str, tuple[int, Callable[[Path, int], object]]] = {
    "one line of N bytes": (512 * MIB, lambda path, size: path.write_bytes(line_of(size))),
    "a call whose arguments are N bytes": (256 * MIB, large_call),
    "a result of N bytes": (256 * MIB, large_result),
    "a text of N bytes, mostly emoji": (256 * MIB, large_emoji),
    "N bytes without a line feed": (512 * MIB, lambda path, size: path.write_bytes(b"x" * size)),
    "gzip bomb of N bytes": (2048 * MIB, lambda path, size: packed(path, bomb(size))),
    "zstd bomb of N bytes": (2048 * MIB, lambda path, size: zstd(path, bomb(size))),
    "N bytes of blank lines": (32 * MIB, lambda path, size: flood(path, size, b"\n")),
    "N bytes of bad lines": (64 * MIB, lambda path, size: flood(path, size, b"{]\n")),
    "N bytes of bad lines that parse at first": (16 * MIB, lambda path, size: flood(path, size, b'{"a": [1}\n')),
    "N bytes of bad and blank lines in turn": (16 * MIB, lambda path, size: flood(path, size, b"{]\n\n")),
    "N bytes of bad lines of two kinds in turn": (16 * MIB, lambda path, size: flood(path, size, b"{]\n1\n")),
    "N bytes of types nobody knows": (16 * MIB, lambda path, size: types(path, size)),
    "N levels of nesting": (100_000, nested),
    "N turns in an episode": (20_000, many_turns),
    "N files": (100_000, many_files),
}
"""What it is, its N, and how it is made."""
RECORDS = ("one line of N bytes", "N bytes without a line feed", "a call whose arguments are N bytes",
           "a result of N bytes", "a text of N bytes, mostly emoji")  # fmt: skip


def row(name: str, run: Run, largest: int) -> None:
    bar = BASE + TIMES * largest
    held = "holds" if run.memory < bar else "MISSED"
    took, memory = f"{run.seconds:.1f} s | {run.cpu:.1f} s", f"{run.memory / 1e6:,.0f} MB"
    print(f"| {name} | {took} | {memory} | {bar / 1e6:,.0f} MB, {held} |", flush=True)


def main() -> None:
    words = sys.argv[1:]
    share = 100 if "--quick" in words else 1 if "--full" in words else 8
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that every `finally` runs
    wanted = [word for word in words if not word.startswith("--")]
    print("| dump | seconds | CPU | peak memory | bar |")
    print("|---|---|---|---|---|")
    told: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in (200_000_000 // share, 2_000_000_000 // share):
            if SESSIONS.is_dir() and (not wanted or "sessions" in wanted):
                dumps = folder / f"{size}"
                largest = repeated(dumps, size)
                row(f"Claude Code sessions, {size / 1e6:,.0f} MB", watched(dumps, folder / "out"), largest)
                if "--no-kills" not in words and (not told or share == 1):
                    told.append(killed(dumps, folder, 10))
                for used in ("out", "whole", "killed", dumps.name):
                    shutil.rmtree(folder / used, ignore_errors=True)
        for what, (count, make) in HOSTILE.items():
            if wanted and what not in wanted and "hostile" not in wanted:
                continue
            number = max(count // share, 1)
            make(folder / "dump", number)
            run = watched(folder / "dump", folder / "out")
            row(what.replace("N", f"{number:,}"), run, number if what in RECORDS else 0)
            shutil.rmtree(folder / "out", ignore_errors=True)
            if (folder / "dump").is_dir():
                shutil.rmtree(folder / "dump")
            else:
                (folder / "dump").unlink()
    print("\n" + "\n\n".join(told))


if __name__ == "__main__":
    main()
