"""The table of an episode: note 000, section 3, as a golden file, and how rows are folded, marked and cut to width."""

import json
from pathlib import Path

import pytest

from calib.corpus import open_corpus
from calib.demo import ALTERNATING, ARGV_TRACE, BATCH_TRACE, RECOVERED, lines
from calib.ingest import ingest
from calib.point import parse_point
from calib.reports import trace as report
from calib.reports._columns import cells
from calib.tools import Map
from calib.trace import Call, Row, Trace, fold, trace
from tests import golden

POINT = parse_point("T2@7 | T1@35")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traces")
    told = (BATCH_TRACE, ARGV_TRACE, ALTERNATING, RECOVERED[0])
    dump = folder / "d.jsonl"
    dump.write_bytes(b"".join(line for line in lines() if json.loads(line)["episode_id"] in told))
    ingest([dump], folder / "c", workers=1)
    return folder / "c"


def traced(corpus: Path, episode: str, turns: tuple[int, int] | None = None) -> Trace:
    return trace(open_corpus(corpus), episode, POINT, Map(), turns)


def test_the_trace_of_section_3(corpus: Path) -> None:
    golden.check("inspect.txt", report.render(traced(corpus, BATCH_TRACE, (4, 63))))
    golden.check("inspect-wide.txt", report.render(traced(corpus, BATCH_TRACE, (4, 63)), 140))
    golden.check("inspect.md", report.render_markdown(traced(corpus, BATCH_TRACE, (4, 63))))


def test_the_trace_in_numbers(corpus: Path) -> None:
    found = traced(corpus, BATCH_TRACE)
    assert (found.fire_turn, found.reached) == (14, {"repeated_plan": 14, "search_run": 34})
    last = found.rows[-1]
    assert (last.first, last.last, last.reasoning, len(last.calls), last.more) == (16, 63, "same as turn 7", 48, True)
    assert report._call(last).startswith("48 more search_files: poc, operations, credits, negative, ")
    assert report._result(last) == "20 × 0 matches, 28 others"
    assert last.levels == {"repeated_plan": 56, "search_run": 64}


@pytest.mark.parametrize(
    ("episode", "fire"),
    [(BATCH_TRACE, 14), (ARGV_TRACE, 20), (RECOVERED[0], None), (ALTERNATING, 34)],
)
def test_the_fire_turns_of_the_traces(corpus: Path, episode: str, fire: int | None) -> None:
    found = traced(corpus, episode)
    assert found.fire_turn == fire
    fired = [row for row in found.rows if row.fired]
    assert [row.first for row in fired] == ([] if fire is None else [fire])
    assert ("never fires" in report.render(found)) == (fire is None)


def test_other_detectors_are_told_below(corpus: Path) -> None:
    shown = report.render(traced(corpus, ALTERNATING))
    assert shown.endswith("* turn 34 fires: search_run\nrepeated_plan alone: never\n")
    told = json.loads(report.render_json(traced(corpus, ALTERNATING)))
    assert told["reached"] == {"repeated_plan": None, "search_run": 34}


def row(turn: int, *results: int | None, same: str = "same as turn 0", tool: str = "look") -> Row:
    calls = tuple(Call(tool, "", None if size is None else "x" * size, size) for size in results)
    return Row(turn, turn, calls, same, {"repeated_plan": turn}, ())


def test_three_like_turns_are_one_row_and_two_are_two() -> None:
    assert [(r.first, r.last) for r in fold([row(0, 1), row(1, 1)])] == [(0, 0), (1, 1)]
    assert [(r.first, r.last, r.more) for r in fold([row(0, 1), row(1, 1), row(2, 1)])] == [(0, 2, False)]
    assert fold([row(0, 1, same="New."), *[row(turn, 1) for turn in (1, 2, 3)]])[-1].more
    assert len(fold([row(turn, 1, same="(new)") for turn in range(3)])) == 3


def test_results_are_listed_or_counted() -> None:
    several = fold([row(turn, size) for turn, size in enumerate((0, 3, 0, 50, 0, 7))])[0]
    assert report._result(several) == "3 empty, 3 nonempty"
    assert report._result(row(0, 2, 50, None)) == "xx, 50 chars, no result"
    lines = Call("look", "", "1 match\nservice.py:3", 20)
    assert report._one_result(lines) == "1 match …"
    unlike = fold([row(turn, size) for turn, size in enumerate(range(30, 36))])[0]
    assert report._result(unlike) == "6 results"


@pytest.mark.parametrize("width", [80, 100, 200])
def test_no_line_is_wider_than_asked_and_nothing_acts(width: int) -> None:
    call = Call("中文" * 30, "\x1b[31m" + "y" * 200, "z\n" * 3, 6)
    rows = (Row(0, 0, (call,), "中" * 100, {"repeated_plan": 0, "search_run": 1}, ("repeated_plan",)),)
    found = Trace("e\x1b[0m", "d", 1, "failed", 1, POINT, 0, {"repeated_plan": 0, "search_run": None}, rows)
    shown = report.render(found, width)
    assert max(map(cells, shown.splitlines())) <= width
    assert "\x1b" not in shown
    assert "\x1b" not in report.render_json(found)


def test_many_levels_stand_below_each_other() -> None:
    names = ("repeated_plan", "search_run", "count(call+result,window=10)", "lag(calls,1)")
    rows = (Row(0, 0, (), "New.", dict.fromkeys(names, 3), ()),)
    found = Trace("e", "d", 1, "failed", 1, POINT, None, dict.fromkeys(names), rows)
    shown = report.render(found)
    assert max(map(cells, shown.splitlines())) <= 80
    assert "lag(calls,1) 3" in shown
