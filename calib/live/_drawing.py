"""Made episodes: laps of a few turns said again and again, now and then with one thing changed."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from calib import scanners
from calib.live._seen import members
from calib.rules import AnyRule, Rule, Scan

Turn = dict[str, Any]
"""One turn as a port gets it: plain JSON."""
Called = tuple[str, str | None]
PLANS = (
    None, "", " \t\n", "\x1c\x1f\u2003", "Look for the runner.", " Look for the runner.\n", "\x1cLook for the runner.",
    "look for the runner.", "Look at 1.", "Look at 2.", "Read the fixture; then write.", "Ünïcode\u0301 plän",
)  # fmt: skip
LOOPS = (
    "「" * 15, "a" * 200, "the the the the the the the the the the the the", "so so so " * 20, "-> " * 40, "= " * 12,
    "I check it again. " * 30, "「x " * 30, "one two three four five six seven eight nine ten " * 12,
)  # fmt: skip
_PARAGRAPH = "I am now checking that the configuration of the server is read before the first request comes in {}.\n\n"
_FILLER = (
    "just", "doing", "it", "pushing", "ahead", "maintaining", "momentum", "steady", "progress", "moving", "forward",
    "keeping", "focus",
)  # fmt: skip
_STALLED = [" ".join(_FILLER[at * by % 13] for by in range(1, 13)) + ".\n\n" for at in range(1, 10)]
LONG_LOOPS = (
    *LOOPS, "「" * 12, "a" * 160, "ここ「diff「全体「像 を「見る 次「の 行 も 同じ「ように 待て\n" * 20,
    "plan " * 40 + "the " * 10, "plan " * 40 + "stop " * 25, "move the the way " * 24, "so on -> " * 8 + "=> " * 30,
    "= the state = = holds = = " * 12, "status a: still waiting for the build to finish, looking again\n" * 24,
    "a sentence that goes on and on " * 5, "a sentence that goes on and on " * 80,
    "This sentence says nothing that it did not say before. " * 320,
    "".join(_PARAGRAPH.format(at) for at in range(12)), "".join(_STALLED),
)  # fmt: skip
"""For rules that read texts: each level of a scanner reaches its published threshold in one of them."""
TEXTS = (None, None, "", "Done.", " Done. ", "Next.")
CALLED: tuple[Called, ...] = (
    ("search_files", '{"query": "a", "path": "."}'), ("search_files", '{"path":".","query":"a"}'),
    ("search_files", '{"query": "b"}'), ("read_file", '{"path": "x"}'), ("write_file", '{"path": "x"}'),
    ("run_tests", "{}"), ("bash", '{"command": "ls"}'), ("bash", '{"command": "rm x"}'), ("poll", "no JSON"),
    ("read_file", None),
)  # fmt: skip
RESULTS = (None, "", "0 matches", "0 matches", "OK", "failed")
TIMED = ("1 failed in 0.03s", "1 failed in 0.12s", "2 failed in 0.03s", "[12:03:44] 1 failed", "[12:03:59] 1 failed")
"""For rules that compare failures: they differ in a time, and in more than that."""


class Drawing:
    """Draws episodes in which a rule's level can rise and fall; the same for every run and machine."""

    def __init__(self, rules: Iterable[AnyRule], longest: int) -> None:
        self._drawn = random.Random(20261027)
        self._longest = longest
        named: list[str] = []
        reads = set()
        self._results: tuple[str | None, ...] = RESULTS
        for rule in members(rules):
            if isinstance(rule, Rule):
                named += [tool for test in rule.tests for tool in test.tools] + list(rule.exempt)
                if "failure" in rule.keys:
                    self._results = (*RESULTS, *TIMED)
            elif isinstance(rule, Scan):
                reads.add(scanners.scanner_of(rule.scanner).READS)
        self._reads = sorted(reads)
        self._tools = [tool.replace("*", "x") for tool in dict.fromkeys(named)]

    def episodes(self, number: int) -> Iterator[list[Turn]]:
        """Draw episodes: stretches of one turn or a few, said again and again."""
        drawn = self._drawn
        yield []
        for at in range(number):
            turns: list[Turn] = []
            end = drawn.choice((6, 20, self._longest))
            while len(turns) < end:
                lap = [self._turn() for _ in range(drawn.choice((1, 1, 1, 2, 3, 4, 5, 6)))]
                times = drawn.randint(1, end) if at % 2 else drawn.randint(1, 4)
                turns += [self._again(turn, at) for _ in range(times) for turn in lap]
            yield [{**turn, "calls": [dict(call) for call in turn["calls"]]} for turn in turns[:end]]

    def _again(self, turn: Turn, number: int) -> Turn:
        """Say a turn again: as it was, or with other calls, another plan, or now and then one thing changed."""
        drawn = self._drawn
        if number % 6 == 1:
            return {**turn, "calls": self._turn()["calls"]}
        if number % 6 == 2:
            return {**turn, "reasoning": drawn.choice(PLANS)}
        if number % 6 == 3:
            turn = {**turn, "calls": [{**call, "result": drawn.choice(self._results)} for call in turn["calls"]]}
        return self._twisted(turn) if number % 6 > 2 and drawn.random() < 0.15 else turn

    def _twisted(self, turn: Turn) -> Turn:
        drawn, calls = self._drawn, turn["calls"]
        if not calls or drawn.random() < 0.5:
            other = self._turn()
            name = drawn.choice(("user", "compaction", "calls", "reasoning", "text"))
            return {**turn, name: True if name in ("user", "compaction") else other[name]}
        at = drawn.randrange(len(calls))
        call = dict(calls[at])
        what = drawn.choice(("result", "is_error", "arguments", "twice", "order"))
        if what == "order":
            return {**turn, "calls": calls[::-1]}
        if what == "twice":
            return {**turn, "calls": [*calls, call]}
        known = {"result": self._results, "is_error": (None, False, True)}
        if what in known:
            call[what] = drawn.choice(known[what])
        else:
            call["tool"], call["arguments"] = _other_words(call["tool"], call["arguments"])
        return {**turn, "calls": [*calls[:at], call, *calls[at + 1 :]]}

    def _call(self) -> Called:
        if self._tools and self._drawn.random() < 0.4:
            return self._drawn.choice(self._tools), '{"a": 1}'
        return self._drawn.choice(CALLED)

    def _turn(self) -> Turn:
        drawn = self._drawn
        calls = [self._call() for _ in range(drawn.choice((0, 1, 1, 1, 1, 2, 3)))]
        marks = drawn.choice(((None, False, True), (None, False, True), (True,)))
        turn = {
            "reasoning": drawn.choice(LOOPS if drawn.random() < 0.15 else PLANS), "text": drawn.choice(TEXTS),
            "user": drawn.random() < 0.08, "compaction": drawn.random() < 0.03,
            "output_tokens": drawn.choice((None, 12, 4000)), "milliseconds": drawn.choice((None, 5, 1500)),
            "calls": [
                {"tool": tool, "arguments": arguments, "result": drawn.choice(self._results),
                 "is_error": drawn.choice(marks)}
                for tool, arguments in calls
            ],
        }  # fmt: skip
        for name in self._reads:
            if drawn.random() < 0.3:
                turn[name] = drawn.choice(LONG_LOOPS)
        return turn


def _other_words(tool: str, arguments: str | None) -> Called:
    """Write a call's arguments in another order, where that is known to be the same call; else another call."""
    first, second = CALLED[:2]
    same = {first: second, second: first}
    return same.get((tool, arguments), (tool, '{"a": 2}'))
