"""The whole way: a model that repeats its plan, a harness, the proxy between them, and its log calibrated again."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Calib
from tests.live.serving import PLAN, Asked, harness, proxy, serving, spiral

POINT = "repeated_plan@7 | search_run@35"
FIRE = 7
"""The plan stands in turns 0 to 7: eight equal blocks."""
TURNS = 20


def reasonings(messages: list[dict[str, Any]]) -> list[str]:
    return [message["reasoning_content"] for message in messages if message["role"] == "assistant"]


def sent(asked: list[Asked]) -> list[int]:
    """How many blocks of reasoning each request held as the server got it."""
    return [sum("reasoning_content" in message for message in one.messages) for one in asked]


@pytest.mark.parametrize(
    ("words", "stream", "task"),
    [([], False, ""), ([], True, "run-1"), (["--workers", "2"], True, ""), (["--workers", "2"], False, "run-1")],
    ids=["body", "stream-named", "two-stream", "two-body-named"],
)
def test_a_spiral_ends_once_its_reasoning_is_gone(tmp_path: Path, words: list[str], stream: bool, task: str) -> None:
    with serving(spiral) as server, proxy(server.url, "--point", POINT, *words, cwd=tmp_path) as live:
        saved = harness(live.url, TURNS, task, stream)
        assert live.stop() == 0
    assert saved[-1]["content"] == "Done."
    assert reasonings(saved) == [PLAN] * (FIRE + 1) + ["Write it."]  # the saved history keeps all of it
    assert sent(server.asked) == [*range(FIRE + 1), 0]
    assert live.counts() == {
        "requests": 9, "chat": 9, "not understood": 0, "fired": 1, "edited": 1, "answered": 9, "cut short": 0,
        "unreached": 0, "clients left": 0, "not logged": 0, "faults": 0,
    }  # fmt: skip


def test_before_the_fire_the_bytes_are_those_of_the_harness(tmp_path: Path) -> None:
    with serving(spiral) as server:
        direct = harness(server.url, TURNS)
        plain = [asked.body for asked in server.asked]
        server.asked.clear()
        with proxy(server.url + "/v1", "--point", POINT, cwd=tmp_path) as live:
            harness(live.url, TURNS)
    assert len(direct) == 2 + 2 * TURNS
    assert [asked.body for asked in server.asked][: FIRE + 1] == plain[: FIRE + 1]
    edited, whole = json.loads(server.asked[FIRE + 1].body), json.loads(plain[FIRE + 1])
    for message in whole["messages"]:
        message.pop("reasoning_content", None)
    assert edited == whole
    assert {asked.target for asked in server.asked} == {"/v1/chat/completions"}


def test_in_shadow_nothing_is_edited_and_the_log_says_what_would_be(tmp_path: Path, calib: Calib) -> None:
    with (
        serving(spiral) as server,
        proxy(server.url, "--point", POINT, "--shadow", "--log", "live.jsonl", cwd=tmp_path) as live,
    ):
        saved = harness(live.url, TURNS)
        assert live.stop() == 0
    assert reasonings(saved) == [PLAN] * TURNS
    assert sent(server.asked) == list(range(TURNS))
    assert (live.counts()["fired"], live.counts()["edited"]) == (TURNS - FIRE - 1, 0)
    lines = [json.loads(line) for line in (tmp_path / "live.jsonl").read_text().splitlines()]
    assert [line["fire_turn"] for line in lines] == [None] * (FIRE + 1) + [FIRE] * (TURNS - FIRE - 1)
    assert calibrated(tmp_path, calib) == {"min": FIRE, "median": FIRE, "max": FIRE}


@pytest.mark.parametrize("words", [[], ["--workers", "2"]], ids=["one", "two"])
def test_the_log_gives_the_same_fire_turn(tmp_path: Path, calib: Calib, words: list[str]) -> None:
    with (
        serving(spiral) as server,
        proxy(server.url, "--point", POINT, "--log", "live.jsonl", *words, cwd=tmp_path) as live,
    ):
        harness(live.url, TURNS)
        harness(live.url, TURNS)  # another run of the same task
        assert live.stop() == 0
    text = (tmp_path / "live.jsonl").read_text()
    assert text.count("\n") == 2 * (FIRE + 2)
    assert "secret" not in text
    assert calib("ingest", tmp_path / "live.jsonl", "--out", "corpus").code == 0
    scored = [json.loads(line) for line in calib("score", "corpus", POINT).out.splitlines()]
    assert [(row["n_turns"], row["fire_turn"], row["fired_by"]) for row in scored] == [
        (FIRE + 2, FIRE, "repeated_plan")
    ] * 2


def calibrated(folder: Path, calib: Calib) -> Any:
    """Ingest the log, label its runs as turn limits, sweep; give the fire turns."""
    assert calib("ingest", folder / "live.jsonl", "--out", "unlabelled").code == 0
    rows = [json.loads(line) for line in calib("score", "unlabelled", POINT).out.splitlines()]
    labels = folder / "labels.jsonl"
    labels.write_text(
        "".join(json.dumps({"episode_id": row["episode_id"], "label": "turn_limit"}) + "\n" for row in rows)
    )
    assert calib("ingest", folder / "live.jsonl", "--labels", labels, "--out", "corpus").code == 0
    swept = json.loads(calib("sweep", "corpus", "--at", POINT, "--to", "json").out)
    assert swept["tally"]["caught"] == len(rows)
    return swept["fire_turn"]
