"""Real transcripts, where they are at hand: every file is read or named, and the account adds up."""

from collections import Counter
from pathlib import Path

import pytest

from calib.check import check
from calib.corpus import Corpus, open_corpus
from calib.ingest import ingest
from calib.score import score
from calib.sweep import sweep
from scripts.corpora_table import DOCUMENT, HEAD, table

ROOT = Path(__file__).parent.parent
CORPORA = next((path for path in (ROOT.parent / "shared/corpora", ROOT / "../shared/corpora") if path.is_dir()), None)
pytestmark = pytest.mark.skipif(CORPORA is None, reason="the open corpora are not at hand (../shared/corpora)")

UNKNOWN = {
    "LABELS.jsonl": 1, "MANIFEST.jsonl": 1, "README.md": 1,  # about the corpora
    "antigravity": 2, "cursor": 5, "droid": 6, "grok": 4, "kimi": 5, "qwen": 6,  # harnesses that calib does not read
    "opencode": 4,  # made-up parts of OpenCode's store that do not name their session
    "test_skeleton": 9,  # pieces of Inspect's viewer, no logs
    "other_who_and_when": 4,  # annotated logs of several agents, without turns of one
    "gemini": 1,  # a made-up shape of Gemini CLI
    "few_shot_data": 1,  # prompts
    "preds.10bc90.json": 1, "deepseek__deepseek-chat_results.md": 1, "example_model_output.json": 1,  # results
    "base_state.json": 1,  # the state beside OpenHands events
}  # fmt: skip
"""What is no transcript, or one of a harness that is not read, and how many files of it there are."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpora")
    ingest([CORPORA or ""], folder / "corpus")
    return open_corpus(folder / "corpus")


def test_the_corpus_agrees_with_itself(corpus: Corpus) -> None:
    assert check(corpus.path).findings == ()


def test_every_file_is_read_or_named_as_no_transcript(corpus: Corpus) -> None:
    unknown = [
        source["source"] for source in corpus.manifest["sources"] if "unknown-format" in source["account"]["rejected"]
    ]
    named = Counter(next((name for name in UNKNOWN if name in source), source) for source in unknown)
    assert dict(named) == UNKNOWN


def test_the_table_in_the_documentation_is_what_is_read(corpus: Corpus) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text.startswith(HEAD + table(corpus))


def test_step_limits_that_both_detectors_miss(tmp_path: Path) -> None:
    """Five tau2 episodes end at max_steps, with no reasoning recorded and no long reading run."""
    files = [path for path in ((CORPORA or ROOT) / "tau2_bench").rglob("*.json") if "max_steps" in path.read_text()]
    ingest(files, tmp_path / "corpus", positives=("turn_limit", "step_limit"))
    found = sweep(score(open_corpus(tmp_path / "corpus")), at=None)
    assert found.counts.turn_limit == 5
    assert found.not_observable["repeated_plan"] == found.counts.episodes
    ends = open_corpus(tmp_path / "corpus").read("episodes", ["stop_reason"])
    assert Counter(str(row) for part in ends for row in part["stop_reason"])["max_steps"] == 5


def test_a_turn_limited_episode_may_pass(tmp_path: Path) -> None:
    ingest([(CORPORA or ROOT) / "intercode"], tmp_path / "corpus")
    rows = [
        row
        for part in open_corpus(tmp_path / "corpus").read(
            "episodes", ["episode_id", "label", "stop_reason", "turn_limit", "n_turns"]
        )
        for row in part.to_dicts()
    ]
    limited = [row for row in rows if row["stop_reason"] and "TURN" in row["stop_reason"].upper()]
    assert {row["label"] for row in limited} == {"passed", "turn_limit"}
