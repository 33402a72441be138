"""A point chosen on one corpus and judged on another: plain bound on other episodes, refused on its own."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Calib, Done
from tests.corpus import Episode, ingested, pencil

LATER = 3
"""Further turns that make a later episode another one."""


def later(episodes: list[Episode]) -> list[Episode]:
    """Give the same agents other work: every episode has other content, and another id."""
    return [
        replace(
            one,
            episode_id=f"later-{one.episode_id}",
            reasoning=[*one.reasoning, *(f"more {turn}" for turn in range(LATER))],
            tools=[*one.tools, *[["write_file"]] * LATER],
        )
        for one in episodes
    ]


def renamed(episodes: list[Episode]) -> list[Episode]:
    return [replace(one, episode_id=f"renamed-{one.episode_id}") for one in episodes]


@pytest.fixture
def begun(calib: Calib, corpus: Path) -> Calib:
    """The point was chosen on the pencil corpus and written down."""
    done = calib("report", corpus, "--init")
    assert (done.code, done.err) == (
        0,
        "wrote calib.toml and calib.calibrated.json; calib report judges against them from now on\n",
    )
    return calib


def false_fires(done: Done) -> dict[str, Any]:
    found = json.loads(done.out)["statistics"]
    return {"chosen": found["chosen"], **found["false_fires"]}


def test_on_its_own_episodes_the_point_counts_as_chosen_here(begun: Calib, corpus: Path) -> None:
    found = false_fires(begun("report", corpus, "--to", "json"))
    assert found["chosen"] == "here"
    assert found["adjusted_upper"] > found["one_sided_upper"]
    assert "these are the data that calibrated_on names" in " ".join(begun("report", corpus).out.split())


def test_on_other_episodes_it_gets_the_plain_bound_and_drift_is_told(begun: Calib, tmp_path: Path) -> None:
    ingested(later(pencil()), tmp_path / "new")
    found = false_fires(begun("report", "new/corpus", "--to", "json"))
    assert (found["chosen"], found["adjusted_upper"]) == ("before", None)
    said = " ".join(begun("report", "new/corpus").out.split())
    assert "(in sample)" not in said
    assert "chosen by closest pass on 14 other episodes" in said
    assert "no sign of drift: 0 of 7 later passed episodes above every calibration pass" in said
    assert "no drift" not in said
    assert "then 5/8/1 turn_limit/passed/failed of median 13.5 turns; now 5/8/1 turn_limit/passed/failed of" in said


def test_copies_among_the_episodes_that_chose_the_point_are_told_apart(calib: Calib, tmp_path: Path) -> None:
    copies = [replace(one, episode_id=f"{one.episode_id}-again") for one in pencil()[:2]]
    ingested([*pencil(), *copies], tmp_path / "old")
    ingested(later(pencil()), tmp_path / "new")
    assert calib("report", "old/corpus", "--init").code == 0
    said = " ".join(calib("report", "new/corpus").out.split())
    assert "chosen by closest pass on 16 other episodes (14 different), data " in said
    assert "the point was fixed before on 16 other episodes (14 different): " in said
    assert "then 7/8/1 turn_limit/passed/failed" in said


def test_a_rung_that_is_ticked_does_not_say_no(begun: Calib, tmp_path: Path) -> None:
    ingested(later(pencil()), tmp_path / "new")
    said = " ".join(begun("report", "new/corpus").out.split())
    assert "✓ 0 in sample better than that: the point was fixed before these episodes, so they do not" in said


def test_renamed_files_and_ids_do_not_make_other_episodes(begun: Calib, tmp_path: Path) -> None:
    ingested(renamed(pencil()), tmp_path / "same")
    done = begun("report", "same/corpus", "--to", "json")
    assert false_fires(done)["chosen"] == "here"
    held = json.loads(done.out)["held_out"]
    assert (held["shared"], held["calibrated"]) == (14, 14)
    said = " ".join(begun("report", "same/corpus").out.split())
    assert "14 of these 14 episodes are among those the point was chosen on" in said


def test_a_grown_corpus_is_no_later_corpus_but_its_new_episodes_are(begun: Calib, tmp_path: Path) -> None:
    ingested([*renamed(pencil())[:5], *later(pencil())], tmp_path / "grown")
    mixed = begun("report", "grown/corpus", "--to", "json")
    assert false_fires(mixed)["chosen"] == "here"
    assert json.loads(mixed.out)["held_out"]["shared"] == 5
    assert "5 of these 19 episodes are among those" in " ".join(begun("report", "grown/corpus").out.split())
    new = begun("report", "grown/corpus", "--unseen", "--to", "json")
    assert false_fires(new)["chosen"] == "before"
    counts = json.loads(new.out)["counts"]
    assert (counts["turn_limit"] + counts["passed"] + counts["failed"], counts["excluded"]) == (14, 5)


def test_nothing_unseen_is_exit_5(begun: Calib, corpus: Path) -> None:
    done = begun("report", corpus, "--unseen")
    assert done.code == 5
    assert "--unseen: all 14 episodes are among those the point was chosen on" in done.err


def test_another_point_than_the_one_fixed_is_chosen_here(begun: Calib, tmp_path: Path) -> None:
    ingested(later(pencil()), tmp_path / "new")
    assert false_fires(begun("report", "new/corpus", "--point", "T2@6 | T1@10", "--to", "json"))["chosen"] == "here"
    same = false_fires(begun("report", "new/corpus", "--point", "T2@5 | T1@10", "--to", "json"))
    assert same["chosen"] == "before"


def test_higher_than_every_calibration_pass_is_said_plainly(begun: Calib, tmp_path: Path) -> None:
    high = [replace(one, tools=[["grep"]] * len(one.tools)) for one in later(pencil()) if one.label == "passed"]
    ingested(high, tmp_path / "new")
    said = " ".join(begun("report", "new/corpus").out.split())
    assert "went higher than every calibration pass (p = 0.0" in said
    assert "do not rely on the guarantee" in said


def test_a_foreign_record_is_not_overwritten_and_a_wrong_one_not_believed(
    calib: Calib, corpus: Path, tmp_path: Path
) -> None:
    record = tmp_path / "calib.calibrated.json"
    record.write_text("mine")
    assert calib("report", corpus, "--init").code == 2
    assert (record.read_text(), (tmp_path / "calib.toml").exists()) == ("mine", False)
    record.unlink()
    assert calib("report", corpus, "--init").code == 0
    text = (tmp_path / "calib.toml").read_text()
    kept = "\n".join(line for line in text.split("\n") if not line.startswith("calibrated_on"))
    (tmp_path / "calib.toml").write_text('calibrated_on = "abcabcabcabc"\n' + kept)
    done = calib("report", corpus)
    assert done.code == 2
    assert "expected the record of calibrated_on abcabcabcabc, found another" in done.err


def test_a_lost_record_never_gives_the_narrower_bound(begun: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "calib.calibrated.json").unlink()
    assert false_fires(begun("report", corpus, "--to", "json"))["chosen"] == "here"
    for name, episodes in (("part", renamed(pencil())[:5]), ("new", later(pencil()))):
        ingested(episodes, tmp_path / name)
        done = begun("report", f"{name}/corpus")
        said = " ".join(done.out.split())
        assert "(in sample)" in said
        assert "calib.calibrated.json is missing, so nobody can tell whether these episodes chose the point" in said
        found = false_fires(begun("report", f"{name}/corpus", "--to", "json"))
        assert found["chosen"] == "here"
    assert found["adjusted_upper"] > found["one_sided_upper"]


def test_another_point_than_that_of_the_record_was_not_fixed_before(begun: Calib, tmp_path: Path) -> None:
    ingested(later(pencil()), tmp_path / "new")
    text = (tmp_path / "calib.toml").read_text()
    (tmp_path / "calib.toml").write_text(text.replace("search_run@10", "search_run@11"))
    done = begun("report", "new/corpus", "--to", "json")
    assert false_fires(done)["chosen"] == "here"
    assert json.loads(done.out)["notes"][0].startswith("the record is of another point, repeated_plan@5 | search_run@")


def test_init_keeps_what_pyproject_says_of_the_gate_and_refuses_options_it_would_pass_over(
    calib: Calib, corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.calib]\nchecks = 52\nunit = "task"\n', encoding="utf-8")
    refused = calib("report", corpus, "--init", "--unseen", "--to", "json", "-o", "report.json")
    assert (refused.code, (tmp_path / "calib.toml").exists()) == (2, False)
    assert refused.err == ("calib: --init: expected none of the options of a report, found --unseen, --output, --to\n")
    done = calib("report", corpus, "--init")
    assert "[tool.calib] of pyproject.toml, its limits too, no longer counts where calib.toml is read" in done.err
    written = (tmp_path / "calib.toml").read_text(encoding="utf-8")
    assert "\nchecks = 52\n" in written
    assert '\nunit = "task"\n' in written


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('mine = "lag(reasoning,1)', 'mine = "run(idle)', "mine no longer counts what the record says"),
        ("[tools]", '[tools]\nreads = ["write_file"]', "search_run no longer counts what the record says"),
        ("[tools]", '[tools]\nreads = ["write_file"]\nonly = true', "search_run no longer counts what the record says"),
        ("checks = 1", "checks = 2", ""),
    ],
)
def test_another_meaning_of_a_detector_was_not_fixed_before(
    calib: Calib, corpus: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    (tmp_path / "calib.toml").write_text('[detectors]\nmine = "lag(reasoning,1)@5"\n', encoding="utf-8")
    assert calib("report", corpus, "mine@5 | T1@10", "--init", "--config", "k.toml").code == 0
    written = (tmp_path / "k.toml").read_text(encoding="utf-8")
    assert old in written
    (tmp_path / "k.toml").write_text(written.replace(old, new), encoding="utf-8")
    ingested(later(pencil()), tmp_path / "new")
    done = calib("report", "new/corpus", "--config", "k.toml", "--to", "json")
    found = json.loads(done.out)
    assert found["chosen"] == ("here" if said else "before")
    assert any(note.startswith(said) for note in found["notes"]) or not said
    assert ("sign of drift" in calib("report", "new/corpus", "--config", "k.toml").out) == (not said)


def test_without_calibrated_on_the_record_still_knows_who_chose_the_point(
    begun: Calib, corpus: Path, tmp_path: Path
) -> None:
    path = tmp_path / "calib.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("calibrated_on = ", "# "), encoding="utf-8")
    found = json.loads(begun("report", corpus, "--to", "json").out)
    assert found["chosen"] == "here"
    assert "14 of these 14 episodes are among those the point was chosen on" in found["notes"][0]
    (tmp_path / "calib.calibrated.json").unlink()
    claimed = json.loads(begun("report", corpus, "--to", "json").out)
    assert claimed["chosen"] == "before"
    assert not claimed["ladder"]["rungs"][3]["reached"]
