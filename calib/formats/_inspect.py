"""Samples of an Inspect log: what both its files, the archive and the JSON document, hold.

A sample is given as a dict of its keys. Its list `events` may be undecoded bytes, for it is most of a log and seldom
asked for: only when the conversation was compacted, when sub-agents ran, or when there are no messages.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from calib.formats._calls import Call, made_call
from calib.formats._codes import Rejected
from calib.formats._inline import TAGGED, split_inline
from calib.formats._inspect_about import sample_about, whole
from calib.formats._inspect_events import Response, Trace, spent_by_message
from calib.formats._parts import reasoning_of, text_of
from calib.formats._reader import check
from calib.formats._record import About, scalar_text
from calib.formats._spent import NOTHING, Spent
from calib.formats._talk import Episode, Stretch, Talk

ATTACHED = "attachment://"
HINTS = (b'"compaction"', b'"agent"', b'"handoff"')
"""Without one of these the events say nothing that the messages do not."""


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
        about = sample_about(self._header, self._sample)
        talk = Talk(self._text, self._notices)
        if trace and (trace.compacted or not any(m.get("role") == "assistant" for m in messages)):
            self._told_by_events(talk, trace, trace.main)
        else:
            self._told_by_messages(talk, messages)
        episode = talk.finish(about)
        episode.stretches.append(where)
        yield episode
        known = {scalar_text(m.get("id")) for m in messages if m.get("role") == "assistant"} - {None}
        for name, responses in trace.agents.items() if trace else ():
            if not known.isdisjoint(scalar_text(response.message.get("id")) for response in responses):
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
        spent = spent_by_message(self._sample.get("events"))
        for message in messages:
            role = message.get("role")
            if role == "user":
                talk.user()
            elif role == "assistant":
                if message.get("source") != "input":
                    self._turn(talk, message, spent.get(scalar_text(message.get("id")), NOTHING))
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
            self._turn(talk, response.message, response.spent)
            for call_id, text, error in trace.results_of(response):
                talk.result(call_id, text, error)

    def _turn(self, talk: Talk, message: dict[str, Any], spent: Spent) -> None:
        content = message.get("content")
        calls, results = _calls(message, content)
        text = text_of(content)
        reasoning, state, kind = _reasoning(message, content)
        if text and ">" in text and TAGGED.search(text):
            reasoning, state, inline, text = split_inline(text, reasoning, state, self._notices)
            kind = "inline" if inline == "inline" else kind
        talk.turn(reasoning, state, kind, text, calls)
        talk.spent(*spent)
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
