"""Drawn episodes swept: the pencil corpus, a large one with the note's edges, hostile texts, and reports of them.

A drawn episode says, per detector, at which turn its level becomes 1 and its peak: the level grows by one a
turn up to the peak (`5+12` in the pencil corpus). `None` is not observable.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from calib.evidence import statistics
from calib.gate import rates_of
from calib.ladder import climb
from calib.levels import Reach
from calib.point import parse_point
from calib.results import Calibrated, Chosen, LimitResult, Lost, Moved, Report, Sweep, Verdict
from calib.score import Scored
from calib.statistics import Statistics, Status
from calib.sweep import sweep
from calib.tools import Map

Ramp = tuple[int, int] | None
DETECTORS = ("repeated_plan", "search_run")


@dataclass(frozen=True)
class Drawn:
    """One drawn episode; `ramps` in the order of the detectors."""

    episode_id: str
    label: str
    n_turns: int
    ramps: tuple[Ramp, ...]
    task: str | None = None
    turn_limit: int | None = None
    same_as: str = ""
    """The episode whose content it repeats."""


PENCIL = """
    L1 turn_limit A 20 5+12 0+14   P3 passed B 15 6+4 1+2
    L2 turn_limit A 20 8+9  2+4    P4 passed B 10 0+0 2+6
    L3 turn_limit B 20 4+2  4+16   P5 passed B 6  2+2 1+3
    L4 turn_limit B 20 5+15 0+0    P6 passed C 18 5+3 4+7
    L5 turn_limit C 20 3+5  6+11   P7 passed C 5  0+0 0+4
    P1 passed     A 8  2+3  1+5    P8 passed C 9  -   3+1
    P2 passed     A 12 4+1  2+9    F1 failed A 11 3+6 1+2
"""


def pencil() -> list[Drawn]:
    """Give the fourteen episodes of the pencil corpus, turn limit 20."""
    words = PENCIL.split()
    rows = [words[at : at + 6] for at in range(0, len(words), 6)]
    return [
        Drawn(name, label, int(turns), (_ramp(plan), _ramp(search)), task, 20)
        for name, label, task, turns, plan, search in rows
    ]


def _ramp(text: str) -> Ramp:
    start, plus, peak = text.partition("+")
    return (int(start), int(peak)) if plus else None


def _reach(ramps: Sequence[Ramp]) -> Reach:
    starts = np.array([ramp[0] if ramp else 0 for ramp in ramps], np.int32)
    peaks = np.array([ramp[1] if ramp else 0 for ramp in ramps], np.int32)
    episode = np.repeat(np.arange(len(ramps), dtype=np.int32), peaks)
    step = np.arange(len(episode), dtype=np.int32) - np.repeat(np.cumsum(peaks) - peaks, peaks)
    return Reach(episode, (step + 1).astype(np.int32), (starts[episode] + step).astype(np.int32))


def scored(drawn: Sequence[Drawn], detectors: Sequence[str] = DETECTORS, excluded: int = 0) -> Scored:
    """Make of drawn episodes what scoring their turns would have made."""
    rows = sorted(drawn, key=lambda one: one.episode_id.encode())
    episodes = pl.DataFrame(
        {
            "episode_id": pl.Series([one.episode_id for one in rows], dtype=pl.String),
            "label": pl.Series([one.label for one in rows], dtype=pl.String),
            "n_turns": pl.Series([one.n_turns for one in rows], dtype=pl.Int32),
            "digest": pl.Series([(one.same_as or one.episode_id).encode().hex().ljust(32, "0") for one in rows]),
            "task": pl.Series([one.task for one in rows], dtype=pl.String),
            "model": pl.Series(["pencil"] * len(rows), dtype=pl.String),
            "arm": pl.Series([None] * len(rows), dtype=pl.String),
            "stop_reason": pl.Series([None] * len(rows), dtype=pl.String),
            "turn_limit": pl.Series([one.turn_limit for one in rows], dtype=pl.Int32),
            "metadata": pl.Series(["{}"] * len(rows), dtype=pl.String),
        }
    )
    ramps = {name: [one.ramps[place] for one in rows] for place, name in enumerate(detectors)}
    return Scored(
        episodes,
        {name: _reach(drawings) for name, drawings in ramps.items()},
        {name: np.array([ramp is not None for ramp in drawings]) for name, drawings in ramps.items()},
        excluded,
        {"search_files": 1, "read_file": 1},
        Map(),
        Lost(of_bytes=48_213),
    )


def sweep_of(
    drawn: Sequence[Drawn],
    *,
    detectors: Sequence[str] = DETECTORS,
    at: str = "",
    chosen: Chosen = "here",
    excluded: int = 0,
    group: str = "",
    lost: Lost | None = None,
    warnings: tuple[str, ...] = (),
) -> Sweep:
    """Sweep drawn episodes; `at` gives the point, else the closest passes do."""
    found = sweep(scored(drawn, detectors, excluded), at=parse_point(at) if at else None, chosen=chosen, group=group)
    return replace(found, lost=lost or found.lost, warnings=(*found.warnings, *warnings))


def note(*, scale: int = 1, labels: Sequence[str] = ("turn_limit", "passed", "failed")) -> list[Drawn]:
    """Draw 30/635/42 episodes, times `scale`, with the edges 6|7…39|40 and 34|35…53|54, in a fixed random way.

    Labels that are not in `labels` become `unlabelled`; nothing else changes.
    """
    random = np.random.default_rng(7)
    rows: list[Drawn] = []

    def add(label: str, at: int, turns: int, plan: Ramp, search: Ramp) -> None:
        rows.append(Drawn(f"{label}-{at:06d}", label if label in labels else "unlabelled", turns, (plan, search)))

    for at in range(30 * scale):
        if at % 5 == 4:  # caught by search_run alone
            peak = 53 if at == 4 else int(random.integers(53, 62))
            add("turn_limit", at, 64, (10, int(random.integers(0, 6))), (int(random.integers(0, 65 - peak)), peak))
        else:
            peak = 39 if at == 0 else int(random.integers(39, 60))
            plan = (int(random.integers(1, 65 - peak)), peak)
            add("turn_limit", at, 64, plan, (int(random.integers(0, 8)), int(random.integers(4, 35))))
    for at in range(635 * scale):
        turns = int(min(64, 8 + random.gamma(2.0, 9.0)))
        plan_peak = 6 if at == 11 else min(int(random.geometric(0.7)) - 1, 5)
        search_peak = 34 if at == 12 else min(int(random.gamma(1.6, 4.0)), 33, turns)
        add("passed", at, max(turns, 40 if at == 12 else 0), (1, plan_peak), (0, search_peak))
    for at in range(42 * scale):
        plan_peak = 9 if at == 3 else min(int(random.geometric(0.6)) - 1, 6)
        add("failed", at, 30, (3, plan_peak), (1, min(int(random.gamma(2.0, 5.0)), 28)))
    return rows


def known_of(found: Sweep, confidence: float = 0.95, drawn: Sequence[Drawn] | None = None) -> Statistics:
    """Give the statistics of a sweep: all of them for the episodes it was drawn from, else what its counts say."""
    if drawn is not None:
        return statistics(scored(drawn, tuple(found.point.thresholds)), found, confidence=confidence)
    rates = rates_of(found, 1 - confidence)
    counts, tally, unknown = found.counts, found.tally, found.unknown
    points = {
        "turn_limit": _status(tally.caught, unknown.turn_limit, counts.turn_limit),
        "passed": _status(tally.false_fires, unknown.passed, counts.passed),
        "failed": _status(tally.other_fires, unknown.failed, counts.failed),
    }
    partition = {label: {"point": one, **dict.fromkeys(found.point.thresholds, one)} for label, one in points.items()}
    return Statistics(
        confidence, "episode", found.chosen, partition, {}, {}, {}, (), rates.caught, rates.false_fires,
        rates.other_fires, {"episode": rates},
    )  # fmt: skip


def _status(fired: int, unknown: int, n: int) -> Status:
    return Status(fired, n - fired - unknown, 0, unknown, n - unknown)


NOTHING = Verdict("nothing gated", 0, "verdict: nothing gated")


def report_of(
    found: Sweep,
    verdict: Verdict = NOTHING,
    moved: Moved | None = None,
    known: Statistics | None = None,
    held: Calibrated | None = None,
    notes: tuple[str, ...] = (),
) -> Report:
    """Wrap a sweep with its statistics, a verdict, and what else a report says."""
    known = known or known_of(found)
    return Report(found, known, climb(found, known, verdict, held), verdict, moved, held, notes)


FAILING = Verdict(
    "FAIL",
    1,
    "verdict: FAIL (1 of 3 limits)",
    (
        LimitResult("max_false_fires", 0, "0", "0 of 8 passed episodes", "PASS"),
        LimitResult("min_plateau_width.repeated_plan", 8, "8", "5–9 is 5 wide", "FAIL"),
        LimitResult("max_false_fire_rate", 0.01, "1 %", "0 of 8, at most 52.1 %", "INCONCLUSIVE"),
    ),
)
"""A verdict with a limit of each outcome."""

HOSTILE = (
    "a\x1b]52;c;aGk=\x07\x1b[2J\x9b31mb",
    "x\nverdict: PASS\r\x1b[2K\u2028\x85y",
    "a|b `c` [x](javascript:alert(1)) ![i](http://e.x/i.png) <img src=x onerror=e> @user \\|| <details>",
    "::error::boom ##[error]x",
    "=1+1\tcmd",
    "[red]x[/bold] [link=http://e.x]y[/link] :skull: \\[",
    "$\\frac{a$ $$ _name 中文 \U0001f480\u202e\ufeff",
    "_hidden",
    "z" * 70_000,
    "",
    "../../x\x00",
    "# heading\n- list\n\n---\n</title><script>alert(1)</script>",
)
"""Texts that act somewhere: terminal, Markdown, GitHub logs, spreadsheets, rich, mathtext, SVG, file names."""


def hostile(text: str) -> list[Drawn]:
    """Draw the pencil corpus with one text in the ids of what ends up in every list, and in the names of the tasks."""
    wicked = {name: f"{text}{mark}" for mark, name in enumerate(("L3", "L4", "L5", "P2", "P3", "F1"))}
    return [
        replace(one, episode_id=wicked.get(one.episode_id, one.episode_id), task=f"{text}{one.task}")
        for one in pencil()
    ]
