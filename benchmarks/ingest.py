"""Ingest to Parquet against the parsers and engines it could be built on.

Run: python -m benchmarks.ingest [--quick]. Each contender is a process of its own; medians of interleaved runs.
Seconds are from the call to its return (starting worker processes included, imports of the contender's own modules
not); memory is the largest sum of the resident sizes of all its processes.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.dumps import repeat, write

RUNS = 5
PAGE = os.sysconf("SC_PAGE_SIZE")

TIMED = """
import sys, time
{imports}
start = time.perf_counter()
{body}
print(time.perf_counter() - start)
"""

ORJSON = ("import orjson", "for line in open({dump!r}, 'rb'): orjson.loads(line)")

CALIB = ("from calib.ingest import ingest", "ingest([{dump!r}], {out!r}, text={text})")

ROWS = """
COPY (
  SELECT episode_id, place, m.role, m.reasoning_content, m.content, length(m.content) AS chars,
         [c.function.name FOR c IN m.tool_calls] AS tools, [c.function.arguments FOR c IN m.tool_calls] AS arguments
  FROM (SELECT episode_id, unnest(messages) AS m, generate_subscripts(messages, 1) AS place
        FROM read_json('{dump}', format = 'newline_delimited', maximum_object_size = 67108864, columns = {{
          episode_id: 'VARCHAR', task: 'VARCHAR', model: 'VARCHAR', arm: 'VARCHAR', outcome: 'VARCHAR',
          stop_reason: 'VARCHAR', turn_limit: 'INTEGER', metadata: 'JSON',
          messages: 'STRUCT(role VARCHAR, content VARCHAR, reasoning_content VARCHAR, tool_call_id VARCHAR,
                     tool_calls STRUCT(id VARCHAR, function STRUCT(name VARCHAR, arguments VARCHAR))[])[]'}}))
  WHERE m.role IN ('assistant', 'tool')
) TO '{out}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)
"""
"""Less than calib does: no equalities, no labels, no account, no digest."""

DUCKDB = ("import duckdb; duckdb.sql('SET enable_progress_bar = false')", "duckdb.sql({sql!r})")


def tree_bytes(root: int) -> int:
    """Sum the resident sizes of a process and everything below it."""
    total = 0
    try:
        total += int(Path(f"/proc/{root}/statm").read_text().split()[1]) * PAGE
        for child in Path(f"/proc/{root}/task/{root}/children").read_text().split():
            total += tree_bytes(int(child))
    except (OSError, IndexError):  # gone since
        pass
    return total


def measure(code: tuple[str, str], dump: Path, folder: Path, text: bool = True) -> tuple[float, int]:
    """Run a contender once; give its seconds and its peak memory in bytes."""
    out = folder / f"out-{time.monotonic_ns()}"
    sql = ROWS.format(dump=dump, out=out)
    body = code[1].format(dump=str(dump), out=str(out), sql=sql, text=text)
    process = subprocess.Popen(
        [sys.executable, "-c", TIMED.format(imports=code[0], body=body)], stdout=subprocess.PIPE, text=True
    )
    peak = [0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.01):
            peak[0] = max(peak[0], tree_bytes(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    said = process.communicate()[0]
    done.set()
    watcher.join()
    subprocess.run(["rm", "-rf", str(out)], check=True)
    if process.returncode:
        raise SystemExit(f"a contender failed: {code}")
    return float(said.split()[-1]), peak[0]


def compare(dump: Path, folder: Path, runs: int, *, duckdb: bool = True) -> None:
    """Print one table row per contender."""
    contenders = {
        "`orjson.loads`": (ORJSON, True),
        "calib, text kept": (CALIB, True),
        "calib, `--no-text`": (CALIB, False),
    }
    if duckdb:
        contenders["DuckDB `read_json` to Parquet"] = (DUCKDB, True)
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    memory: dict[str, int] = dict.fromkeys(contenders, 0)
    for run in range(runs + 1):  # the first round is not counted
        for name, (code, text) in contenders.items():
            took, peak = measure(code, dump, folder, text)
            if run:
                seconds[name].append(took)
            memory[name] = max(memory[name], peak)
    medians = {name: statistics.median(took) for name, took in seconds.items()}
    size = dump.stat().st_size / 1e6
    base = medians["`orjson.loads`"]
    for name, median in medians.items():
        duck = f"{medians['DuckDB `read_json` to Parquet'] / median:.2f}" if duckdb else ""
        print(
            f"| {dump.stem}, {size:,.0f} MB | {name} | {median:.2f} s | {size / median:,.0f} MB/s "
            f"| {base / median:.2f} | {duck} | {memory[name] / 1e6:,.0f} MB |",
            flush=True,
        )


def main() -> None:
    quick = "--quick" in sys.argv
    size, times, runs = (40_000_000, 2, 2) if quick else (500_000_000, 4, RUNS)
    print("Throughput against `orjson.loads` over the same lines and against DuckDB (1 = as fast, more is faster).")
    print("Bars: text kept 1.0 and 1.2, `--no-text` 1.6; memory below 350 MB, the same at four times the size.\n")
    print("| dump | contender | median | throughput | / orjson | / DuckDB | peak memory |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("long", "ascii", "short"):
            dump = folder / f"{kind}.jsonl"
            write(dump, size // 5 if kind == "short" else size, kind)
            compare(dump, folder, runs)
            if kind == "long":
                repeat(dump, folder / "repeated.jsonl", times)
                compare(folder / "repeated.jsonl", folder, min(runs, 2), duckdb=False)
                (folder / "repeated.jsonl").unlink()
            dump.unlink()
    print(f"\n{json.dumps({'cores': len(os.sched_getaffinity(0)), 'python': sys.version.split()[0]})}")


if __name__ == "__main__":
    main()
