"""How much all thresholds at once cost: against the note's loop for one pair, and against one pass per pair.

Run: python -m benchmarks.surface [--quick]. Synthetic columns, seeded; medians of interleaved runs.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
import polars as pl

from calib.detectors import detector
from calib.evaluate import Columns, levels_of, reach_of
from calib.levels import Reach
from calib.rules import Test
from calib.surface import surface_frame
from calib.tools import Map

DETECTORS = ("repeated_plan", "search_run")
RUNS = 5


class Made(Columns):
    """Columns whose turns read or do not, whatever their actions."""

    def holds(self, test: Test, unit: str) -> np.ndarray:
        return self._reads

    @cached_property
    def _reads(self) -> np.ndarray:
        return self.column("turns", "reads_only").to_numpy()


def columns(turns: int) -> tuple[pl.DataFrame, np.ndarray, np.ndarray]:
    """Make turns of episodes of 10 to 64 turns; a tenth of the episodes are turn_limit, a tenth failed."""
    random = np.random.default_rng(0)
    lengths = random.integers(10, 65, turns // 37)
    total = int(lengths.sum())
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    turn = np.arange(total) - first
    repeats = (random.random(total) < np.repeat(random.beta(0.3, 1.5, len(lengths)), lengths)) & (turn > 0)
    same = np.maximum.accumulate(np.where(repeats, 0, first + turn)) - first
    reads = random.random(total) < np.repeat(random.beta(2, 2, len(lengths)), lengths)
    frame = pl.DataFrame(
        {"turn": turn.astype(np.int32), "same_reasoning_as": same.astype(np.int32), "reads_only": reads}
    )
    return frame, random.integers(0, 10, len(lengths)), lengths.astype(np.int32)


def all_pairs(frame: pl.DataFrame, labels: np.ndarray, lengths: np.ndarray, side: int) -> pl.DataFrame:
    """Levels, reach, and the whole surface with counts, fire-turn quantiles and turns after the fire."""
    found = {name: reach_of(detector(name).rule, Made(frame, None, Map())) for name in DETECTORS}
    by_label: dict[str, dict[str, Reach]] = {}
    sizes = {}
    for label, chosen in (("turn_limit", labels == 0), ("passed", labels > 1), ("failed", labels == 1)):
        rows = np.flatnonzero(chosen).astype(np.int32)
        by_label[label] = {name: each.of(rows) for name, each in found.items()}
        sizes[label] = lengths[rows]
    axis = np.arange(1, side + 1, dtype=np.int32)
    return surface_frame(dict.fromkeys(DETECTORS, axis), by_label, sizes)


def one_pair_vectorised(frame: pl.DataFrame, episodes: int, plan: int, search: int) -> int:
    """Score one pair the usual way: levels of every turn, first turn that meets a threshold, per episode."""
    made = Made(frame, None, Map())
    plans, searches = (levels_of(detector(name).rule, made) for name in DETECTORS)
    rows = np.flatnonzero((plans >= plan) | (searches >= search))
    return len(np.unique(np.cumsum(made.turn == 0)[rows]))


def one_pair_loop(turns: Iterable[int], same: Iterable[int], reads: Iterable[bool], plan: int, search: int) -> int:
    """The note's pseudocode over the same columns: one pass, one pair."""
    fired, done, before, plan_run, search_run = 0, True, None, 0, 0
    for turn, block, reading in zip(turns, same, reads, strict=True):
        if turn == 0:
            done, plan_run, search_run = False, 0, 0
        elif done:
            continue
        plan_run = plan_run + 1 if turn > 0 and block is not None and block == before else 0
        search_run = search_run + 1 if reading else 0
        before = block
        if plan_run >= plan or search_run >= search:
            fired += 1
            done = True
    return fired


def medians(*contenders: Callable[[], object], runs: int = RUNS) -> list[float]:
    """Time contenders in turn, A B A B …; the first round is not counted."""
    times: list[list[float]] = [[] for _ in contenders]
    for run in range(runs + 1):
        for contender, kept in zip(contenders, times, strict=True):
            start = time.perf_counter()
            contender()
            if run:
                kept.append(time.perf_counter() - start)
    return [statistics.median(kept) for kept in times]


def main() -> None:
    sizes = (250_000,) if "--quick" in sys.argv else (1_000_000, 10_000_000)
    print("| turns | all 4,096 pairs | note's loop, one pair | ratio | one pair vectorised | × 4,096 against all |")
    print("|---|---|---|---|---|---|")
    for turns in sizes:
        frame, labels, lengths = columns(turns)
        plain = [frame[name].to_list() for name in frame.columns]
        every, loop, pair = medians(
            lambda f=frame, a=labels, b=lengths: all_pairs(f, a, b, 64),  # type: ignore[misc]
            lambda p=plain: one_pair_loop(*p, 7, 35),  # type: ignore[misc]
            lambda f=frame, b=lengths: one_pair_vectorised(f, len(b), 7, 35),  # type: ignore[misc]
        )
        print(
            f"| {len(frame):,} | {every * 1e3:.0f} ms | {loop * 1e3:.0f} ms | {every / loop:.2f} "
            f"| {pair * 1e3:.0f} ms | {pair * 4096 / every:,.0f} × |"
        )
    print("\nCost against turns (64 × 64 pairs) and against pairs (the middle size):\n")
    print("| turns | pairs | time |")
    print("|---|---|---|")
    steps = (100_000, 200_000, 400_000) if "--quick" in sys.argv else (1_000_000, 2_000_000, 4_000_000)
    for turns, side in [*((turns, 64) for turns in steps), *((steps[1], side) for side in (16, 256))]:
        frame, labels, lengths = columns(turns)
        (time_taken,) = medians(lambda f=frame, a=labels, b=lengths, s=side: all_pairs(f, a, b, s), runs=3)  # type: ignore[misc]
        print(f"| {len(frame):,} | {side * side:,} | {time_taken * 1e3:.0f} ms |")


if __name__ == "__main__":
    main()
