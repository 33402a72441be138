"""What a dump holds leaves only where it was asked for, and nothing is written but the output."""

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Calib
from tests.cli_faults.hostile import ATTACKS, hostile
from tests.cli_faults.running import environment, shell, tree
from tests.corpus import Episode, episode_lines, pencil

SECRETS = ("/home/canaryowner/.ssh", "canary@mail.example", "sk-canary0123456789abcdef", "AKIACANARY0123456789")
PLACES = ("reasoning", "text", "arguments", "results", "user", "broken", "system", "plan")
MARKS = tuple(f"canary-{place}" for place in PLACES)
CANARIES = (*SECRETS, *MARKS, "canary")


def _record(one: Episode) -> dict[str, Any]:
    """An episode with marks and secrets wherever a transcript may hold text, and in no name."""
    secrets = " ".join(SECRETS)
    record = one.record()
    messages = [{"role": "system", "content": f"canary-system {secrets}"}]
    for message in record["messages"]:
        kind = {"user": "user", "tool": "results", "assistant": "text"}[message["role"]]
        if message.get("content"):
            message["content"] = f"{message['content']} canary-{kind} {secrets}"
        if "reasoning_content" in message:
            message["reasoning_content"] += f" canary-reasoning {secrets}"
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.dumps({"path": f"canary-arguments {secrets}"})
        messages.append(message)
    return {**record, "messages": messages}


@pytest.fixture(scope="module")
def canary_dump() -> bytes:
    lines = [json.dumps(_record(one)).encode() for one in pencil()]
    broken = [
        b'{"messages": [{"role": "user", "content": "canary-broken sk-canary0123456789abcdef',
        b'["canary-broken"]',
        b"canary-broken AKIACANARY0123456789",
        b'{"messages": "canary-broken"}',
        b'{"messages": [{"role": "canary-broken", "content": "x"}, {"canary-broken": "canary"}]}',
        b'{"messages": [{"role": "assistant", "content": "canary-broken", "tool_calls": "canary-broken"}]}',
        b'{"episode_id": "odd", "messages": [{"role": "assistant", "content": {"canary-broken": 7}}]}',
        b'{"canary-broken": "\xff\xfe"}',
        b'{"messages": [{"role": "assistant", "content": [{"type": "canary-broken", "text": "canary"}]}]}',
    ]
    return b"\n".join([*lines[:7], *broken, *lines[7:]]) + b"\n"


def _no_canary(data: bytes | str) -> None:
    data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    found = [canary for canary in CANARIES if canary.encode() in data or canary.encode("utf-16-le") in data]
    assert found == []


def _footer(file: Path) -> str:
    """Everything in a Parquet footer: schema, statistics, custom metadata."""
    about = pq.read_metadata(file)
    said = [str(about.metadata), str(about.schema), str(about.created_by)]
    for group in range(about.num_row_groups):
        columns = [about.row_group(group).column(at) for at in range(about.num_columns)]
        said += [str(column.to_dict()) for column in columns]
    return "\n".join(said)


def _values(corpus: Path) -> Iterator[str]:
    for file in sorted(corpus.rglob("*.parquet")):
        yield str(pq.read_table(file).to_pylist())


def _reports(calib: Calib, corpus: Path) -> Iterator[str]:
    """What every command says of a corpus that was not asked for text."""
    for words in (
        ("sweep", corpus), ("sweep", corpus, "--to", "json"), ("sweep", corpus, "--by", "task"), ("score", corpus),
        ("report", corpus), ("report", corpus, "--to", "json"), ("report", corpus, "--to", "markdown"),
        ("report", corpus, "--init", "--config", "-"),
    ):  # fmt: skip
        done = calib(*words)
        assert done.code == 0, done.err
        yield done.out + done.err


def test_no_report_or_message_holds_text_of_a_transcript(calib: Calib, tmp_path: Path, canary_dump: bytes) -> None:
    (tmp_path / "dump.jsonl").write_bytes(canary_dump)
    done = calib("ingest", "dump.jsonl", "--out", "corpus")
    assert done.code == 0
    assert done.err.count("rejected") >= 5  # the broken lines are told of
    _no_canary(done.out + done.err)
    for said in _reports(calib, Path("corpus")):
        _no_canary(said)
    assert calib("sweep", "corpus", "-o", "out").code == 0
    for file in (*(tmp_path / "out").iterdir(), tmp_path / "corpus/calib.json"):
        _no_canary(file.read_bytes())
    assert all(mark in "".join(_values(tmp_path / "corpus")) for mark in ("canary-reasoning", *SECRETS))
    assert "canary-argu" in calib("inspect", "corpus", "L1").out  # this was asked for


def test_a_corpus_without_text_holds_none_and_gives_the_same_figures(
    calib: Calib, tmp_path: Path, canary_dump: bytes
) -> None:
    (tmp_path / "dump.jsonl").write_bytes(canary_dump)
    for out, option in (("full", "--text"), ("bare", "--no-text")):
        done = calib("ingest", "dump.jsonl", "--out", out, option)
        assert done.code == 0
    _no_canary(done.out + done.err)
    for said in _values(tmp_path / "bare"):
        _no_canary(said)
    for file in (tmp_path / "bare").rglob("*"):
        if file.suffix == ".parquet":
            _no_canary(_footer(file))
        if file.is_file():
            _no_canary(file.read_bytes())
    for full, bare in zip(_reports(calib, Path("full")), _reports(calib, Path("bare")), strict=True):
        assert bare == full
    for to in ("terminal", "markdown", "json"):
        done = calib("inspect", "bare", "L1", "--to", to)
        assert done.code == 0
        _no_canary(done.out)


def test_the_canaries_are_found_where_text_is_kept(calib: Calib, tmp_path: Path, canary_dump: bytes) -> None:
    (tmp_path / "dump.jsonl").write_bytes(canary_dump)
    assert calib("ingest", "dump.jsonl", "--out", "full").code == 0
    found = "".join(_values(tmp_path / "full"))
    assert {mark for mark in MARKS if mark in found} >= {"canary-arguments", "canary-reasoning", "canary-results"}
    with pytest.raises(AssertionError):
        _no_canary(found)


def test_no_path_user_or_host_is_in_any_output_and_nothing_is_written_beside_it(tmp_path: Path) -> None:
    """In a process of its own, with a home, a temporary folder and a working folder that can be listed."""
    for name in ("home", "temporary", "work", "deep/er/dumps"):
        (tmp_path / name).mkdir(parents=True)
    odd = hostile(ATTACKS["names"][:4])
    (tmp_path / "deep/er/dumps/dump.jsonl").write_bytes(
        episode_lines([*pencil(), *(replace(one, episode_id=one.episode_id[:99]) for one in odd[:3])]) + b"not json\n"
    )
    env = environment(
        HOME=str(tmp_path / "home"), TMPDIR=str(tmp_path / "temporary"), USER="canaryuser", LOGNAME="canaryuser",
        HOSTNAME="canaryhost", XDG_CACHE_HOME=None, XDG_CONFIG_HOME=None, MPLCONFIGDIR=None,
    )  # fmt: skip
    before = tree(tmp_path)
    work, dumps = tmp_path / "work", tmp_path / "deep/er/dumps"
    outputs = []
    for words in (
        ("ingest", dumps, dumps / "dump.jsonl", "--out", work / "corpus"),
        ("sweep", work / "corpus", "-o", work / "out"),
        ("report", work / "corpus", "--to", "json"),
        ("report", work / "corpus", "--to", "markdown"),
        ("report", work / "corpus"),
        ("report", work / "corpus", "--init", "--config", work / "made.toml"),
        ("score", work / "corpus", "-o", work / "t.parquet"),
        ("inspect", work / "corpus", "--closest", "--to", "json"),
    ):
        done = shell(*words, cwd=work, env=env)
        assert done.code == 0, done.err
        outputs.append(done.out.encode())
        if words[0] == "ingest":
            outputs.append(done.err.encode())
    written = [path for path in work.rglob("*") if path.is_file()]
    outputs += [path.read_bytes() for path in written]
    outputs += [_footer(path).encode() for path in written if path.suffix == ".parquet"]
    assert len(written) > 15
    for secret in (str(tmp_path), "canaryuser", "canaryhost", socket.gethostname(), "deep/er"):
        if len(secret) < 5:  # a short host name may stand in the bytes of a picture by chance
            continue
        assert not [data[:200] for data in outputs if secret.encode() in data], secret
    after = {name: digest for name, digest in tree(tmp_path).items() if not name.startswith("work/")}
    assert after == {name: digest for name, digest in before.items() if not name.startswith("work/")}
    assert sorted(os.listdir(work)) == ["corpus", "made.calibrated.json", "made.toml", "out", "t.parquet"]
    sources = json.loads((work / "corpus/calib.json").read_text())["sources"]
    assert [source["source"] for source in sources] == ["dump.jsonl"]
