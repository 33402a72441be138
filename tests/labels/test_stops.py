"""Raw stop reasons of every harness, and the kind each comes down to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.labels import LIMIT_KINDS, STOP_KINDS, handed_in, stop_kind, vocabulary

SAID = [
    # chat completions, Anthropic, Responses: the last response's own reason
    ("stop", "completed"), ("end_turn", "completed"), ("tool_calls", "unknown"), ("tool_use", "unknown"),
    ("length", "token_limit"), ("max_tokens", "token_limit"), ("max_output_tokens", "token_limit"),
    ("model_context_window_exceeded", "context_limit"), ("pause_turn", "unknown"), ("refusal", "error"),
    ("max_messages", "step_limit"), ("content_filter", "error"), ("steered", "unknown"), ("incomplete", "unknown"),
    # Claude Code
    ("max_turns_reached", "turn_limit"), ("error_max_turns", "turn_limit"), ("success", "completed"),
    ("error_during_execution", "error"), ("error_max_budget_usd", "cost_limit"),
    # Codex
    ("task_complete", "completed"), ("turn.completed", "completed"), ("turn.failed", "error"),
    ("turn_aborted", "user_abort"), ("interrupted", "user_abort"),
    # OpenHands, both generations
    ("RuntimeError: Agent reached maximum iteration. Current iteration: 50, max iteration: 50", "turn_limit"),
    ("Agent reached maximum iteration in headless mode. Current iteration: 50, max iteration: 50", "turn_limit"),
    ("AgentStuckInLoopError: Agent got stuck in a loop", "guard"), ("MaxIterationsReached", "turn_limit"),
    ("MaxBudgetReached", "cost_limit"), ("finished", "completed"), ("stuck", "guard"), ("error", "error"),
    # SWE-agent
    ("submitted", "completed"), ("exit_cost", "cost_limit"), ("submitted (exit_cost)", "cost_limit"),
    ("submitted (exit_context)", "context_limit"), ("exit_context", "context_limit"), ("exit_format", "error"),
    ("exit_total_execution_time", "time_limit"), ("exit_command_timeout", "error"), ("early_exit", "error"),
    ("exit_forfeit", "error"), ("exit_api", "error"), ("exit_environment_error", "error"), ("exit_error", "error"),
    ("exit_command", "completed"), ("submitted (exit_format)", "error"),
    # mini-swe-agent
    ("Submitted", "completed"), ("LimitsExceeded", "unknown"), ("TimeExceeded", "time_limit"),
    ("RepeatedFormatError", "error"), ("UserInterruption", "user_abort"), ("InternalServerError", "error"),
    ("Timeout", "error"), ("ContextWindowExceededError", "context_limit"),
    ("litellm.exceptions.APIConnectionError", "error"),
    # Harbor
    ("AgentTimeoutError", "time_limit"),
    # Inspect limit types
    ("context", "context_limit"), ("time", "time_limit"), ("working", "time_limit"), ("message", "step_limit"),
    ("token", "token_limit"), ("turn", "turn_limit"), ("cost", "cost_limit"), ("operator", "user_abort"),
    ("custom", "unknown"),
    # hermes-agent
    ("text_response(finish_reason=stop)", "completed"), ("max_iterations_reached(90/90)", "turn_limit"),
    ("budget_exhausted", "turn_limit"), ("guardrail_halt", "guard"), ("interrupted_by_user", "user_abort"),
    ("empty_response_exhausted", "error"), ("compression", "unknown"),
    # τ-bench 2
    ("user_stop", "completed"), ("agent_stop", "completed"), ("max_steps", "step_limit"), ("timeout", "time_limit"),
    ("too_many_errors", "error"), ("context_window_exceeded", "context_limit"), ("infrastructure_error", "error"),
    ("agent_error", "error"), ("user_error", "error"), ("unexpected_error", "error"),
    # Copilot CLI, OpenCode, pi
    ("user initiated", "user_abort"), ("MessageAbortedError", "user_abort"), ("aborted", "user_abort"),
    ("MessageOutputLengthError", "token_limit"), ("ContextOverflowError", "context_limit"), ("APIError", "error"),
    ("toolUse", "unknown"),
    # InterCode, LangGraph, verifiers, native
    ("EXCEEDED MAX TURNS: submit", "turn_limit"), ("GraphRecursionError", "step_limit"),
    ("Recursion limit of 25 reached without hitting a stop condition", "step_limit"),
    ("prompt_too_long", "context_limit"), ("has_error", "error"), ("turn_limit", "turn_limit"),
    ("max_turns", "turn_limit"),
    ("loop_detected", "guard"), ("LoopDetected", "guard"),
    ("Agent stopped due to iteration limit or time limit.", "unknown"),
    # words of calib itself
    ("ran out of turns", "turn_limit"), ("The agent ran out of turns at 64.", "turn_limit"),
    ("ran out of steps", "step_limit"), ("out of money", "cost_limit"), ("Ran out of tokens", "token_limit"),
    ("ran_out_of_time", "time_limit"),
    (None, "unknown"), ("", "unknown"), ("  ", "unknown"), ("went home", "unknown"), ("nothing (at all)", "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "kind"), SAID)
def test_every_harness_is_understood(said: str | None, kind: str) -> None:
    assert stop_kind(said) == kind


def test_every_kind_is_met_and_every_word_has_one_kind() -> None:
    assert {kind for _, kind in SAID} == set(STOP_KINDS)
    words = [word for known in vocabulary().values() for word in known]
    assert len(words) == len(set(words))
    for kind, known in vocabulary().items():
        assert {stop_kind(word) for word in known} == {kind}, kind


def test_limits_are_kinds() -> None:
    assert set(LIMIT_KINDS) == {kind for kind in STOP_KINDS if kind.endswith("_limit")}


@pytest.mark.parametrize(("turns", "limit", "kind"), [
    (250, 250, "turn_limit"), (251, 250, "turn_limit"), (249, 250, "cost_limit"), (249, None, "unknown"),
])  # fmt: skip
def test_one_word_for_two_limits_is_told_apart_by_the_configuration(turns: int, limit: int | None, kind: str) -> None:
    assert stop_kind("LimitsExceeded", turns, limit) == kind


def test_work_handed_in_at_a_limit() -> None:
    assert handed_in("Submitted (exit_api)")
    assert not handed_in("submitted ()")
    assert not handed_in("exit (submitted)")


@given(st.text(max_size=60))
def test_any_text_has_a_kind_whatever_its_case_or_spacing(text: str) -> None:
    assert stop_kind(text) in STOP_KINDS
    assert stop_kind(f"  {text} ") == stop_kind(text.strip())
