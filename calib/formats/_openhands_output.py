"""What a record of an evaluation output of OpenHands says about its run, in both versions."""

from typing import Any

from calib.formats._record import About, whole_number
from calib.formats._small import at, small, text_at, verdict


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
