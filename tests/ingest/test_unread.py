"""Texts that are read some at a time give the same corpus as all at once."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from calib.formats._talk import Episode
from calib.ingest import ingest, unread
from calib.ingest.scanned import count
from tests.cli_faults.running import tree
from tests.corpus import episode_lines, pencil


@pytest.mark.parametrize("options", [{"text": False}, {"redact": True}, {}])
def test_how_many_texts_are_held_changes_nothing(
    tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dump.jsonl").write_bytes(episode_lines(pencil()))
    read: list[int] = []

    def counted(episodes: Iterable[Episode], keep: bool) -> None:
        some = list(episodes)
        read.append(len(some))
        count(some, keep)

    monkeypatch.setattr("calib.ingest.scanned.count", counted)
    for most in (10**9, 1, 100):
        monkeypatch.setattr(unread, "MOST", most)
        ingest([tmp_path / "dump.jsonl"], tmp_path / f"{most}", **options)
    assert tree(tmp_path / "1") == tree(tmp_path / "100") == tree(tmp_path / f"{10**9}")
    assert (not read) == (not options)  # texts stored as recorded are left to the rules that ask
    assert not read or {1, len(pencil())} < set(read)
