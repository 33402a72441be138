"""What a record of an evaluation output of OpenHands says about its run, in both versions."""

import re
from typing import Any

from calib.formats._record import About, whole_number
from calib.formats._small import LONGEST, at, small, text_at, verdict

LIMIT = re.compile(r"max(?:imum)? iterations?(?:: | limit \()(\d+)")
FOLDER = re.compile(r"(?:^|[/_])maxiter_([0-9]+)[^/]*/")
TELLING = ("maximum iteration", "MaxIterations", "stuck in a loop")
"""What a line of an error says that tells why the run ended."""


def error_line(error: str) -> str:
    """Give the line of an error that says why, at most 200 characters of it.

    >>> error_line("Instance failed:\\nRuntimeError: Agent reached maximum iteration\\nbye")
    'RuntimeError: Agent reached maximum iteration'
    >>> error_line("Traceback (most recent call last):\\n  File a\\nValueError: b\\n"), error_line("a: b\\nmore")
    ('ValueError: b', 'a: b')
    """
    lines = [line.strip() for line in error.splitlines() if line.strip()] or [""]
    usual = lines[-1] if lines[0].startswith("Traceback") else lines[0]
    line = next((line for line in lines if any(words in line for words in TELLING)), usual)
    telling = min((place for words in TELLING if (place := line.find(words)) >= 0), default=0)
    first = max(0, telling - LONGEST // 2)
    return line[first : first + LONGEST]


def limit_in(error: str) -> int | None:
    """Find the turn limit that an error names."""
    found = LIMIT.search(error)
    return whole_number(found[1]) if found else None


def limit_of(source: str) -> int | None:
    """Give the turn limit that a folder of evaluation outputs is named after.

    >>> limit_of("out/claude_maxiter_50_N_v0.29/llm_completions/a/*"), limit_of("out/maxiter/a")
    (50, None)
    """
    found = FOLDER.search(source)
    return whole_number(found[1]) or None if found else None


def read_run(about: About, value: dict[str, Any]) -> None:
    """Add what an evaluation output says about its run."""
    told = value.get("metadata")
    issue = value.get("issue")
    about.task = text_at(value, "instance_id") or text_at(value, "instance", "instance_id") or _issue(issue)
    about.model = about.model or text_at(told, "llm_config", "model") or text_at(told, "llm", "model")
    about.turn_limit = whole_number(at(told, "max_iterations")) or about.turn_limit
    about.outcome = outcome_in(value)
    about.metadata |= small(told, "agent_class", "dataset", "data_split", "dataset_split", "git_commit")
    about.metadata |= small(told, "max_iterations")
    about.metadata |= small(value.get("metrics"), "accumulated_cost")
    about.metadata |= small(at(value, "metrics", "accumulated_token_usage"), "prompt_tokens", "completion_tokens")
    about.metadata |= small(at(value, "test_result", "final_score"), "result", "total")
    about.metadata |= small(value, "issue_type", "success", "attempt")
    if isinstance(responses := at(value, "metrics", "token_usages"), list):
        about.metadata["responses"] = len(responses)


def _issue(issue: Any) -> str | None:
    owner, repo, number = (at(issue, key) for key in ("owner", "repo", "number"))
    return f"{owner}/{repo}#{number}" if owner and repo and number else None


def outcome_in(value: dict[str, Any]) -> str | None:
    """Find a verdict: a truth value, `resolved`, all points of a final score, or the resolver's guess."""
    result = value.get("test_result")
    score, total = (at(result, "final_score", key) for key in ("result", "total"))
    if isinstance(score, (int, float)) and isinstance(total, (int, float)) and total > 0:
        return "pass" if score >= total else "fail"
    places = (result, at(result, "resolved"), at(result, "report", "resolved"), at(result, "result"))
    others = (at(value, "report", "resolved"), value.get("success"))
    return next((word for place in (*places, *others) if (word := verdict(place))), None)
