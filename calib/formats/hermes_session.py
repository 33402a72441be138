"""hermes-agent outside its database: exported sessions, `session_*.json`, and trajectory samples.

*Recognised by*: an object with `messages` and either `session_id` and `platform` or `session_start`, or `id`, `source`
and `started_at`; an object with `conversations` and `completed` (`trajectory_samples.jsonl`,
`failed_trajectories.jsonl`, batch files).

*Turn*: a message of role `assistant`, or an entry from `gpt`. Messages that were taken back (`active` 0, not compacted)
do not count. What a compaction wrote again counts once, its summary is no turn. Neither are the answer to the request
to close after the iteration limit, and the notice of hermes' own guard.

*Reasoning*: `reasoning_content` or `reasoning` (native), summaries in `reasoning_details` and `codex_reasoning_items`
(summary), which are encrypted otherwise; in samples `<think>` (inline), where an empty pair of tags is empty reasoning.
Turns whose reasoning hermes' own guard cut are counted as `reasoning_cut` in the metadata.

*Calls and results*: `tool_calls` and messages of role `tool`; in samples `<tool_call>` and `<tool_response>`.

*Tokens and times*: `token_count` of a message; the time from the message before it (`timestamp`). Samples have
neither.

*Outcome and stop*: no outcome. The stop reason is `max_iterations_reached` when the run was asked to close for its
limit, `guardrail_halt` when hermes' guard stopped it, else `turn_exit_reason` or the last session's `end_reason`, else
what is true of a sample: `interrupted`, `failed`, `partial` or `completed`. The turn limit is `max_iterations`, or
stands in the reason. Sessions of one file that compression split are one episode, named after the first; delegated
sessions are children of their caller's.

*Cannot know*: the task and its outcome. Samples have no id; they are named after file and line. Batch runs drop prompts
in which no turn has reasoning. Sessions in files of their own are not put together.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._calls import Call
from calib.formats._codes import Rejected
from calib.formats._hermes_rows import COMPACTED, CUT, HALTED, LIMIT, Rows, is_summary, once
from calib.formats._hermes_store import Lineage, config_of, lineages
from calib.formats._reader import Context, Records, check, first
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._sharegpt import Told
from calib.formats._small import small
from calib.formats._talk import Episode, Stretch, Talk, stretch

SUMMARY = "hermes-agent: exported sessions, session files, trajectory samples"
RANK = 43
STREAM = True

SESSION = (
    "source", "platform", "base_url", "session_start", "last_updated", "started_at", "ended_at", "end_reason", "title",
    "input_tokens", "output_tokens", "reasoning_tokens", "api_call_count", "estimated_cost_usd", "rewind_count",
)  # fmt: skip
SAMPLE = ("timestamp", "completed", "partial", "failed", "interrupted", "api_calls", "prompt_index")
ENDS = ("interrupted", "failed", "partial", "completed")
"""What a sample may say of its end, what stopped the run first."""
OF = re.compile(r"\(\d+/(\d+)\)")
"""How many of how many iterations a reason names."""

Session = dict[str, Any]


def recognises(value: Any) -> bool:
    """Tell whether a value is a session or a sample."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("conversations"), list):
        return isinstance(value.get("completed"), bool)
    return _is_session(value)


def _is_session(value: Session) -> bool:
    if not isinstance(value.get("messages"), list):
        return False
    if "session_id" in value:
        return "platform" in value or "session_start" in value
    return {"id", "source", "started_at"} <= value.keys()


class Sample(Told):
    """A sample, told in entries. `stop` is what hermes wrote about the end: the limit or its guard."""

    stop: str | None = None
    cut = 0
    """Turns whose reasoning hermes' guard cut."""
    _closing = False

    def human(self, text: str) -> None:
        """Take what a user says, or hermes in the user's name."""
        if text.lstrip().startswith(COMPACTED):
            self.compacted()
            return
        self._closing = text.startswith(LIMIT)
        self.stop = "max_iterations_reached" if self._closing else None
        if not self._closing:
            self.user()

    def answer(self, reasoning: str | None, state: str, kind: str, text: str | None, calls: list[Call]) -> None:
        """Take an answer, unless hermes wrote it or asked for it to close."""
        said = (text or "").lstrip()
        if is_summary({"content": said}):
            self.compacted()
        elif not calls and said.startswith(HALTED[0]) and HALTED[1] in said:
            self.stop = "guardrail_halt"
        elif calls or not self._closing:
            self.cut += reasoning is not None and CUT in reasoning
            self.turn(reasoning, state, kind, text, calls)


class Reader(Records):
    """Gives an episode for each sample and each lineage of sessions."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._waiting: list[tuple[Session, Stretch]] = []
        self._lines: set[int] = set()

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Read one sample or session; a session that may belong to others waits for the end of the file.

        Raises Rejected.
        """
        check(recognises(value), "no-messages", "expected a session with `messages`, or a sample with `conversations`")
        if "conversations" in value and not _is_session(value):
            return self._sample(value, where)
        rows = [row for message in value["messages"] if _counts(row := _row(message))]
        session = _plain(value)
        alone = session.get("parent_session_id") is None and session.get("end_reason") != "compression"
        if not alone and session["id"]:
            Rows(Talk(False)).take_all(rows)  # a message that cannot be read costs this session only
            self._waiting.append(({**session, "rows": rows}, where))
            return ()
        return (self._lineage(Lineage([{**session, "rows": rows}]), [where]),)

    def _sample(self, value: dict[str, Any], where: Stretch) -> Iterable[Episode]:
        talk = Sample(self.text)
        for entry in value["conversations"]:
            talk.entry(entry)
        said = next((word for word in ENDS if value.get(word) is True), None)
        about = About(
            episode_id=self._name(where),
            model=_model(value),
            stop_reason=talk.stop or scalar_text(value.get("turn_exit_reason")) or said,
            turn_limit=_limit(value),
            metadata=small(value, *SAMPLE) | small(value.get("metadata"), "batch_num", "timestamp") | _cut(talk.cut),
        )
        episodes = self.whole(talk, about, where)
        self.notices.update(talk.notices)
        return episodes

    def _name(self, where: Stretch) -> str:
        line, first_byte, _ = where
        name = f"{self.context.source}:{line}" + (f"@{first_byte}" if line in self._lines else "")
        self._lines.add(line)
        return name

    def _lineage(self, lineage: Lineage, stretches: list[Stretch]) -> Episode:
        rows: list[Session] = []
        for number, session in enumerate(lineage.sessions):
            if number and not any(is_summary(row) for row in session["rows"]):
                rows.append({"role": "user", "content": COMPACTED})
            rows += session["rows"]
        told = Rows(Talk(self.text))
        told.take_all(once(rows))
        about = _about(lineage, told.stop)
        about.metadata |= _cut(told.cut)
        episode: Episode = told.talk.finish(about)
        for where in sorted(stretches):
            stretch(episode.stretches, where)
        self.notices.update(told.talk.notices)
        return episode

    def finish(self) -> Iterator[Episode]:
        """Give the episodes of the sessions that waited for others."""
        places: dict[Any, list[Stretch]] = {}
        sessions: dict[Any, Session] = {}
        for session, where in self._waiting:
            places.setdefault(session["id"], []).append(where)
            sessions[session["id"]] = session  # one that was exported again holds more
        for lineage in lineages(list(sessions.values())):
            yield self._lineage(lineage, [where for one in lineage.sessions for where in places[one["id"]]])


def _cut(turns: int) -> dict[str, Any]:
    return {"reasoning_cut": turns} if turns else {}


def _plain(value: Session) -> Session:
    """Give a session without its messages, its ids as texts."""
    session = {key: item for key, item in value.items() if key != "messages"}
    config = {key: item for key, item in config_of(value).items() if isinstance(item, (str, int, float))}
    ids = {"id": scalar_text(value.get("id", value.get("session_id")))}
    if "parent_session_id" in value:
        ids["parent_session_id"] = scalar_text(value["parent_session_id"]) or None
    return {**session, **ids, "model_config": config}


def _row(message: Any) -> Session:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise Rejected("bad-message", "a message is no object, or has no text `role`")
    return message if "content" in message else {**message, "content": None}


def _counts(row: Session) -> bool:
    """Whether a message was not taken back."""
    return bool(row.get("active", 1) or row.get("compacted"))


def _model(value: Session) -> str | None:
    inner = value["metadata"] if isinstance(value.get("metadata"), dict) else {}
    return scalar_text(value.get("model")) or scalar_text(inner.get("model")) or None


def _limit(value: Session) -> int | None:
    said = OF.search(scalar_text(value.get("turn_exit_reason")) or "")
    given = first(config_of(value), "max_iterations") or value.get("max_iterations")
    return whole_number(given) or (whole_number(said[1]) if said else None) or None


def _about(lineage: Lineage, stop: str | None) -> About:
    begun, last = lineage.sessions[0], lineage.sessions[-1]
    facts = small(last, *SESSION) | small(begun, "started_at", "session_start") | {"sessions": len(lineage.sessions)}
    branch = {} if lineage.branched_from is None else {"branched_from": scalar_text(lineage.branched_from)}
    return About(
        episode_id=begun["id"] or None,
        model=next((model for one in lineage.sessions if (model := _model(one))), None),
        stop_reason=stop or scalar_text(first(last, "turn_exit_reason", "end_reason")) or None,
        turn_limit=_limit(begun),
        parent=scalar_text(lineage.parent) if lineage.parent is not None else None,
        metadata={**facts, **branch},
    )
