"""`calib plan`: from a corpus or from two counts to the number of episodes that would decide a limit."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Calib


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
        "  for one of 2 triggers chosen on them (95 %)\n"
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
