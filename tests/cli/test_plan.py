"""`calib plan`: from a corpus or from two counts to the number of episodes that would decide a limit."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import Calib
from tests.corpus import ENCRYPTED, ingested, pencil


def further(calib: Calib, *words: str) -> dict[str, int | None]:
    found = json.loads(calib("plan", *words, "--to", "json").out)
    return {each["chosen"]: each["plan"]["further"] for each in found["planned"]}


@pytest.mark.parametrize(
    ("words", "before", "here"),
    [
        (("--limit", "0.01", "--fired", "0", "--of", "235"), 64, 238),
        (("--limit", "1%", "--of", "235"), 64, 238),
        (("--limit", "0.005", "--of", "635"), 0, 312),
        (("--limit", "0.01", "--fired", "3", "--of", "635"), 138, None),
        (("--limit", "0.05", "--fired", "1", "--of", "42"), 51, None),
        (("--limit", "0.05", "--of", "48"), 11, None),
        (("--limit", "0.01", "--of", "0"), 299, 473),
        (("--limit", "0.01", "--of", "0", "--triggers", "1"), 299, 299),
        (("--limit", "0.01", "--fired", "10", "--of", "635"), None, None),
        (("--limit", "0.01", "--unknown", "3", "--of", "635"), 138, None),
    ],
)
def test_the_worked_figures(calib: Calib, words: tuple[str, ...], before: int | None, here: int | None) -> None:
    found = further(calib, *words)
    assert found["before"] == before
    assert found["here"] == here or here is None


@pytest.mark.parametrize(
    ("words", "more"),
    [(("--of", "30", "--fired", "30", "--limit", "0.95"), 29), (("--of", "6", "--fired", "6", "--limit", "0.9"), 23),
     (("--of", "30", "--fired", "26", "--unknown", "4", "--limit", "0.9"), 59)],
)  # fmt: skip
def test_the_worked_figures_of_the_caught(calib: Calib, words: tuple[str, ...], more: int) -> None:
    assert further(calib, "--caught", *words) == {"before": more}


def test_words(calib: Calib) -> None:
    assert calib("plan", "--limit", "0.01", "--fired", "0", "--of", "235").out == (
        "0 of 235 passed episodes fired: at most 1.27 % for a point fixed before, 2.01 %\n"
        "  for a point of 2 triggers chosen on these episodes (95 %)\n"
        "limit 1 %\n"
        "  fixed before    64 more passed episodes, none of them firing, would decide it\n"
        "  chosen on them  238 more passed episodes, none of them firing, would decide it\n"
    )
    said = calib("plan", "--fired", "10", "--of", "635", "--limit", "0.01", "--limit", "5%").out
    assert "  fixed before    more data will not help unless the rate is lower than seen\n" in said
    assert "limit 5 %\n  fixed before    decided already\n" in said


def test_the_usual_limits_or_that_of_the_configuration(calib: Calib, tmp_path: Path) -> None:
    assert [line for line in calib("plan", "--of", "9").out.split("\n") if line.startswith("limit")] == [
        "limit 5 %", "limit 1 %", "limit 0.5 %", "limit 0.1 %",
    ]  # fmt: skip
    (tmp_path / "calib.toml").write_text("checks = 30\n[gate]\nmax_false_fire_rate = 0.02\n")
    said = calib("plan", "--of", "635").out
    assert said.startswith("0 of 635 passed episodes fired: at most 1.01 % for a point fixed before, 1.36 %")
    assert "(99.8 %)" in said
    assert said.count("limit ") == said.count("limit 2 %") == 1


def test_a_corpus_is_counted(calib: Calib, corpus: Path) -> None:
    found = json.loads(calib("plan", corpus, "--limit", "0.1", "--to", "json").out)
    assert (found["share"]["fired"], found["share"]["unknown"], found["share"]["n"]) == (0, 1, 8)
    counts = further(calib, "--of", "8", "--unknown", "1", "--limit", "0.1")
    assert {each["chosen"]: each["plan"]["further"] for each in found["planned"]} == counts
    one = json.loads(calib("plan", corpus, "T2@3", "--to", "json").out)
    assert (one["share"]["fired"], one["triggers"]) == (3, 1)


def test_nothing_is_promised_of_episodes_that_do_not_record_what_a_trigger_needs(calib: Calib, tmp_path: Path) -> None:
    made = [replace(each, reasoning=[ENCRYPTED] * len(each.reasoning)) for each in pencil() if each.label == "passed"]
    ingested([*made, *(each for each in pencil() if each.label != "passed")], tmp_path)
    point = "T2@9"  # so that P1, P5, P7 and P8 are too short to fire, and 4 of 8 not to be known
    needs = "no number will do until what repeated_plan needs is recorded: it is in no passed episode"
    assert " ".join(calib("plan", tmp_path / "corpus", point, "--limit", "1%").out.split()).count(needs) == 2
    found = json.loads(calib("plan", tmp_path / "corpus", point, "--limit", "1%", "--to", "json").out)
    assert (found["share"]["unknown"], found["share"]["n"]) == (4, 8)
    assert {each["plan"]["further"] for each in found["planned"]} == {None}
    caught = calib("plan", tmp_path / "corpus", point, "--caught", "--limit", "0.5").out
    assert "more turn_limit episodes, all of them caught, would decide it" in caught
    (tmp_path / "calib.toml").write_text(f'point = "{point} | T1@12"\n[gate]\nmax_false_fire_rate = 0.01\n')
    assert needs in " ".join(calib("report", tmp_path / "corpus").out.split())


def test_one_trigger_that_is_observable_is_enough_to_catch(calib: Calib, tmp_path: Path) -> None:
    made = [replace(each, reasoning=[ENCRYPTED] * len(each.reasoning)) for each in pencil()]
    ingested(made, tmp_path)
    both = calib("plan", tmp_path / "corpus", "T2@9 | T1@10", "--caught", "--limit", "0.9").out
    assert "needs" not in both
    told = "no number will do until what repeated_plan needs is recorded: it is in no turn_limit episode"
    assert told in " ".join(calib("plan", tmp_path / "corpus", "T2@9", "--caught", "--limit", "0.9").out.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "plan: expected a CORPUS, or --fired N --of N; found neither"),
        (("corpus", "--of", "3"), "found both"),
        (("--of", "3", "--limit", "2"), "--limit: expected a share such as 0.01 or 1%, found '2'"),
        (("--of", "3", "--limit", "nan"), "--limit: expected a share"),
        (("--of", "3", "--limit", "0"), "--limit: expected a share"),
        (("--of", "3", "--fired", "4"), "plan: expected at most --of 3 episodes, found 4 fired and 0 unknown"),
    ],
)
def test_usage(calib: Calib, words: tuple[str, ...], said: str) -> None:
    done = calib("plan", *words)
    assert done.code == 2
    assert said in done.err
