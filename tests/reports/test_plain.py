"""What a reader without statistics is told: the right belief, whatever is missing."""

from dataclasses import replace

import pytest

from calib.reports import json, markdown, terminal
from calib.reports._plain import plain
from calib.reports._words import headline_of
from calib.results import Calibrated, Mix, Report, Sweep
from tests.sweeps import FAILING, Drawn, known_of, note, pencil, report_of, sweep_of


def report(drawn: list[Drawn], at: str = "") -> Report:
    found = sweep_of(drawn, at=at)
    return report_of(found, known=known_of(found, drawn=drawn))


def only(*labels: str) -> list[Drawn]:
    return [one for one in pencil() if one.label in labels]


NOTE, PENCIL = report(note()), report(pencil())
FLATTERED = "It was chosen on these very episodes, so it looks better than it is."


def test_the_note() -> None:
    assert plain(NOTE) == (
        "On these episodes the point catches all 30 that ran out of turns and wrongly stops none of the 635 that "
        f"passed. {FLATTERED} Up to 0.745 % of good episodes (1 in 134) may be stopped if new ones are like these. "
        "To know more: episodes that record their task, or --by another key."
    )


def test_too_few_and_other_tasks() -> None:
    assert plain(PENCIL) == (
        "On these episodes the point catches all 5 that ran out of turns and wrongly stops none of the 8 that passed "
        f"(1 could not be observed). {FLATTERED} There are too few to say more than that up to 65.1 % of good episodes "
        "may be stopped if new ones are like these, and up to 99.2 % of other tasks may see one stopped. "
        "To know more: episodes that did not choose the point: --init now, calib report on new ones."
    )


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (report(only("turn_limit")), "How often it would stop good ones is not known."),
        (report(only("turn_limit")), "Its thresholds are the published ones, for nothing here chooses any."),
        (report(only("passed")), "Nothing shows that it catches anything: none of them ran out of turns."),
        (report([replace(one, label="unlabelled") for one in pencil()]), "Nothing can be judged: no episode is "),
        (report(pencil(), "T2@19"), "catches none of the 5 that ran out of turns"),
        (report(pencil(), "T2@19"), "As it is, it is no guard."),
        (report(pencil(), "T2@19"), "It counts as chosen on these very episodes"),
        (report(pencil(), "T1@16"), "A plain limit on turns would save as many."),
        (replace(PENCIL, verdict=FAILING), "It breaks 1 limit of the gate."),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(made: Report, said: str) -> None:
    assert said in plain(made)


def fixed(found: Sweep, held: Calibrated | None) -> str:
    before = replace(found, chosen="before", rule="given")
    return plain(report_of(before, known=known_of(before, drawn=note()), held=held))


def test_fixed_before_is_said_as_far_as_it_is_on_record() -> None:
    held = Calibrated("f" * 64, "closest_pass", NOTE.sweep.point.thresholds, 700, 0, (), None, Mix(5, 8, 1, 13.5))
    for record, said in ((held, "It was fixed before, without them."), (None, "It is said to have been fixed before")):
        text = fixed(NOTE.sweep, record)
        assert said in text
        assert "Up to 0.471 % of good episodes (1 in 212) may be stopped" in text


def test_it_stands_below_the_headline_in_every_report() -> None:
    assert json.report_object(NOTE)["plain"] == plain(NOTE)
    lines = terminal.render(NOTE).split("\n")
    end = lines.index("")
    assert " ".join(lines[1:end]) == plain(NOTE)
    assert f"\n\n{plain(NOTE)}\n\n" in markdown.render(NOTE)


def test_a_trigger_that_cannot_fire_is_not_passed_over() -> None:
    audits = tuple(replace(one, status="tool never called") for one in PENCIL.statistics.reachability[:1])
    made = replace(PENCIL, statistics=replace(PENCIL.statistics, reachability=audits))
    assert "One of its triggers cannot fire here at all" in plain(made)
    assert "cannot fire" not in plain(PENCIL)


def test_what_nobody_could_observe_is_not_said_to_be_spared() -> None:
    blind = [replace(one, n_turns=19, ramps=(None, one.ramps[1])) for one in pencil() if one.label == "passed"]
    made = report([*only("turn_limit"), *blind], "T2@5 | T1@10")
    assert "the point catches all 5 that ran out of turns and may stop any of the 8 that passed, for none" in plain(
        made
    )
    assert headline_of(made.sweep).endswith(
        "0/8 false fires, – other fires; no passed episode could be observed (in sample)"
    )
    assert made.ladder.rungs[1].said == "no passed episode could be observed"
