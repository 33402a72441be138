"""Text from a dump stays text in everything that the commands print or write."""

import csv
import io
import os
import pty
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import polars as pl
import pytest

from calib.cli import run
from calib.cli._output import say
from tests.cli.conftest import Calib
from tests.cli_faults.hostile import (
    ATTACKS,
    SUPPORT,
    acts_on_a_terminal,
    forged_lines,
    hostile,
    live_markup,
    strict_json,
)
from tests.cli_faults.running import CALIB, environment, one_line
from tests.corpus import episode_lines

SETS = [(kind, at) for kind, attacks in ATTACKS.items() for at in range(0, len(attacks), 4)]
EACH_SET = pytest.mark.parametrize("chosen", SETS, ids=[f"{kind}-{at}" for kind, at in SETS])
Chosen = tuple[str, int]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[Chosen, Path]:
    """One corpus for every four attacks, so that each stands in a support episode once."""
    made = {}
    for kind, at in SETS:
        folder = tmp_path_factory.mktemp(f"{kind}{at}")
        (folder / "dump.jsonl").write_bytes(episode_lines(hostile(ATTACKS[kind][at : at + 4])))
        assert run(["ingest", str(folder / "dump.jsonl"), "--out", str(folder / "corpus")]) == 0
        made[kind, at] = folder / "corpus"
    return made


def _ids(corpus: Path) -> list[str]:
    return [name for file in (corpus / "episodes").iterdir() for name in pl.read_parquet(file)["episode_id"].to_list()]


def _harmless(text: str) -> None:
    assert acts_on_a_terminal(text) == []
    assert forged_lines(text) == []


@EACH_SET
def test_what_is_printed_for_people(calib: Calib, corpora: dict[Chosen, Path], chosen: Chosen) -> None:
    corpus = corpora[chosen]
    support = [name for name in _ids(corpus) if name.endswith(SUPPORT)]
    assert len(support) == len(SUPPORT)
    (Path.cwd() / "base.json").write_text(calib("report", corpus, "--to", "json").out)
    for words in (
        ("sweep", corpus),
        ("sweep", corpus, "--by", "model"),
        ("sweep", corpus, "--by", "arm"),
        ("report", corpus),
        ("report", corpus, "T2@9 | T1@16", "--baseline", "base.json"),
        ("inspect", corpus, "--closest"),
        ("inspect", corpus, support[0]),
    ):
        done = calib(*words)
        assert done.code == 0, done.err
        assert len(done.out) > 100
        _harmless(done.out + done.err)
        assert max(map(len, done.out.splitlines())) <= 400


@EACH_SET
def test_what_is_printed_as_markdown(calib: Calib, corpora: dict[Chosen, Path], chosen: Chosen) -> None:
    corpus = corpora[chosen]
    (Path.cwd() / "base.json").write_text(calib("report", corpus, "--to", "json").out)
    for words in (
        ("report", corpus, "--to", "markdown"),
        ("report", corpus, "T2@9 | T1@16", "--baseline", "base.json", "--to", "markdown"),
        ("inspect", corpus, "--closest", "--to", "markdown"),
    ):
        done = calib(*words)
        assert done.code == 0
        _harmless(done.out)
        assert live_markup(done.out) == []
        _equal_cells(done.out)


def _equal_cells(text: str) -> None:
    """Check that the rows of every table have as many cells as its head."""
    cells = 0
    for line in text.splitlines():
        found = len([i for i in range(len(line)) if line[i] == "|" and line[i - 1 : i] != "\\"])
        assert not line.startswith("|") or not cells or found == cells, line
        cells = found if line.startswith("|") else 0


@EACH_SET
def test_what_is_printed_for_programs(calib: Calib, corpora: dict[Chosen, Path], chosen: Chosen) -> None:
    corpus = corpora[chosen]
    ids = _ids(corpus)
    printed = [
        calib(*words).out
        for words in (
            ("sweep", corpus, "--to", "json"),
            ("report", corpus, "--to", "json"),
            ("inspect", corpus, "--closest", "--to", "json"),
            ("score", corpus, "T2@5"),
        )
    ]
    for text in printed:
        _harmless(text)
    swept = strict_json(printed[0])
    ends = [end for ends in swept["support"].values() for end in ends.values()]
    named = {end["episode_id"] for end in ends if isinstance(end, dict)}
    assert named == {name for name in ids if name.endswith(SUPPORT)}
    strict_json(printed[1])
    assert {one["episode_id"] for one in strict_json(printed[2])} <= named
    rows = [strict_json(line) for line in printed[3].split("\n")[:-1]]
    assert sorted(row["episode_id"] for row in rows) == sorted(ids)
    assert calib("score", corpus, "T2@5", "-o", "t.csv").code == 0
    table = list(csv.reader(io.StringIO(Path("t.csv").read_text(encoding="utf-8"), newline="")))
    assert {len(row) for row in table} == {len(rows[0])}
    for row in table:
        for cell in row:
            assert acts_on_a_terminal(cell) == []
            assert cell.strip()[:1] not in tuple("=+-@＝＋－＠")


@pytest.mark.parametrize("kind", ATTACKS)
def test_what_is_drawn(calib: Calib, tmp_path: Path, kind: str) -> None:
    attacks = [attack[:5_000] for attack in ATTACKS[kind]]
    for at, ones in enumerate((attacks[:4], attacks[-4:])):
        (tmp_path / "dump.jsonl").write_bytes(episode_lines(hostile(ones)))
        assert calib("ingest", "dump.jsonl", "--out", f"corpus{at}").code == 0
        done = calib("sweep", f"corpus{at}", "-o", f"out{at}")
        assert (done.code, done.err) == (0, f"wrote out{at}\n")
        for file in (tmp_path / f"out{at}").iterdir():
            if file.suffix == ".svg":
                _safe_svg(file.read_text(encoding="utf-8"))
            if file.suffix == ".txt":
                _harmless(file.read_text(encoding="utf-8"))
    left = {name for name in os.listdir(tmp_path) if name not in ("dump.jsonl", "corpus0", "corpus1", "out0", "out1")}
    assert not left
    assert {path.suffix for path in (tmp_path / "out0").iterdir()} == {".png", ".svg", ".txt", ".json", ".parquet"}


def _safe_svg(text: str) -> None:
    for element in ET.fromstring(text).iter():
        assert element.tag.rpartition("}")[2] not in ("script", "foreignObject", "a")
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name or value.startswith(("#", "data:image/png;base64,"))
            assert "javascript:" not in value
            assert "evil.example" not in value


FILE_NAMES = [
    "a\x1b]52;c;Zm9v\x07.jsonl", "b\nverdict: FORGED.jsonl", "c\r\x1b[2K.jsonl", "d\u202egnp.jsonl", "::error::e.jsonl",
    "##[error]f.jsonl", "[red]g.jsonl", "h<img onerror=1>|`x`.jsonl", "$(touch x).jsonl", "=1+1.jsonl", "-rf.jsonl",
]  # fmt: skip


def test_file_names(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    names = [*map(os.fsencode, FILE_NAMES), b"not utf-8 \xff.jsonl"]
    good = episode_lines(hostile(["x"]))
    for at, name in enumerate(names):
        with open(os.fsencode(tmp_path / "d") + b"/" + name, "wb") as file:  # noqa: PTH123 - a name of bytes
            file.write((good if at == 0 else b"") + b"not json \x1b[2J\n" * 2)
    os.symlink(b"nowhere", os.fsencode(tmp_path / "d") + b"/\x1b[2Jdangling.jsonl")  # noqa: PTH211
    done = calib("ingest", "d", "--out", "corpus")
    assert done.code == 0, done.err
    assert len(done.err.splitlines()) >= len(names)
    _harmless(done.out + done.err)
    assert "\\x1b]52" in done.err
    for words in (("sweep", "corpus"), ("report", "corpus"), ("inspect", "corpus", "xL1")):
        _harmless(calib(*words).out)
    assert live_markup(calib("report", "corpus", "--to", "markdown").out) == []
    strict_json(calib("report", "corpus", "--to", "json").out)


@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_name_on_the_command_line_that_is_not_there(calib: Calib, corpus: Path, name: str) -> None:
    for words in (
        ("ingest", "./" + name, "--out", "c"), ("sweep", "./" + name), ("report", corpus, "--baseline", "./" + name),
        ("report", corpus, "--config", "./" + name), ("inspect", corpus, "--", name), ("sweep", corpus, "--", name),
        ("sweep", corpus, "--by", name), ("sweep", corpus, "--where", name), ("detectors", "--", name),
        ("schema", "--", name), ("score", corpus, "-o", f"{name}.xlsx"), ("sweep", corpus, "--at", name),
        ("sweep", corpus, f"--{name}"), ("ingest", "x", "--out", "c", "--format", name), (name,),
    ):  # fmt: skip
        done = calib(*words)
        assert done.code == 2, words
        one_line(done.err)
        assert acts_on_a_terminal(done.err) == []
        assert forged_lines(done.err) == []


def test_on_a_terminal_only_our_own_colours_act(corpora: dict[Chosen, Path], tmp_path: Path) -> None:
    for chosen in (("terminal", 0), ("terminal", 4)):
        said = b""
        for words in (["report", str(corpora[chosen])], ["inspect", str(corpora[chosen]), "--closest"]):
            said += _on_a_terminal(words, tmp_path)
        text = said.decode().replace("\r\n", "\n")
        bars = "\x1b[?25l", "\x1b[?25h", "\x1b[2K", "\x1b[1A", "\r"  # those of the progress bar
        assert "\x1b[" in text
        for ours in bars:
            text = text.replace(ours, "")
        assert acts_on_a_terminal(text, colour=True) == []
        assert "\\x1b" in text


def _on_a_terminal(words: list[str], folder: Path) -> bytes:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*CALIB, *words], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
        env=environment(TERM="xterm-256color", NO_COLOR=None, COLUMNS="100"),
    ) as running:  # fmt: skip
        os.close(theirs)
        said = b""
        while True:
            try:
                said += os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
        assert running.wait(30) == 0
    os.close(ours)
    return said


def test_a_step_summary_gets_safe_markdown(
    calib: Calib, corpora: dict[Chosen, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, at in (("lines", 4), ("lines", 8), ("markup", 4)):
        summary = tmp_path / f"{kind}{at}.md"
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
        done = calib("report", corpora[kind, at], "--github")
        assert done.code == 0
        _harmless(done.out + done.err + summary.read_text())
        assert live_markup(summary.read_text()) == []


def test_say_spells_out_what_acts(capsys: pytest.CaptureFixture[str]) -> None:
    say("x\x1b[2J\ny ##[error] ::error::")
    assert acts_on_a_terminal(capsys.readouterr().err) == []


def test_the_checks_see_attacks() -> None:
    for attack in ATTACKS["terminal"][:7]:
        assert acts_on_a_terminal(attack)
    assert forged_lines("a\nverdict: FORGED")
    assert forged_lines(" ::error::x")
    assert forged_lines("x ##[error]")
    for attack in ("[x](javascript:alert(1))", "<img src=x>", "@octocat", "<b>", "![x](http://x)"):
        assert live_markup(f"a {attack}"), attack
    with pytest.raises(AssertionError):
        strict_json('{"a": 1, "a": NaN}')
    with pytest.raises(AssertionError):
        _safe_svg("<svg><script/></svg>")
