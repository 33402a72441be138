"""Made episodes on which a rule can be proven: runs up to its threshold and over it, breaks, blanks, texts that loop.

The same for every run and machine: drawn from a seeded generator, kept when they show a level not shown before.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from calib.detectors import Detector
from calib.live._seen import KINDS, OTHER, Called
from calib.live.monitor import Fire, Monitor
from calib.point import Point
from calib.tools import Map, actions_of

Turn = dict[str, Any]
"""One turn as a port gets it: plain JSON."""
MOST = 40
"""Most vectors."""
FEWEST = 16
"""Vectors that are kept whatever they show: what breaks a count shows in no level of its own."""
TRIED = 400
LONGEST = 300
"""Most turns of a vector."""
PLANS = (
    None, "", " \t\n", "\x1c\x1f\u2003", "Look for the runner.", " Look for the runner.\n", "\x1cLook for the runner.",
    "look for the runner.", "Look at 1.", "Look at 2.", "Read the fixture; then write.", "Ünïcode\u0301 plän",
)  # fmt: skip
LOOPS = (
    "「" * 15, "a" * 200, "the the the the the the the the the the the the", "so so so " * 20, "-> " * 40, "= " * 12,
    "I check it again. " * 30, "「x " * 30, "one two three four five six seven eight nine ten " * 12,
)  # fmt: skip
TEXTS = (None, None, "", "Done.", " Done. ", "Next.")
CALLED = (
    ("search_files", '{"query": "a", "path": "."}'), ("search_files", '{"path":".","query":"a"}'),
    ("search_files", '{"query": "b"}'), ("read_file", '{"path": "x"}'), ("write_file", '{"path": "x"}'),
    ("run_tests", "{}"), ("bash", '{"command": "ls"}'), ("bash", '{"command": "rm x"}'), ("poll", "no JSON"),
    ("read_file", None),
)  # fmt: skip
RESULTS = (None, "", "0 matches", "0 matches", "OK", "failed")


def vectors(point: Point, tools: Map, own: Mapping[str, Detector]) -> list[dict[str, Any]]:
    """Give episodes with the level of each detector at each turn, and where it fires."""
    longest = min(LONGEST, 2 * max(point.thresholds.values()) + 8)
    shown: set[tuple[str, int]] = set()
    kept: list[dict[str, Any]] = []
    for number, episode in enumerate(_episodes(longest)):
        made = _counted(Monitor(point, tools, own), tools, f"drawn-{number}", episode)
        seen = {(name, level) for name, levels in made["levels"].items() for level in levels}
        if len(kept) < FEWEST or seen - shown:
            shown |= seen
            kept.append(made)
        if len(kept) == MOST:
            break
    return kept


def reached(point: Point, made: list[dict[str, Any]]) -> dict[str, int]:
    """Give the highest level that the vectors show of each detector."""
    return {name: max((max(one["levels"][name], default=0) for one in made), default=0) for name in point.thresholds}


def _counted(monitor: Monitor, tools: Map, name: str, turns: list[Turn]) -> dict[str, Any]:
    levels: dict[str, list[int]] = {detector: [] for detector in monitor.point.thresholds}
    for turn in turns:
        for call in turn["calls"]:
            call["does"] = _does(call, tools)
        for detector, level in monitor.turn(**called(turn)).items():
            levels[detector].append(level)
    return {"name": name, "turns": turns, "levels": levels, "fire": _spelled(monitor.fire)}


def _spelled(fire: Fire | None) -> dict[str, Any] | None:
    return {"turn": fire.turn, "detectors": list(fire.detectors)} if fire else None


def _does(call: dict[str, Any], tools: Map) -> list[str]:
    """Say what a call does, so that a port need not read command lines."""
    kinds = {tools.kind(action) for action in actions_of(call["tool"], call["arguments"])}
    return sorted({kind if KINDS.get(kind, OTHER) != OTHER else "other" for kind in kinds})


def called(turn: Turn) -> dict[str, Any]:
    """Give a turn of a vector as the arguments of `Monitor.turn`."""
    calls = [Called(call["tool"], call["arguments"], call["result"], call["is_error"]) for call in turn["calls"]]
    return {**turn, "calls": calls}


def _episodes(longest: int) -> Iterator[list[Turn]]:
    """Draw episodes: stretches of one turn or a few, said again and again."""
    drawn = random.Random(20261027)
    yield []
    for number in range(TRIED):
        turns: list[Turn] = []
        end = drawn.choice((6, 20, longest))
        while len(turns) < end:
            lap = [_turn(drawn) for _ in range(drawn.choice((1, 1, 1, 2, 3, 5)))]
            times = drawn.randint(1, end) if number % 2 else drawn.randint(1, 4)
            turns += [_again(drawn, turn, number) for _ in range(times) for turn in lap]
        yield [_copied(turn) for turn in turns[:end]]


def _again(drawn: random.Random, turn: Turn, number: int) -> Turn:
    """Say a turn again: as it was, or with other calls, or with another plan."""
    if number % 3 == 1:
        return {**turn, "calls": _turn(drawn)["calls"]}
    return {**turn, "reasoning": drawn.choice(PLANS)} if number % 3 == 2 else turn


def _copied(turn: Turn) -> Turn:
    return {**turn, "calls": [dict(call) for call in turn["calls"]]}


def _turn(drawn: random.Random) -> Turn:
    calls = [drawn.choice(CALLED) for _ in range(drawn.choice((0, 1, 1, 1, 1, 2, 3)))]
    return {
        "reasoning": drawn.choice(LOOPS if drawn.random() < 0.15 else PLANS), "text": drawn.choice(TEXTS),
        "user": drawn.random() < 0.08, "compaction": drawn.random() < 0.03,
        "output_tokens": drawn.choice((None, 12, 4000)), "milliseconds": drawn.choice((None, 5, 1500)),
        "calls": [
            {"tool": tool, "arguments": arguments, "result": drawn.choice(RESULTS),
             "is_error": drawn.choice((None, False, True))}
            for tool, arguments in calls
        ],
    }  # fmt: skip
