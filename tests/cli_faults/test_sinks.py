"""Output that goes nowhere: closed pipes, closed or full standard output, devices, links, missing folders."""

import errno
import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Calib
from tests.cli_faults.running import CALIB, environment, one_line
from tests.corpus import episode_lines, pencil

WORDS: dict[str, str] = {
    "score": "score CORPUS T2@5",
    "sweep": "sweep CORPUS --to json",
    "report": "report CORPUS T2@5 --to json",
    "inspect": "inspect CORPUS L1 --to json",
    "schema": "schema",
    "formats": "formats",
    "ingest": "ingest DUMP --out made",
    "help": "--help",
    "version": "--version",
}
WAYS = {
    "| head -c1": "{} | head -c1",
    "| true": "{} | true",
    ">&-": "{} >&-",
    "> /dev/full": "{} > /dev/full",
    ">&- <&-": "{} >&- <&-",
    "2>&-": "{} 2>&- > /dev/null",
    "2> /dev/full": "{} 2> /dev/full > /dev/null",
}
SLOW = ("sweep", "report", "inspect")  # as score, which goes every way
PAIRS = [(name, way) for name in WORDS for way in WAYS if name not in SLOW or way in ("| true", "> /dev/full")]


@pytest.mark.parametrize(("command", "way"), PAIRS)
def test_output_that_goes_nowhere(corpus: Path, tmp_path: Path, command: str, way: str) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    words = WORDS[command].replace("CORPUS", str(corpus)).replace("DUMP", "dump.jsonl")
    line = WAYS[way].format(f"{{ {' '.join(CALIB)} {words}; echo $? > code; }}")
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False, timeout=60
    )
    code = int((tmp_path / "code").read_text())
    lines = done.stderr.splitlines()
    assert "Traceback" not in done.stderr
    if way in ("| head -c1", "| true", "2>&-", "2> /dev/full"):  # a reader that leaves is a normal end
        assert code == 0, done.stderr
        assert len(lines) <= 1 + (command == "score" and "point" in done.stderr), done.stderr
    elif command in ("help", "version") and way != "> /dev/full":
        assert (code, lines) == (0, [])  # nobody asked for data
    else:
        assert code == 2, done.stderr
        one_line(done.stderr, "standard output")
    if command == "ingest":
        assert (tmp_path / "made/calib.json").exists()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_a_device_stays_a_device(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    for words in (("score", corpus, "T2@5"), ("report", corpus, "T2@5")):
        device = tmp_path / f"null-{words[0]}.csv"
        try:
            os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("making a device needs root")
        assert calib(*words, "-o", device).code == 0
        assert stat.S_ISCHR(device.stat().st_mode)
        (tmp_path / f"link-{device.name}").symlink_to(device.name)
        assert calib(*words, "-o", f"link-{device.name}").code == 0
        assert stat.S_ISCHR((tmp_path / f"link-{device.name}").stat().st_mode)


def test_the_real_null_device_is_written_to(calib: Calib, corpus: Path) -> None:
    assert calib("report", corpus, "T2@5", "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_full_device_is_one_line(calib: Calib, corpus: Path) -> None:
    done = calib("report", corpus, "T2@5", "-o", "/dev/full")
    assert done.code == 2
    one_line(done.err, "/dev/full", os.strerror(errno.ENOSPC))
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_its_name(corpus: Path, tmp_path: Path, name: str) -> None:
    done = subprocess.run(
        [*CALIB, "report", str(corpus), "T2@5", "--to", "json", "-o", name],
        cwd=tmp_path, env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["point"] == {"repeated_plan": 5}


def test_a_pipe_with_a_name_gets_everything(corpus: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with subprocess.Popen(
        [*CALIB, "score", str(corpus), "T2@5", "-o", "pipe.jsonl"], cwd=tmp_path, env=environment()
    ) as running:
        with (tmp_path / "pipe.jsonl").open("rb") as pipe:
            rows = [json.loads(line) for line in pipe]
        assert running.wait(30) == 0
    assert len(rows) == 14
    assert stat.S_ISFIFO((tmp_path / "pipe.jsonl").stat().st_mode)


@pytest.mark.parametrize("target", ["there", "not yet there"])
def test_a_link_is_kept_and_its_target_written(calib: Calib, corpus: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "other").mkdir()
    if target == "there":
        (tmp_path / "other/t.csv").write_text("old")
    (tmp_path / "t.csv").symlink_to("other/t.csv")
    assert calib("score", corpus, "T2@5", "-o", "t.csv").code == 0
    assert (tmp_path / "t.csv").readlink() == Path("other/t.csv")
    assert (tmp_path / "other/t.csv").read_text().startswith("episode_id,")
    assert sorted(os.listdir(tmp_path)) == ["other", "t.csv"]
    assert os.listdir(tmp_path / "other") == ["t.csv"]


def test_a_sweep_through_a_link_to_a_folder_keeps_the_link(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to("real")
    assert calib("sweep", corpus, "T2@2..9", "-o", "out").code == 0
    assert (tmp_path / "out").is_symlink()
    assert (tmp_path / "real/sweep.json").exists()


BAD_PLACES = ["missing/t.csv", "file/t.csv", "folder.csv", "loop.csv", "x" * 300 + ".csv"]


@pytest.mark.parametrize("place", BAD_PLACES, ids=lambda place: place[:20])
@pytest.mark.parametrize("command", ["score", "report", "init", "sweep", "ingest"])
def test_a_place_that_cannot_be_written_is_one_line(
    calib: Calib, corpus: Path, tmp_path: Path, command: str, place: str
) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.csv/mine").write_text("mine")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    before = sorted(tmp_path.rglob("*"))
    words = {
        "score": ("score", corpus, "T2@5", "-o", place),
        "report": ("report", corpus, "T2@5", "-o", place),
        "init": ("report", corpus, "--init", "--config", place),
        "sweep": ("sweep", corpus, "-o", place),
        "ingest": ("ingest", "dump.jsonl", "--out", place),
    }[command]
    done = calib(*words)
    if command == "ingest" and place == "missing/t.csv":  # ingest makes the folders above its corpus
        assert done.code == 0
        return
    assert done.code == 2
    one_line(done.err, place[:40])
    assert sorted(tmp_path.rglob("*")) == before


def test_an_output_that_is_already_there_is_replaced(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("old")
    assert calib("score", corpus, "T2@5", "-o", "t.csv").code == 0
    assert (tmp_path / "t.csv").read_text().startswith("episode_id,")
