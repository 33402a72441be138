"""Episodes made by hand, in both native dump forms and as the tables that ingest would make of them.

The tables are made by a second, slow reader of the same messages, so that tests of everything after ingest need no
ingest, and ingest itself has something to agree with.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calib.results import Lost
from calib.tables import EPISODES, TURNS, Table, arrow_schema
from calib.tools import actions_of
from tests.oracle import Story

if TYPE_CHECKING:
    import polars as pl

WITHHELD = "\x00withheld"
ENCRYPTED = "\x00encrypted"
STATES = {WITHHELD: "withheld", ENCRYPTED: "encrypted"}
"""Reasoning that exists and cannot be read; no dump holds these two texts."""

ENDS: dict[str, dict[str, Any]] = {
    "turn_limit": {"outcome": "fail", "stop_reason": "turn_limit"},
    "passed": {"outcome": "pass", "stop_reason": "completed"},
    "failed": {"outcome": "fail", "stop_reason": "completed"},
    "censored": {"outcome": "fail", "stop_reason": "loop_guard"},
    "unlabelled": {},
}
OUTCOMES = {"pass": "passed", "fail": "failed"}


@dataclass(frozen=True)
class Episode:
    """One episode on plain values; `reasoning` may hold WITHHELD and ENCRYPTED."""

    episode_id: str
    label: str
    reasoning: Sequence[str | None]
    tools: Sequence[Sequence[str | None]]
    task: str | None = None
    model: str | None = None
    arm: str | None = None
    turn_limit: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def story(self) -> Story:
        """The episode as the oracle reads it."""
        readable = [None if text in STATES else text for text in self.reasoning]
        return Story(self.episode_id, self.label, readable, self.tools)

    @property
    def observable(self) -> bool:
        """Could a plan have been seen to repeat? None withheld or encrypted, and one recorded or explicitly empty."""
        return not any(text in STATES for text in self.reasoning) and any(text is not None for text in self.reasoning)

    def messages(self) -> list[dict[str, Any]]:
        """The episode as chat messages: the task, then per turn the response and its results."""
        said: list[dict[str, Any]] = [{"role": "user", "content": f"Task of {self.episode_id}."}]
        for turn, (text, names) in enumerate(zip(self.reasoning, self.tools, strict=True)):
            said.append(_response(turn, text, names))
            said += [
                {"role": "tool", "tool_call_id": f"{turn}.{call}", "content": f"result {turn}"}
                for call, _ in enumerate(names)
            ]
        return said

    def record(self) -> dict[str, Any]:
        """The episode as one line of an episode-per-line dump; what is None is left out."""
        known = {
            "episode_id": self.episode_id, "task": self.task, "model": self.model, "arm": self.arm,
            "turn_limit": self.turn_limit, "metadata": self.metadata or None, **ENDS[self.label],
        }  # fmt: skip
        return {key: value for key, value in known.items() if value is not None} | {"messages": self.messages()}


def _response(turn: int, text: str | None, names: Sequence[str | None]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": f"text {turn}" if not names else None}
    if text == WITHHELD:
        message["reasoning_details"] = [{"type": "reasoning.redacted"}]
    elif text == ENCRYPTED:
        message["reasoning_details"] = [{"type": "reasoning.encrypted", "data": "Zm9v"}]
    elif text is not None:
        message["reasoning_content"] = text
    if names:
        message["tool_calls"] = [
            {
                "id": f"{turn}.{call}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps({"query": turn})},
            }
            for call, name in enumerate(names)
        ]
    return message


def episode_lines(episodes: Sequence[Episode]) -> bytes:
    """Write an episode-per-line dump."""
    return b"".join(json.dumps(episode.record()).encode() + b"\n" for episode in episodes)


def message_lines(episodes: Sequence[Episode]) -> bytes:
    """Write a message-per-line dump; it has no place for labels, so every episode is unlabelled."""
    return b"".join(
        json.dumps({"episode_id": episode.episode_id, **message}).encode() + b"\n"
        for episode in episodes
        for message in episode.messages()
    )


def ingested(episodes: Sequence[Episode], folder: Path, *, form: str = "episodes", text: bool = True) -> Any:
    """Write a dump, ingest it, and open the corpus."""
    from calib.corpus import open_corpus
    from calib.ingest import ingest

    folder.mkdir(parents=True, exist_ok=True)
    dump = folder / "dump.jsonl"
    dump.write_bytes(episode_lines(episodes) if form == "episodes" else message_lines(episodes))
    ingest([dump], folder / "corpus", text=text, workers=1)
    return open_corpus(folder / "corpus")


def _first_same(values: Sequence[object | None]) -> list[int | None]:
    """For each value the index of the first equal one; None for a None."""
    return [None if value is None else next(i for i, v in enumerate(values) if v == value) for value in values]


def _states(texts: Sequence[str | None]) -> list[str]:
    return [
        STATES[text] if text in STATES
        else "absent" if text is None
        else "recorded" if text.strip()
        else "empty"
        for text in texts
    ]  # fmt: skip


def turn_rows(episode: Episode) -> Iterator[dict[str, Any]]:
    """Give the rows of the `turns` table, read slowly from the plain values."""
    texts = [None if text in STATES else text for text in episode.reasoning]
    calls = [tuple((name, turn) for name in names) or None for turn, names in enumerate(episode.tools)]
    results = [tuple(f"result {turn}" for _ in names) or None for turn, names in enumerate(episode.tools)]
    visible = [None if names else f"text {turn}" for turn, names in enumerate(episode.tools)]
    columns = zip(
        _states(episode.reasoning),
        _first_same([(text or "").strip() or None for text in texts]),
        _first_same(visible),
        _first_same(calls),
        _first_same(results),
        strict=True,
    )
    for turn, (state, reasoning_as, text_as, calls_as, results_as) in enumerate(columns):
        text = visible[turn]
        yield {
            "episode_id": episode.episode_id,
            "turn": turn,
            "reasoning": texts[turn],
            "reasoning_state": state,
            "reasoning_kind": "native" if state == "recorded" else None,
            "reasoning_chars": len(texts[turn] or ""),
            "same_reasoning_as": reasoning_as,
            "text": text,
            "text_chars": len(text or ""),
            "same_text_as": text_as,
            "tools": [name or "" for name in episode.tools[turn]],  # as a list of names holds no null
            "actions": [a for name in episode.tools[turn] for a in actions_of(name, json.dumps({"query": turn}))],
            "same_calls_as": calls_as,
            "same_results_as": results_as,
            "orphan_results": 0,
            "user_before": turn == 0,
            "after_compaction": False,
            "output_tokens": None,
            "milliseconds": None,
        }


def episode_row(episode: Episode, line: int) -> dict[str, Any]:
    """Give the row of the `episodes` table."""
    end = ENDS[episode.label]
    return {
        "episode_id": episode.episode_id,
        "source": "dump.jsonl",
        "source_line": line,
        "format": "episodes",
        "task": episode.task,
        "model": episode.model,
        "arm": episode.arm,
        "metadata": json.dumps(episode.metadata),
        "outcome": OUTCOMES.get(end.get("outcome", ""), "unknown"),
        "stop_reason": end.get("stop_reason"),
        "label": episode.label,
        "turn_limit": episode.turn_limit,
        "n_turns": len(episode.reasoning),
        "parent_episode_id": None,
        "label_source": "none" if episode.label == "unlabelled" else "dump",
        "digest": f"{line:032x}",
    }


def frame(table: Table, rows: Sequence[dict[str, Any]]) -> "pl.DataFrame":
    """Give rows the types of a table, as if read from Parquet."""
    import polars as pl
    import pyarrow as pa

    made = pl.from_arrow(pa.Table.from_pylist(list(rows), schema=arrow_schema(table)))
    assert isinstance(made, pl.DataFrame)
    return made


def frames(episodes: Sequence[Episode]) -> tuple["pl.DataFrame", "pl.DataFrame"]:
    """Give the `episodes` and `turns` tables, sorted by id and turn, without any ingest."""
    ordered = sorted(episodes, key=lambda episode: episode.episode_id.encode("utf-8", "surrogatepass"))
    return (
        frame(EPISODES, [episode_row(episode, line) for line, episode in enumerate(ordered, 1)]),
        frame(TURNS, [row for episode in ordered for row in turn_rows(episode)]),
    )


@dataclass(frozen=True)
class Memory:
    """A corpus that was never written: stands in for `calib.corpus.Corpus` where only columns are read."""

    episodes: "pl.DataFrame"
    turns: "pl.DataFrame"
    lost: Lost = field(default_factory=Lost)
    path: Path = Path("memory")
    manifest: dict[str, Any] = field(default_factory=dict)

    def read(self, table: str, columns: Sequence[str]) -> Iterator["pl.DataFrame"]:
        """Yield the one part."""
        yield {"episodes": self.episodes, "turns": self.turns}[table].select(columns)


def in_memory(episodes: Sequence[Episode]) -> Memory:
    """Hold episodes as a corpus in memory."""
    return Memory(*frames(episodes))


PENCIL = """
L1 turn_limit A 20 5+12 0+14
L2 turn_limit A 20 8+9  2+4
L3 turn_limit B 20 4+2  4+16
L4 turn_limit B 20 5+15 0
L5 turn_limit C 20 3+5  6+11
P1 passed     A 8  2+3  1+5
P2 passed     A 12 4+1  2+9
P3 passed     B 15 6+4  1+2
P4 passed     B 10 0    2+6
P5 passed     B 6  2+2  1+3
P6 passed     C 18 5+3  4+7
P7 passed     C 5  0    0+4
P8 passed     C 9  -    3+1
F1 failed     A 11 3+6  1+2
"""
"""id, label, task, turns, then repeated_plan and search_run: `s+p` is level 1 at turn s, one more per turn up to p."""

READING = (["search_files"], ["read_file"], ["search_files", "read_file"])


def pencil() -> list[Episode]:
    """Make the 14 episodes small enough to follow by pencil; P8's reasoning is encrypted."""
    made = []
    for line in PENCIL.split("\n")[1:-1]:
        episode_id, label, task, turns, plan, search = line.split()
        n = int(turns)
        reasoning: list[str | None] = [f"Think about step {turn} of {episode_id}." for turn in range(n)]
        if plan == "-":
            reasoning = [ENCRYPTED] * n
        elif plan != "0":
            start, height = map(int, plan.split("+"))
            reasoning[start - 1 : start + height] = [f"Repeat the plan of {episode_id}."] * (height + 1)
        tools: list[Sequence[str | None]] = [["run_tests"]] * n
        if search != "0":
            start, height = map(int, search.split("+"))
            for turn in range(start, start + height):
                tools[turn] = READING[turn % 3]
        assert len(reasoning) == len(tools) == n
        made.append(Episode(episode_id, label, reasoning, tools, task=task, model="pencil", turn_limit=20))
    return made
