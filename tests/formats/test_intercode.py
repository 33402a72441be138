"""InterCode: maps of episodes, the harness's last record, limits and passes, bytes shared out, the open files."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.check import check
from calib.corpus import open_corpus
from calib.formats.intercode import recognises, shares
from calib.ingest import ingest
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

SHARED = Path(__file__).parents[2].parent / "shared"
OPEN = SHARED / "corpora" / "intercode"


def episode(actions: list[str], rewards: list[float], thoughts: list[str] | None = None, **summary: Any) -> Any:
    history = {
        "actions": actions, "observations": [f"o{at}" for at in range(len(actions))], "rewards": rewards,
        "valid_action": [at != 1 for at in range(len(actions))],
    }  # fmt: skip
    return {
        "environment": "ic_bash", "dataset": "./data/nl2bash/nl2bash_fs_2.json", "task_id": 11, "query": "q",
        "turn_history": {**history, **({"thoughts": thoughts} if thoughts else {})},
        "summary": {"max_reward": max(rewards), "turns_taken": len(actions), "turns_max": 3, **summary},
    }  # fmt: skip


REACT = episode(
    ["execute[ls /]", "look around", "execute[ls /]", "submit"],
    [0, 0, 0, 1.0],
    ["Look.", "Hm.", "Look.", "EXCEEDED MAX TURNS: submit"],
    turns_taken=3,
)
PLAIN = episode(["ls", "pwd", "ls"], [0.3, 0.5, 0.3])


def test_a_limit_can_be_reached_and_the_task_passed() -> None:
    one = told("intercode", [{"11": REACT}], "fs_2.json").one
    assert column("reasoning", one) == ["Look.", "Hm.", "Look."]
    assert column("kind", one) == ["thought"] * 3
    assert column("same_reasoning", one) == [0, 1, 0]
    assert column("same_calls", one) == [0, 1, 0]
    assert column("user_before", one) == [True, False, False]
    assert calls(one, "tool", "arguments", "result_head", "is_error") == [
        ("bash", '{"command":"ls /"}', "o0", False),
        ("bash", '{"command":"look around"}', "o1", True),
        ("bash", '{"command":"ls /"}', "o2", False),
    ]
    about = one.about
    assert (about.episode_id, about.task, about.turn_limit) == ("fs_2.json#11", "nl2bash_fs_2/11", 3)
    assert (about.outcome, about.stop_reason) == ("pass", "EXCEEDED MAX TURNS: submit")


@pytest.mark.parametrize(
    ("value", "outcome", "stop"),
    [
        (PLAIN, "fail", "max_turns"),
        (episode(["ls", "ls", "pwd"], [0, 0, 1]), "pass", None),
        (episode(["ls", "submit"], [0, 0.5]), "fail", "submit"),
        (episode(["ls"], [0.5]), "fail", None),
        ({**PLAIN, "summary": {}}, "fail", None),
    ],
)
def test_how_episodes_end(value: Any, outcome: str, stop: str | None) -> None:
    about = told("intercode", [value]).one.about
    assert (about.outcome, about.stop_reason) == (outcome, stop)


def test_environments() -> None:
    for named, tool in (("ic_sql", "sql"), ("ic_py", "python"), ("ic_ctf", "bash"), (None, "bash"), ("x", "x")):
        assert calls(told("intercode", [{**PLAIN, "environment": named}]).one, "tool")[0] == (tool,)
    assert column("tools", told("intercode", [REACT]).one) == [["bash"]] * 3


def test_many_episodes_share_the_bytes_of_one_record() -> None:
    found = told("intercode", [{"0": PLAIN, "1": REACT, "x": PLAIN}], "f.json")
    assert [one.about.episode_id for one in found.episodes] == ["f.json#0", "f.json#1", "f.json#x"]
    places = [stretch for one in found.episodes for stretch in one.stretches]
    assert [first for _, first, _ in places] == [0, places[0][2], places[0][2] + places[1][2]]
    assert sum(size for *_, size in places) == len(json.dumps({"0": PLAIN, "1": REACT, "x": PLAIN})) + 1


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(max_size=3), st.lists(st.text(max_size=3), max_size=2)), st.sampled_from([None, 1]))
def test_the_shares_are_the_bytes(value: dict[str, Any], indent: int | None) -> None:
    data = (json.dumps(value, indent=indent) + "\n").encode()
    places = shares(data, (3, 7, len(data)), value) if value else []
    at = 7
    for line, first, size in places:
        assert (first, line) == (at, 3 + data[: first - 7].count(b"\n"))
        at += size
    assert not places or at == 7 + len(data)


def test_a_doubled_key_loses_no_byte() -> None:
    line = b'{"0": %s, "0": %s}' % (json.dumps(PLAIN).encode(), json.dumps(REACT).encode())
    assert [one.stretches for one in told("intercode", [line]).episodes] == [[(1, 0, len(line))]]


def test_recognition() -> None:
    assert recognises(PLAIN)
    assert recognises({"0": REACT})
    others: list[Any] = [[], {}, None, 1, {"a": 1}, {"turn_history": []}, {"turn_history": {"actions": 1}}, {"0": {}}]
    for other in others:
        assert not recognises(other), other


def test_odd_episodes_are_rejected() -> None:
    odds: tuple[Any, ...] = ({}, {"turn_history": {"actions": []}}, [PLAIN])
    for odd in odds:
        assert told("intercode", [odd]).rejected == [(1, "bad-message")]


def test_an_odd_episode_costs_its_own_bytes(tmp_path: Path) -> None:
    data = json.dumps({"0": PLAIN, "1": {"turn_history": 1}, "2": REACT})
    (tmp_path / "log.json").write_text(data)
    read = ingested(tmp_path, [tmp_path / "log.json"])
    assert sorted(row["episode_id"] for row in read.tables["episodes"]) == ["log.json#0", "log.json#2"]
    (lost,) = read.tables["rejects"]
    assert (lost["code"], lost["bytes"]) == ("bad-message", len(', "1": {"turn_history": 1}'))


def test_every_field_that_a_detector_needs_changes_a_column() -> None:
    needed = (
        "environment", "dataset", "task_id", "turn_history.actions.0", "turn_history.observations.0",
        "turn_history.thoughts.0", "turn_history.thoughts.3", "turn_history.valid_action.0", "summary.max_reward",
        "summary.turns_max",
    )  # fmt: skip
    assert not unheard("intercode", [{"11": REACT}], *(f"0.11.{place}" for place in needed))


@pytest.mark.skipif(not OPEN.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    literal = {}
    for path in OPEN.rglob("*.json"):
        for key, value in json.loads(path.read_text()).items():
            thoughts = value["turn_history"].get("thoughts", [""])
            own = len(value["turn_history"]["actions"]) - thoughts[-1].startswith("EXCEEDED")
            spent = thoughts[-1].startswith("EXCEEDED") or (own == 10 and thoughts == [""])
            passed = value["summary"]["max_reward"] == 1
            literal[f"{path.name}#{key}"] = (own, "passed" if passed else "turn_limit" if spent else "failed")
    rows = {row["episode_id"].rpartition("/")[2]: row for row in read.tables["episodes"]}
    assert {name: (row["n_turns"], row["label"]) for name, row in rows.items()} == literal
    assert (len(literal), sum(turns for turns, _ in literal.values())) == (340, 1722)
    limited = rows["ic_bash_react_10_turns_fs_2.3e8e.json#11"]
    assert (limited["n_turns"], limited["turn_limit"], limited["outcome"]) == (10, 10, "passed")
    assert limited["stop_reason"].startswith("EXCEEDED MAX TURNS")
    same = [row["same_reasoning_as"] for row in sorted(read.of(limited["episode_id"]), key=lambda row: row["turn"])]
    assert sum(one == before for before, one in pairwise(same)) == 8  # the longest run of repeats in the open files
    assert not read.tables["rejects"]


def test_bad_episodes_of_a_log_whose_places_cannot_be_told_share_a_row(tmp_path: Path) -> None:
    odd = json.dumps({"1": PLAIN, "2": {"turn_history": 1}, "3": {"turn_history": {}}, "4": {"query": "\ud800"}})
    (tmp_path / "fs.json").write_text(odd)
    ingest([tmp_path / "fs.json"], tmp_path / "corpus")
    corpus = open_corpus(tmp_path / "corpus")
    (rejects,) = corpus.read("rejects", ["source", "line", "offset", "bytes", "code", "records"])
    assert rejects.rows() == [("fs.json", 1, len(odd), 0, "bad-message", 3)]
    assert check(tmp_path / "corpus").findings == ()
