"""The duel in words: golden files, 80 columns, nothing silent, hostile names."""

import json
from dataclasses import replace

import pytest

from calib.contest import Duel
from calib.duel import Rival, duel
from calib.reports._columns import cells, name
from calib.reports.duel import BEGINS, render_json, render_markdown, render_terminal
from tests import golden
from tests.sweeps import HOSTILE, hostile, note, pencil, scored

RIVALS = [
    Rival("repeated_plan", {"repeated_plan": 7}),
    Rival("search_run", {"search_run": 4}),
    Rival("repeated_plan@7 | search_run@35", {"repeated_plan": 7, "search_run": 35}),
    Rival("late", {"repeated_plan": None}),
    Rival("silent", {"search_run": 2_000_000}),
]


def made() -> Duel:
    return duel(scored(pencil()), RIVALS)


def test_golden() -> None:
    golden.check("duel.txt", render_terminal(made()))
    golden.check("duel.md", render_markdown(made()))
    golden.check("duel.json", render_json(made()))


def test_lines_fit() -> None:
    wide = [Rival("a" * 90, {"repeated_plan": 7}), *RIVALS]
    for found in (duel(scored(note()), wide), duel(scored(note(scale=40)), wide)):
        assert max(map(cells, render_terminal(found).split("\n"))) <= 80


def test_nothing_is_silent() -> None:
    said = render_terminal(made())
    flat = " ".join(said.split())
    assert "not observable in 0/5 turn_limit, 1/8 passed, 0/1 failed: late, repeated_plan" in flat
    assert "fires in no episode: search_run@2000000" in flat
    assert "no threshold was published: late" in flat
    assert "0/7 at most" in flat


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_episodes_stay_quiet(text: str) -> None:
    found = duel(scored(hostile(text)), RIVALS[:2])
    terminal, markdown = render_terminal(found), render_markdown(found)
    assert all(letter == "\n" or letter.isprintable() for letter in terminal)
    assert not any(line.lstrip().startswith("::") for line in terminal.split("\n"))
    assert "<script" not in markdown.replace("`", "").split("only ")[0]
    json.loads(render_json(found))


def test_two_rules_that_differ_in_the_middle_keep_two_names() -> None:
    cut = [name(f"openhands_v{at}_alternation@4", 22, BEGINS) for at in (0, 1)]
    assert cut == ["openhands_v0_al…tion@4", "openhands_v1_al…tion@4"]


def test_without_labels_there_are_words_and_no_empty_tables() -> None:
    found = duel(scored([replace(one, label="unlabelled") for one in pencil()]), RIVALS)
    for text in (render_terminal(found), render_markdown(found)):
        flat = " ".join(text.split())
        assert "0 passed, 0 failed; 14 unlabelled" in flat
        assert "no episode is labelled, so no rule can be judged: join outcomes with calib ingest --labels FILE" in flat
        assert "caught false" not in flat
        assert "| rule" not in flat


def test_a_table_without_a_row_says_so() -> None:
    quiet = duel(scored(pencil()), [Rival("silent", {"search_run": 2_000_000})])
    assert render_terminal(quiet).count("no rule fires in a labelled episode") == 1
    assert render_markdown(quiet).count("no rule fires in a labelled episode.") == 1


def test_what_no_call_could_fire_is_said_apart_from_what_fires_nowhere() -> None:
    found = made()
    silent = replace(found, contenders=tuple(replace(one, called=one.name != "silent") for one in found.contenders))
    flat = " ".join(render_terminal(silent).split())
    assert "no call is one that they look at, so they cannot fire here: silent" in flat
    assert "fires in no episode: search_run@2000000" not in flat


def test_where_no_run_ended_at_a_limit_no_rule_is_set_against_counting_turns() -> None:
    found = duel(scored([one for one in pencil() if one.label != "turn_limit"]), RIVALS)
    said = render_terminal(found)
    assert "*" not in said + render_markdown(found).replace("**", "")
    assert "no turn_limit episode: nothing is caught, and no rule is set against a plain turn count" in (
        " ".join(said.split())
    )
    assert "* does not beat plain turn count" in render_terminal(made())


def test_long_ids_of_what_only_one_rule_catches_fit_the_page() -> None:
    drawn = [replace(one, episode_id=f"{'runs/' * 20}{one.episode_id}") for one in pencil()]
    shown = render_terminal(duel(scored(drawn), RIVALS[:1]))
    assert " catches runs/" in " ".join(shown.split())
    assert max(map(cells, shown.split("\n"))) <= 80
