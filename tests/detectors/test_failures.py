"""Failing test runs that differ in their times alone, from a dump to levels, and the good work that looks like them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from calib.check import check
from calib.corpus import open_corpus
from calib.ingest import ingest
from calib.live import Called, Monitor
from calib.score import Scored, score
from calib.tables import CALLS
from calib.tools import Map

NAMES = ("unfixed", "same_failure", "same_result", "same_call_same_result", "lag(result,1,only=error)")
PLACING = Map(writes=("edit",), tests=("test",), only=True)
Run = tuple[str, bool | None]
"""What a test run says, and whether it is marked as failed."""


def pytest_says(failed: int, seconds: float, line: int = 12, passed: int = 7) -> str:
    title = f" {failed} failed, {passed} passed in {seconds:.2f}s "
    return f"FAILED tests/test_a.py:{line} - assert 1 == 2\n" + title.center(80, "=")


STORIES: dict[str, Sequence[Run]] = {
    "loop": [(pytest_says(2, seconds), True) for seconds in (0.03, 0.04, 9.98, 12.31, 0.03)],
    "exact": [(pytest_says(2, 0.03), True)] * 5,
    "fewer": [(pytest_says(failed, 0.03), True) for failed in (5, 4, 3, 2, 1)],
    "line": [(pytest_says(1, 0.03, line), True) for line in (12, 13, 14, 15, 16)],
    "more": [(pytest_says(2, 0.03, passed=passed), True) for passed in (7, 8, 9, 10, 11)],
    "dates": [(f"Tue Oct 27 12:03:{second} UTC 2026\n", False) for second in (44, 45, 46, 47, 48)],
    "unmarked": [(pytest_says(2, seconds), None) for seconds in (0.03, 0.04, 0.05, 0.06, 0.07)],
}
PEAKS = {
    "loop": (4, 4, 0, 0, 0), "exact": (4, 4, 0, 0, 4), "fewer": (0, 0, 0, 0, 0), "line": (0, 0, 0, 0, 0),
    "more": (0, 0, 0, 0, 0), "dates": (0, 0, 0, 0, 0), "unmarked": (0, 0, 0, 0, 0),
}  # fmt: skip
"""Peak of each of NAMES; edits between keep results apart for rules that compare all of them."""


def messages(runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    yield {"role": "user", "content": "Make the tests pass. Mail me@example.org."}
    for at, (said, failed) in enumerate(runs):
        for tool, result, mark in (("edit", f"{at} written", False), ("test", said, failed)):
            function = {"name": tool, "arguments": json.dumps({"at": at})}
            yield {"role": "assistant", "tool_calls": [{"id": f"{tool}{at}", "function": function}]}
            marked = {} if mark is None else {"is_error": mark}
            yield {"role": "tool", "tool_call_id": f"{tool}{at}", "content": result, **marked}


@pytest.fixture(scope="module", params=[{}, {"text": False}, {"redact": True}], ids=["text", "no text", "redacted"])
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("failures")
    lines = [{"episode_id": name, "messages": list(messages(runs))} for name, runs in STORIES.items()]
    (folder / "d.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    ingest([folder / "d.jsonl"], folder / "corpus", workers=1, **request.param)
    return folder / "corpus"


def scored(corpus: Path) -> Scored:
    return score(open_corpus(corpus), list(NAMES), None, PLACING)


def test_a_time_alone_is_no_other_failure_and_everything_else_is(corpus: Path) -> None:
    found = scored(corpus)
    episodes = found.episodes["episode_id"].to_list()
    peaks = {name: tuple(int(found.peaks[rule][at]) for rule in NAMES) for at, name in enumerate(episodes)}
    assert peaks == PEAKS


def test_results_stay_compared_exactly(corpus: Path) -> None:
    rows = [row for frame in open_corpus(corpus).read("calls", CALLS.names()) for row in frame.to_dicts()]
    of = {
        name: [row for row in rows if row["episode_id"] == name and row["tool"] == "test"]
        for name in ("loop", "dates", "unmarked")
    }
    assert [row["same_result_as"] for row in of["loop"]] == [1, 3, 5, 7, 1]
    assert [row["same_failure_as"] for row in of["loop"]] == [1, 1, 1, 1, 1]
    assert [row["same_result_as"] for row in of["dates"]] == [1, 3, 5, 7, 9]
    assert {row["same_failure_as"] for name in ("dates", "unmarked") for row in of[name]} == {None}
    assert check(corpus).findings == ()


@pytest.mark.parametrize("name", STORIES)
def test_one_turn_at_a_time_the_levels_are_the_same(corpus: Path, name: str) -> None:
    found = scored(corpus)
    at = found.episodes["episode_id"].to_list().index(name)
    monitor = Monitor(" | ".join(f"{rule}@99" for rule in NAMES), PLACING)
    best = dict.fromkeys(NAMES, 0)
    told = list(messages(STORIES[name]))[1:]
    for turn, (call, result) in enumerate(zip(told[::2], told[1::2], strict=True)):
        function = call["tool_calls"][0]["function"]
        made = Called(function["name"], function["arguments"], result["content"], result.get("is_error"))
        for rule, level in monitor.turn(calls=[made]).items():
            best[rule] = max(best[rule], level)
            reach = found.reach[rule]
            reached = reach.level[(reach.episode == at) & (reach.turn <= turn)]
            assert best[rule] == (reached.max() if len(reached) else 0), (rule, turn)
