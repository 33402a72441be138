"""Inspect logs: documents and archives, attachments, chunks, compaction, sub-agents, scores and limits, bad members."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from calib.formats import _zip
from calib.formats._inspect import Sample
from calib.formats.inspect_eval import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import Told, calls, column, ingested, told
from tests.formats.zipping import Piece, archive, piece

OPEN = Path(__file__).parents[2].parent / "shared" / "corpora" / "inspect_ai"
LONG = "0123456789abcdef" * 2


def answer(text: Any, *listed: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "source": "generate", "content": text, "tool_calls": list(listed) or None, **more}


def call(call_id: str, function: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"id": call_id, "function": function, "arguments": arguments, "type": "function", **more}


def thought(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "reasoning": text, **more}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


SEARCH = {
    "type": "tool_use",
    "tool_type": "web_search",
    "id": "w",
    "name": "search",
    "arguments": "{}",
    "result": "hit",
}
MESSAGES = [
    {"role": "system", "content": "be good"},
    {"role": "user", "content": "Q", "source": "input"},
    {"role": "assistant", "content": "an example", "source": "input"},
    {"role": "user", "content": "now you", "source": "input"},
    answer([thought("Look.", signature="s"), text("I look.")], call("a", "bash", {"cmd": "ls"}), id="m1"),
    {"role": "tool", "tool_call_id": "a", "function": "bash", "content": f"attachment://{LONG}"},
    answer([thought("", redacted=True, summary="Short."), SEARCH, text("Then")], call("b", "bash", {}), id="m2"),
    {"role": "tool", "tool_call_id": "b", "function": "bash", "content": "", "error": {"type": "t", "message": "no"}},
    answer("<think>Enough.</think>42", id="m3"),
]
EVAL = {
    "run_id": "r-1", "task_id": "tid", "task": "security", "model": "openai/m-1", "task_version": 2, "created": "2026",
    "config": {"message_limit": 30, "epochs": 1, "turn_limit": 12},
}  # fmt: skip
SAMPLE = {
    "id": "q1", "epoch": 2, "uuid": "u-1", "messages": MESSAGES, "attachments": {LONG: "a long listing"},
    "scores": {"match": {"value": "C", "answer": "42"}}, "output": {"choices": [{"stop_reason": "stop"}]},
    "events": [], "total_time": 1.5, "limit": None, "error": None,
}  # fmt: skip
LOG: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": EVAL,
    "samples": [SAMPLE, {**SAMPLE, "uuid": "u-2", "epoch": 3}],
}


def one(**more: Any) -> Any:
    return told("inspect_eval", [{**LOG, "samples": [{**SAMPLE, **more}]}]).one


def test_a_sample() -> None:
    first, second = told("inspect_eval", [LOG]).episodes
    assert column("text", first) == ["I look.", "Then", "42"]
    assert column("reasoning", first) == ["Look.", "Short.", "Enough."]
    assert column("kind", first) == ["native", "summary", "inline"]
    assert column("user_before", first) == [True, False, False]
    assert calls(first, "turn", "call", "tool", "arguments", "result_head", "is_error") == [
        (0, 0, "bash", '{"cmd":"ls"}', "a long listing", False),
        (1, 0, "bash", "{}", "no", True),
        (1, 1, "search", "{}", "hit", False),
    ]
    about = first.about
    assert (about.episode_id, about.task, about.model, about.outcome) == ("u-1", "security", "openai/m-1", "pass")
    assert (about.stop_reason, about.turn_limit, about.metadata["message_limit"]) == ("stop", 12, 30)
    assert (about.metadata["sample_id"], about.metadata["epoch"]) == ("q1", 2)
    assert second.about.episode_id == "u-2"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([thought("A"), thought("B")], ("A\nB", "recorded", "native")),
        ([thought("xyz", redacted=True)], (None, "withheld", None)),
        ([thought("", signature="s")], (None, "withheld", None)),
        ([thought("")], (None, "empty", None)),
        ([text("x")], (None, "absent", None)),
    ],
)
def test_states_of_reasoning(parts: list[Any], expected: tuple[Any, ...]) -> None:
    assert tuple(one(messages=[answer(parts)]).turns[0][:3]) == expected


def test_old_reasoning_field_and_old_score() -> None:
    episode = one(messages=[answer("x", reasoning="Old.")], scores=None, score={"value": "I"}, uuid=None)
    assert column("reasoning", episode) == ["Old."]
    assert (episode.about.outcome, episode.about.episode_id) == ("fail", "r-1/tid/q1/2")


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        (["C"], "pass"), ([1.0], "pass"), ([True], "pass"), (["I"], "fail"), (["N"], "fail"), ([0], "fail"),
        (["P"], "P"), ([0.5], "0.5"), ([{"a": 1}], '{"a":1}'), (["C", 1], "pass"), (["C", "I"], '{"s0":"C","s1":"I"}'),
        ([], None),
    ],
)  # fmt: skip
def test_scores(values: list[Any], outcome: str | None) -> None:
    assert one(scores={f"s{at}": {"value": value} for at, value in enumerate(values)}).about.outcome == outcome


@pytest.mark.parametrize(
    ("more", "stop", "limit"),
    [
        ({"limit": {"type": "message", "limit": 30}}, "message_limit", 12),
        ({"limit": {"type": "turn", "limit": 5}}, "turn_limit", 5),
        ({"limit": {"type": "operator", "limit": 1}}, "operator", 12),
        ({"error": {"message": "boom"}}, "error", 12),
        ({"output": {}}, None, 12),
    ],
)
def test_stop_reasons(more: dict[str, Any], stop: str | None, limit: int) -> None:
    about = one(**more).about
    assert (about.stop_reason, about.turn_limit) == (stop, limit)


def model(message: dict[str, Any], span: str = "main", last: str = "tool", **more: Any) -> dict[str, Any]:
    choices = {"choices": [{"message": message}]}
    return {"event": "model", "span_id": span, "output": choices, "input": [{"role": last}], **more}


def span(name: str, kind: str | None, parent: str | None = None) -> dict[str, Any]:
    return {"event": "span_begin", "id": name, "type": kind, "parent_id": parent}


SPANS = [
    span("main", "solver"), span("t", "tool", "main"), span("sub", "agent", "t"), span("sc", "scorer", None),
]  # fmt: skip
EVENTS = [
    *SPANS,
    model(answer("one", call("a", "ls", {}), id="e1"), last="user"),
    {"event": "tool", "id": "a", "result": "x.py", "span_id": "main"},
    model(answer("failed", id="e0"), error="overloaded"),
    model(answer("inner", call("i", "cat", {}), id="s1"), span="sub", last="user"),
    {"event": "tool", "id": "i", "result": "", "error": {"message": "no file"}, "span_id": "sub"},
    {"event": "compaction", "span_id": "main", "type": "summary"},
    model(answer("two", id="e2")),
    model(answer("graded", id="g1"), span="sc"),
]


def test_a_compacted_conversation_is_told_by_its_events() -> None:
    found = told(
        "inspect_eval", [{**LOG, "samples": [{**SAMPLE, "events": EVENTS, "messages": [answer("two", id="e2")]}]}]
    )
    main, inner = found.episodes
    assert column("text", main) == ["one", "two"]
    assert column("after_compaction", main) == [False, True]
    assert column("user_before", main) == [True, False]
    assert calls(main, "tool", "result_head", "is_error") == [("ls", "x.py", False)]
    assert column("text", inner) == ["inner"]
    assert calls(inner, "tool", "result_head", "is_error") == [("cat", "no file", True)]
    assert (inner.about.parent, inner.about.episode_id) == ("u-1", "u-1/sub")


def test_events_without_compaction_tell_subagents_only() -> None:
    events = [event for event in EVENTS if event["event"] != "compaction"]
    main, inner = told("inspect_eval", [{**LOG, "samples": [{**SAMPLE, "events": events}]}]).episodes
    assert column("text", main) == ["I look.", "Then", "42"]
    assert column("text", inner) == ["inner"]
    handed = [*MESSAGES, answer("inner", id="s1")]
    assert (
        len(told("inspect_eval", [{**LOG, "samples": [{**SAMPLE, "events": events, "messages": handed}]}]).episodes)
        == 1
    )


def test_pooled_input_tells_who_spoke_last() -> None:
    events = [
        {**model(answer("a")), "input": [], "input_refs": [[0, 2]]},
        {**model(answer("b")), "input_refs": [[0, 1]], "input": []},
    ]
    pool = {"messages": [{"role": "tool"}, {"role": "user"}], "calls": []}
    assert column("user_before", one(messages=[], events=events, events_data=pool)) == [True, False]


def test_recognised_alone() -> None:
    assert known_by(LOG) == ["inspect_eval"]
    assert not recognises({"version": 2, "status": "x"})
    for value in odd_values(LOG):
        recognises(value)


def test_every_field_is_heard() -> None:
    sample = "0.samples.0."
    places = [
        sample + place
        for place in (
            "uuid", "epoch", "scores.match.value", "output.choices.0.stop_reason", f"attachments.{LONG}",
            "messages.4.role", "messages.4.content.0.reasoning", "messages.4.content.1.text",
            "messages.4.tool_calls.0.function", "messages.4.tool_calls.0.arguments.cmd", "messages.4.tool_calls.0.id",
            "messages.5.content", "messages.5.tool_call_id", "messages.6.content.0.summary",
            "messages.6.content.1.name", "messages.6.content.1.result", "messages.7.error.message",
            "messages.8.content",
        )
    ]  # fmt: skip
    assert unheard("inspect_eval", [LOG], *places, "0.eval.task", "0.eval.model", "0.eval.config.turn_limit") == []


HEADER = {"version": 2, "status": "success", "eval": EVAL}


def members(*samples: dict[str, Any], method: int = 8) -> list[Piece]:
    own = [piece(f"samples/{s['id']}_epoch_{s['epoch']}.json", s, method=method) for s in samples]
    return [
        piece("_journal/start.json", {"version": 2, "eval": {**EVAL, "task": "early"}}, method=method),
        *own,
        piece("summaries.json", [], method=method),
        piece("header.json", HEADER, method=method),
    ]


def ids(read: Any) -> list[str]:
    return [row["episode_id"] for row in read.tables["episodes"]]


def log_of(folder: Path, data: bytes, name: str = "log.eval") -> Path:
    (folder / name).write_bytes(data)
    return folder / name


@pytest.mark.parametrize("method", [0, 8, 93])
def test_an_archive(tmp_path: Path, method: int) -> None:
    path = log_of(tmp_path, archive(*members(*LOG["samples"], method=method)))
    read = ingested(tmp_path, [path])
    assert ids(read) == ["u-1", "u-2"]
    assert [row["n_turns"] for row in read.tables["episodes"]] == [3, 3]
    assert {row["task"] for row in read.tables["episodes"]} == {"security"}
    (source,) = read.sources
    assert source["format"] == "inspect_eval"
    assert source["account"]["bytes"] == path.stat().st_size
    assert source["account"]["ignored"]["archive-member"]["records"] == 3


def test_a_log_under_way_has_only_its_journal(tmp_path: Path) -> None:
    path = log_of(tmp_path, archive(*members(SAMPLE)[:2]))
    (row,) = ingested(tmp_path, [path]).tables["episodes"]
    assert (row["episode_id"], row["task"]) == ("u-1", "early")


def chunks(sample: dict[str, Any]) -> list[Piece]:
    """A sample as newer versions cut it: messages by two, references by number."""
    shell = {key: value for key, value in sample.items() if key not in ("messages", "events", "attachments")}
    said = json.loads(json.dumps(sample["messages"]).replace(LONG, "0"))
    place = f"samples/{sample['id']}_epoch_{sample['epoch']}"
    pool = [{"role": "user", "content": "only pooled"}, *said]
    refs = [[1, 3], [3, len(pool)]]
    return [
        piece(f"{place}/sample.json", {**shell, "message_refs": refs}),
        piece(f"{place}/skeleton.json", {}),
        *(piece(f"{place}/messages/{at}.json", pool[at : at + 2]) for at in reversed(range(0, len(pool), 2))),
        piece(f"{place}/events/0.json", sample["events"]),
        piece(f"{place}/events/stats.json", {}),
        piece(f"{place}/attachments/0.json", list(sample["attachments"].values())),
    ]


def test_a_chunked_sample_is_the_same_as_a_whole_one(tmp_path: Path) -> None:
    whole = {**SAMPLE, "events": EVENTS}
    first = ingested(tmp_path, [log_of(tmp_path, archive(*members(whole)), "a.eval")])
    other = tmp_path / "other"
    other.mkdir()
    path = log_of(other, archive(*chunks(whole), piece("header.json", HEADER)))
    second = ingested(other, [path])
    for table in ("turns", "calls"):
        assert first.tables[table] == second.tables[table]
    assert [row["digest"] for row in first.tables["episodes"]] == [row["digest"] for row in second.tables["episodes"]]
    assert second.sources[0]["account"]["bytes"] == path.stat().st_size
    assert second.sources[0]["account"]["rejected"] == {}


def test_a_missing_chunk_costs_the_sample(tmp_path: Path) -> None:
    pieces = [p for p in chunks(SAMPLE) if not p.name.endswith("messages/4.json")]
    path = log_of(
        tmp_path,
        archive(*pieces, piece("samples/q_epoch_1.json", {**SAMPLE, "uuid": "u-9"}), piece("header.json", HEADER)),
    )
    read = ingested(tmp_path, [path])
    assert ids(read) == ["u-9"]
    assert {row["code"] for row in read.tables["rejects"]} == {"bad-member"}


def test_bad_members_cost_themselves_only(tmp_path: Path) -> None:
    bad = [
        Piece("samples/damaged_epoch_1.json", b"{}", crc=5), piece("samples/list_epoch_1.json", [1]),
        piece("samples/torn_epoch_1.json", b'{"id": 1, "messages": [{"role": "assi'),
        piece("samples/strange_epoch_1.json", b"{}", method=9), piece("samples/none_epoch_1.json", {"messages": 5}),
    ]  # fmt: skip
    path = log_of(tmp_path, archive(*members(SAMPLE), *bad))
    read = ingested(tmp_path, [path])
    assert ids(read) == ["u-1"]
    found = Counter(row["code"] for row in read.tables["rejects"])
    assert found == {"bad-member": 2, "not-an-object": 1, "json-truncated": 1, "no-messages": 1}
    assert sum(row["bytes"] for row in read.tables["rejects"]) > 0


def test_hostile_names_are_only_names(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    names = [
        "../escape.json",
        "/tmp/absolute.json",
        "samples/../../up_epoch_1.json",
        "samples/a\x1b[31m_epoch_1.json",
        "C:\\x",
    ]
    samples = [piece(name, {**SAMPLE, "uuid": f"h{at}"}) for at, name in enumerate(names)]
    path = log_of(inside, archive(*samples, *members(SAMPLE)))
    before = sorted(tmp_path.rglob("*"))
    read = ingested(tmp_path, [path])
    assert ids(read) == ["h3", "u-1"]
    made = {p for p in tmp_path.rglob("*") if "corpus" not in p.parts} - set(before)
    assert made == set()


def test_a_name_given_twice_counts_once(tmp_path: Path) -> None:
    old, new = {**SAMPLE, "uuid": "old"}, {**SAMPLE, "uuid": "new"}
    read = ingested(tmp_path, [log_of(tmp_path, archive(*members(old, new)))])
    assert ids(read) == ["new"]


def test_a_bomb_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_zip, "LARGEST", 1 << 20)
    bomb = Piece("samples/bomb_epoch_1.json", b'{"a": "' + b"x" * (4 << 20) + b'"}')
    read = ingested(tmp_path, [log_of(tmp_path, archive(bomb, *members(SAMPLE)))])
    assert ids(read) == ["u-1"]
    assert [row["code"] for row in read.tables["rejects"]] == ["too-large"]


def test_a_cut_archive_keeps_what_came_before(tmp_path: Path) -> None:
    data = archive(*members(SAMPLE, {**SAMPLE, "uuid": "u-2", "epoch": 9}), directory=False)
    path = log_of(tmp_path, data[: data.rfind(b"samples/") + 200])
    read = ingested(tmp_path, [path])
    assert ids(read) == ["u-1"]
    assert [row["code"] for row in read.tables["rejects"]] == ["truncated-archive"]


def test_another_zip_is_of_an_unknown_format(tmp_path: Path) -> None:
    path = log_of(tmp_path, archive(Piece("word/document.xml", b"<x/>")), "x.docx")
    read = ingested(tmp_path, [path])
    assert [(row["code"], row["bytes"]) for row in read.tables["rejects"]] == [("unknown-format", path.stat().st_size)]


def test_copies_of_a_log_count_once(tmp_path: Path) -> None:
    log_of(tmp_path, archive(*members(*LOG["samples"])), "a.eval")
    (tmp_path / "b.json").write_text(json.dumps(LOG, indent=1))
    read = ingested(tmp_path, [tmp_path / "a.eval", tmp_path / "b.json"])
    assert ids(read) == ["u-1", "u-2"]
    assert Counter(row["code"] for row in read.tables["rejects"]) == {"duplicate-episode": 2}


def test_a_log_without_samples(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({**LOG, "samples": None}))
    (tmp_path / "b.json").write_text(json.dumps({**LOG, "samples": []}))
    read = ingested(tmp_path, [tmp_path / "a.json", tmp_path / "b.json"])
    assert [list(source["account"]["ignored"]) for source in read.sources] == [["log-without-samples"]] * 2


def test_events_are_not_decoded_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Told()
    sample = {**SAMPLE, "events": b'[{"event": "model", broken'}
    episodes = list(Sample(sample, HEADER, True, found.notices).episodes((1, 0, 9)))
    assert [len(episode.turns) for episode in episodes] == [3]


@pytest.mark.skipif(not OPEN.exists(), reason="the open corpora are not here")
def test_the_open_logs(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    unknown = [source["source"] for source in read.sources if not source["format"]]
    assert {name.rpartition("/")[0].rpartition("/")[2] for name in unknown} == {"test_skeleton"}
    assert len(unknown) == 9
    assert (len(read.sources), len(read.tables["episodes"]), len(read.tables["turns"])) == (46, 60, 64)
    assert Counter(row["outcome"] for row in read.tables["episodes"]) == {"passed": 32, "failed": 16, "unknown": 12}
    assert Counter(row["reasoning_state"] for row in read.tables["turns"]) == {"absent": 63, "withheld": 1}
    codes = Counter(row["code"] for row in read.tables["rejects"])
    assert codes == {"duplicate-episode": 82, "unknown-format": 9}
    assert len(read.tables["calls"]) == 5
