"""Ingest to Parquet against the parsers and engines it could be built on.

Run: python -m benchmarks.ingest [--quick]. Each contender is a process of its own; medians of interleaved runs.
Seconds are from the call to its return (starting worker processes included, imports of the contender's own modules
not); CPU is that of the whole process and its workers, start included, and hardly depends on what else the machine
does; memory is the largest sum of the resident sizes of all processes.
"""

import os
import resource
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

TABLES = """
CREATE TEMP TABLE dump AS
SELECT * EXCLUDE messages, list_filter(messages, lambda m: m.role IN ('assistant', 'tool')) AS said
FROM read_json('{dump}', format = 'newline_delimited', maximum_object_size = 67108864, columns = {{
  episode_id: 'VARCHAR', task: 'VARCHAR', model: 'VARCHAR', arm: 'VARCHAR', outcome: 'VARCHAR',
  stop_reason: 'VARCHAR', turn_limit: 'INTEGER', metadata: 'JSON',
  messages: 'STRUCT(role VARCHAR, content VARCHAR, reasoning_content VARCHAR, tool_call_id VARCHAR,
             tool_calls STRUCT(id VARCHAR, function STRUCT(name VARCHAR, arguments VARCHAR))[])[]'}});
CREATE TEMP VIEW said AS SELECT episode_id, unnest(said) AS m, generate_subscripts(said, 1) AS place FROM dump;
COPY (SELECT * EXCLUDE said, len(said) FROM dump ORDER BY episode_id)
  TO '{out}-episodes' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1);
COPY (SELECT episode_id, place, m.reasoning_content, length(m.reasoning_content), m.content, length(m.content),
             [c.function.name FOR c IN m.tool_calls] AS tools
      FROM said WHERE m.role = 'assistant' ORDER BY episode_id, place)
  TO '{out}-turns' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1);
COPY (SELECT c.*, r.chars, r.head
      FROM (SELECT episode_id, place, c.id, c.function.name, c.function.arguments
            FROM (SELECT episode_id, place, unnest(m.tool_calls) AS c FROM said WHERE m.role = 'assistant')) AS c
      LEFT JOIN (SELECT episode_id, m.tool_call_id AS id, length(m.content) AS chars, m.content[:200] AS head
                 FROM said WHERE m.role = 'tool') AS r USING (episode_id, id) ORDER BY episode_id, place)
  TO '{out}-calls' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1);
"""
"""The columns of episodes, turns and calls that SQL gives at once; without equalities, labels, account and digests."""

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


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(code: tuple[str, str], dump: Path, folder: Path, text: bool = True) -> tuple[float, float, int]:
    """Run a contender once; give its seconds, its CPU seconds and its peak memory in bytes."""
    out = folder / f"out-{time.monotonic_ns()}"
    sql = TABLES.format(dump=dump, out=out)
    body = code[1].format(dump=str(dump), out=str(out), sql=sql, text=text)
    before = cpu()
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
    used = cpu() - before
    subprocess.run(["rm", "-rf", *map(str, folder.glob("out-*"))], check=True)
    if process.returncode:
        raise SystemExit(f"a contender failed: {code}")
    return float(said.split()[-1]), used, peak[0]


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
    used: dict[str, list[float]] = {name: [] for name in contenders}
    memory: dict[str, int] = dict.fromkeys(contenders, 0)
    for run in range(runs + 1):  # the first round is not counted
        for name, (code, text) in contenders.items():
            took, spent, peak = measure(code, dump, folder, text)
            if run:
                seconds[name].append(took)
                used[name].append(spent)
            memory[name] = max(memory[name], peak)
    medians = {name: statistics.median(took) for name, took in seconds.items()}
    size = dump.stat().st_size / 1e6
    base = medians["`orjson.loads`"]
    for name, median in medians.items():
        duck = f"{medians['DuckDB `read_json` to Parquet'] / median:.2f}" if duckdb else ""
        print(
            f"| {dump.stem}, {size:,.0f} MB | {name} | {median:.2f} s | {size / median:,.0f} MB/s "
            f"| {base / median:.2f} | {duck} | {statistics.median(used[name]):.2f} s | {memory[name] / 1e6:,.0f} MB |",
            flush=True,
        )


def main() -> None:
    quick = "--quick" in sys.argv
    size, times, runs = (40_000_000, 2, 2) if quick else (500_000_000, 4, RUNS)
    print("Throughput against `orjson.loads` over the same lines and against DuckDB (1 = as fast, more is faster).")
    print("Bars: text kept 1.0 and 1.2, `--no-text` 1.6; memory below 350 MB, the same at four times the size.\n")
    print("| dump | contender | median | throughput | / orjson | / DuckDB | CPU | peak memory |")
    print("|---|---|---|---|---|---|---|---|")
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


if __name__ == "__main__":
    main()
