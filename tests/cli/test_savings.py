"""The commands say what an edit could save at most."""

import json
from pathlib import Path

from tests.cli.conftest import Calib


def test_the_commands_say_it(calib: Calib, corpus: Path) -> None:
    point = "T2@5 | T1@10"
    for command in (("sweep", corpus, "--at", point), ("report", corpus, point)):
        assert "could save" in calib(*command).out
        told = json.loads(calib(*command, "--to", "json").out)
        assert told["could_save"] == {
            "caught": 5, "turns": 45, "tokens": None, "tokens_of": 0, "seconds": None, "seconds_of": 0,
        }  # fmt: skip
    rows = [json.loads(line) for line in calib("score", corpus, point).out.splitlines()]
    left = {row["episode_id"]: row["turns_after_fire"] for row in rows}
    assert (left["L1"], left["P1"]) == (10, None)
    assert {row["tokens_after_fire"] for row in rows} == {row["seconds_after_fire"] for row in rows} == {None}
