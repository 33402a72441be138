"""Whole commands against the imports and reads they cannot do without.

Run: python -m benchmarks.commands [--quick]. Each contender is a process of its own; medians of interleaved runs.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

RUNS = 7
COLUMNS = ["turn", "same_reasoning_as", "reasoning_state", "tools"]


def dump(path: Path, turns: int) -> None:
    """Write episodes of 10 to 64 short turns, about `turns` in all."""
    random = Random(0)
    with path.open("w") as file:
        written = episode = 0
        while written < turns:
            length = random.randint(10, 64)
            plan, messages = 0, []
            keep = random.random() ** 3
            for turn in range(length):
                plan = plan if random.random() < keep else turn
                tool = random.choice(("search_files", "read_file", "write_file"))
                call = {"id": str(turn), "function": {"name": tool, "arguments": "{}"}}
                messages.append({"role": "assistant", "reasoning_content": f"plan {plan}", "tool_calls": [call]})
                messages.append({"role": "tool", "tool_call_id": str(turn), "content": "ok"})
            outcome = "fail" if random.random() < 0.2 else "pass"
            end = {"outcome": outcome, "stop_reason": "turn_limit" if outcome == "fail" else "completed"}
            file.write(json.dumps({"episode_id": f"e{episode}", **end, "messages": messages}) + "\n")
            written, episode = written + length, episode + 1


def wall(*commands: list[str], runs: int = RUNS) -> list[float]:
    """Time commands in turn, A B A B …; the first round is not counted."""
    times: list[list[float]] = [[] for _ in commands]
    for run in range(runs + 1):
        for command, kept in zip(commands, times, strict=True):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            if run:
                kept.append(time.perf_counter() - start)
    return [statistics.median(kept) for kept in times]


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def calib(*words: str) -> list[str]:
    return [sys.executable, "-m", "calib", *words]


def row(what: str, ours: float, peer: str, theirs: float, bar: float) -> None:
    print(f"| {what} | {ours:.2f} s | {peer} | {theirs:.2f} s | {ours / theirs:.2f} | at most {bar} |")


def main() -> None:
    turns = 50_000 if "--quick" in sys.argv else 1_000_000
    print("| command | median | against | median | ratio | bar |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump(folder / "d.jsonl", turns)
        subprocess.run(
            calib("ingest", str(folder / "d.jsonl"), "--out", str(folder / "c")), check=True, capture_output=True
        )
        read = f"import polars as pl; pl.read_parquet({str(folder / 'c/turns/*.parquet')!r}, columns={COLUMNS!r})"
        ours, theirs = wall(calib("sweep", str(folder / "c"), "--to", "json"), python(read))
        row(f"`calib sweep`, {turns:,} turns", ours, "polars reading those columns", theirs, 3)
        ours, theirs = wall(calib("--help"), python("import typer"))
        row("`calib --help`", ours, "`import typer`", theirs, 1.5)
        subprocess.run(calib("demo", str(folder / "first")), check=True, capture_output=True)
        loads = f"[orjson.loads(line) for line in open({str(folder / 'first/demo.jsonl')!r}, 'rb')]"
        imports = f"import polars, pyarrow.parquet, matplotlib.figure, matplotlib.backends.backend_agg, orjson; {loads}"
        fresh = f"rm -rf {folder / 'd'}; exec {sys.executable} -m calib demo {folder / 'd'}"
        ours, theirs = wall(["sh", "-c", fresh], python(imports))
        row("`calib demo`", ours, "imports and `orjson.loads` of its dump", theirs, 4)


if __name__ == "__main__":
    main()
