"""Ctrl-C and SIGTERM at any time: the shell's exit code, at most one line, nothing left behind, nobody left alive.

The code is 130 or 143 from the first line of `calib.__main__` on. Before it, while Python itself starts, and after
the last, while it ends, the signal has its default action: the shell's code is the same, and no code of ours runs.
"""

import os
import pty
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from calib.files import _file
from tests.cli_faults.running import CALIB, end_group, environment, group_alive, start, tree
from tests.corpus import episode_lines, pencil

SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
AT_IMPORT = """
import os, sys
number, at, seen = int(sys.argv.pop(1)), int(sys.argv.pop(1)), 0
def hook(event, arguments):
    global seen
    seen += event == "import"
    if event == "import" and seen == at:
        os.kill(os.getpid(), number)
from calib.__main__ import main
sys.addaudithook(hook)
try:
    main()
finally:
    if not at:
        print(seen)
"""


def _at_import(number: int, at: int, words: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", AT_IMPORT, str(number), str(at), *words],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("command", ["sweep", "ingest"])
def test_a_signal_during_the_imports(corpus: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    place = tmp_path / "place"
    place.mkdir()
    words = {
        "sweep": ["sweep", str(corpus), "--at", "T2@5", "-o", "out"],
        "ingest": ["ingest", "../dump.jsonl", "--out", "out"],
    }[command]
    undisturbed = _at_import(0, 0, words, tmp_path)
    count = int(undisturbed.stdout.split()[-1])
    for at in sorted({1, 40, *random.Random(count).sample(range(1, count), 4)}):
        number = (signal.SIGINT, signal.SIGTERM)[at % 2]
        done = _at_import(number, at, words, place)
        assert done.returncode == 128 + number, (at, done.stderr)
        assert done.stderr in ("", "wrote out\n"), at
        left = tree(place)
        assert not left or left == {
            f"out/{k}" if k else "out/": v for k, v in ({"": ""} | tree(tmp_path / "out")).items()
        }
        for name in sorted(left, reverse=True):
            (place / name).rmdir() if name.endswith("/") else (place / name).unlink()


@pytest.fixture(scope="session")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dumps that take two workers a second or so."""
    folder = tmp_path_factory.mktemp("dumps")
    for which in "ab":
        lines = (
            episode_lines([replace(one, episode_id=f"{one.episode_id}.{which}{copy}") for one in pencil()])
            for copy in range(250)
        )
        (folder / f"{which}.jsonl").write_bytes(b"".join(lines))
    return folder


@SIGNALS
@pytest.mark.parametrize("to", ["the process", "its group"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_signal_to_a_running_ingest(
    dumps: Path, tmp_path: Path, number: signal.Signals, to: str, workers: str
) -> None:
    words = ("ingest", dumps, "--out", "corpus", "--workers", workers)
    dice = random.Random(f"{number} {to} {workers}")
    fired = 0
    for _ in range(3):
        running = start(*words, cwd=tmp_path)
        began = _wait(running, lambda: (tmp_path / "corpus/.calib.lock").exists())
        time.sleep(dice.uniform(0, 0.35))
        fired += began and _stopped(running, number, to)
        if not (tmp_path / "corpus/calib.json").exists():
            assert os.listdir(tmp_path) == []
    assert fired


@SIGNALS
@pytest.mark.parametrize("words", [("sweep", "CORPUS", "-o", "out"), ("report", "CORPUS")], ids=lambda words: words[0])
def test_a_signal_to_a_running_command(
    corpus: Path, tmp_path: Path, number: signal.Signals, words: tuple[str, ...]
) -> None:
    dice = random.Random(f"{number} {words}")
    fired = 0
    for _ in range(3):
        running = start(*(corpus if word == "CORPUS" else word for word in words), cwd=tmp_path)
        maps = Path(f"/proc/{running.pid}/maps")
        began = _wait(running, lambda maps=maps: "polars" in maps.read_text())  # type: ignore[misc]
        time.sleep(dice.uniform(0, 0.5 if words[0] == "report" else 1.5))
        fired += began and _stopped(running, number, "the process")
        if (tmp_path / "out").exists():
            assert "sweep.json" in os.listdir(tmp_path / "out")
            assert not [name for name in os.listdir(tmp_path / "out") if name.startswith(".")]
    assert fired


def _wait(running: "subprocess.Popen[bytes]", until: Callable[[], bool]) -> bool:
    """Wait until a command is where a test wants it; False when it ended before."""
    while running.poll() is None:
        try:
            if until():
                return True
        except OSError:
            pass
        time.sleep(0.002)
    return False


def _stopped(running: "subprocess.Popen[bytes]", number: signal.Signals, to: str) -> bool:
    """Send the signal and check the end; False when the command was through with its work by then."""
    try:
        (os.kill if to == "the process" else os.killpg)(running.pid, number)
        _, said = running.communicate(timeout=5)
        assert b"Traceback" not in said
        assert said.count(b"\n") <= 1, said
        deadline = time.monotonic() + 5
        while group_alive(running.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not group_alive(running.pid), "a worker lives on"
        if running.returncode in (0, 3):
            return False
        assert running.returncode in (128 + number, -number), said  # a shell sees the same in both
        return True
    finally:
        end_group(running.pid)
        running.wait()


def test_ctrl_c_on_a_terminal_gives_the_cursor_back(dumps: Path, tmp_path: Path) -> None:
    terminal, theirs = pty.openpty()
    running = subprocess.Popen(
        [*CALIB, "ingest", str(dumps), "--out", "corpus", "--workers", "1"],
        cwd=tmp_path, env=environment(TERM="xterm"), stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while b"\x1b[?25l" not in said and running.poll() is None:
            said += os.read(terminal, 4096)
        os.kill(running.pid, signal.SIGINT)
        while True:
            try:
                said += os.read(terminal, 4096)
            except OSError:  # the other end is closed
                break
        assert running.wait(5) == 130, said[-3000:].decode()
    finally:
        end_group(running.pid)
        running.wait()
        os.close(terminal)
    assert said.rindex(b"\x1b[?25h") > said.rindex(b"\x1b[?25l")
    assert b"Traceback" not in said


IN_POLARS = """
import os, signal, sys, threading
sys.argv = ["calib", "score", sys.argv[1], "-o", "t.csv"]
import calib.__main__ as entered
def slow(*_, **__):
    import polars as pl
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        while True:
            texts = pl.select(pl.int_range(0, 2_000_000).cast(pl.String)).to_series().shuffle(seed=1)
            pl.DataFrame({"a": texts}).lazy().sort("a").group_by(pl.col("a").str.slice(0, 5)).len().collect()
    finally:
        print("cleaned up")
import calib.score
calib.score.score = slow
entered.main()
"""


def test_ctrl_c_while_polars_works_still_cleans_up(corpus: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_POLARS, str(corpus)],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "cleaned up\n", "")


DEAF = """
import os, signal, sys, threading
import calib.__main__ as entered
entered.GRACE = 0.2
def deaf(*_):
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
import calib.cli
calib.cli.run = deaf
entered.main()
"""


def test_a_library_that_swallows_the_exit_does_not_keep_the_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DEAF], cwd=tmp_path, env=environment(), capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (143, b"")


def test_threads_that_ask_for_the_mode_at_once_leave_umask_alone() -> None:
    before = os.umask(0o027)
    interval = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-6)
        gate = threading.Barrier(8)

        def ask(_: int) -> set[int]:
            gate.wait()
            return {_file._mode() for _ in range(2_000)}

        with ThreadPoolExecutor(8) as pool:
            found = set[int]().union(*pool.map(ask, range(8)))
        assert found == {0o640}
        assert os.umask(0o027) == 0o027
    finally:
        sys.setswitchinterval(interval)
        os.umask(before)


@pytest.mark.parametrize("sent", [b"", b"\x20\x00", (99).to_bytes(8, "little") + b"half"])
def test_a_worker_whose_parent_goes_before_it_has_begun_is_silent(sent: bytes) -> None:
    (source, ours), (back, answers) = os.pipe(), os.pipe()
    os.write(ours, sent)
    os.close(ours)
    code = f"from calib.ingest.worker import serve; serve([({source}, {answers})], True)"
    done = subprocess.run(
        [sys.executable, "-c", code], pass_fds=(source, answers), env=environment(), capture_output=True,
        check=False, timeout=60,
    )  # fmt: skip
    for handle in (source, answers):
        os.close(handle)
    told = os.read(back, 1)
    os.close(back)
    assert (done.returncode, done.stdout, done.stderr, told) == (0, b"", b"", b"")
