"""The terminal report: the whole story in 80 columns, the verdict last."""

import re
import unicodedata

import pytest

from calib.gate import rates_of
from calib.reports import terminal
from calib.reports._columns import cells
from calib.results import Lost, Moved
from tests import golden
from tests.sweeps import FAILING, HOSTILE, NOTHING, Drawn, hostile, known_of, note, pencil, report_of, sweep_of

SWEPT = sweep_of(pencil(), lost=Lost(1, 312, 48_213, {"not_json": 1}), warnings=("a warning",))
PENCIL = report_of(
    SWEPT,
    FAILING,
    Moved(("caught 4 -> 5: L3",), "calib 0.0.9, schema 1, 13 episodes"),
    known_of(SWEPT, drawn=pencil()),
)
SIZES = {
    "pencil": PENCIL,
    "note": report_of(sweep_of(note(), excluded=48)),
    "large": report_of(sweep_of(note(scale=20))),
    "no turn_limit": report_of(sweep_of(note(labels=("passed", "failed")))),
    "no passed": report_of(sweep_of(note(labels=("turn_limit", "failed")))),
    "unlabelled": report_of(sweep_of(note(labels=()))),
}


def test_the_pencil_report_is_as_accepted() -> None:
    golden.check("terminal.txt", terminal.render(PENCIL))


def test_the_reports_of_groups_are_as_accepted() -> None:
    parts = [drawn for drawn in pencil() if drawn.episode_id[1] in "12"], pencil()
    reports = [report_of(sweep_of(part, group=group), verdict) for part, group, verdict in zip(
        parts, ("model=small", "model=large"), (FAILING, NOTHING), strict=True)]  # fmt: skip
    text = terminal.render(reports)
    golden.check("terminal-groups.txt", text)
    assert text.splitlines()[-1] == FAILING.line  # the worst stands for all


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("width", [40, 60, 80, 132])
def test_no_line_is_wider_than_asked_from_eighty_on(name: str, width: int) -> None:
    text = terminal.render(SIZES[name], width)
    assert text.endswith("\n")
    assert text.splitlines()[-1] == SIZES[name].verdict.line
    if width >= 80:
        assert max(map(cells, text.splitlines())) <= width


def test_the_note_in_its_own_words() -> None:
    text = terminal.render(SIZES["note"])
    assert "30/30 caught, 0/635 false fires, 1/42 other fires" in text
    flat = " ".join(text.split())
    assert (
        "0 of 635 passed episodes: at most 0.745 % (95 %, point chosen on these episodes; "
        "0.471 % had it been fixed before)" in flat
    )
    assert "repeated_plan 7–39, 33 wide: 6 fires on passed-000011 (passed), 40 loses turn_limit-000000" in flat
    assert "repeated_plan 7–39 × search_run 35–53: 627 pairs" in flat


def test_plain_by_default_and_coloured_when_asked() -> None:
    plain, coloured = terminal.render(PENCIL), terminal.render(PENCIL, colour=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert "\x1b[31;1mverdict: FAIL" in coloured


@pytest.mark.parametrize("name", ["no turn_limit", "no passed", "unlabelled"])
def test_missing_labels_are_said_and_levels_shown_instead(name: str) -> None:
    text = terminal.render(SIZES[name])
    assert "highest levels (no " in text
    assert "unlabelled" in text
    if name == "unlabelled":
        assert "caught," not in text
        assert "plateaus" not in text


def test_a_sweep_alone_has_no_verdict() -> None:
    swept = [PENCIL.sweep, SIZES["note"].sweep]
    text = terminal.render_sweeps(swept, [rates_of(one, 0.05) for one in swept])
    assert "verdict" not in text
    assert "groups (" in text
    single = terminal.render_sweeps(swept[:1], [rates_of(swept[0], 0.05)])
    assert "groups (" not in single
    assert single.rstrip("\n") + "\n" == single


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_support_episodes_do_nothing(text: str) -> None:
    """T1, T2, T3, T5: nothing acts, no line is forged, nothing is an order to a GitHub log, brackets stay."""
    found = sweep_of(hostile(text), group=f"model={text}", warnings=(text,))
    known = known_of(found, drawn=hostile(text))
    report = report_of(found, FAILING, Moved((text, f"b {text}"), text), known, notes=(f"note {text}",))
    shown = terminal.render(report)
    assert not [c for c in shown if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")]
    assert shown.encode()
    lines = shown.splitlines()
    assert not [line for line in lines[:-1] if line.startswith("verdict")]
    assert not [line for line in lines if line.lstrip().startswith("::") or "##[" in line]
    if len(text) < 100:
        assert max(map(cells, lines)) <= 80
    if text.startswith("[red]"):
        assert "[red]x[/bold]" in shown


def test_where_there_is_no_map_the_reader_is_told_why() -> None:
    three = [Drawn(one.episode_id, one.label, one.n_turns, (*one.ramps, (0, at))) for at, one in enumerate(pencil())]
    said = terminal.render(report_of(sweep_of(three, detectors=("repeated_plan", "search_run", "same_text"))))
    assert "no map of 3 detectors: name two of them, such as repeated_plan search_run" in said
