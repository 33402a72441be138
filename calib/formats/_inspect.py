"""Samples of an Inspect log: what both its files, the archive and the JSON document, hold.

A sample is given as a dict of its keys. Its list `events` may be undecoded bytes, for it is most of a log and seldom
asked for: only when the conversation was compacted, when sub-agents ran, or when there are no messages.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from calib.formats._calls import Call, made_call
from calib.formats._codes import Rejected
from calib.formats._decode import json_text, tolerant
from calib.formats._inline import TAGGED, split_inline
from calib.formats._inspect_events import Response, Trace
from calib.formats._parts import reasoning_of, text_of
from calib.formats._reader import check
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._talk import Episode, Stretch, Talk

ATTACHED = "attachment://"
PASSED, FAILED = ("C", True, 1), ("I", "N", False, 0)
RUN = ("task_version", "task_file", "solver", "created_by")
LIMITS = ("message_limit", "token_limit", "time_limit", "working_limit", "cost_limit", "turn_limit")
NAMED = frozenset(("context", "time", "working", "message", "token", "turn", "cost"))
HINTS = (b'"compaction"', b'"agent"', b'"handoff"')
"""Without one of these the events say nothing that the messages do not."""

_decode = msgspec.json.Decoder().decode


def whole(value: Any) -> Any:
    """Decode what was left as bytes.

    Raises Rejected.
    """
    if not isinstance(value, (bytes, msgspec.Raw)):
        return value
    try:
        return _decode(value)
    except (ValueError, RecursionError):
        return tolerant(bytes(value), lists=True)[0]


def log_about(header: Mapping[str, Any]) -> About:
    """Give what the header of a log says about each of its samples."""
    said = header.get("eval")
    about = About()
    if not isinstance(said, dict):
        return about
    about.task, about.model = scalar_text(said.get("task")), scalar_text(said.get("model"))
    config = said["config"] if isinstance(said.get("config"), dict) else {}
    limits = {key: config.get(key) for key in LIMITS}
    about.turn_limit = whole_number(limits.pop("turn_limit")) or None
    facts = {**{key: said.get(key) for key in RUN}, **limits}
    about.metadata = {key: fact for key, fact in facts.items() if isinstance(fact, (str, int, float))}
    return about


def sample_id(header: Mapping[str, Any], sample: Mapping[str, Any]) -> str | None:
    """Name a sample: its own id of newer logs, which copies and retries keep, else run, task, sample and epoch."""
    if name := scalar_text(sample.get("uuid")):
        return name
    said = header["eval"] if isinstance(header.get("eval"), dict) else {}
    parts = [said.get("run_id"), said.get("task_id"), sample.get("id"), sample.get("epoch")]
    return "/".join(str(part) for part in parts) if parts[0] is not None and parts[2] is not None else None


class Sample:
    """One sample; `episodes` gives its own episode first, then those of its sub-agents."""

    def __init__(self, sample: dict[str, Any], header: Mapping[str, Any], text: bool, notices: Any) -> None:
        self._sample, self._header, self._text, self._notices = sample, header, text, notices
        found = whole(sample.get("attachments"))
        self._attachments: Mapping[str, str] = found if isinstance(found, dict) else {}

    def episodes(self, where: Stretch) -> Iterator[Episode]:
        """Read the sample.

        Raises Rejected.
        """
        messages = self._resolved(whole(self._sample.get("messages")) or [])
        check(
            isinstance(messages, list) and all(isinstance(m, dict) for m in messages),
            "no-messages",
            "no list `messages`",
        )
        trace = self._trace(messages)
        about = self._about()
        talk = Talk(self._text, self._notices)
        if trace and (trace.compacted or not any(m.get("role") == "assistant" for m in messages)):
            self._told_by_events(talk, trace, trace.main)
        else:
            self._told_by_messages(talk, messages)
        episode = talk.finish(about)
        episode.stretches.append(where)
        yield episode
        known = {m.get("id") for m in messages if m.get("role") == "assistant"} - {None}
        for name, responses in trace.agents.items() if trace else ():
            if not known.isdisjoint(response.message.get("id") for response in responses):
                continue  # its messages were handed over to the conversation
            inner = Talk(self._text, self._notices)
            self._told_by_events(inner, trace, responses)  # type: ignore[arg-type]
            child = inner.finish(About(f"{about.episode_id}/{name}", about.task, about.model, parent=about.episode_id))
            child.stretches.append((where[0], where[1], 0))
            yield child

    def _trace(self, messages: list[Any]) -> Trace | None:
        events = self._sample.get("events")
        if isinstance(events, (bytes, msgspec.Raw)):
            data = bytes(events)
            if any(m.get("role") == "assistant" for m in messages) and not any(hint in data for hint in HINTS):
                return None
        listed = whole(events)
        pool = whole(self._sample.get("events_data")) or {}
        pooled = pool.get("messages") if isinstance(pool, dict) else None
        return Trace(self._resolved(listed), self._resolved(pooled)) if isinstance(listed, list) else None

    def _told_by_messages(self, talk: Talk, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            role = message.get("role")
            if role == "user":
                talk.user()
            elif role == "assistant":
                if message.get("source") != "input":
                    self._turn(talk, message)
            elif role == "tool":
                error = message.get("error")
                text = text_of(message.get("content")) or (error.get("message") if isinstance(error, dict) else "")
                talk.result(scalar_text(message.get("tool_call_id")), str(text or ""), bool(error))
            elif role != "system":
                self._notices["unknown-role"] += 1

    def _told_by_events(self, talk: Talk, trace: Trace, responses: list[Response]) -> None:
        for response in responses:
            if response.compacted:
                talk.compacted()
            if response.asked:
                talk.user()
            self._turn(talk, response.message)
            for call_id, text, error in trace.results_of(response):
                talk.result(call_id, text, error)

    def _turn(self, talk: Talk, message: dict[str, Any]) -> None:
        content = message.get("content")
        calls, results = _calls(message, content)
        text = text_of(content)
        reasoning, state, kind = _reasoning(message, content)
        if text and ">" in text and TAGGED.search(text):
            reasoning, state, inline, text = split_inline(text, reasoning, state, self._notices)
            kind = "inline" if inline == "inline" else kind
        talk.turn(reasoning, state, kind, text, calls)
        for call_id, result, error in results:
            talk.result(call_id, result, error)

    def _resolved(self, value: Any, depth: int = 0) -> Any:
        """Put attachments where the value names them."""
        if not self._attachments or depth > 100:
            return value
        if isinstance(value, str):
            return self._attachments.get(value[len(ATTACHED) :], value) if value.startswith(ATTACHED) else value
        if isinstance(value, list):
            return [self._resolved(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self._resolved(item, depth + 1) for key, item in value.items()}
        return value

    def _about(self) -> About:
        sample = self._sample
        about = log_about(self._header)
        about.episode_id = sample_id(self._header, sample)
        about.outcome = self._outcome(about)
        about.stop_reason = self._stop()
        limit = whole(sample.get("limit"))
        if isinstance(limit, dict):
            about.metadata["limit"] = {key: limit.get(key) for key in ("type", "limit")}
            if limit.get("type") == "turn":
                about.turn_limit = whole_number(limit.get("limit")) or about.turn_limit
        for key in ("id", "epoch", "total_time", "working_time"):
            fact = whole(sample.get(key))
            if isinstance(fact, (str, int, float)):
                about.metadata["sample_id" if key == "id" else key] = fact
        return about

    def _outcome(self, about: About) -> str | None:
        scores = whole(sample_scores(self._sample))
        if not isinstance(scores, dict) or not scores:
            return None
        values = {name: score.get("value") if isinstance(score, dict) else score for name, score in scores.items()}
        about.metadata["scores"] = values
        words = {outcome_of_value(value) for value in values.values()}
        return words.pop() if len(words) == 1 else json_text(values)

    def _stop(self) -> str | None:
        limit, error = whole(self._sample.get("limit")), whole(self._sample.get("error"))
        if isinstance(limit, dict) and isinstance(kind := limit.get("type"), str):
            return f"{kind}_limit" if kind in NAMED else kind
        if error:
            return "error"
        output = whole(self._sample.get("output"))
        choices = output.get("choices") if isinstance(output, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        return scalar_text(first.get("stop_reason")) if isinstance(first, dict) else None


def sample_scores(sample: Mapping[str, Any]) -> Any:
    """Give the scores of a sample; the oldest logs have one `score`."""
    if sample.get("scores") is not None:
        return sample["scores"]
    old = whole(sample.get("score"))
    return {"score": old} if old is not None else None


def outcome_of_value(value: Any) -> str:
    """Give `pass` or `fail` for a score that says so, else its text.

    >>> outcome_of_value("C"), outcome_of_value(0.0), outcome_of_value(0.5)
    ('pass', 'fail', '0.5')
    """
    if isinstance(value, (str, int, float)):
        if value in PASSED:
            return "pass"
        if value in FAILED:
            return "fail"
    return value if isinstance(value, str) else json_text(value)


def _calls(message: dict[str, Any], content: Any) -> tuple[list[Call], list[tuple[str | None, str, bool]]]:
    """List the calls of a message, and those that the provider ran itself with their results."""
    listed = message.get("tool_calls")
    calls = []
    for call in listed if isinstance(listed, list) else []:
        if not isinstance(call, dict):
            raise Rejected("bad-message", "a tool call is no object")
        made = made_call(scalar_text(call.get("id")), scalar_text(call.get("function")), call.get("arguments"))
        calls.append(made._replace(broken=made.broken or bool(call.get("parse_error"))))
    results = []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict) and part.get("type") == "tool_use":
            known = scalar_text(part.get("id"))
            calls.append(made_call(known, scalar_text(part.get("name")), part.get("arguments")))
            results.append((known, text_of(part.get("result")) or "", bool(part.get("error"))))
    return calls, results


def _reasoning(message: dict[str, Any], content: Any) -> tuple[str | None, str, str]:
    """Give reasoning, state and kind: readable parts first, then summaries of hidden ones."""
    parts = content if isinstance(content, list) else []
    thoughts = [part for part in parts if isinstance(part, dict) and part.get("type") == "reasoning"]
    if not thoughts:
        return (*reasoning_of(message, None), "native")
    shown = [str(part.get("reasoning") or "") for part in thoughts if not part.get("redacted")]
    told = [str(part.get("summary") or "") for part in thoughts]
    for texts, kind in ((shown, "native"), (told, "summary")):
        if joined := "\n".join(text for text in texts if text.strip()):
            return joined, "recorded", kind
    hidden = any(part.get("redacted") or part.get("signature") for part in thoughts)
    return None, "withheld" if hidden else "empty", "native"
