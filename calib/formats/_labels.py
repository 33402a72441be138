"""The label of an episode from what the dump says: outcome and stop reason."""

PASSED = frozenset(("pass", "passed", "true"))
FAILED = frozenset(("fail", "failed", "false"))
TURN_LIMIT = frozenset(("turn_limit", "max_turns", "max_iterations"))
"""Stop reasons that mean: ran out of turns."""
CENSORED = frozenset(("loop_guard", "guard", "guardrail", "censored", "stopped_by_guard"))
"""Stop reasons that mean: stopped from outside, so what would have happened is unknown."""


def outcome_of(said: str | None) -> str:
    """Give `passed`, `failed` or `unknown`.

    >>> outcome_of("pass"), outcome_of("False"), outcome_of("partial"), outcome_of(None)
    ('passed', 'failed', 'unknown', 'unknown')
    """
    word = (said or "").strip().lower()
    return "passed" if word in PASSED else "failed" if word in FAILED else "unknown"


def label_of(outcome: str, stop_reason: str | None) -> str:
    """Give the label; a pass at the turn limit is a pass.

    >>> label_of("passed", "turn_limit"), label_of("unknown", "turn_limit"), label_of("failed", "guard")
    ('passed', 'turn_limit', 'censored')
    >>> label_of("failed", None), label_of("unknown", "stop")
    ('failed', 'unlabelled')
    """
    if outcome == "passed":
        return "passed"
    reason = (stop_reason or "").strip().lower()
    if reason in TURN_LIMIT:
        return "turn_limit"
    if reason in CENSORED:
        return "censored"
    return "failed" if outcome == "failed" else "unlabelled"
