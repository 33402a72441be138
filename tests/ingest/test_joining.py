"""Labels beside a dump: what disagrees is counted as a notice of its source, and the corpus stays sound."""

from pathlib import Path

import pytest

from calib.check import check
from calib.corpus import open_corpus
from calib.errors import UsageError
from calib.files import digest_of
from calib.ingest import ingest
from tests.ingest.dumping import Made, episode, line, made


def test_a_conflict_is_a_notice_of_its_source(tmp_path: Path) -> None:
    lines = [f'{{"episode_id": "{name}", "outcome": "fail", "messages": []}}\n' for name in "ab"]
    (tmp_path / "d.jsonl").write_text("".join(lines))
    (tmp_path / "l.csv").write_text("episode_id,outcome\na,pass\nb,fail\n")
    ingest([tmp_path / "d.jsonl"], tmp_path / "corpus", labels=tmp_path / "l.csv")
    corpus = open_corpus(tmp_path / "corpus")
    assert [source["notices"] for source in corpus.manifest["sources"]] == [{"label-conflict": 1}]
    (frame,) = corpus.read("episodes", ["label", "label_source"])
    assert frame.rows() == [("unlabelled", "conflict"), ("failed", "dump")]
    assert check(corpus.path).findings == ()


def joined(folder: Path, ends: list[dict[str, str]], labels: str) -> Made:
    """Ingest episodes a, b, c … with these ends, and join a labels file."""
    folder.mkdir(exist_ok=True)
    (folder / "l.csv").write_text(labels)
    lines = (line(episode(chr(97 + at), **end)) for at, end in enumerate(ends))
    return made(folder, {"d.jsonl": b"".join(lines)}, labels=folder / "l.csv")


FAILED = {"outcome": "fail"}


def test_stop_reasons_of_a_labels_file_that_are_not_understood_are_told_and_noticed(tmp_path: Path) -> None:
    """Like those of a dump; words that are known to say nothing are only noticed."""
    rows = "episode_id,outcome,stop_reason\na,fail,went home\nb,fail,went home\nc,fail,none\nd,fail,max_turns\n"
    found = joined(tmp_path, [{}] * 4, rows)
    assert found.summary.notices == {"unknown-stop": 3}
    assert found.summary.messages == (
        "l.csv: stop reasons in words that are not known, so that they decide nothing: 'went home' (2) "
        "(docs/labels.md)",
    )
    assert found.summary.labels == {"failed": 3, "turn_limit": 1}


def test_a_stop_reason_that_the_dump_has_too_is_noticed_once(tmp_path: Path) -> None:
    found = joined(tmp_path, [{"stop_reason": "went home"}], "episode_id,stop_reason\na,went home\n")
    assert found.summary.notices == {"unknown-stop": 1}


def test_outcomes_of_a_labels_file_that_are_none_are_noticed(tmp_path: Path) -> None:
    found = joined(tmp_path, [{}, FAILED], "episode_id,outcome\na,so so\nb,so so\n")
    assert found.summary.notices == {"unknown-outcome": 1}  # that of b is known
    assert found.summary.messages == (
        "l.csv:2: outcome: expected pass or fail, found 'so so'; kept as metadata (1 more such)",
    )


def test_episodes_on_which_dump_and_file_disagree_are_named(tmp_path: Path) -> None:
    rows = "".join(f"{chr(97 + at)},pass\n" for at in range(7))
    found = joined(tmp_path, [FAILED] * 7, f"episode_id,outcome\n{rows}")
    assert found.summary.messages == (
        *(f"{chr(97 + at)}: outcome: the dump says failed, l.csv:{at + 2} says passed; left unlabelled"
          for at in range(5)),
        "l.csv: more episodes on which the file and the dump, or two rows, disagree: 2",
    )  # fmt: skip
    told = joined(tmp_path / "same", [FAILED | {"stop_reason": "error"}], "episode_id,exit_status\na,submitted\n")
    assert told.summary.messages == (
        "a: stop_reason: the dump says 'error', l.csv:2 says 'submitted'; failed either way",
    )


def test_faults_that_say_the_same_are_told_once(tmp_path: Path) -> None:
    rows = "".join(f"x{at},won\n" for at in range(7)) + "".join(f"y{at},w{at}\n" for at in range(5))
    found = joined(tmp_path, [FAILED], f"episode_id,label\na,failed\n{rows}")
    heads = [message.partition("expected")[0] for message in found.summary.messages]
    assert heads == ["l.csv:3: label: ", *(f"l.csv:{at}: label: " for at in range(10, 14)),
                     "l.csv: more rows or cells not used: 1"]  # fmt: skip
    assert found.summary.messages[0].endswith("found 'won'; row not used (6 more such)")


def test_columns_of_a_labels_file_that_tell_nothing_are_told(tmp_path: Path) -> None:
    found = joined(tmp_path, [FAILED], "episode_id,outcme\na,pass\n")
    assert found.summary.messages == (
        "l.csv: no column tells how an episode ended, found 'episode_id', 'outcme': is 'outcme' meant as 'outcome'? "
        "(docs/labels.md)",
    )


@pytest.mark.parametrize("few", [2, 32])
def test_notices_of_a_file_stand_with_each_source_packed_or_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("calib.ingest.grouping.FEW", few)
    (tmp_path / "l.csv").write_text("episode_id,stop_reason\na,went home\nb,max_turns\nc,went home\n")
    files = {name: line(episode(name, stop_reason="odd")) if name == "c" else line(episode(name)) for name in "abc"}
    found = made(tmp_path, files, labels=tmp_path / "l.csv")
    notices = [source["notices"] for source in open_corpus(found.folder).manifest["sources"]]
    assert notices == [{"unknown-stop": 1}, {}, {"unknown-stop": 2}]
    assert check(found.folder).findings == ()


def test_options_that_a_run_leaves_out_are_told_with_what_became_of_the_labels(tmp_path: Path) -> None:
    dump = {"d.jsonl": line(episode("a")) + line(episode("b", stop_reason="max_steps"))}
    (tmp_path / "l.csv").write_text("episode_id,outcome\na,pass\n")
    made(tmp_path, dump, labels=tmp_path / "l.csv", positives=("turn_limit", "step_limit"))
    left = made(tmp_path, dump, positives=("turn_limit", "step_limit"))
    digest = digest_of(tmp_path / "l.csv")[:8]
    assert left.summary.messages == (
        f"{left.folder}: was made with --labels FILE (SHA-256 {digest}…), left out now: "
        "labels were 1 turn_limit, 1 passed, are 1 turn_limit, 1 unlabelled; name it again to go back",
    )
    assert made(tmp_path, dump, labels=tmp_path / "l.csv", text=False).summary.messages == (
        "l.csv: 1 episode has no row: b",
        f"{left.folder}: was made with --positive turn_limit,step_limit, left out now: "
        "labels were 1 turn_limit, 1 unlabelled, are 1 passed, 1 unlabelled; name it again to go back",
    )
    assert made(tmp_path, dump).summary.messages == (
        f"{left.folder}: was made with --no-text and --labels FILE (SHA-256 {digest}…), left out now: "
        "labels were 1 passed, 1 unlabelled, are 2 unlabelled; name them again to go back",
    )
    assert made(tmp_path, dump, turn_limit=9).summary.messages == ()  # an option more is no option left out
    assert made(tmp_path, dump, turn_limit=8).summary.messages == ()
    assert made(tmp_path / "new", dump).summary.messages == ()


def test_a_refusal_names_the_option_that_differs_with_both_values(tmp_path: Path) -> None:
    made(tmp_path, {"a": line(episode("a"))}, turn_limit=30, redact=True)
    (tmp_path / "l.csv").write_text("episode_id,outcome\nb,pass\n")
    with pytest.raises(UsageError) as caught:
        made(tmp_path, {"b": line(episode("b"))}, redact=True, labels=tmp_path / "l.csv")
    assert str(caught.value) == (
        f"{tmp_path / 'corpus'}: holds a and was made with --turn-limit 30 and no --labels, this run has "
        f"no --turn-limit and --labels FILE (SHA-256 {digest_of(tmp_path / 'l.csv')[:8]}…); name every dump again or "
        "choose another --out"
    )
