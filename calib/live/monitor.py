"""Levels and the fire turn of one episode while it runs: turns come one at a time, each at the same cost."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from calib.detectors import Detector, detector
from calib.live._level import Step, level_of
from calib.live._seen import WRITES, Called, Seen, call_key, compares_calls, kinds_by, members, tests_of
from calib.point import Point, parse_point
from calib.rules import AnyRule, looks_at_actions
from calib.tools import Map


@cache
def _rule(name: str) -> AnyRule:
    return detector(name).rule


class Fire(NamedTuple):
    """The turn at which a monitor fired first, and the detectors that did, in the order of the point."""

    turn: int
    detectors: tuple[str, ...]


class Monitor:
    """Counts what the detectors of an operating point count, as they do over a corpus, for one episode.

    `levels` holds the level of each detector at the last turn, `fire` the first fire or None. A turn is taken when its
    results are there, before the next request. `own` are the detectors that calib.toml names. Needs neither polars nor
    numpy.

    >>> monitor = Monitor("T2@2")
    >>> for reasoning in ["Look.", "Look.", " Look.\\n"]:
    ...     _ = monitor.turn(reasoning, [Called("search_files")])
    >>> monitor.levels, monitor.fire
    ({'repeated_plan': 2}, Fire(turn=2, detectors=('repeated_plan',)))

    Raises UsageError for a point that is none or names no detector.
    """

    def __init__(self, point: str | Point, tools: Map | None = None, own: Mapping[str, Detector] | None = None) -> None:
        self.point = parse_point(point) if isinstance(point, str) else point
        rules = {name: detector(name, own).rule if own else _rule(name) for name in self.point.thresholds}
        self._steps: list[tuple[str, Step, int]] = [
            (each.detector, level_of(rules[each.detector]), each.threshold) for each in self.point.triggers
        ]
        self._kinds = kinds_by(tools or Map()) if any(map(looks_at_actions, rules.values())) else None
        self._keys = compares_calls(rules.values())
        self._anew = any(test.name == "failed_anew" for rule in members(rules.values()) for test in tests_of(rule))
        self._fresh = True
        """Whether no call has failed since the last turn that wrote."""
        self._seen = Seen()
        self.turns = 0
        self.levels = dict.fromkeys(self.point.thresholds, 0)
        self.fire: Fire | None = None

    def turn(
        self,
        reasoning: str | None = None,
        calls: Sequence[Called] = (),
        text: str | None = None,
        *,
        user: bool = False,
        compaction: bool = False,
        output_tokens: int | None = None,
        milliseconds: int | None = None,
        orphans: Sequence[str] = (),
    ) -> dict[str, int]:
        """Take one model response with the results of its calls; give the level of each detector.

        `user` and `compaction`: a user message, a shortening of the history stand before it. `orphans` are results that
        answer none of its calls.
        """
        seen = self._seen
        seen.whole_reasoning, seen.reasoning = reasoning, (reasoning.strip() or None) if reasoning else None
        seen.whole_text, seen.text = text, (text.strip() or None) if text else None
        seen.calls = calls
        seen.user, seen.compaction = user, compaction
        seen.output_tokens, seen.milliseconds = output_tokens, milliseconds
        seen.orphans = orphans
        seen.scans.clear()
        if self._kinds is not None:
            seen.kinds = self._kinds(calls)
        if self._anew:
            self._note_failures(seen)
        if self._keys:
            seen.call_keys = [call_key(call) for call in calls]
        levels = self.levels
        fired = False
        for name, step, threshold in self._steps:
            level = levels[name] = step(seen)
            fired = fired or level >= threshold
        if fired and self.fire is None:
            self.fire = Fire(self.turns, tuple(name for name, _, k in self._steps if levels[name] >= k))
        self.turns += 1
        return levels

    def _note_failures(self, seen: Seen) -> None:
        """Find the call that failed anew; calls are told apart by what they are, so each is one of its own."""
        if len({id(call) for call in seen.calls}) < len(seen.calls):
            seen.calls = [replace(call) for call in seen.calls]
        failed = [call for call in seen.calls if call.is_error is True]
        self._fresh = self._fresh or bool(seen.kinds & WRITES)
        seen.failed_anew = failed[0] if failed and self._fresh else None
        self._fresh = self._fresh and not failed
