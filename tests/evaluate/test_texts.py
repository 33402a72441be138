"""Levels read off texts: the same on a corpus with text, without it, and with names masked."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calib.corpus import Corpus, open_corpus
from calib.ingest import ingest
from calib.score import Scored, score
from calib.tables import COUNTED
from tests.corpus import Episode, episode_lines

PLAN = "Step {n}: I look at src/parser.py again, mail me@example.org at 14:0{n} and run the tests.\n"
STORY = [
    Episode("loops", "turn_limit", [PLAN.format(n=n) for n in range(6)] + ["「" * 15, "the " * 80], [["t"]] * 8),
    Episode("fine", "passed", ["first", "second " + "x" * 70, None, " \n"], [["t"], ["t"], [], ["t"]]),
    Episode("none", "passed", [None, None], [["t"], ["t"]]),
]
RULES = (*(f"scan({level})" for level in COUNTED[1:]), "lag(masked_reasoning,1)", "scan(guard_words,words=20)")


def scored(folder: Path, **options: Any) -> Scored:
    folder.mkdir()
    (folder / "d.jsonl").write_bytes(episode_lines(STORY))
    ingest([folder / "d.jsonl"], folder / "c", workers=1, **options)
    corpus: Corpus = open_corpus(folder / "c")
    return score(corpus, list(RULES))


@pytest.mark.parametrize("options", [{"text": False}, {"redact": True}])
def test_a_corpus_without_its_texts_scores_the_same(tmp_path: Path, options: dict[str, bool]) -> None:
    full, bare = scored(tmp_path / "full"), scored(tmp_path / "bare", **options)
    for rule in RULES[:-1]:
        assert full.reach[rule].level.tolist() == bare.reach[rule].level.tolist(), rule
        assert full.reach[rule].turn.tolist() == bare.reach[rule].turn.tolist(), rule
        assert np.array_equal(full.observable[rule], bare.observable[rule]), rule


def test_the_levels_are_there(tmp_path: Path) -> None:
    found = scored(tmp_path / "full")
    loops = found.episodes["episode_id"].to_list().index("loops")
    assert found.peaks["lag(masked_reasoning,1)"][loops] == 5
    assert found.peaks["scan(guard_brackets)"][loops] == 15
    assert found.peaks["scan(guard_cue_words)"][loops] == 80


def test_other_gates_need_the_text_as_recorded(tmp_path: Path) -> None:
    full, bare = scored(tmp_path / "full"), scored(tmp_path / "bare", text=False)
    rule = RULES[-1]
    assert dict(zip(full.episodes["episode_id"], full.observable[rule].tolist(), strict=True)) == {
        "fine": True, "loops": True, "none": False,
    }  # fmt: skip
    assert not bare.observable[rule].any()
