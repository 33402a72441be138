"""Made episodes on which a rule can be proven: runs up to its threshold and over it, breaks, blanks, texts that loop.

The same for every run and machine: drawn from a seeded generator, kept when they show a level not shown before, or tell
the rule from another that a port could take for it.
"""

from collections.abc import Mapping
from typing import Any

from calib.detectors import Detector, detector
from calib.live._drawing import Drawing, Turn
from calib.live._mistakes import mistakes
from calib.live._seen import KINDS, OTHER, Called
from calib.live.monitor import Fire, Monitor
from calib.point import Point, Trigger
from calib.rules import AnyOf, Rule
from calib.tools import Map, actions_of

MOST = 40
"""Most vectors that are kept for their levels alone."""
FEWEST = 16
"""Vectors that are kept whatever they show."""
TRIED = 400
LONGEST = 300
"""Most turns of a vector."""
Taken = set[tuple[str, str]]
"""Detectors, each with the spelling of a rule that a port could take for its own."""


def vectors(point: Point, tools: Map, own: Mapping[str, Detector]) -> list[dict[str, Any]]:
    """Give episodes with the level of each detector at each turn, and where it fires."""
    rules = {name: detector(name, own).rule for name in point.thresholds}
    taken: Taken = {(name, str(wrong)) for name, rule in rules.items() for wrong in mistakes(rule)}
    shown: set[tuple[str, int]] = set()
    kept: list[dict[str, Any]] = []
    for number, episode in enumerate(Drawing(rules.values(), _longest(point, own)).episodes(TRIED)):
        made = _counted(Monitor(point, tools, own), tools, f"drawn-{number}", episode)
        seen = {(name, level) for name, levels in made["levels"].items() for level in levels}
        told = _told_apart(taken, made, tools)
        if len(kept) < FEWEST or told or (len(kept) < MOST and seen - shown):
            shown |= seen
            taken -= told
            kept.append(made)
    return kept


def _longest(point: Point, own: Mapping[str, Detector]) -> int:
    """Say how long an episode must be for its levels to pass the thresholds, those inside a rule too."""
    high = 0
    for name, threshold in point.thresholds.items():
        rule = detector(name, own).rule
        inside = [k for member, k in rule.members if isinstance(member, Rule)] if isinstance(rule, AnyOf) else []
        high = max(high, threshold * max(inside, default=1))
    return min(LONGEST, 2 * high + 8)


def _told_apart(taken: Taken, made: dict[str, Any], tools: Map) -> Taken:
    """Say which of the other rules count otherwise on an episode."""
    if not taken:
        return set()
    others = sorted({wrong for _, wrong in taken})
    monitor = Monitor(Point(tuple(Trigger(wrong, 1) for wrong in others)), tools)
    found: dict[str, list[int]] = {wrong: [] for wrong in others}
    for turn in made["turns"]:
        for wrong, level in monitor.turn(**called(turn)).items():
            found[wrong].append(level)
    return {(name, wrong) for name, wrong in taken if found[wrong] != made["levels"][name]}


def reached(point: Point, made: list[dict[str, Any]]) -> dict[str, int]:
    """Give the highest level that the vectors show of each detector."""
    return {name: max((max(one["levels"][name], default=0) for one in made), default=0) for name in point.thresholds}


def _counted(monitor: Monitor, tools: Map, name: str, turns: list[Turn]) -> dict[str, Any]:
    levels: dict[str, list[int]] = {each: [] for each in monitor.point.thresholds}
    for turn in turns:
        for call in turn["calls"]:
            call["does"] = _does(call, tools)
        for each, level in monitor.turn(**called(turn)).items():
            levels[each].append(level)
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
