"""What a member of each family costs, against T2 over the same turns: levels and reach, columns in memory.

Run: python -m benchmarks.detectors [--quick]. Synthetic columns, seeded; processor time, medians of interleaved runs.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import polars as pl

from calib.detectors import detector
from calib.evaluate import Columns, reach_of
from calib.tools import Map

RUNS = 7
FREE, BAR, WINDOW = "", "1.5 ×", "5 ×"
CONTENDERS = (
    ("search_run", BAR),
    ("run(idle)", BAR),
    ("lag(text,1)", BAR),
    ("lag(calls,1)", BAR),
    ("lag(calls,5)", BAR),
    ("lag(calls+results,2)", BAR),
    ("lag(call,1)", BAR),
    ("lag(call+result,1)", BAR),
    ("run(error)", BAR),
    ("count(calls,window=10)", WINDOW),
    ("count(calls+results,window=10,warm_up=10)", WINDOW),
    ("count(call,window=30)", WINDOW),
    ("count(call,window=200)", WINDOW),
    ("count(call)", WINDOW),
    ("count(tool:read_file,window=15)", WINDOW),
    ("budget(always)", FREE),
    ("cycle(calls,2..5)", BAR),
    ("lag(call,1,reset=user)", BAR),
    ("lag(call,1,per=tool)", BAR),
    ("openhands_v1", FREE),
)


def same_as(random: np.random.Generator, first: np.ndarray, share: float) -> pl.Series:
    """Say for each row which row of its episode it repeats first: the row before, or nothing."""
    place = np.arange(len(first)) - first
    repeats = (random.random(len(first)) < share) & (place > 0)
    return pl.Series((np.maximum.accumulate(np.where(repeats, 0, first + place)) - first).astype(np.int32))


def frames(turns: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make turns of episodes of 10 to 64 turns, and their calls: one a turn, but for few with none or with two."""
    random = np.random.default_rng(0)
    lengths = random.integers(10, 65, turns // 37)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    total = len(first)
    sizes = random.choice([0, 1, 2], total, p=[0.05, 0.9, 0.05])
    tools = random.choice(["read_file", "search_files", "write_file", "run_tests"], int(sizes.sum()))
    of_turn = pl.Series(np.repeat(np.arange(total), sizes))
    named = pl.DataFrame({"turn": of_turn, "tools": tools}).group_by("turn", maintain_order=True).agg("tools")
    listed = pl.DataFrame({"turn": np.arange(total)}).join(named, "turn", how="left", maintain_order="left")["tools"]
    listed = listed.fill_null([]).cast(pl.List(pl.Categorical))
    columns = {f"same_{name}_as": same_as(random, first, 0.4) for name in ("reasoning", "text", "calls", "results")}
    idle = pl.Series(sizes == 0)
    for name in ("calls", "results"):
        columns[f"same_{name}_as"] = columns[f"same_{name}_as"].set(idle, None)
    made = pl.DataFrame(
        {
            "turn": (np.arange(total) - first).astype(np.int32),
            "tools": listed,
            "actions": listed,
            "user_before": random.random(total) < 0.05,
            **columns,
        }
    )
    begins = np.cumsum(sizes) - sizes
    first_call = np.repeat(begins[first], sizes)
    calls = pl.DataFrame(
        {
            "tool": pl.Series(tools, dtype=pl.Categorical),
            "is_error": random.random(len(tools)) < 0.1,
            **{f"same_{name}_as": same_as(random, first_call, 0.4) for name in ("call", "result", "failure")},
        }
    )
    return made, calls


def warmed(turns: pl.DataFrame, calls: pl.DataFrame, names: list[str]) -> Columns:
    """Hold the columns, with what several rules share made already: the actions' kinds are placed once a part."""
    made = Columns(turns, calls, Map())
    for name in names:
        reach_of(detector(name).rule, made)
    return made


def processor_times(*contenders: Callable[[], object]) -> list[float]:
    """Time contenders in turn, A B A B …; the first round is not counted."""
    times: list[list[float]] = [[] for _ in contenders]
    for run in range(RUNS + 1):
        for contender, kept in zip(contenders, times, strict=True):
            start = time.process_time()
            contender()
            if run:
                kept.append(time.process_time() - start)
    return [statistics.median(kept) for kept in times]


def main() -> None:
    size = 250_000 if "--quick" in sys.argv else 2_000_000
    names = ["repeated_plan", *(name for name, _ in CONTENDERS)]
    made = warmed(*frames(size), names)
    found = processor_times(*(lambda name=name: reach_of(detector(name).rule, made) for name in names))
    print(f"{len(made.turn):,} turns, {len(made.calls):,} calls.\n")
    print("| detector | time | against T2 | bar |")
    print("|---|---|---|---|")
    bars = {"repeated_plan": FREE, **dict(CONTENDERS)}
    for name, seconds in zip(names, found, strict=True):
        print(f"| `{name}` | {seconds * 1e3:.0f} ms | {seconds / found[0]:.2f} × | {bars[name]} |")


if __name__ == "__main__":
    main()
