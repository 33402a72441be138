"""A sound corpus is found sound; each invariant, broken alone, is found and named."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from calib.check import check
from calib.errors import CorpusError
from calib.ingest import ingest
from calib.ingest.work import RANGE
from tests.check.conftest import Copy, Manifest
from tests.ingest.dumping import dumped, episode, line, made

Rows = list[dict[str, Any]]


def test_a_sound_corpus(sound: Path) -> None:
    checked = check(sound)
    assert checked.findings == ()
    assert (checked.sources, checked.parts) == (3, 3)
    assert checked.rows == 3 + 7 + 7 + 4  # episodes, turns, calls, rejects


@pytest.mark.parametrize("text", [True, False])
def test_corpora_of_every_kind_are_sound(tmp_path: Path, text: bool) -> None:
    """No text, messages by line, nothing kept, odd white space, an episode that is cut off, faults of every kind."""
    odd = episode("o", (" p\x1c", "p", "\x1f", "", None, "\u2028p\u3000"))
    odd["messages"] += [
        {"role": "assistant", "content": "é\ud800 \x00"},
        {"role": "assistant", "content": " é\ufffd \x00"},
    ]
    message = [*episode("m", ("p", "p"))["messages"], {"role": "tool", "content": "to nobody"}]
    files = {
        "odd.jsonl": line(odd) + line(odd) + b"\xff\n{}\n \n" + line(episode("none", ())),
        "chat.jsonl": b"".join(map(line, message)),
        "empty.jsonl": b"",
        "nothing.jsonl": b"\n\n",
        "torn.jsonl": line(episode("t"))[:-9],
        "again.jsonl": line(odd),
    }
    result = made(tmp_path, files, text=text)
    assert check(result.folder).findings == ()
    assert result.codes


def test_a_corpus_of_many_parts_and_one_that_grew(tmp_path: Path) -> None:
    lines = [line(episode(f"e{at}", ("p" * 1000,))) for at in range(3)]
    blank = b" " * (RANGE // 2 - 1) + b"\n"
    dumped(tmp_path, {"big.jsonl": lines[0] + blank * 4 + lines[1]})
    ingest([tmp_path / "big.jsonl"], tmp_path / "c", workers=1)
    assert check(tmp_path / "c").parts >= 2
    assert check(tmp_path / "c").findings == ()
    with (tmp_path / "big.jsonl").open("ab") as file:
        file.write(lines[2])
    ingest([tmp_path / "big.jsonl"], tmp_path / "c", workers=1)
    assert check(tmp_path / "c").findings == ()


def test_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="found no calib"):
        check(tmp_path)


def account(manifest: Manifest, key: str, more: int) -> None:
    manifest["sources"][0]["account"][key] += more


MANIFEST: list[tuple[Callable[[Manifest], Any], str]] = [
    (lambda m: account(m, "kept", 1), "dumps/one.jsonl: account: expected"),
    (lambda m: account(m, "kept", 1), "dumps/one.jsonl: account.kept: expected"),
    (lambda m: account(m, "blank", 1), "dumps/one.jsonl: account.blank: expected 1 as in its parts, found 2"),
    (lambda m: account(m, "bytes", 1), "dumps/one.jsonl: account.bytes: expected"),
    (lambda m: m["sources"][0]["account"].update(blank=0, kept=m["sources"][0]["account"]["kept"] + 1),
     "dumps/one.jsonl: account.blank: expected 1 as in its parts, found 0"),
    (lambda m: m["sources"][0]["account"]["rejected"]["json-truncated"].update(records=2),
     "dumps/one.jsonl: account.rejected.json-truncated.records: expected 1 as in its parts, found 2"),
    (lambda m: m["sources"][0]["account"].update(ignored={"progress": {"records": 1, "bytes": 4}}),
     "kept + 2 rejected + 1 blank + 4 ignored"),
    (lambda m: m["sources"][0].update(bytes=1), "dumps/one.jsonl: bytes: expected"),
    (lambda m: m["sources"][0].update(episodes=3), "dumps/one.jsonl: episodes: expected 2 as in its parts, found 3"),
    (lambda m: m["sources"][0].update(turns=3), "dumps/one.jsonl: turns: expected 4 as in its parts, found 3"),
    (lambda m: m["sources"][0]["notices"].update(bom=1), "notices.bom: expected 0 as in its parts, found 1"),
    (lambda m: m["sources"][0]["notices"].update({"no\x1bne": 0}),
     "dumps/one.jsonl: notices: expected one of the closed list, found no\\x1bne"),
    (lambda m: m["parts"][0].update(first_byte=1),
     "dumps/one.jsonl: parts: expected one to begin at byte 0, found byte 1"),
    (lambda m: m["parts"][0]["labels"].update(passed=2),
     "labels: expected passed 2, unlabelled 1 as in calib.json, found"),
    (lambda m: m["parts"][0]["labels"].update(odd=0), "labels: expected one of the closed list, found odd"),
    (lambda m: m["parts"][0]["stops"].update(cost_limit=2), "stops: expected cost_limit 2 as in calib.json"),
    (lambda m: m["parts"][0]["stops"].update(no=0), "stops: expected one of the closed list, found no"),
    (lambda m: m["parts"][0]["reasoning"].update(codex={"native": 9}), "reasoning: expected codex native 9, epi"),
    (lambda m: m["parts"][0]["reasoning"].update(pi={"odd": 0}), "reasoning: expected one of the closed list, found o"),
    (lambda m: m["parts"][0]["account"]["rejected"]["json-truncated"].update(bytes=3),
     "account.rejected: expected json-truncated 1 of 3 bytes as in calib.json, found json-truncated 1 of 2"),
    (lambda m: m["parts"][0]["tables"]["turns"].update(rows=9), ".parquet: expected 9 rows, found 4"),
    (lambda m: m["parts"][0]["tables"]["turns"].update(bytes=9), "expected 9 bytes, found"),
    (lambda m: m["parts"][0]["tables"]["turns"].update(sha256="0"), "its content was altered since it was written"),
    (lambda m: m["parts"][0]["tables"]["turns"].update(file="turns/x.parquet"),
     ".parquet, found turns/x.parquet"),
    (lambda m: m["parts"][0].update(source="x"), "calib.json: parts: expected sources that are listed, found x"),
    (lambda m: m["parts"].reverse(), "calib.json: parts: expected each once and sorted"),
    (lambda m: m["parts"].append(m["parts"][-1]), "calib.json: parts: expected each once and sorted"),
    (lambda m: m["sources"].reverse(), "calib.json: sources: expected each once and sorted"),
    (lambda m: m["sources"].append(m["sources"][-1]), "calib.json: sources: expected each once and sorted"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "line"), MANIFEST, ids=[line[-40:] for _, line in MANIFEST])
def test_a_figure_of_calib_json_that_is_wrong(copy: Copy, change: Callable[[Manifest], Any], line: str) -> None:
    findings = copy.change(change).findings
    assert any(line in finding for finding in findings), findings
    assert not any("\x1b" in finding or "\n" in finding for finding in findings)


def test_an_account_with_ignored_bytes_adds_up(copy: Copy) -> None:
    def ignore(manifest: Manifest) -> None:
        for one in (manifest["sources"][0], manifest["parts"][0]):
            one["account"]["kept"] -= 10
            one["account"]["ignored"] = {"progress": {"records": 1, "bytes": 10}}

    assert copy.change(ignore).findings == ()


def test_figures_of_a_source_that_lost_a_part(copy: Copy) -> None:
    findings = copy.change(lambda manifest: manifest["parts"].pop(0)).findings
    assert "dumps/one.jsonl: episodes: expected 0 as in its parts, found 2" in findings


def set_(at: int, **values: Any) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        rows[at].update(values)

    return change


ROWS: list[tuple[str, Callable[[Rows], Any], str]] = [
    ("episodes", lambda rows: rows.reverse(), "episode_id: expected each key once, sorted, found otherwise in row 2"),
    ("episodes", set_(1, episode_id="a"), "episode_id: expected each key once, sorted"),
    ("episodes", set_(0, source="x"), "source: expected the source of the part, found otherwise in row 1"),
    ("episodes", set_(0, format="x"), "format: expected the format of the source"),
    ("episodes", set_(0, source_line=0), "source_line: expected a line from 1"),
    ("episodes", set_(0, outcome="pass"), "outcome: expected a word of the closed list"),
    ("episodes", set_(0, label="fine"), "label: expected a word of the closed list"),
    ("episodes", set_(1, label="passed"), "label: expected outcome passed where it is passed"),
    ("episodes", set_(0, label="turn_limit"), "label: expected no failure where the outcome is passed"),
    ("episodes", set_(0, turn_limit=0), "turn_limit: expected 1 or more"),
    ("episodes", set_(0, n_turns=-1), "n_turns: expected 0 or more"),
    ("episodes", set_(0, n_turns=2), "n_turns: expected the rows of turns, found otherwise in row 1"),
    ("episodes", set_(0, digest="A" * 32), "digest: expected 32 hexadecimal digits"),
    ("episodes", set_(0, digest="0" * 32 + "\n"), "digest: expected 32 hexadecimal digits"),
    ("episodes", set_(0, metadata="[1]"), "metadata: expected a JSON object"),
    ("episodes", set_(0, metadata="{"), "metadata: expected a JSON object"),
    ("episodes", lambda rows: rows.pop(), "episode_id: expected episodes of the part, found another one"),
    ("episodes", set_(1, episode_id="c"), "n_turns: expected the rows of turns"),
    ("turns", lambda rows: rows.reverse(), "episode_id, turn: expected each key once, sorted"),
    ("turns", lambda rows: rows.pop(1), "turn: expected 0, 1, 2, … in each episode, found otherwise in row 2"),
    ("turns", lambda rows: rows.pop(2), "n_turns: expected the rows of turns"),
    ("turns", lambda rows: rows.pop(), "calls/"),
    ("turns", set_(0, turn=-1), "turn: expected 0, 1, 2, …"),
    ("turns", set_(0, reasoning_state="lost"), "reasoning_state: expected a word of the closed list"),
    ("turns", set_(0, same_reasoning_as=1), "same_reasoning_as: expected a turn of the episode, not later"),
    ("turns", set_(0, same_reasoning_as=-1), "same_reasoning_as: expected a turn of the episode, not later"),
    ("turns", set_(0, same_calls_as=None), "same_calls_as: expected one where there are calls"),
    ("turns", lambda rows: (rows[1].update(same_results_as=0), rows[2].update(same_results_as=1)),
     "same_results_as: expected a turn that is the first of its kind, found otherwise in row 3"),
    ("turns", set_(2, same_calls_as=1), "same_calls_as: expected a turn that is the first of its kind"),
    ("turns", set_(1, same_reasoning_as=1), "same_reasoning_as: expected the first turn with this text"),
    ("turns", set_(1, same_reasoning_as=None), "same_reasoning_as: expected the first turn with this text"),
    ("turns", set_(0, reasoning_chars=5), "reasoning_chars: expected the length of reasoning"),
    ("turns", set_(0, reasoning_chars=0), "reasoning_chars: expected some where the text equals one"),
    ("turns", set_(0, reasoning_chars=-1), "reasoning_chars: expected some where the text equals one"),
    ("turns", set_(0, reasoning="pp"), "reasoning_chars: expected the length of reasoning"),
    ("turns", set_(0, tools=["g"]), "tools: expected the tools of the calls, found otherwise in row 1"),
    ("turns", set_(0, tools=["f", "f"]), "tools: expected the tools of the calls"),
    ("turns", set_(0, tools=[], same_calls_as=None), "tools: expected the tools of the calls"),
    ("calls", lambda rows: rows.reverse(), "episode_id, turn, call: expected each key once, sorted"),
    ("calls", set_(0, call=1), "call: expected 0, 1, 2, … in each turn"),
    ("calls", set_(3, turn=1), "turn: expected turns of the part, found another one"),
    ("calls", lambda rows: rows.pop(), "tools: expected the tools of the calls"),
    ("calls", set_(0, result_chars=-1), "result_chars: expected 0 or more"),
    ("calls", set_(0, same_call_as=1), "same_call_as: expected a call of the episode, not later"),
    ("calls", lambda rows: (rows[1].update(same_call_as=0), rows[2].update(same_call_as=1)),
     "same_call_as: expected a call that is the first of its kind"),
    ("calls", set_(0, same_result_as=-1), "same_result_as: expected a call of the episode, not later"),
    ("calls", set_(0, same_result_as=None), "same_result_as: expected one where there is a result"),
    ("calls", set_(0, same_written_call_as=1), "same_written_call_as: expected a call of the episode, not later"),
    ("calls", set_(0, same_failure_as=0), "same_failure_as: expected one where the result is marked as an error"),
    ("calls", set_(0, is_error=True), "same_failure_as: expected one where the result is marked as an error"),
    ("calls", set_(0, is_error=True, same_failure_as=1), "same_failure_as: expected a call of the episode, not later"),
    ("turns", set_(0, output_tokens=-1), "output_tokens: expected 0 or more"),
    ("turns", set_(0, milliseconds=-1), "milliseconds: expected 0 or more"),
    ("calls", set_(0, result_chars=None), "result_head: expected no longer than the result"),
    ("calls", set_(0, result_head="x" * 201, result_chars=201), "result_head: expected no longer than the result"),
    ("rejects", set_(0, code="odd"), "code: expected a word of the closed list"),
    ("rejects", set_(0, code="too-deep"), "expected json-truncated 1 of 2 bytes as in calib.json, found too-deep"),
    ("rejects", set_(0, source="x"), "source: expected the source of the part"),
    ("rejects", set_(0, line=0), "line: expected a line from 1"),
    ("rejects", set_(0, offset=-1), "offset: expected a stretch within the"),
    ("rejects", set_(0, offset=10**9), "offset: expected a stretch within the"),
    ("rejects", set_(0, bytes=-1), "bytes: expected 0 or more"),
    ("rejects", set_(0, records=0), "records: expected 1 or more"),
    ("rejects", set_(0, records=2), "expected json-truncated 1 of 2 bytes as in calib.json, found json-truncated 2 of"),
    ("rejects", lambda rows: rows.append(rows[0]), "source, offset, bytes, code: expected each key once, sorted"),
    ("rejects", lambda rows: rows.append({**rows[0], "offset": rows[0]["offset"] + 1}),
     "dumps/one.jsonl: rejects: expected stretches that do not overlap, found one at byte"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "change", "line"), ROWS, ids=[f"{t}-{line[:40]}" for t, _, line in ROWS])
def test_a_row_that_is_wrong(copy: Copy, table: str, change: Callable[[Rows], Any], line: str) -> None:
    findings = copy.rows(table, change).findings
    assert any(line in finding for finding in findings), findings


def test_the_first_row_is_named_and_the_others_counted(copy: Copy) -> None:
    findings = copy.rows("turns", lambda rows: [row.update(reasoning_state="lost") for row in rows[1:]]).findings
    file = copy.manifest()["parts"][0]["tables"]["turns"]["file"]
    assert f"{file}: reasoning_state: expected a word of the closed list, found otherwise in row 2 (3 rows)" in findings


def test_an_id_in_two_parts(copy: Copy) -> None:
    def rename(rows: Rows) -> None:
        for row in rows:
            row["episode_id"] = "a"

    for table in ("episodes", "turns", "calls"):
        copy.rows(table, rename, source="dumps/two.jsonl")
    first, second = (
        part["tables"]["episodes"]["file"] for part in copy.manifest()["parts"] if part["source"] != "dumps/three.txt"
    )
    assert copy.findings == (f"{first}: episode_id: expected each id once in the corpus, found one also in {second}",)


def test_text_where_none_should_be(copy: Copy) -> None:
    findings = copy.change(lambda manifest: manifest["options"].update(text=False)).findings
    assert {finding.split(": ")[1] for finding in findings} == {"reasoning", "arguments", "canonical", "result_head"}


def test_redacted_text_is_not_compared(copy: Copy) -> None:
    copy.rows("turns", set_(0, reasoning="[home]"))
    assert len(copy.findings) >= 1
    assert copy.change(lambda manifest: manifest["options"].update(redact=True)).findings == ()


def test_files_that_are_gone_cut_or_of_another_kind(copy: Copy) -> None:
    files = [table["file"] for table in copy.manifest()["parts"][0]["tables"].values()]
    (copy.folder / files[0]).unlink()
    (copy.folder / files[1]).write_bytes((copy.folder / files[1]).read_bytes()[:-1])
    manifest = copy.manifest()
    entry = manifest["parts"][0]["tables"]["turns"]
    copy.put(entry, pa.table({"turn": [1]}))
    copy.write(manifest)
    findings = "\n".join(copy.findings)
    assert "could not be read" in findings or "cannot be read" in findings
    assert "expected the columns of schema turns, found columns turn" in findings
    assert findings.count("\n") == 2


def test_a_parquet_file_of_other_types(copy: Copy) -> None:
    manifest = copy.manifest()
    entry = manifest["parts"][0]["tables"]["rejects"]
    names = ["source", "line", "offset", "bytes", "code", "reason", "records"]
    copy.put(entry, pa.table({name: pa.array([1], pa.int64()) for name in names}))
    copy.write(manifest)
    assert any(
        "expected the columns of schema rejects, found source of type int64 for dictionary" in finding
        for finding in copy.findings
    )


def test_no_parquet_file_at_all(copy: Copy) -> None:
    manifest = copy.manifest()
    entry = manifest["parts"][0]["tables"]["turns"]
    copy.put(entry, pa.table({"turn": [1]}))
    data = b"PAR1 or not"
    (copy.folder / entry["file"]).write_bytes(data)
    entry.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    copy.write(manifest)
    assert any(": could not be read: " in finding for finding in copy.findings)


def test_an_ingest_that_ends_meanwhile_is_no_disagreement(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first read sees figures that are no longer those of the corpus; the second one decides."""
    sound = copy.manifest()
    copy.change(lambda manifest: manifest["sources"][0].update(episodes=9))
    read: list[Manifest] = []

    def manifest(folder: Path) -> Manifest:
        found: Manifest = json.loads((folder / "calib.json").read_text())
        if not read:
            copy.write(sound)
        read.append(found)
        return found

    monkeypatch.setattr("calib.check.read_manifest", manifest)
    assert copy.findings == ()
    assert len(read) == 3


def test_progress_is_told(sound: Path) -> None:
    told: list[tuple[int, int]] = []
    check(sound, lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]
