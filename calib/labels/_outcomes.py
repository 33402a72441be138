"""Outcomes: did the episode pass? Read from words, truth values and rewards, never guessed."""

from typing import Any

OUTCOMES = ("passed", "failed", "unknown")

_PASSED = frozenset(("pass", "passed", "success", "succeeded", "successful", "resolved", "correct", "true", "1", "1.0"))
_FAILED = frozenset(
    ("fail", "failed", "failure", "unsuccessful", "unresolved", "incorrect", "false", "0", "0.0")
)  # fmt: skip
NEAR = 1e-6
"""A reward this close to 1 is 1: the benchmarks that give rewards compare them so."""


def outcome_of(said: Any) -> str:
    """Give `passed`, `failed` or `unknown` for a word, a truth value, or a number that is exactly 0 or 1.

    >>> outcome_of("pass"), outcome_of("False"), outcome_of(True), outcome_of(0), outcome_of(1.0)
    ('passed', 'failed', 'passed', 'failed', 'passed')
    >>> outcome_of("partial"), outcome_of(0.7), outcome_of(None), outcome_of([1])
    ('unknown', 'unknown', 'unknown', 'unknown')
    """
    if isinstance(said, (bool, int, float)):
        return "passed" if said == 1 else "failed" if said == 0 else "unknown"
    word = said.strip().lower() if isinstance(said, str) else ""
    return "passed" if word in _PASSED else "failed" if word in _FAILED else "unknown"


def outcome_of_reward(said: Any) -> str:
    """Give the outcome of a reward between 0 and 1: only a whole one is a pass.

    Outside 0 to 1 the scale is not known, so the outcome is `unknown`.

    >>> outcome_of_reward(1.0), outcome_of_reward("0.5"), outcome_of_reward(0), outcome_of_reward(True)
    ('passed', 'failed', 'failed', 'passed')
    >>> outcome_of_reward(2), outcome_of_reward(-1), outcome_of_reward(float("nan")), outcome_of_reward("high")
    ('unknown', 'unknown', 'unknown', 'unknown')
    """
    if isinstance(said, str):
        try:
            said = float(said) if len(said) < 40 else None
        except ValueError:
            return outcome_of(said)
    if not isinstance(said, (bool, int, float)):
        return "unknown"
    if 1 - NEAR <= said <= 1 + NEAR:
        return "passed"
    return "failed" if 0 <= said < 1 else "unknown"
