"""hermes' state.db: order, rewinds, compaction and lineages, delegates and branches, the limit, the guard, damage."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats._hermes_rows import LIMIT, once
from calib.formats._reader import Context, Fault, Passed
from calib.formats.hermes_db import Reader, recognises
from tests.formats.knowing import ODD
from tests.formats.reading import Read, Told, calls, column, ingested, rows

SESSIONS = (
    "id TEXT PRIMARY KEY, source TEXT, model TEXT, model_config TEXT, system_prompt TEXT, parent_session_id TEXT,"
    " started_at REAL, ended_at REAL, end_reason TEXT, input_tokens INTEGER"
)
MESSAGES = (
    "id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT,"
    " timestamp REAL, reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT, codex_reasoning_items TEXT,"
    " observed INTEGER DEFAULT 0, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0"
)
Row = dict[str, Any]


def session(name: str, **more: Any) -> Row:
    return {"id": name, "source": "cli", "model": "m-1", "started_at": 1.0, **more}


def said(role: str, content: str | None, to: str = "s1", **more: Any) -> Row:
    return {"session_id": to, "role": role, "content": content, "timestamp": 5.0, **more}


def calling(call_id: str, arguments: str = "{}", to: str = "s1", **more: Any) -> Row:
    listed = [{"id": call_id, "type": "function", "function": {"name": "terminal", "arguments": arguments}}]
    return said("assistant", "", to, tool_calls=json.dumps(listed), **more)


def result(call_id: str, content: str, to: str = "s1", **more: Any) -> Row:
    return said("tool", content, to, tool_call_id=call_id, **more)


def database(path: Path, sessions: Sequence[Row], messages: Sequence[Row], wal: bool = False) -> Path:
    db = sqlite3.connect(path)
    if wal:
        db.execute("PRAGMA journal_mode = WAL")
    db.execute(f"CREATE TABLE sessions ({SESSIONS})")
    db.execute(f"CREATE TABLE messages ({MESSAGES})")
    for table, listed in (("sessions", sessions), ("messages", messages)):
        for row in listed:
            marks = ", ".join("?" * len(row))
            db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    db.commit()
    db.close()
    return path


def opened(path: Path, beside: dict[str, bytes] | None = None) -> Told:
    """What the reader gives for a file; faults as (place, code), what was passed over as kinds."""
    found = Told()
    size = path.stat().st_size
    total = 0
    for given_ in Reader(Context(True, found.notices, "state.db", beside or {}, {})).open(path, size):
        if isinstance(given_, Fault):
            found.rejected.append((given_.offset, given_.code))
            total += given_.bytes
        elif isinstance(given_, Passed):
            found.ignored.append(given_.kind)
            total += given_.bytes
        else:
            found.episodes.append(given_)
            total += sum(length for _, _, length in given_.stretches)
    assert total == size
    return found


def told(tmp_path: Path, sessions: Sequence[Row], messages: Sequence[Row]) -> Told:
    path = tmp_path / "state.db"
    path.unlink(missing_ok=True)
    return opened(database(path, sessions, messages))


DETAILS = json.dumps([{"type": "reasoning.encrypted", "data": "x"}])
ITEMS = json.dumps(
    [{"type": "reasoning", "encrypted_content": "x", "summary": [{"type": "summary_text", "text": "Plan."}]}]
)
TALK = [
    said("session_meta", None),
    said("user", "Q"),
    calling("a", '{"cmd": "ls"}', reasoning="Look.", timestamp=9.0),
    result("a", "x.py", timestamp=3.0),
    said("assistant", "<think>Hm.</think>Hello"),
    said("user", "taken back", active=0),
    said("assistant", "taken back too", active=0),
    said("user", '\x00json:[{"type": "text", "text": "more"}]'),
    said("assistant", '\x00json:[{"type": "text", "text": "in parts"}]', reasoning_details=DETAILS),
    said("assistant", "last", codex_reasoning_items=ITEMS),
]


def test_a_session(tmp_path: Path) -> None:
    row = session("s1", end_reason="tui_close", model_config='{"max_iterations": 90}', input_tokens=7)
    episode = told(tmp_path, [row], TALK).one
    assert column("text", episode) == ["", "Hello", "in parts", "last"]
    assert column("reasoning", episode) == ["Look.", "Hm.", None, "Plan."]
    assert column("state", episode) == ["recorded", "recorded", "encrypted", "recorded"]
    assert column("kind", episode) == ["native", "inline", None, "summary"]
    assert column("user_before", episode) == [True, False, True, False]
    assert calls(episode, "turn", "tool", "arguments", "result_head") == [(0, "terminal", '{"cmd": "ls"}', "x.py")]
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason, about.turn_limit) == ("s1", "m-1", "tui_close", 90)
    assert about.metadata["input_tokens"] == 7
    assert "system_prompt" not in about.metadata


def test_the_answer_after_the_limit_is_no_turn(tmp_path: Path) -> None:
    ending = [calling("a"), result("a", "x"), said("user", LIMIT + " Please close."), said("assistant", "Summary")]
    episode = told(tmp_path, [session("s1", end_reason="cli")], ending).one
    assert (len(episode.turns), episode.about.stop_reason) == (1, "max_iterations_reached")
    on = told(
        tmp_path, [session("s1", end_reason="cli")], [*ending, said("user", "go on"), said("assistant", "ok")]
    ).one
    assert (column("text", on), on.about.stop_reason) == (["", "ok"], "cli")


def test_the_guards_notice_is_no_turn(tmp_path: Path) -> None:
    notice = "I stopped retrying terminal because it hit the tool-call guardrail (same_args) after 5 repeated attempts."
    episode = told(tmp_path, [session("s1")], [calling("a"), said("assistant", notice)]).one
    assert (len(episode.turns), episode.about.stop_reason) == (1, "guardrail_halt")


def test_reasoning_that_a_guard_cut_is_counted(tmp_path: Path) -> None:
    rows = [
        said("assistant", "a", reasoning="on and on\n[thinking truncated: repetition loop detected]"),
        said("assistant", "b"),
    ]
    assert told(tmp_path, [session("s1")], rows).one.about.metadata["reasoning_cut"] == 1


SUMMARY = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted"


def test_compaction_in_place_counts_copies_once(tmp_path: Path) -> None:
    head = [said("user", "task"), said("assistant", "one")]
    tail = [calling("a"), result("a", "long " * 9)]
    copied = [
        said("user", "task"),
        said("assistant", "one"),
        said("assistant", SUMMARY),
        calling("a"),
        result("a", "[cut]"),
    ]
    old = [{**row, "active": 0, "compacted": 1} for row in [*head, said("assistant", "two"), *tail]]
    episode = told(tmp_path, [session("s1")], [*old, *copied, said("assistant", "three")]).one
    assert column("text", episode) == ["one", "two", "", "three"]
    assert column("after_compaction", episode) == [False, False, False, True]
    assert calls(episode, "result_chars") == [(45,)]


def test_sessions_split_by_compression_are_one_episode(tmp_path: Path) -> None:
    sessions = [
        session("s1", end_reason="compression"),
        session("s2", parent_session_id="s1", end_reason="compression"),
        session("s3", parent_session_id="s2", end_reason="done"),
        session("sub", parent_session_id="s2", model_config='{"_delegate_from": "s2"}'),
        session("old", parent_session_id="s3"),
        session("lost", parent_session_id="gone"),
    ]
    rows = [
        said("user", "task"), said("assistant", "one"), said("user", SUMMARY, "s2"), said("assistant", "one", "s2"),
        said("assistant", "two", "s2"), said("assistant", "two", "s3"), said("assistant", "three", "s3"),
        *(said("assistant", name, name) for name in ("sub", "old", "lost")),
    ]  # fmt: skip
    found = told(tmp_path, sessions, rows).episodes
    assert {(e.about.episode_id, e.about.parent) for e in found} == {
        ("s1", None), ("sub", "s1"), ("old", "s1"), ("lost", "gone"),
    }  # fmt: skip
    assert column("text", found[0]) == ["one", "two", "three"]
    assert column("after_compaction", found[0]) == [False, True, True]
    assert found[0].about.stop_reason == "done"
    assert found[0].about.metadata["sessions"] == 3


@pytest.mark.parametrize("marked", [True, False])
def test_a_branch_is_an_episode_without_what_it_copied(tmp_path: Path, marked: bool) -> None:
    config = '{"_branched_from": "s1"}' if marked else None
    sessions = [
        session("s1", end_reason=None if marked else "branched"),
        session("b", parent_session_id="s1", model_config=config),
    ]
    rows = [said("user", "task"), said("assistant", "one"), said("assistant", "two")]
    branch = [said("user", "task", "b"), said("assistant", "one", "b"), said("assistant", "else", "b")]
    first, second = told(tmp_path, sessions, [*rows, *branch]).episodes
    assert column("text", first) == ["one", "two"]
    assert column("text", second) == ["else"]
    assert (second.about.parent, second.about.metadata["branched_from"]) == (None, "s1")


def test_a_ring_of_sessions_ends(tmp_path: Path) -> None:
    sessions = [
        session("a", parent_session_id="b", end_reason="compression"),
        session("b", parent_session_id="a", end_reason="compression"),
    ]
    assert len(told(tmp_path, sessions, [said("assistant", "x", "a")]).episodes) == 2


def test_a_broken_message_costs_its_episode(tmp_path: Path) -> None:
    rows = [said("assistant", "fine"), said("assistant", "x", "s2", tool_calls="{torn")]
    found = told(tmp_path, [session("s1"), session("s2")], rows)
    assert ([e.about.episode_id for e in found.episodes], [code for _, code in found.rejected]) == (
        ["s1"],
        ["bad-message"],
    )


def test_other_databases_are_of_an_unknown_format(tmp_path: Path) -> None:
    for number, made in enumerate((
        "CREATE TABLE sessions (id TEXT)",
        "CREATE TABLE sessions (id); CREATE VIEW messages AS SELECT 1 id, 2 session_id, 'a' role, '' content",
        "CREATE TABLE sessions (id); CREATE TABLE messages (id, role)",
    )):  # fmt: skip
        path = tmp_path / f"{number}.db"
        db = sqlite3.connect(path)
        db.executescript(made)
        db.close()
        assert opened(path).rejected == [(0, "unknown-format")]


def test_an_empty_database_and_older_columns(tmp_path: Path) -> None:
    assert told(tmp_path, [], []).ignored == ["database-without-sessions"]
    path = tmp_path / "old.db"
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE sessions (id TEXT); CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content TEXT);"
        "INSERT INTO sessions VALUES ('s1'); INSERT INTO messages VALUES (1, 's1', 'assistant', 'hi');"
    )
    db.close()
    assert column("text", opened(path).one) == ["hi"]


def test_a_write_ahead_log_is_told(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db", [session("s1")], TALK, wal=True)
    assert opened(path, {"state.db-wal": b"x"}).notices["rows-not-read"] == 1
    assert opened(path, {"state.db-wal": b""}).notices["rows-not-read"] == 0


def live(tmp_path: Path) -> tuple[sqlite3.Connection, Path]:
    """A database whose writer is still there: what it wrote stands in the log only."""
    inside = tmp_path / "in"
    inside.mkdir()
    path = database(inside / "state.db", [session("s1")], TALK, wal=True)
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    return db, path


def add(db: sqlite3.Connection, name: str, turns: int = 1) -> None:
    db.execute("INSERT INTO sessions (id, source, model, started_at) VALUES (?, 'cli', 'm-1', 1.0)", [name])
    for turn in range(turns):
        db.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'assistant', ?, 5.0)",
            [name, f"{turn} " * 3000],
        )


def read_alive(tmp_path: Path, path: Path) -> tuple[dict[str, int], dict[str, int]]:
    before = {one.name: one.read_bytes() for one in path.parent.iterdir()}
    read: Read = ingested(tmp_path, [path.parent])
    assert {one.name: one.read_bytes() for one in path.parent.iterdir()} == before
    assert not list((tmp_path / "corpus").rglob(".*new-*"))
    (source,) = (source for source in read.sources if source["source"].endswith("state.db"))
    assert source["account"]["bytes"] == path.stat().st_size
    return {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]}, source["notices"]


def test_what_is_committed_in_the_log_is_read(tmp_path: Path) -> None:
    db, path = live(tmp_path)
    add(db, "s2", 40)
    db.commit()
    db.execute("DELETE FROM messages WHERE session_id = 's1' AND content = 'last'")
    db.commit()
    add(db, "s3", 600)  # not committed, but so much that it is in the log
    assert path.with_name("state.db-wal").stat().st_size > 3 << 20
    assert read_alive(tmp_path, path) == ({"s1": 3, "s2": 40}, {})
    db.commit()
    assert read_alive(tmp_path, path) == ({"s1": 3, "s2": 40, "s3": 600}, {})  # the log grew, the database did not
    db.execute("PRAGMA wal_checkpoint(FULL)")
    assert read_alive(tmp_path, path) == ({"s1": 3, "s2": 40, "s3": 600}, {})
    db.execute("DELETE FROM sessions WHERE id = 's3'")  # begins the log anew: old frames stand behind the new ones
    db.commit()
    assert read_alive(tmp_path, path) == ({"s1": 3, "s2": 40}, {})
    db.close()


def test_a_log_larger_than_other_files_beside_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db, path = live(tmp_path)
    add(db, "s2", 40)
    db.commit()
    monkeypatch.setattr("calib.ingest.units.RANGE", 1000)
    assert read_alive(tmp_path, path) == ({"s1": 4, "s2": 40}, {})
    monkeypatch.setattr("calib.formats.hermes_db.BESIDE_BYTES", 1000)
    assert read_alive(tmp_path, path) == ({"s1": 4}, {"rows-not-read": 1})
    db.close()


@pytest.mark.parametrize("damage", ["header", "frame", "cut"])
def test_a_damaged_log(tmp_path: Path, damage: str) -> None:
    db, path = live(tmp_path)
    add(db, "s2")
    db.commit()
    add(db, "s3")
    db.commit()
    log = path.with_name("state.db-wal")
    data = bytearray(log.read_bytes())
    if damage == "cut":
        del data[-100:]
    else:
        data[20 if damage == "header" else -3] ^= 1
    copied = tmp_path / "copied"
    copied.mkdir()
    (copied / "state.db").write_bytes(path.read_bytes())
    (copied / "state.db-wal").write_bytes(data)
    db.close()
    found = read_alive(tmp_path, copied / "state.db")
    assert found == (({"s1": 4}, {"rows-not-read": 1}) if damage == "header" else ({"s1": 4, "s2": 1}, {}))


def test_a_log_that_is_no_longer_used(tmp_path: Path) -> None:
    db, path = live(tmp_path)
    add(db, "s2")
    db.commit()
    log = path.with_name("state.db-wal").read_bytes()
    db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    path.with_name("state.db-wal").write_bytes(log)
    assert read_alive(tmp_path, path)[0] == {"s1": 4, "s2": 1}


def test_nothing_is_written_beside_it(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    database(inside / "state.db", [session("s1"), session("s2")], [*TALK, said("assistant", "x", "s2")], wal=True)
    (inside / "state.db-wal").write_bytes(b"")
    before = {path.name: path.read_bytes() for path in inside.iterdir()}
    read: Read = ingested(tmp_path, [inside])
    assert {path.name: path.read_bytes() for path in inside.iterdir()} == before
    assert {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]} == {"s1": 4, "s2": 1}
    sources = {source["source"].rpartition("/")[2]: source for source in read.sources}
    assert sources["state.db"]["format"] == "hermes_db"
    assert sources["state.db"]["account"]["kept"] == (inside / "state.db").stat().st_size
    assert len({row["source_line"] for row in read.tables["episodes"]}) == 2


def test_no_json_is_recognised() -> None:
    assert not any(recognises(value) for value in ODD)


@pytest.mark.parametrize(
    "change",
    [
        ("sessions", "id", 0), ("sessions", "model", 0), ("sessions", "end_reason", 0), ("messages", "role", 1),
        ("messages", "reasoning", 2), ("messages", "tool_calls", 2), ("messages", "content", 3),
        ("messages", "tool_call_id", 3), ("messages", "content", 4), ("messages", "active", 6),
        ("messages", "reasoning_details", 8), ("messages", "codex_reasoning_items", 9),
    ],
)  # fmt: skip
def test_every_field_is_heard(tmp_path: Path, change: tuple[str, str, int]) -> None:
    table, column_, at = change
    sessions, messages = [session("s1", end_reason="x")], [dict(row) for row in TALK]

    def seen() -> Any:
        episodes = told(tmp_path, sessions, messages).episodes
        return [[e.about.episode_id, e.about.model, e.about.stop_reason, e.turns, e.calls] for e in episodes]

    before = seen()
    row = (sessions if table == "sessions" else messages)[at]
    row[column_] = (
        1 if column_ == "active" else str(row[column_]).replace("Plan", "Other").replace("terminal", "bash") + "~"
    )
    if column_ in ("tool_calls", "codex_reasoning_items", "reasoning_details"):
        row[column_] = row[column_][:-1] if column_ != "reasoning_details" else None
    assert seen() != before


def test_rows_once() -> None:
    rows = [{"role": "assistant", "content": text} for text in ("a", "b", SUMMARY, "b", "c", SUMMARY, "d")]
    assert [row["content"][0] for row in once(rows)] == ["a", "b", "[", "c", "[", "d"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("db") / "state.db"
    rows = [said("assistant", f"turn {at} " * 40, f"s{at % 3}") for at in range(60)]
    return database(path, [session(f"s{at}") for at in range(3)], rows).read_bytes()


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_damage_is_survived(whole: bytes, tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 8))):
        broken[data.draw(st.integers(16, len(broken) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(100, len(broken))) if data.draw(st.booleans()) else len(broken)
    path = tmp_path_factory.getbasetemp() / "damaged.db"
    path.write_bytes(bytes(broken[:end]))
    opened(path)  # gives an account that adds up, whatever it finds


COUNTS = {
    "sessions": ("id", "model", "parent_session_id", "end_reason"),
    "messages": ("role", "content", "tool_call_id", "tool_calls", "reasoning", "active"),
}


@pytest.mark.parametrize(("table", "column"), [(table, column) for table, names in COUNTS.items() for column in names])
def test_every_column_that_counts_changes_a_column(tmp_path: Path, table: str, column: str) -> None:
    sessions = [session("s0"), session("s1", parent_session_id="s0", end_reason="user_exit", source="delegate")]
    messages = [said("user", "go", "s0"), said("assistant", "hm", "s0"), said("user", "go"),
                calling("c1", '{"command": "ls"}', reasoning="Look."), result("c1", "x"),
                said("assistant", "last")]  # fmt: skip
    before = rows(told(tmp_path, sessions, messages))
    changed = 0
    for at, row in enumerate(sessions if table == "sessions" else messages):
        if column not in row and column != "active":
            continue
        value = row.get(column)
        other = {**row, column: 0 if column == "active" else "[]" if column == "tool_calls" else f"{value}~"}
        made = [{"sessions": sessions, "messages": messages}[name] for name in ("sessions", "messages")]
        made[table == "messages"] = [*made[table == "messages"][:at], other, *made[table == "messages"][at + 1 :]]
        changed += rows(told(tmp_path, *made)) != before
    assert changed
