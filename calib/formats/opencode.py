"""OpenCode exports: one JSON object with `info` about the session and its `messages`, each with `info` and `parts`.

*Recognised by*: an object with `info` and a list `messages` whose elements hold `info.role` and a list `parts`.

*Turn*: each step (`step-start` to `step-finish`) of an assistant message, or the message when it tells no steps. Not
a turn: a message that holds no part because the request failed, and the summary written by a compaction.
An episode is an `info.id`; `info.parentID` is its parent.

*Reasoning*: `reasoning` parts, joined; a summary when their metadata name OpenAI or Google, else native. Encrypted or
withheld when they hold no text but encrypted content or a signature.

*Calls and results*: `tool` parts; the result is `state.output` or `state.error`, an error when `state.status` is
`error`. A call still pending or running has no result.

*Tokens and times*: `tokens.output` and `tokens.reasoning` of a `step-finish`, else of the message. A message of one
step lasts from `time.created` to the begin of its first tool, else to `time.completed`; several steps have no time.

*Outcome and stop*: no outcome. Stop reason is the `error.name` of the last message, else the `reason` of its last step,
else its `finish`.

*Cannot know*: whether the task was solved; what a compaction removed.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._claude import name_or_none
from calib.formats._decode import json_text
from calib.formats._reader import Records, check
from calib.formats._record import About, whole_number
from calib.formats._small import at
from calib.formats._spent import Spent, milliseconds, tokens_in
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "OpenCode session exports"
RANK = 42
STREAM = False

FACTS = {"title": "title", "version": "version", "directory": "cwd", "projectID": "project", "slug": "slug"}
SILENT = ("agent", "compaction", "file", "patch", "retry", "snapshot", "step-finish", "subtask")
"""Parts that are neither said, thought nor called."""

Part = dict[str, Any]


def recognises(value: Any) -> bool:
    """Tell whether a value is an exported session."""
    if not isinstance(value, dict) or not isinstance(value.get("info"), dict):
        return False
    messages = value.get("messages")
    if not isinstance(messages, list):
        return False
    return all(_is_message(message) for message in messages[:3]) if messages else "projectID" in value["info"]


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("parts"), list) and isinstance(value.get("info"), dict)


class Reader(Records):
    """Reads exported sessions, each of which is one record."""

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one session.

        Raises Rejected.
        """
        check(isinstance(value, dict) and isinstance(value.get("messages"), list), "no-messages", "no list `messages`")
        talk, about = session_of_messages(value, self.text)
        episode = self.whole(talk, about, where)
        self.notices.update(talk.notices)
        return episode


def session_of_messages(session: dict[str, Any], text: bool) -> tuple[Talk, About]:
    """Read a session with its messages, each of which holds its parts."""
    talk, about = Talk(text, Counter()), _about(session.get("info"))
    for message in session["messages"]:
        if _is_message(message):
            _message(talk, about, message)
        else:
            talk.notices["unknown-record-type"] += 1
    return talk, about


def _about(info: Any) -> About:
    info = info if isinstance(info, dict) else {}
    about = About(episode_id=name_or_none(info.get("id")), parent=name_or_none(info.get("parentID")))
    about.metadata = {known: info[key] for key, known in FACTS.items() if isinstance(info.get(key), str)}
    time = info.get("time")
    if isinstance(time, dict):
        about.metadata.update({key: time[key] for key in ("created", "updated") if isinstance(time.get(key), int)})
    return about


def _message(talk: Talk, about: About, message: dict[str, Any]) -> None:
    info, parts = message["info"], [part for part in message["parts"] if isinstance(part, dict)]
    role = info.get("role")
    if role == "user":
        if any(part.get("type") == "compaction" for part in parts):
            talk.compacted()
        elif any(part.get("synthetic") is not True for part in parts) or not parts:
            talk.user()
        return
    if role != "assistant":
        talk.notices["unknown-role"] += 1
        return
    if info.get("summary") is True or info.get("mode") == "compaction" or info.get("agent") == "compaction":
        talk.compacted()
        return
    steps = _steps(parts)
    for step in steps:
        _turn(talk, step)
        talk.spent(*_spent(info, step, len(steps) == 1))
    if any(part.get("type") == "compaction" for part in parts):
        talk.compacted()
    _facts(about, info, parts)


def _steps(parts: list[Part]) -> list[list[Part]]:
    steps: list[list[Part]] = []
    for part in parts:
        if part.get("type") == "step-start":
            steps.append([])
        elif part.get("type") in SILENT and not steps:
            continue
        elif steps:
            steps[-1].append(part)
        else:
            steps.append([part])
    return [step for step in steps if step]


def _turn(talk: Talk, step: list[Part]) -> None:
    texts = [str(part["text"]) for part in step if part.get("type") == "text" and part.get("text")]
    thoughts = [part for part in step if part.get("type") == "reasoning"]
    tools = [part for part in step if part.get("type") == "tool"]
    for part in step:
        kind = part.get("type")
        if kind not in ("text", "reasoning", "tool") and kind not in SILENT:
            talk.notices["unknown-part"] += 1
    reasoning, state, form = _reasoning(thoughts)
    talk.turn(reasoning, state, form, "\n".join(texts) if texts else None, [_call(part) for part in tools])
    for part in tools:
        status = _state(part)
        said = status.get("output") if status.get("output") is not None else status.get("error")
        if said is not None:
            text = said if isinstance(said, str) else json_text(said)
            talk.result(name_or_none(part.get("callID")), text, status.get("status") == "error")


def _spent(info: dict[str, Any], step: list[Part], alone: bool) -> Spent:
    """Give what a step cost. A message of one step lasts until its first tool begins, else until it is complete."""
    told = [part["tokens"] for part in step if part.get("type") == "step-finish" and part.get("tokens")]
    tokens = tokens_in(told[-1] if told else info.get("tokens") if alone else None, "reasoning")
    if not alone:
        return tokens, None
    tools = (at(_state(part), "time", "start") for part in step if part.get("type") == "tool")
    ended = next((time for time in tools if time is not None), at(info, "time", "completed"))
    return tokens, milliseconds(at(info, "time", "created"), ended)


def _call(part: Part) -> Call:
    return made_call(name_or_none(part.get("callID")), name_or_none(part.get("tool")), _state(part).get("input"))


def _state(part: Part) -> dict[str, Any]:
    state = part.get("state")
    return state if isinstance(state, dict) else {}


def _reasoning(parts: list[Part]) -> tuple[str | None, str, str]:
    texts = [text for part in parts if isinstance(text := part.get("text"), str) and text.strip()]
    told = [str(metadata) for part in parts if (metadata := part.get("metadata"))]
    summary = any("openai" in one or "google" in one or "reasoningEncryptedContent" in one for one in told)
    if texts:
        return "\n".join(texts), "recorded", "summary" if summary else "native"
    if any("reasoningEncryptedContent" in one for one in told):
        return None, "encrypted", "summary"
    if any("signature" in one or "redacted" in one for one in told):
        return None, "withheld", "native"
    return None, "empty" if parts else "absent", "native"


def _facts(about: About, info: dict[str, Any], parts: list[Part]) -> None:
    model, provider, error = info.get("modelID"), info.get("providerID"), info.get("error")
    if isinstance(model, str):
        about.model = about.model or model
    if isinstance(provider, str):
        about.metadata.setdefault("provider", provider)
    reasons = [part.get("reason") for part in parts if part.get("type") == "step-finish"]
    said = [error.get("name") if isinstance(error, dict) else None, *reversed(reasons), info.get("finish")]
    about.stop_reason = next((reason for reason in said if isinstance(reason, str) and reason), None)
    tokens = info.get("tokens")
    for name in ("input", "output", "reasoning"):
        if isinstance(tokens, dict) and (count := whole_number(tokens.get(name))) is not None:
            known = f"{name}_tokens"
            about.metadata[known] = about.metadata.get(known, 0) + count
    if isinstance(cost := info.get("cost"), (int, float)) and not isinstance(cost, bool):
        about.metadata["cost"] = about.metadata.get("cost", 0) + cost
