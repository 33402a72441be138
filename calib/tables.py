"""The columns of every table: name, type, null?, meaning.

One list feeds the Parquet schemas, the check of a frame, `calib schema` and `data-schema/`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from calib.scanners._said import LEVELS

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST = "calib.json"
"""The file of a corpus that lists its parts."""

SCHEMA_VERSION = 1
"""The version of all tables and JSON outputs.

1: first version.
"""

Kind = Literal["text", "name", "names", "integer", "flag"]
"""`name` is text with few distinct values (stored as a dictionary), `names` a list of them."""

LABELS = ("turn_limit", "passed", "failed", "censored", "unlabelled")
REASONING_STATES = ("recorded", "empty", "withheld", "encrypted", "absent")
REASONING_KINDS = ("native", "inline", "thought", "summary")
REASONING_FORMS = (*REASONING_KINDS, *REASONING_STATES)
"""How a turn shows its reasoning: the kind where it is recorded, else the state."""
COUNTED_LATER = "the corpus holds the text as recorded: then it is counted when a rule asks for it"
TEXT_COLUMNS = frozenset(("reasoning", "text", "arguments", "canonical", "result_head"))
"""The columns that `--no-text` leaves null."""


@dataclass(frozen=True)
class Column:
    """One column: `null` says when it is null, empty for never."""

    name: str
    kind: Kind
    meaning: str
    null: str = ""


@dataclass(frozen=True)
class Table:
    """One table: what a row is, what identifies it, its columns in order."""

    name: str
    row: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def names(self) -> list[str]:
        """List the column names in order."""
        return [column.name for column in self.columns]


EPISODES = Table(
    "episodes",
    "one run of an agent on one task",
    ("episode_id",),
    (
        Column(
            "episode_id",
            "text",
            "identifies the episode in the corpus; taken from the dump, else made from source and line",
        ),
        Column("source", "name", "the dump file, as a path relative to the dump argument's folder"),
        Column("source_line", "integer", "first physical line of the episode in it, from 1"),
        Column("format", "name", "the transcript format that read it"),
        Column("task", "name", "the task", "not in the dump"),
        Column("model", "name", "the model", "not in the dump"),
        Column("arm", "name", "the arm of an experiment", "not in the dump"),
        Column("metadata", "text", "every other key of the record, as a JSON object"),
        Column("outcome", "name", "`passed`, `failed` or `unknown`"),
        Column("stop_reason", "name", "why the episode ended, as the dump says it", "not in the dump"),
        Column("label", "name", "`turn_limit`, `passed`, `failed`, `censored` or `unlabelled`"),
        Column("turn_limit", "integer", "most turns the harness allowed", "not in the dump"),
        Column("n_turns", "integer", "turns in the episode"),
        Column("parent_episode_id", "text", "the episode whose sub-agent this one is", "it is nobody's sub-agent"),
        Column(
            "label_source",
            "name",
            "where the label comes from: `dump`, `joined`, `inferred`, `option`, `conflict` or `none`",
        ),
        Column(
            "digest",
            "text",
            "32 hexadecimal digits over the turns' lengths, equalities, states and tools; "
            "equal for the same transcript under any file name, with or without text",
        ),
    ),
)

TURNS = Table(
    "turns",
    "one model response",
    ("episode_id", "turn"),
    (
        Column("episode_id", "text", "the episode"),
        Column("turn", "integer", "index of the response in the episode, from 0"),
        Column(
            "reasoning", "text", "thinking text as recorded, not trimmed", "not recorded, or ingested with --no-text"
        ),
        Column("reasoning_state", "name", "`recorded`, `empty`, `withheld`, `encrypted` or `absent`"),
        Column(
            "reasoning_kind",
            "name",
            "`native` (a field of its own), `inline` (`<think>` in the text), `thought` (visible text before an "
            "action) or `summary`",
            "no reasoning is recorded",
        ),
        Column("reasoning_chars", "integer", "characters of the thinking text"),
        Column(
            "same_reasoning_as",
            "integer",
            "first turn of the episode with the same trimmed reasoning; itself when new",
            "trimmed reasoning is empty",
        ),
        Column("text", "text", "visible text", "none, or ingested with --no-text"),
        Column("text_chars", "integer", "characters of the visible text"),
        Column(
            "same_text_as",
            "integer",
            "first turn with the same trimmed visible text; itself when new",
            "trimmed text is empty",
        ),
        Column("tools", "names", "names of the tools called, in order; empty when none"),
        Column("actions", "names", "what the calls do, in order: tools, and for a shell the commands (`calib tools`)"),
        Column(
            "same_calls_as",
            "integer",
            "first turn with the same calls (tools and canonical arguments, in order); itself when new",
            "no call",
        ),
        Column(
            "same_results_as", "integer", "first turn with the same results, in order; itself when new", "no result"
        ),
        Column("orphan_results", "integer", "results after this turn that answer none of its calls"),
        Column("user_before", "flag", "a user message stands between the previous turn and this one"),
        Column("after_compaction", "flag", "the history was compacted between the previous turn and this one"),
        Column("output_tokens", "integer", "tokens of the response", "the dump does not say"),
        Column(
            "milliseconds",
            "integer",
            "time from the record before the response to it, or what the dump gives as its duration",
            "the dump does not say",
        ),
        Column(
            "same_masked_reasoning_as",
            "integer",
            "first turn with the same masked reasoning (numbers, times, ids and white space masked); itself when new",
            f"trimmed reasoning is empty, or {COUNTED_LATER}",
        ),
        *(Column(level, "integer", meaning, COUNTED_LATER) for level, meaning in LEVELS.items()),
    ),
)

CALLS = Table(
    "calls",
    "one tool call of a turn",
    ("episode_id", "turn", "call"),
    (
        Column("episode_id", "text", "the episode"),
        Column("turn", "integer", "the turn"),
        Column("call", "integer", "index of the call in the turn, from 0"),
        Column("tool", "name", "name of the tool", "the call has none"),
        Column("arguments", "text", "arguments as recorded", "none, or ingested with --no-text"),
        Column(
            "canonical",
            "text",
            "arguments with sorted keys and no spaces; as recorded when they are no JSON",
            "none, or ingested with --no-text",
        ),
        Column("result_chars", "integer", "characters of the result", "no result recorded"),
        Column(
            "result_head", "text", "the first 200 characters of the result", "no result, or ingested with --no-text"
        ),
        Column("is_error", "flag", "the result is marked as an error", "the dump does not say"),
        Column(
            "same_call_as",
            "integer",
            "first call of the episode, counted through from 0, same tool and canonical arguments; itself when new",
        ),
        Column(
            "same_result_as",
            "integer",
            "first call of the episode, counted like that, with the same result; itself when new",
            "no result recorded",
        ),
        Column(
            "same_written_call_as",
            "integer",
            "first call, counted like that, with the same tool and arguments, key by key as recorded; itself when new",
        ),
        Column(
            "same_failure_as",
            "integer",
            "first call, counted like that, with the same result marked as an error, times aside; itself when new",
            "the result is not marked as an error",
        ),
    ),
)

REJECTS = Table(
    "rejects",
    "one stretch of input that became no episode",
    ("source", "offset", "bytes", "code"),
    (
        Column("source", "name", "the dump file"),
        Column(
            "line",
            "integer",
            "physical line, from 1; lines end at byte 0x0A only",
            "the fault is the file's, or the records stand here and there",
        ),
        Column("offset", "integer", "first byte of the stretch, in the decompressed file, from 0"),
        Column("bytes", "integer", "length of the stretch, its line feed included; of all records of the row"),
        Column("code", "name", "what was wrong, one of a closed list"),
        Column("reason", "text", "the same in words; no text of the dump"),
        Column(
            "records",
            "integer",
            "1; more where, beyond the first 1,000 rejects of a part, those of one code side by side make one row, and "
            "beyond 10,000 rows all others of a code do",
        ),
    ),
)

COUNTED = tuple(column.name for column in TURNS.columns if COUNTED_LATER in column.null)
"""The columns of turns that hold what is read off texts, where these are not stored as recorded."""
TABLES = (EPISODES, TURNS, CALLS, REJECTS)


def arrow_schema(table: Table) -> "pa.Schema":
    """Give the Parquet schema of a table: 32-bit integers, dictionary-encoded names.

    >>> arrow_schema(TURNS).field("tools").type
    ListType(list<element: dictionary<values=string, indices=int32, ordered=0>>)
    """
    import pyarrow as pa

    name = pa.dictionary(pa.int32(), pa.string())
    types = {
        "text": pa.large_string(), "name": name, "names": pa.list_(pa.field("element", name)),
        "integer": pa.int32(), "flag": pa.bool_(),
    }  # fmt: skip
    wide = pa.int64()  # byte positions pass 2 GiB
    return pa.schema(
        [
            pa.field(
                c.name, wide if c.name in ("offset", "bytes", "line", "source_line") else types[c.kind], bool(c.null)
            )
            for c in table.columns
        ]
    )


def page(table: Table) -> str:
    """Write the Markdown page of a table, as kept in `data-schema/`."""
    rows = [f"| `{c.name}` | {c.kind} | {c.null or 'never'} | {c.meaning} |" for c in table.columns]
    head = [
        f"# {table.name}", "",
        f"One row is {table.row}. Key: {', '.join(f'`{k}`' for k in table.key)}. Schema version {SCHEMA_VERSION}.", "",
        "| column | type | null when | meaning |", "|---|---|---|---|",
    ]  # fmt: skip
    tail = ["", "Generated by `make schema` from `calib/tables.py`; a test compares the two.", ""]
    return "\n".join([*head, *rows, *tail])
