"""Input that no one meant: said in one line, or answered with what there is, never with a traceback."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from calib.cli import run
from tests.cli.conftest import Calib
from tests.cli_faults.hostile import acts_on_a_terminal, strict_json
from tests.cli_faults.running import one_line, tree
from tests.corpus import ENCRYPTED, Episode, episode_lines, message_lines, pencil

EMPTY: dict[str, tuple[dict[str, bytes], str]] = {
    "an empty folder": ({}, "found none in no file"),
    "a folder without transcripts": (
        {"notes.txt": b"Buy milk.\n", "picture.png": b"\x89PNG\r\n\x1a\n\x00"},
        "found none",
    ),
    "a file that is not JSON": ({"dump.jsonl": b"{not json}\n" * 3}, "dump.jsonl"),
    "an empty file": ({"dump.jsonl": b""}, "dump.jsonl"),
    "blank lines": ({"dump.jsonl": b"\n \n\t\r\n"}, "dump.jsonl"),
    "JSON of another kind": ({"dump.jsonl": b'{"a": 1}\n[1, 2]\n7\nnull\n"x"\n'}, "dump.jsonl"),
    "one JSON document over many lines": ({"dump.json": b'{\n "notes": [\n ]\n}\n'}, "dump.json"),
    "a cut gzip": ({"dump.jsonl.gz": b"\x1f\x8b\x08\x00\x00"}, "dump.jsonl.gz"),
    "nulls": ({"dump.jsonl": b"\x00" * 5_000}, "dump.jsonl"),
}


@pytest.mark.parametrize("over", ["nothing", "a corpus"])
@pytest.mark.parametrize("what", EMPTY)
def test_no_transcript_in_any_dump(calib: Calib, tmp_path: Path, what: str, over: str) -> None:
    files, said = EMPTY[what]
    (tmp_path / "d").mkdir()
    if over == "a corpus":
        (tmp_path / "good.jsonl").write_bytes(episode_lines(pencil()))
        assert calib("ingest", "good.jsonl", "--out", "corpus").code == 0
    for name, data in files.items():
        (tmp_path / "d" / name).write_bytes(data)
    before = tree(tmp_path)
    done = calib("ingest", "d", "--out", "corpus")
    assert done.code == 5
    one_line(done.err, said, "nothing was written")
    assert tree(tmp_path) == before


def test_one_bad_line_costs_one_line_and_max_rejected_counts_it(calib: Calib, tmp_path: Path) -> None:
    lines = episode_lines(pencil()).splitlines(keepends=True)
    (tmp_path / "dump.jsonl").write_bytes(b"".join([*lines[:5], b"{broken\n", *lines[5:]]))
    done = calib("ingest", "dump.jsonl", "--out", "corpus")
    assert (done.code, done.err.count("\n")) == (0, 1)
    assert done.err.startswith("dump.jsonl:6: ")
    assert sum(json.loads(calib("sweep", "corpus", "--to", "json").out)["counts"].values()) == 14
    before = tree(tmp_path)
    done = calib("ingest", "dump.jsonl", "--out", "corpus", "--max-rejected", "0")
    assert done.code == 4
    one_line(done.err, "nothing was written")
    assert tree(tmp_path) == before


def test_a_flood_of_bad_lines_is_capped(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()) + b"{broken\n" * 50_000)
    done = calib("ingest", "dump.jsonl", "--out", "corpus")
    assert done.code == 0
    assert done.err.count("\n") == 21
    assert done.err.endswith("dump.jsonl: 49980 more rejected\n")


def _of(labels: Sequence[str]) -> list[Episode]:
    return [one for one in pencil() if one.label in labels]


ODD: dict[str, list[Episode]] = {
    "no turn_limit episode": _of(("passed", "failed")),
    "no passed episode": _of(("turn_limit", "failed")),
    "only failed episodes": _of(("failed",)),
    "one passed episode": _of(("passed",))[:1],
    "one turn_limit episode": _of(("turn_limit",))[:1],
    "only censored episodes": [replace(one, label="censored") for one in pencil()],
    "no label": [replace(one, label="unlabelled") for one in pencil()],
    "nothing observable": [replace(one, reasoning=[ENCRYPTED] * len(one.reasoning)) for one in pencil()],
    "no reasoning": [replace(one, reasoning=[None] * len(one.reasoning)) for one in pencil()],
    "no calls": [replace(one, tools=[[]] * len(one.tools)) for one in pencil()],
    "no turn": [replace(one, reasoning=[], tools=[]) for one in pencil()],
    "one turn each": [replace(one, reasoning=one.reasoning[:1], tools=one.tools[:1]) for one in pencil()],
    "every episode fires at once": [replace(one, reasoning=["x"] * 9, tools=[["read_file"]] * 9) for one in pencil()],
    "no separation": [replace(one, label="passed") for one in _of(("turn_limit",))]
    + [replace(one, label="turn_limit") for one in _of(("passed",))],
}


@pytest.mark.parametrize("what", ODD)
def test_a_corpus_that_is_odd_still_gets_an_answer(calib: Calib, tmp_path: Path, what: str) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(ODD[what]))
    assert calib("ingest", "dump.jsonl", "--out", "corpus").code == 0
    for words in (
        ("sweep", "corpus", "-o", "out"),
        ("sweep", "corpus", "--at", "T2@3 | T1@4", "--to", "json"),
        ("sweep", "corpus", "T2@1..3", "--by", "task"),
        ("score", "corpus"),
        ("report", "corpus"),
        ("report", "corpus", "--to", "markdown"),
        ("report", "corpus", "T2@3", "--to", "json"),
        ("inspect", "corpus", ODD[what][0].episode_id),
        ("inspect", "corpus", "--closest"),
        ("report", "corpus", "--init", "--config", f"{words_to_name(what)}.toml"),
        ("report", "corpus", "--config", f"{words_to_name(what)}.toml"),
    ):
        done = calib(*words)
        if done.code == 2:  # nothing to show: said so
            one_line(done.err)
            assert words[0] == "inspect" or "--init" in words or "--config" in words, (words, done.err)
        else:
            assert done.code in (0, 3), (words, done.err)
            assert done.out or "-o" in words or "--init" in words
        if "json" in words:
            strict_json(done.out)


def words_to_name(what: str) -> str:
    return what.replace(" ", "-")


def test_missing_labels_are_said(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_bytes(message_lines(pencil()))
    assert calib("ingest", "dump.jsonl", "--out", "corpus").code == 0
    done = calib("sweep", "corpus")
    assert done.code == 0
    assert "unlabelled" in done.out or "no label" in done.out


@pytest.mark.parametrize("option", [("--exclude", "model=pencil"), ("--where", "n_turns > 999")])
@pytest.mark.parametrize("command", ["sweep", "score", "report", "inspect"])
def test_nothing_is_left_to_look_at(calib: Calib, corpus: Path, command: str, option: tuple[str, str]) -> None:
    more = {"sweep": ("-o", "out"), "score": ("-o", "t.csv"), "report": ("-o", "r.md"), "inspect": ("L1",)}[command]
    done = calib(command, corpus, *more, *option)
    assert done.code == 5
    one_line(done.err, "no episode matched")
    assert os.listdir() == []


BAD_WHERE = [
    "__import__('os').system('touch x')", "().__class__.__bases__", "read_csv('/etc/passwd')", "9**9**9**9",
    "(" * 900 + "n_turns = 1" + ")" * 900, "(" * 5_000, " or ".join(["n_turns = 1"] * 12_000), "n_turns = 1 " * 90,
    "model ~ '(a+)+$'", "model = '((a{1000}){1000}){1000}'", "model = $(touch x)", "model = `touch x`", "x" * 1_001,
    "n_turns > 1e999", "n_turns > nan", "n_turns > -1", "n_turns = '\x1b[2J'", "\x00", "", " ", "model", "= x",
    "model == x", "model = x and", "and", "model = 'unclosed", "metadata. = x", "n_turns > 99999999999999999999999",
    "episode_id = '\ud800'",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_WHERE, ids=lambda text: repr(text[:30]))
def test_where_is_a_small_grammar_and_runs_nothing(calib: Calib, corpus: Path, text: str) -> None:
    for words in (("--where", text), ("--exclude", text), ("--by", text), ("--exclude", f"model={text}")):
        done = calib("sweep", corpus, "--to", "json", *words)
        assert done.code in (0, 2, 5), done.err
        if done.code:
            one_line(done.err)
        assert len(done.err) < 2_000
        assert acts_on_a_terminal(done.err) == []
        assert "root:" not in done.err + done.out
        assert os.listdir() == []


BAD_CONFIG: dict[str, bytes] = {
    "unknown key": b"[gate]\nmax_false_fire = 1\n",
    "unknown table": b"[gates]\n",
    "wrong type": b'[gate]\nmax_false_fires = "1"\n',
    "nan": b"[gate]\nmax_false_fire_rate = nan\n",
    "inf": b"[gate]\nmax_false_fire_rate = inf\n",
    "negative": b"[gate]\nmax_false_fires = -1\n",
    "huge": b"[gate]\nmin_caught = 1e300\n",
    "long integer": b"[gate]\nmin_caught = " + b"9" * 5_000 + b"\n",
    "nesting": b"gate = " + b"[" * 900 + b"\n",
    "deep nesting": b"gate = " + b"[" * 50_000,
    "dotted": b".".join([b"a"] * 8_000) + b" = 1\n",
    "large": b"# " + b"x" * 70_000 + b"\n",
    "not UTF-8": b'[gate]\nmax_false_fires = "\xff"\n',
    "a byte order mark": b"\xef\xbb\xbfbad = 1\n",
    "ESC in a key": b'[gate]\n"\\u001b[2J[/b]" = 1\n',
    "a forged line in a key": b'[gate]\n"x\\nverdict: PASS" = 1\n',
    "NUL": b"\x00",
    "no TOML": b"{]",
    "a key twice": b"[gate]\nmin_caught = 1\nmin_caught = 2\n",
}


@pytest.mark.parametrize("what", BAD_CONFIG)
def test_a_bad_configuration_is_one_line_that_names_it(calib: Calib, corpus: Path, tmp_path: Path, what: str) -> None:
    (tmp_path / "calib.toml").write_bytes(BAD_CONFIG[what])
    for words in (("report", corpus), ("sweep", corpus), ("score", corpus), ("inspect", corpus, "L1")):
        done = calib(*words)
        assert done.code == 2
        one_line(done.err, "calib.toml")
        assert acts_on_a_terminal(done.err) == []
        assert len(done.err) < 2_000
        assert done.out == ""


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'{"schema_version": 1}', b'{"schema_version": 9}', b"\xff", b"[" * 90_000,
     b'{"schema_version": 1, "fires": 7}', b"NaN"],
)  # fmt: skip
def test_a_bad_baseline_is_one_line_that_names_it(calib: Calib, corpus: Path, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "base.json").write_bytes(data)
    done = calib("report", corpus, "--baseline", "base.json")
    assert done.code == 2
    one_line(done.err, "base.json")


def test_a_baseline_that_is_a_device_or_a_pipe_does_not_wait(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "/dev/zero", "."):
        for option in ("--baseline", "--config"):
            done = calib("report", corpus, option, name)
            assert done.code == 2
            one_line(done.err)


@pytest.mark.parametrize("name", ["/dev/zero", "pipe"])
def test_a_dump_or_corpus_that_never_ends_does_not_wait(calib: Calib, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    for words in (("ingest", name, "--out", "c"), ("sweep", name)):
        done = calib(*words)
        assert done.code == 2
        one_line(done.err)
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/calib.json").symlink_to(tmp_path / name if name == "pipe" else name)
    done = calib("sweep", "corpus")
    assert done.code == 2
    one_line(done.err, "corpus")


def test_standard_input_that_is_empty_or_closed(tmp_path: Path, calib: Calib, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    done = calib("ingest", "-", "--out", "c")
    assert done.code == 2
    one_line(done.err, "standard input")
    assert os.listdir(tmp_path) == []


def test_the_commands_run_in_a_process_that_was_not_set_up_for_them(corpus: Path) -> None:
    """As a library would: no handlers, any thread."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(run, ["score", str(corpus), "T2@5", "-o", os.devnull + ".csv"]).result() in (0, 2)
