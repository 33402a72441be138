"""One Codex session while its lines are read: what is known about it, and where its own history begins."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from calib.formats._clock import uuid_time
from calib.formats._codex_events import Events
from calib.formats._decode import Notices, json_text
from calib.formats._item import Item, output_text
from calib.formats._items import Items
from calib.formats._reader import Ignored, Open
from calib.formats._record import About
from calib.formats._small import at
from calib.formats._spent import Watch, tokens_in
from calib.formats._talk import Episode

INJECTED = (
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>",
    "<permissions instructions>", "<subagent_notification>", "<skill>", "<ENVIRONMENT_CONTEXT>", "<model_switch>",
    "<collaboration_mode>", "<user_shell_command>",
)  # fmt: skip
"""How messages of role `user` begin that the harness wrote."""
FAILURES = ("failed in sandbox ", "execution error: ", "exec_command failed", "apply_patch verification failed",
            "failed to parse function arguments", "unsupported call: ")  # fmt: skip
"""How results begin of calls that could not be run."""
COPIED_WITHIN = 2.0
"""Seconds in which the copied history of a fork is written."""
FACTS = ("cli_version", "originator", "model_provider", "model_provider_id", "cwd", "agent_nickname", "agent_role",
         "thread_source", "forked_from_id")  # fmt: skip
CONTEXT = ("cwd", "effort", "approval_policy", "model_provider_id")
GIT = ("branch", "commit_hash", "repository_url")
TOKENS = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")
ENDS = frozenset(("task_complete", "turn_complete", "turn_aborted", "error", "task_started", "turn_started"))
OWN = frozenset((*ENDS, "token_count", "thread_rolled_back"))
"""Types of `event_msg` that say what the items do not."""


class RolloutItems(Items):
    """The items of a rollout."""

    def is_user(self, item: Item) -> bool:
        """Tell whether a message of role `user` holds a part that the harness did not write."""
        content = item.get("content")
        parts = content if isinstance(content, list) else [content]
        for part in parts:
            text = part.get("text") if isinstance(part, dict) else part
            if not isinstance(text, str) or not text.lstrip().startswith(INJECTED):
                return True
        return False

    def output_of(self, item: Item) -> tuple[str, bool | None]:
        """Give text and error flag of an output, without what the harness put around it."""
        text, failed = output_text(item)
        return unwrapped(text, failed)


def unwrapped(text: str, failed: bool | None) -> tuple[str, bool | None]:
    r"""Take off a result what differs at every call, and read its exit code.

    >>> unwrapped('{"output":"a","metadata":{"exit_code":1,"duration_seconds":0.1}}', None)
    ('a', True)
    >>> unwrapped("Chunk ID: ac\nWall time: 0.9 seconds\nProcess exited with code 0\nOutput:\na", None)
    ('Process exited with code 0\nOutput:\na', False)
    """
    if text.startswith('{"output"'):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text, failed
        metadata = value.get("metadata")
        if isinstance(value.get("output"), str) and isinstance(metadata, dict):
            code = metadata.get("exit_code")
            return value["output"], code != 0 if isinstance(code, int) else failed
        return text, failed
    at = 0
    if text.startswith("Chunk ID: "):
        at = text.find("\n") + 1
    if text.startswith("Wall time: ", at):
        at = text.find("\n", at) + 1
    start = at
    for words in ("Process exited with code ", "Exit code: "):
        if text.startswith(words, at):
            at += len(words)
            failed = not text.startswith(("0\n", "0\r"), at) if failed is None else failed
            break
    else:
        if failed is None and text.startswith(FAILURES):
            failed = True
    return text[start:] if start else text, failed


def meta_facts(payload: dict[str, Any]) -> dict[str, Any]:
    """List what the head of a session says, but for instructions."""
    facts = {key: payload[key] for key in FACTS if isinstance(payload.get(key), str)}
    if payload.get("timestamp") is not None:
        facts["started"] = payload["timestamp"]
    source = payload.get("source")
    if source is not None:
        facts["source"] = source if isinstance(source, str) else json_text(source)
    git = payload.get("git")
    if isinstance(git, dict):
        facts.update({f"git.{key}": git[key] for key in GIT if isinstance(git.get(key), str)})
    return facts


def parent_of(payload: dict[str, Any]) -> str | None:
    """Give the thread that spawned this one as its sub-agent."""
    source = payload.get("source")
    spawn = source.get("subagent") if isinstance(source, dict) else None
    spawn = spawn.get("thread_spawn") if isinstance(spawn, dict) else None
    spawned = spawn.get("parent_thread_id") if isinstance(spawn, dict) else None
    found = payload.get("parent_thread_id") or spawned
    return found if isinstance(found, str) else None


def seconds(written: Any) -> float | None:
    """Read a time such as `2026-06-15T10:00:00Z`; None for anything else."""
    try:
        return datetime.fromisoformat(written).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


@dataclass
class Session(Open):
    """A session under way. `gate`: whether copied history may still come."""

    gate: bool = False
    first: float | None = None
    """When the first line was written."""
    models: list[str] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)

    @classmethod
    def begin(cls, text: bool, notices: Notices, events: bool) -> "Session":
        """Open a session of items, or of events."""
        return cls(Events(text, notices) if events else RolloutItems(text, notices), About())

    @property
    def plain(self) -> bool:
        """Whether an item can be taken as it comes."""
        return not self.gate and self.talk.__class__ is RolloutItems

    def end(self) -> Episode:
        """Finish the session."""
        self.talk.close()
        about = self.about
        about.model = about.model or (self.models[0] if self.models else None)
        if len(self.models) > 1:
            about.metadata["models"] = self.models
        about.metadata.update(self.tokens)
        about.metadata.update(self.counts)
        return super().end()

    def item(self, payload: dict[str, Any], written: Any) -> None:
        """Take an item. A response lasts from the item before it to its own last one.

        Raises Rejected or Ignored.
        """
        begun, before = self.watch.before, self.talk.pending
        self.watch.see(written)
        self.talk.add(payload)
        if (response := self.talk.pending) is not None:
            if response is not before:
                response.begun = begun
            response.ended = written

    def meta(self, payload: dict[str, Any], written: Any) -> None:
        """Take the head of the session."""
        self.about.metadata = {**meta_facts(payload), **self.about.metadata}
        self.about.parent = self.about.parent or parent_of(payload)
        if self.first is None:
            self.first = seconds(written)
        self.gate = self.gate or (payload.get("forked_from_id") is not None and not self.talk.turns)

    def copies(self, payload: dict[str, Any], written: Any) -> bool:
        """Tell whether a further head is that of a parent, at the begin of the copied history."""
        name = payload.get("id") or payload.get("session_id")
        if self.talk.turns or name == self.about.episode_id:
            return False
        now = seconds(written)
        soon = self.first is not None and now is not None and abs(now - self.first) <= COPIED_WITHIN
        self.gate = self.gate or soon or (name is not None and name == self.about.parent)
        return self.gate

    def opens(self, payload: dict[str, Any], written: Any) -> bool:
        """Tell whether a record of a forked session is its own, by its turn's id, else by when it was written."""
        turn, own = uuid_time(turn_id_of(payload)), uuid_time(self.about.episode_id)
        if turn is not None and own is not None:
            opened = turn >= own
        else:
            now = seconds(written)
            opened = now is None or self.first is None or now - self.first > COPIED_WITHIN
        self.gate = not opened
        return opened

    def event(self, payload: dict[str, Any]) -> None:
        """Take an `event_msg`. Raises Ignored when the items say the same."""
        kind = payload.get("type")
        kind = kind if isinstance(kind, str) else "untyped"
        if kind not in OWN:
            raise Ignored(f"event_msg.{kind}")
        if kind == "token_count":
            self._tokens(payload.get("info"))
            return
        self.talk.close()
        if kind == "thread_rolled_back":
            self.counts["rollbacks"] = self.counts.get("rollbacks", 0) + 1
        else:
            self.stop(kind, payload)

    def stop(self, kind: str, payload: dict[str, Any]) -> None:
        """Note how the last task ended, or that the next has begun."""
        about = self.about
        if kind in ("task_started", "turn_started"):
            about.stop_reason = None
            self.counts["tasks"] = self.counts.get("tasks", 0) + 1
        elif kind == "turn_aborted":
            reason = payload.get("reason")
            about.stop_reason = reason if isinstance(reason, str) and reason else kind
        elif kind == "error":
            info = payload.get("codex_error_info") or payload.get("error")
            info = info.get("kind") or next(iter(info), kind) if isinstance(info, dict) else info
            about.stop_reason = info if isinstance(info, str) else kind
        elif about.stop_reason is None:
            about.stop_reason = kind

    def _tokens(self, info: Any) -> None:
        """Take a count of tokens: it closes the response whose tokens it tells."""
        if isinstance(self.talk, Items):
            self.talk.count(tokens_in(at(info, "last_token_usage")))
        self.talk.close()
        total = info.get("total_token_usage") if isinstance(info, dict) else None
        if isinstance(total, dict):
            self.tokens = {key: total[key] for key in TOKENS if isinstance(total.get(key), int)}

    def context(self, payload: dict[str, Any]) -> None:
        """Take the settings of a task."""
        model = payload.get("model")
        if isinstance(model, str) and model and model not in self.models:
            self.models.append(model)
        facts = {key: payload[key] for key in CONTEXT if isinstance(payload.get(key), str)}
        sandbox = payload.get("sandbox_policy")
        if isinstance(sandbox, dict) and isinstance(sandbox.get("type"), str):
            facts["sandbox"] = sandbox["type"]
        self.about.metadata = {**facts, **self.about.metadata}

    def compact(self) -> None:
        """Note a compaction."""
        self.talk.compact()
        self.counts["compactions"] = self.counts.get("compactions", 0) + 1


def turn_id_of(payload: dict[str, Any]) -> Any:
    """Give the id of the task that a record belongs to, where it says so."""
    found = payload.get("turn_id")
    if found is None:
        passed = payload.get("internal_chat_message_metadata_passthrough")
        found = passed.get("turn_id") if isinstance(passed, dict) else None
    return found
