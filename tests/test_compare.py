"""What moved between two sweeps of drawn episodes, through the JSON a report is stored as."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calib.compare import Stored, fires, load_report, moved, parse_report
from calib.errors import UsageError
from calib.escape import visible
from calib.reports.json import dumps, report_object
from calib.results import Sweep
from tests.sweeps import HOSTILE, Drawn, hostile, pencil, report_of, sweep_of

AT = "repeated_plan@5 | search_run@10"


def text(found: Sweep) -> str:
    return dumps(report_object(report_of(found)) | {"fires": fires(found)})


def stored(drawn: list[Drawn], at: str = AT) -> Stored:
    return parse_report(text(sweep_of(drawn, at=at)).encode(), "report.json")


def since(before: list[Drawn], now: list[Drawn], at: str = AT) -> list[str]:
    return list(moved(stored(before), sweep_of(now, at=at)).lines)


def changed(**ramps: tuple[int, int]) -> list[Drawn]:
    """Give the pencil corpus with another repeated_plan ramp for some episodes."""
    return [
        replace(one, ramps=(ramps[one.episode_id], one.ramps[1])) if one.episode_id in ramps else one
        for one in pencil()
    ]


def test_fires_are_listed_by_id() -> None:
    assert fires(sweep_of(pencil(), at=AT)) == [
        {"episode_id": "F1", "label": "failed", "fire_turn": 7, "fired_by": "repeated_plan"},
        {"episode_id": "L1", "label": "turn_limit", "fire_turn": 9, "fired_by": "repeated_plan | search_run"},
        {"episode_id": "L2", "label": "turn_limit", "fire_turn": 12, "fired_by": "repeated_plan"},
        {"episode_id": "L3", "label": "turn_limit", "fire_turn": 13, "fired_by": "search_run"},
        {"episode_id": "L4", "label": "turn_limit", "fire_turn": 9, "fired_by": "repeated_plan"},
        {"episode_id": "L5", "label": "turn_limit", "fire_turn": 7, "fired_by": "repeated_plan"},
    ]


def test_nothing_moved() -> None:
    answer = moved(stored(pencil()), sweep_of(pencil(), at=AT))
    assert answer.lines == ("nothing moved",)
    assert answer.baseline_signature == sweep_of(pencil(), at=AT).signature


def test_a_pass_that_repeats_more_is_a_false_fire_with_a_name() -> None:
    assert since(pencil(), changed(P3=(6, 5))) == [
        "false fires: 1, was 0",
        "repeated_plan plateau: 4–5, 2 wide, was 5–9, 5 wide",
        "repeated_plan closest pass: P1 (peak 3), was P3 (peak 4)",
        "new false fire: P3 at turn 10 by repeated_plan",
    ]


def test_a_loss_that_comes_nearer_narrows_the_plateau() -> None:
    assert since(pencil(), changed(L2=(8, 7))) == [
        "repeated_plan plateau: 5–7, 3 wide, was 5–9, 5 wide",
        "repeated_plan first loss: L2 (peak 7), was L2 (peak 9)",
    ]


def test_a_fire_that_is_lost_comes_later_or_by_another() -> None:
    lines = since(pencil(), changed(L2=(8, 4), L1=(7, 12), L5=(9, 1)))
    assert lines[0] == "caught: 4, was 5"
    assert lines[1] == "fire turns (min / median / max): 9 / 11 / 15, was 7 / 9 / 13"
    assert lines[-3:] == [
        "lost catch: L2 was at turn 12 by repeated_plan",
        "moved catch: L1 at turn 9 by search_run, was at turn 9 by repeated_plan | search_run",
        "moved catch: L5 at turn 15 by search_run, was at turn 7 by repeated_plan",
    ]


def test_an_episode_that_is_gone_or_has_another_label() -> None:
    now = [
        replace(one, label="passed") if one.episode_id == "F1" else one for one in pencil() if one.episode_id != "L4"
    ]
    lines = since(pencil(), now)
    assert lines[:3] == ["turn_limit episodes: 4, was 5", "passed episodes: 9, was 8", "failed episodes: 0, was 1"]
    assert lines[-2:] == [
        "gone catch: L4 is no longer among the episodes, was at turn 9 by repeated_plan",
        "relabelled false fire: F1 was failed",
    ]


def test_another_point() -> None:
    lines = since(pencil(), pencil(), at="search_run@10")
    assert lines[0] == "point: search_run@10, was repeated_plan@5 | search_run@10"
    assert "repeated_plan plateau: not in the point, was 5–9, 5 wide" in lines
    assert "search_run plateau: 10–11, 2 wide, was 10–16, 7 wide" in lines
    assert [line for line in lines if line.startswith("lost")] == [
        "lost catch: L2 was at turn 12 by repeated_plan",
        "lost catch: L4 was at turn 9 by repeated_plan",
        "lost other fire: F1 was at turn 7 by repeated_plan",
    ]


def test_many_of_a_kind_are_counted() -> None:
    more = [Drawn(f"X{n:02d}", label, 20, ((0, 0), (0, 12))) for n in range(23) for label in ("passed",)]
    lines = [line for line in since(pencil(), pencil() + more) if line.startswith("new")]
    assert lines[0] == "new false fire: X00 at turn 9 by search_run"
    assert (len(lines), lines[-1]) == (21, "new false fire: 3 more")


@pytest.mark.parametrize("wicked", HOSTILE)
def test_text_stays_text(wicked: str) -> None:
    there, back = since(pencil(), hostile(wicked)), since(hostile(wicked), pencil())
    assert len(there) > 4
    assert len(back) > 4
    assert all(visible(line) == line and len(line) < 400 for line in there + back)
    assert since(hostile(wicked), hostile(wicked)) == ["nothing moved"]


def damaged(change: Callable[[dict[str, Any]], object]) -> bytes:
    whole = json.loads(text(sweep_of(pencil())))
    change(whole)
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"schema_version": 1}', b'{"schema_version": "1"}',
        b'{"schema_version": 1, "groups": []}',
        damaged(lambda whole: whole.pop("fires")),
        damaged(lambda whole: whole["counts"].update(passed="8")),
        damaged(lambda whole: whole["plateaus"]["search_run"].update(low=None)),
        damaged(lambda whole: whole["fires"].append({"episode_id": 1})),
        damaged(lambda whole: whole.update({"support": {"\x1b[2J": 3}})),
        text(sweep_of(pencil())).encode()[:-40],
        text(sweep_of(pencil())).replace('"F1"', '"\\ud800"').encode(),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(
        UsageError, match=r"^r\.json: expected a report of calib report --to json, found another file: "
    ) as caught:
        parse_report(data, "r.json")
    assert visible(str(caught.value)) == str(caught.value)
    assert len(str(caught.value)) < 300


def test_another_schema_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"^r\.json: was written with schema 2, this calib reads schema 1; make it again$"
    ):
        parse_report(damaged(lambda whole: whole.update(schema_version=2, counts=None)), "r.json")


def test_files(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(text(sweep_of(pencil(), at=AT)))
    assert load_report(tmp_path / "report.json") == stored(pencil())
    for name in ("missing.json", "."):
        with pytest.raises(UsageError, match="expected a report of calib report --to json, found no file"):
            load_report(tmp_path / name)
