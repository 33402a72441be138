"""`calib report` with everything it says on 100,000 episodes in 50 groups: time, memory, and where the time goes.

Run: python -m benchmarks.report [--quick]. The dump is synthetic and seeded. Seconds are of one process, of the
processor and by the clock; memory is the most the process held. The profile is of the statistics alone, in process:
leaving out and drawing groups again read the peaks of one scoring.
"""

import cProfile
import json
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

T = TypeVar("T")
GROUPS = 50
BAR_SECONDS, BAR_MEBIBYTES = 10, 1024


def dump(path: Path, episodes: int) -> None:
    """Write episodes of 8 to 64 short turns; a twentieth run out of turns, more of them loop."""
    random = Random(0)
    call = {"id": "c", "function": {"name": "", "arguments": "{}"}}
    with path.open("w") as file:
        for number in range(episodes):
            lost = random.random() < 0.05
            length = 64 if lost else 8 + int(random.random() ** 3 * 56)
            keep, plan, messages = random.random() ** (1 if lost else 4), 0, []
            for turn in range(length):
                plan = plan if random.random() < keep else turn
                called = call | {"function": {"name": random.choice(("read_file", "write_file")), "arguments": "{}"}}
                messages.append({"role": "assistant", "reasoning_content": f"plan {plan}", "tool_calls": [called]})
            about = {"episode_id": f"e{number}", "task": f"task {number % GROUPS}", "turn_limit": 64}
            end = {"outcome": "fail", "stop_reason": "turn_limit"} if lost else {"outcome": "pass"}
            file.write(json.dumps({**about, **end, "messages": messages}) + "\n")


def measured(command: list[str]) -> tuple[float, float, float]:
    """Run a command: seconds by the clock, seconds of the processor, MiB at most."""
    start = time.perf_counter()
    with Path(os.devnull).open("w") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        raise SystemExit(f"{command} ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def staged(corpus: Path) -> None:
    """Time the stages of a report in this process, then profile its statistics."""
    from calib.corpus import open_corpus
    from calib.evidence import statistics
    from calib.score import score
    from calib.sweep import sweep

    found, scoring = timed(lambda: score(open_corpus(corpus)))
    swept, sweeping = timed(lambda: sweep(found))
    _, knowing = timed(lambda: statistics(found, swept))
    print("\n| stage | processor |\n|---|---|")
    for name, seconds in (("score every detector", scoring), ("sweep", sweeping), ("statistics", knowing)):
        print(f"| {name} | {seconds:.2f} s |")
    profile = cProfile.Profile()
    profile.runcall(statistics, found, swept)
    rows = pstats.Stats(profile).get_stats_profile().func_profiles
    ours = sorted(
        ((one.cumtime, name) for name, one in rows.items() if "/evidence/" in one.file_name or "risk" in one.file_name),
        reverse=True,
    )
    print("\n| of the statistics | cumulative |\n|---|---|")
    for seconds, name in ours[:10]:
        print(f"| `{name}` | {seconds:.3f} s |")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Do some work; give what it made and the seconds of the processor."""
    start = time.process_time()
    made = work()
    return made, time.process_time() - start


def main() -> None:
    episodes = 2_000 if "--quick" in sys.argv else 100_000
    calib = [sys.executable, "-m", "calib"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump(folder / "d.jsonl", episodes)
        ingest = [*calib, "ingest", str(folder / "d.jsonl"), "--out", str(folder / "c"), "--no-text"]
        subprocess.run(ingest, check=True, capture_output=True)
        print("| command | clock | processor | memory | bar |\n|---|---|---|---|---|")
        for to in ("terminal", "json"):
            clock, processor, memory = measured([*calib, "report", str(folder / "c"), "--to", to])
            bar = f"{BAR_SECONDS} s, {BAR_MEBIBYTES:,} MiB"
            what = f"`calib report --to {to}`, {episodes:,} episodes in {GROUPS} tasks"
            print(f"| {what} | {clock:.2f} s | {processor:.2f} s | {memory:,.0f} MiB | {bar} |")
        staged(folder / "c")


if __name__ == "__main__":
    main()
