"""A synthetic dump on which every published figure of note 000, section 4, holds by construction.

No transcript of the note is public, so these are made up: 755 episodes in the episode-per-line form, each marked
`"synthetic": true` in its metadata, the same bytes on every machine. What holds, and is checked by `checks`:

- Section 4: 755 episodes, 48 of them in the arm `always-strip`; of the other 707, 30 ran out of turns, 635 passed
  and 42 failed otherwise, 14 come from a repair suite. `repeated_plan@7 | search_run@35` catches 30 of 30, fires on
  0 of 635 and on 1 of 42; the closest passing peaks are 6 and 34; the plateaus are 7 to 39 and 35 to 53. The note
  raises one threshold at a time; here both may be raised together, so that all 33 × 19 = 627 pairs agree.
- Section 3: the batch trace turn by turn (fires at 14), the argv trace (fires at 20, peak 50), three batch episodes
  that recover from a plan kept for turns 7 to 11. 236 episodes of Qwen3.8-27B on the suite, 15 out of turns, 1 of 36
  on FP8, 7 of 24 on the lossy variant; 352 of Qwen3.8-Flash, none out of turns.
- Section 6.1: 22 spirals of the 27B model, 18 batch, 2 argv, 2 refund, all first caught by `repeated_plan`, at
  turns 10 to 31. The seven that section 3 does not count are in the arm `screen`.
- Section 8: an episode that alternates two plans, caught by `search_run` at turn 34 and by nothing else.

Chosen here, for the note does not say: the 8 other turn-limit episodes are the fine-tune's and caught by
`search_run` first, as in its later runs; caught episodes fire at turns 10 to 38, median 14 (the note's median of 47
turns left after the fire would put it nearer 16); episodes in `always-strip` have no reasoning recorded; lengths and
all peaks between the edges. Not attempted: tokens, times, and the 44 continuations.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from calib.demo._population import SPIRALS, Shape, act, ordinary, spiral
from calib.demo._script import TURN_LIMIT, Script
from calib.demo._told import PROMPTS, alternating, argv_trace, batch_trace, recovered
from calib.errors import UsageError
from calib.escape import visible
from calib.files import disk_error, write_bytes
from calib.results import Sweep, Tally

DUMP = "demo.jsonl"
NOTICE = "SYNTHETIC.txt"
NOTICE_TEXT = (
    f"{DUMP} is synthetic. No model wrote it. It was made by `calib demo` so that the figures published in\n"
    '"When an Agent Repeats Its Plan: A Qwen3.8-27B Case Study and a Reasoning-History Reset" (27 October 2026),\n'
    "section 4, hold by construction. It is evidence for nothing else.\n"
)
EXCLUDE = "arm=always-strip"
"""What the note leaves out before it chooses thresholds."""

BATCH_TRACE = "27b-fp8-batch-001"
RECOVERED = ("27b-fp8-batch-002", "27b-fp8-batch-003", "27b-fp8-batch-004")
ARGV_TRACE = "27b-nvfp4-argv-001"
ALTERNATING = "tune-bf16-batch-001"
CLOSEST_PLAN = "27b-nvfp4-batch-020"
CLOSEST_SEARCH = "flash-fp8-refund-007"
WEAKEST_PLAN = "27b-nvfp4-refund-001"
WEAKEST_SEARCH = "tune-bf16-batch-002"
OTHER_FIRE = "27b-nvfp4-batch-030"

MODELS = {
    "27b": "Qwen3.8-27B", "27b-screen": "Qwen3.8-27B", "27b-strip": "Qwen3.8-27B", "flash": "Qwen3.8-Flash",
    "tune": "Qwen3.8-finetune", "repair": "Qwen3.8-finetune",
}  # fmt: skip
REPAIR = tuple(f"repair-{number:02d}" for number in range(1, 15))
ROSTER: tuple[tuple[str, str, tuple[str, ...], int], ...] = (
    # family, configuration, tasks, episodes of each
    ("27b", "FP8", tuple(PROMPTS), 9),
    ("27b", "FP8-lossy", tuple(PROMPTS), 6),
    ("27b", "NVFP4", tuple(PROMPTS), 38),
    ("27b", "BF16", tuple(PROMPTS), 6),
    ("27b-screen", "FP8", ("batch", "refund", "argv"), 3),
    ("27b-screen", "NVFP4", ("batch", "refund", "argv", "quota"), 3),
    ("27b-strip", "FP8", tuple(PROMPTS), 6),
    ("27b-strip", "NVFP4", tuple(PROMPTS), 6),
    ("flash", "FP8", tuple(PROMPTS), 44),
    ("flash", "NVFP4", tuple(PROMPTS), 44),
    ("tune", "BF16", tuple(PROMPTS), 21),
    ("repair", "BF16", REPAIR, 1),
)
FAILED = {"27b": 14, "27b-screen": 1, "27b-strip": 2, "flash": 20, "tune": 4, "repair": 3}


@dataclass(frozen=True)
class Slot:
    """One episode before it is written."""

    episode_id: str
    family: str
    configuration: str
    task: str

    @property
    def arm(self) -> str | None:
        """The arm: six paired loads of two configurations for the cost experiment, screens, else none."""
        number = int(self.episode_id[-3:])
        paired = self.family == "27b" and self.configuration in ("FP8", "NVFP4") and number <= 6
        return {"27b-strip": "always-strip", "27b-screen": "screen"}.get(self.family, "baseline" if paired else None)


def slots() -> list[Slot]:
    """List the 755 episodes by family, configuration and task."""
    return [
        Slot(f"{family}-{configuration.lower()}-{task}-{number:03d}", family, configuration, task)
        for family, configuration, tasks, count in ROSTER
        for task in tasks
        for number in range(1, count + 1)
    ]


def _told(rng: Random) -> dict[str, tuple[str, Script]]:
    """Write every episode that is more than counted: its label and its messages, by id."""
    told = {
        BATCH_TRACE: ("turn_limit", batch_trace()),
        ARGV_TRACE: ("turn_limit", argv_trace()),
        ALTERNATING: ("turn_limit", alternating()),
        CLOSEST_PLAN: ("passed", act(rng, PROMPTS["batch"], ordinary(rng, "passed", 19, 6, 7))),
        CLOSEST_SEARCH: ("passed", act(rng, PROMPTS["refund"], ordinary(rng, "passed", 34, 1, 5))),
        OTHER_FIRE: ("failed", act(rng, PROMPTS["batch"], Shape("srsssrsssrrswtssswtsstsw", ((13, 22),)))),
    }
    told |= {name: ("passed", recovered(variant)) for variant, name in enumerate(RECOVERED)}
    for family, configuration, task, plans, search in SPIRALS:
        prefix = f"{family}-{configuration.lower()}-{task}-"
        name = next(f"{prefix}{number:03d}" for number in range(1, 100) if f"{prefix}{number:03d}" not in told)
        told[name] = ("turn_limit", act(rng, PROMPTS[task], spiral(rng, plans, search)))
    return told


PASSING_SEARCH = (0, 28, 62, 90, 84, 74, 62, 50, 38, 30, 24, 19, 15, 12, 9, 7, 6, 5, 4, *[2] * 13)
PASSING_PLAN = (160, 18, 9, 6, 3, 1)
FURTHER_TURNS = (24, 22, 20, 17, 15, 13, 11, 9, 8, 7, 6, 5, 4, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1)
"""Weights of 0, 1, 2, …: peaks below the closest passing ones, and turns of work after the first search."""


def _counted(rng: Random, slot: Slot, label: str) -> Script:
    """Write an episode that is only counted."""
    weights = (PASSING_SEARCH, PASSING_PLAN, FURTHER_TURNS)
    search, plan, further = (rng.choices(range(len(each)), each)[0] for each in weights)
    prompt = PROMPTS.get(slot.task, "Repair a failing test.")
    return act(rng, prompt, ordinary(rng, label, search, plan, further), thinks=slot.family != "27b-strip")


def _record(slot: Slot, label: str, script: Script) -> dict[str, Any]:
    stop = "turn_limit" if label == "turn_limit" else "completed"
    if label == "failed" and script.messages[-1]["role"] == "tool":
        stop = "output_limit"
    record = {
        "episode_id": slot.episode_id,
        "task": slot.task,
        "model": MODELS[slot.family],
        "arm": slot.arm,
        "outcome": "pass" if label == "passed" else "fail",
        "stop_reason": stop,
        "turn_limit": TURN_LIMIT,
        "metadata": {
            "synthetic": True,
            "configuration": slot.configuration,
            "suite": "repair" if slot.family == "repair" else "six-task",
        },
        "messages": script.messages,
    }
    return {key: value for key, value in record.items() if value is not None}


def lines() -> Iterator[bytes]:
    """Yield the dump, one episode a line, the same bytes every time."""
    rng = Random(20261027)
    told = _told(rng)
    left = [slot for slot in slots() if slot.episode_id not in told]
    failing = {
        slot.episode_id
        for family, count in FAILED.items()
        for slot in rng.sample([slot for slot in left if slot.family == family], count - (family == "27b"))
    }
    for slot in slots():
        label = "failed" if slot.episode_id in failing else "passed"
        label, script = told.get(slot.episode_id) or (label, _counted(rng, slot, label))
        yield json.dumps(_record(slot, label, script), ensure_ascii=False).encode() + b"\n"


def write_demo(folder: str | Path) -> Path:
    """Write the dump and a notice that it is synthetic into a folder; give the path of the dump.

    Raises UsageError when the path is a file or a folder of something else, CalibError when the disk refuses.
    """
    path = Path(folder)
    if path.is_dir() and not (path / NOTICE).exists() and any(path.iterdir()):
        raise UsageError(
            f"{visible(str(folder))}: expected an empty folder or one of calib demo, found other files; name another"
        )
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageError(
            f"{visible(str(folder))}: expected a folder to write into, found a file; name another"
        ) from None
    except OSError as error:
        raise disk_error(folder, error) from error
    write_bytes(path / NOTICE, NOTICE_TEXT.encode())
    write_bytes(path / DUMP, b"".join(lines()))
    return path / DUMP


@dataclass(frozen=True)
class Check:
    """A published figure: where it stands, what was published, what a sweep found."""

    figure: str
    published: str
    found: str

    @property
    def holds(self) -> bool:
        """Are the two the same?"""
        return self.published == self.found


def checks(sweep: Sweep) -> tuple[Check, ...]:
    """Compare a sweep of the dump, made with EXCLUDE, with what was published."""
    counts, tally, point = sweep.counts, sweep.tally, sweep.point.thresholds
    plan, search = sweep.plateaus["repeated_plan"], sweep.plateaus["search_run"]
    far = sweep.far_corner or Tally()
    closest = [sweep.support[name].closest_pass for name in ("repeated_plan", "search_run")]
    fires = dict(zip(sweep.episodes["episode_id"], sweep.episodes["fire_turn"], strict=True))
    found = (
        ("turn_limit, passed, failed", "30, 635, 42", f"{counts.turn_limit}, {counts.passed}, {counts.failed}"),
        ("left out by arm", "48", str(counts.excluded)),
        ("closest passing peaks", "6, 34", ", ".join(str(one.peak) if one else "none" for one in closest)),
        ("point", "7, 35", ", ".join(str(point.get(name)) for name in ("repeated_plan", "search_run"))),
        ("caught", "30 of 30", f"{tally.caught} of {counts.turn_limit}"),
        ("false fires", "0 of 635", f"{tally.false_fires} of {counts.passed}"),
        ("other fires", "1 of 42", f"{tally.other_fires} of {counts.failed}"),
        ("plateau of repeated_plan", "7 to 39", f"{plan.low} to {plan.high}"),
        ("plateau of search_run", "35 to 53", f"{search.low} to {search.high}"),
        (
            "both raised to 39 and 53",
            "30 of 30, 0 false",
            f"{far.caught} of {counts.turn_limit}, {far.false_fires} false",
        ),
        ("fire turn of the batch trace", "14", str(fires.get(BATCH_TRACE))),
        ("fire turn of the argv trace", "20", str(fires.get(ARGV_TRACE))),
        ("fire turn of the two-plan episode", "34", str(fires.get(ALTERNATING))),
    )
    return tuple(Check(*figure) for figure in found)
