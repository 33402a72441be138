"""What an Inspect log says about a sample besides its conversation. Parts of a sample may be undecoded bytes."""

from collections.abc import Mapping
from typing import Any

import msgspec

from calib.formats._decode import json_text, tolerant
from calib.formats._record import About, scalar_text, whole_number

PASSED, FAILED = ("C", True, 1), ("I", "N", False, 0)
RUN = ("task_version", "task_file", "solver", "created_by")
LIMITS = ("message_limit", "token_limit", "time_limit", "working_limit", "cost_limit", "turn_limit")
NAMED = frozenset(("context", "time", "working", "message", "token", "turn", "cost"))

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


def sample_about(header: Mapping[str, Any], sample: Mapping[str, Any]) -> About:
    """Give what a log says about one of its samples."""
    about = log_about(header)
    about.episode_id = sample_id(header, sample)
    about.outcome = _outcome(sample, about)
    about.stop_reason = _stop(sample)
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


def _outcome(sample: Mapping[str, Any], about: About) -> str | None:
    scores = whole(_scores(sample))
    if not isinstance(scores, dict) or not scores:
        return None
    values = {name: score.get("value") if isinstance(score, dict) else score for name, score in scores.items()}
    about.metadata["scores"] = values
    words = {outcome_of_value(value) for value in values.values()}
    return words.pop() if len(words) == 1 else json_text(values)


def _stop(sample: Mapping[str, Any]) -> str | None:
    limit, error = whole(sample.get("limit")), whole(sample.get("error"))
    if isinstance(limit, dict) and isinstance(kind := limit.get("type"), str):
        return f"{kind}_limit" if kind in NAMED else kind
    if error:
        return "error"
    output = whole(sample.get("output"))
    choices = output.get("choices") if isinstance(output, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return scalar_text(first.get("stop_reason")) if isinstance(first, dict) else None


def _scores(sample: Mapping[str, Any]) -> Any:
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
