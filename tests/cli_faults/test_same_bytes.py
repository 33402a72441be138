"""Equal dumps give equal bytes, whatever the surroundings; the same file or episode counts once."""

import json
import os
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import Calib, Done
from tests.cli_faults.running import environment, shell, tree
from tests.corpus import episode_lines, pencil

Surroundings = dict[str, str | None]
PLAIN: Surroundings = {}
HERE: Surroundings = {
    "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": None, "PYTHONHASHSEED": "1",
    "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    "HOME": None, "XDG_CACHE_HOME": None, "MPLCONFIGDIR": None, "USER": None, "NO_COLOR": "1", "TERM": "dumb",
    "COLUMNS": "200", "LINES": "3",
}  # fmt: skip
THERE: Surroundings = {
    "TZ": "America/St_Johns", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C",
    "PYTHONHASHSEED": "2", "HOME": "/nowhere", "MPLCONFIGDIR": "/nowhere/mpl", "TMPDIR": "/nowhere",
    "MPLBACKEND": "nonsense", "MATPLOTLIBRC": "/nowhere", "SOURCE_DATE_EPOCH": "1", "FORCE_COLOR": "1",
}  # fmt: skip


def _sources(folder: Path) -> None:
    (folder / "dumps").mkdir()
    episodes = [replace(one, metadata={"k": {"b": 1, "a": [2]}}) for one in pencil()]
    (folder / "dumps/a.jsonl").write_bytes(episode_lines(episodes[:7]) + b"not json\n")
    (folder / "dumps/b.jsonl").write_bytes(episode_lines(episodes[7:]))


def _all_outputs(folder: Path, about: Surroundings, *ingest: str) -> dict[str, str]:
    """Run every command that writes in a folder of its own; give the digests of what is there."""
    env = environment(**about)
    for words in (
        ("ingest", *(ingest or ("dumps",)), "--out", "corpus"),
        ("sweep", "corpus", "--by", "task", "-o", "out"),
        ("report", "corpus", "--to", "json", "-o", "r.json"),
    ):
        done = shell(*words, cwd=folder, env=env)
        assert done.code == 0, done.err
        said = [
            line for line in done.err.splitlines() if not line.startswith(("wrote ", "dumps/a.jsonl:8", "a.jsonl:8"))
        ]
        assert said == []
    return {name: digest for name, digest in tree(folder).items() if not name.startswith("dumps")}


def test_surroundings_workers_times_and_places_change_no_byte(tmp_path: Path) -> None:
    for name in ("plain", "here", "there"):
        (tmp_path / name).mkdir()
        _sources(tmp_path / name)
    reference = _all_outputs(tmp_path / "plain", PLAIN)
    assert {"out/plateau.png", "out/plateau.svg", "r.json", "corpus/calib.json"} <= reference.keys()
    assert _all_outputs(tmp_path / "here", HERE) == reference
    for name, when in (("a", 0), ("b", 2_000_000_000)):
        os.utime(tmp_path / f"there/dumps/{name}.jsonl", (when, when))
    (tmp_path / "there/dumps").rename(tmp_path / "elsewhere")
    (tmp_path / "there/dumps").symlink_to("../elsewhere")
    assert _all_outputs(tmp_path / "there", THERE, "dumps", "--workers", "2") == reference


def test_the_order_of_arguments_changes_no_byte(calib: Calib, tmp_path: Path) -> None:
    _sources(tmp_path)
    for out, dumps in (("one", "ab"), ("two", "ba"), ("three", "bab")):
        names = [f"dumps/{name}.jsonl" for name in dumps]
        assert calib("ingest", *names, "--out", out).code == 0
    assert tree(tmp_path / "one") == tree(tmp_path / "two") == tree(tmp_path / "three")


@pytest.mark.usefixtures("quick_plots")
@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077, 0o000])
def test_modes_follow_umask(calib: Calib, tmp_path: Path, mask: int) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    before = os.umask(mask)
    try:
        for words in (
            ("ingest", "dump.jsonl", "--out", "made/corpus"),
            ("sweep", "made/corpus", "-o", "made/out"),
            ("score", "made/corpus", "T2@5", "-o", "made/t.parquet"),
            ("report", "made/corpus", "--init", "--config", "made/calib.toml"),
        ):
            assert calib(*words).code == 0
    finally:
        os.umask(before)
    for path in (tmp_path / "made", *(tmp_path / "made").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o777 if path.is_dir() else 0o666) & ~mask, path


def _counts(calib: Calib, corpus: str) -> dict[str, int]:
    found: dict[str, int] = json.loads(calib("sweep", corpus, "--to", "json").out)["counts"]
    return found


def _twice(calib: Calib, tmp_path: Path, *dumps: str) -> Done:
    done = calib("ingest", *dumps, "--out", "corpus")
    assert done.code == 0, done.err
    assert sum(_counts(calib, "corpus").values()) == 14
    return done


def test_the_same_file_twice_counts_once(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/dump.jsonl").write_bytes(episode_lines(pencil()))
    (tmp_path / "d/hard.jsonl").hardlink_to(tmp_path / "d/dump.jsonl")
    (tmp_path / "d/soft.jsonl").symlink_to("dump.jsonl")
    done = _twice(calib, tmp_path, "d", "d/dump.jsonl", str(tmp_path / "d/dump.jsonl"))
    assert done.err.count("read once") >= 2
    assert str(tmp_path) not in done.err + done.out


@pytest.mark.parametrize("content", ["equal", "different"])
def test_an_episode_that_comes_twice_counts_once_and_is_told(calib: Calib, tmp_path: Path, content: str) -> None:
    again = pencil()[:3]
    if content == "different":
        again = [replace(one, label="passed") for one in again]
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    (tmp_path / "later.jsonl").write_bytes(episode_lines(again))
    done = _twice(calib, tmp_path, "dump.jsonl", "later.jsonl")
    lines = done.err.splitlines()
    assert len(lines) == 3
    assert all(
        line.startswith(f"later.jsonl:{n}: ") and "stands at dump.jsonl:" in line for n, line in enumerate(lines, 1)
    )
    counts = _counts(calib, "corpus")
    assert counts["turn_limit"] == 5
    codes = json.loads((tmp_path / "corpus/calib.json").read_text())["sources"][1]["account"]["rejected"]
    assert list(codes) == ["duplicate-episode" if content == "equal" else "episode-id-conflict"]


def test_a_corpus_inside_a_source_folder_is_not_read(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/dump.jsonl").write_bytes(episode_lines(pencil()))
    for _ in range(2):
        assert calib("ingest", "d", "--out", "d/corpus").code == 0
    assert sum(_counts(calib, "d/corpus").values()) == 14
    done = calib("ingest", "d", "--out", "other")
    assert done.code == 0
    assert "not read as a dump" in done.err
    assert [source["source"] for source in json.loads((tmp_path / "other/calib.json").read_text())["sources"]] == [
        "d/dump.jsonl"
    ]


def test_a_corpus_around_its_source_is_refused(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/dump.jsonl").write_bytes(episode_lines(pencil()))
    before = tree(tmp_path)
    for dump, out in (("d", "d"), ("d/dump.jsonl", "d"), ("d/dump.jsonl", "."), ("d/dump.jsonl", "d/dump.jsonl")):
        done = calib("ingest", dump, "--out", out)
        assert done.code == 2, (dump, out)
        assert done.err.count("\n") == 1
        assert tree(tmp_path) == before


def test_a_moved_corpus_is_the_same(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "moved")
    assert calib("report", "moved", "--to", "json").out == calib("report", corpus, "--to", "json").out
