"""Binary files: what a reader gives adds up to the file, and a file that cannot be read costs itself only."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calib.formats import inspect_eval
from calib.formats._reader import Fault, Passed
from calib.formats._record import About
from calib.formats._talk import Talk
from tests.formats.reading import Read, ingested

DOCUMENT = {"version": 2, "status": "success", "eval": {"task": "t"},
            "samples": [{"id": 1, "epoch": 1, "uuid": "fine", "messages": []}]}  # fmt: skip


def read_with(monkeypatch: pytest.MonkeyPatch, folder: Path, given: Any) -> Read:
    """Ingest a zip of 100 bytes that `given` reads, and a document beside it."""
    monkeypatch.setattr(inspect_eval.Reader, "open", given)
    (folder / "a.eval").write_bytes(inspect_eval.MAGIC + bytes(96))
    (folder / "b.json").write_text(json.dumps(DOCUMENT))
    return ingested(folder, [folder / "a.eval", folder / "b.json"])


def test_each_kind_of_stretch_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(self: Any, path: Path, size: int) -> Iterator[Any]:
        assert (path.name, size) == ("a.eval", 100)
        yield Passed("header", 10)
        episode = Talk(True).finish(About("e"))
        episode.stretches = [(1, 10, 20), (3, 50, 5)]
        yield episode
        yield Fault("bad-member", "member 2 is bad", 30, 20, 2)
        yield Passed("rest", 45)

    read = read_with(monkeypatch, tmp_path, given)
    assert read.sources[0]["account"] == {
        "bytes": 100, "kept": 25, "blank": 0, "rejected": {"bad-member": {"records": 1, "bytes": 20}},
        "ignored": {"header": {"records": 1, "bytes": 10}, "rest": {"records": 1, "bytes": 45}},
    }  # fmt: skip
    assert [(row["line"], row["offset"], row["bytes"], row["code"]) for row in read.tables["rejects"]] == [
        (2, 30, 20, "bad-member")
    ]
    assert [row["episode_id"] for row in read.tables["episodes"]] == ["e", "fine"]


def test_a_file_that_fails_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(self: Any, path: Path, size: int) -> Iterator[Any]:
        yield Fault("bad-member", "member 1 is bad", 0, 40, 1)
        raise OSError(5, os.strerror(5))

    read = read_with(monkeypatch, tmp_path, given)
    assert read.sources[0]["account"]["rejected"] == {"unreadable": {"records": 1, "bytes": 100}}
    assert [row["episode_id"] for row in read.tables["episodes"]] == ["fine"]
