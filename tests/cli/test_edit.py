"""`calib edit`: what it writes, what it prints, what it refuses."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Calib
from tests.edits.saved import history, kept
from tests.formats.reading import written
from tests.ingest.dumping import episode, line


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return written(tmp_path, "d.jsonl", [
        {"episode_id": "loop", "messages": history("A A A B")},
        {"episode_id": "fine\x1b[31m", "messages": history("A B C")},
    ])  # fmt: skip


def test_it_writes_the_request_after_the_fire(calib: Calib, dump: Path) -> None:
    done = calib("edit", dump, "--by", "F", "--at", "T2@2")
    (only,) = done.out.splitlines()
    request = json.loads(only)
    assert (done.code, request["episode_id"], request["request"]) == (0, "loop", 3)
    assert kept(request["messages"]) == "– – –"
    assert done.err == "1 request of 2 episodes: 1 episode fired, 1 request edited\n"


def test_every_request_goes_to_a_file_that_ingest_reads(calib: Calib, dump: Path, tmp_path: Path) -> None:
    assert calib("edit", dump, "--by", "keep_first", "--turn", "1", "--all-requests", "-o", "r.jsonl").code == 0
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    assert [json.loads(line)["request"] for line in lines] == [0, 1, 2, 3, 0, 1, 2]
    assert calib("ingest", "r.jsonl", "--out", "c").code == 0


def test_the_saved_transcript_is_left_alone(calib: Calib, dump: Path) -> None:
    before = dump.read_bytes()
    calib("edit", dump, "--by", "full", "--turn", "0", "--all-requests")
    assert dump.read_bytes() == before


def test_it_says_when_a_fire_changes_nothing(calib: Calib, dump: Path) -> None:
    done = calib("edit", dump, "--by", "full", "--turn", "1", "--provider", "anthropic")
    assert done.err == "2 requests of 2 episodes: 2 episodes fired, 0 requests edited\n"
    assert ", 0 edited" in calib("edit", dump, "--by", "full", "--turn", "1", "--provider", "openai", "--dry-run").out


def test_it_does_not_write_over_a_dump(calib: Calib, dump: Path) -> None:
    before = dump.read_bytes()
    for source in (dump, dump.parent):
        done = calib("edit", source, "--by", "full", "--turn", "0", "--format", "episode_lines", "-o", "d.jsonl")
        assert (done.code, "expected another file than the dump's own" in done.err) == (2, True)
    assert dump.read_bytes() == before


def test_a_dry_run_prints_the_account(calib: Calib, dump: Path) -> None:
    done = calib("edit", dump, "--by", "full", "--at", "T2@2", "--dry-run")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    found = json.loads(calib("edit", dump, "--by", "full", "--at", "T2@2", "--dry-run", "--to", "json").out)
    loop, fine = found["episodes"]
    assert (loop["fire_turn"], loop["first_changed"], loop["total"]["blocks"]) == (2, 3, 3)
    assert (fine["fire_turn"], fine["rows"]) == (None, [])
    shown = calib("edit", dump, "--by", "full", "--at", "T2@2", "--dry-run", "--to", "markdown", "--episode", "loop")
    assert "| 3 | 8 | 3 | 21 | – | 2 (64) |" in shown.out


def test_a_dry_run_has_a_row_for_what_fires_and_counts_the_rest(calib: Calib, dump: Path) -> None:
    for to in ("terminal", "markdown"):
        shown = calib("edit", dump, "--by", "full", "--at", "T2@2", "--dry-run", "--to", to).out
        assert ("loop" in shown, "fine" in shown) == (True, False)
        assert "\n1 episode in which nothing fires: left as it is.\n" in shown
    alone = calib("edit", dump, "--by", "full", "--at", "T2@2", "--dry-run", "--episode", "loop").out
    assert "nothing fires" not in alone
    never = calib("edit", dump, "--by", "full", "--at", "T2@9", "--dry-run").out
    assert "2 episodes in which nothing fires: left as they are." in never
    assert "loop" not in never


def test_no_two_rows_of_a_dry_run_have_one_name(calib: Calib, tmp_path: Path) -> None:
    ends = ("a/chat_completions_done.jsonl:1", "a/chat_completions_lost.jsonl:1", "b/chat_completions_lost.jsonl:1")
    names = [f"dumps/runs/of/the/week/{end}" for end in ends]
    dump = written(tmp_path, "d.jsonl", [{"episode_id": name, "messages": history("A A A B")} for name in names])
    shown = calib("edit", dump, "--by", "full", "--at", "T2@2", "--dry-run").out
    rows = [line.split()[0] for line in shown.splitlines() if ".jsonl:1" in line]
    assert len(set(rows)) == len(rows) == 3


def test_an_episode_is_found_by_the_end_of_its_id_and_by_its_shown_form(calib: Calib, tmp_path: Path) -> None:
    saved = [{"episode_id": name, "messages": history("A A")} for name in ("runs/one.json#1", "runs/two.json#1")]
    dump = written(tmp_path, "d.jsonl", saved)

    def edited(name: str) -> tuple[int, str, str]:
        done = calib("edit", dump, "--by", "full", "--turn", "0", "--episode", name)
        return done.code, json.loads(done.out)["episode_id"] if done.out else "", done.err

    assert [edited(name)[:2] for name in ("e.json#1", "runs/t…n#1")] == [(0, "runs/one.json#1"), (0, "runs/two.json#1")]
    assert edited("#1") == (2, "", "calib: 2 episodes named '#1', write one out: runs/one.json#1, runs/two.json#1\n")


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (["--by", "full"], "expected --at POINT or --turn T, found neither", 2),
        (["--by", "full", "--at", "T2@7", "--turn", "3"], "found both", 2),
        (["--by", "full", "--turn", "3", "--request", "1", "--all-requests"], "found both", 2),
        (["--by", "strip", "--turn", "3"], "edit 'strip': expected one of", 2),
        (["--by", "full", "--turn", "3", "--provider", "x"], "provider 'x': expected one of", 2),
        (["--by", "full", "--turn", "3", "--episode", "no"], "expected an episode named 'no', found none", 5),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    calib: Calib, dump: Path, words: list[str], said: str, code: int
) -> None:
    done = calib("edit", dump, *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_the_guard_cuts_as_the_pieces_come(calib: Calib, tmp_path: Path) -> None:
    block = "the " * 80 + "z" * 200
    (tmp_path / "loop.jsonl").write_bytes(line(episode("a", [block, "then"])))
    command = ("edit", "loop.jsonl", "--by", "guard", "--turn", "0", "--format", "episode_lines")
    whole, pieces = (calib(*command, *more) for more in ((), ("--chunk", "16")))
    marker = "[thinking truncated: repetition loop detected]"
    assert (("the " * 80).rstrip() in whole.out, marker in whole.out, "zz" in whole.out) == (True, True, False)
    assert ("the the" in pieces.out, marker in pieces.out) == (False, True)
    refused = calib("edit", "loop.jsonl", "--by", "full", "--turn", "0", "--chunk", "16")
    assert (refused.code, "--chunk is for --by guard, found --by full" in refused.err) == (2, True)


def test_a_corpus_is_no_dump(calib: Calib, dump: Path) -> None:
    calib("ingest", dump, "--out", "c")
    done = calib("edit", "c", "--by", "full", "--turn", "0")
    assert (done.code, done.out) == (5, "")
    assert "c: expected a dump, found a corpus of calib; name the dumps that it was made from" in done.err
