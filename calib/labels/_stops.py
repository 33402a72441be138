"""Stop reasons: the raw words of every harness, and the few kinds they come down to.

The raw words are always kept; the kind is only what the label rule needs. Words are compared without case and
punctuation, so `max_turns_reached` and `MaxTurnsReached` are one word.
"""

from collections.abc import Mapping

STOP_KINDS: Mapping[str, str] = {
    "turn_limit": "ran out of model responses",
    "step_limit": "ran out of steps of another kind: graph nodes, messages, agent and tool steps counted together",
    "cost_limit": "ran out of money",
    "token_limit": "ran out of tokens",
    "time_limit": "ran out of time",
    "context_limit": "the history no longer fitted the model's context",
    "guard": "stopped by a guard of the harness, such as a loop detector",
    "completed": "the agent ended by itself or handed in its work",
    "error": "ended by an error of the agent, the harness or the model's provider",
    "user_abort": "stopped by a person",
    "unknown": "the transcript does not say, or in words that are not known",
}
"""Every kind of stop, and what it means."""

LIMIT_KINDS = ("turn_limit", "step_limit", "cost_limit", "token_limit", "time_limit", "context_limit")
"""The kinds that can be asked for as positives."""

_WORDS: Mapping[str, str] = {
    "turn_limit": (
        "turn_limit turn max_turns max_turns_reached max_turns_exceeded error_max_turns max_session_turns "
        "max_iterations max_iterations_reached max_iterations_exceeded max_iteration iteration_limit "
        "exceeded_max_turns budget_exhausted out_of_turns ran_out_of_turns"
    ),
    "step_limit": (
        "step_limit max_steps max_steps_reached max_steps_error agent_max_steps_error recursion_limit "
        "graph_recursion_error message message_limit max_messages out_of_steps ran_out_of_steps"
    ),
    "cost_limit": (
        "cost_limit cost exit_cost max_budget_reached error_max_budget_usd budget_exceeded max_cost out_of_money "
        "ran_out_of_money"
    ),
    "token_limit": (
        "token_limit token length output_limit max_tokens max_output_tokens max_completion_tokens "
        "max_total_completion_tokens_reached message_output_length_error out_of_tokens ran_out_of_tokens"
    ),
    "time_limit": (
        "time_limit time working timeout timed_out timeout_reached time_exceeded agent_timeout_error "
        "exit_total_execution_time max_time out_of_time ran_out_of_time"
    ),
    "context_limit": (
        "context_limit context exit_context context_window_exceeded context_window_exceeded_error "
        "context_length_exceeded context_overflow_error model_length model_context_window_exceeded prompt_too_long"
    ),
    "guard": (
        "guard guardrail guardrail_halt loop_guard stopped_by_guard censored loop_detected loop_detection "
        "agent_stuck_in_loop_error agent_stuck stuck stuck_in_loop stuck_detected doom_loop repetition_detected"
    ),
    "completed": (
        "completed complete submitted submit finished finish success succeeded done stop end_turn stop_sequence "
        "task_complete exit_command agent_stop user_stop text_response final_answer no_tools_called turn_completed"
    ),
    "error": (
        "error failed failure exception exit_error exit_api exit_format exit_forfeit exit_environment_error "
        "exit_command_timeout early_exit repeated_format_error error_during_execution "
        "error_max_structured_output_retries too_many_errors agent_error user_error infrastructure_error "
        "unexpected_error has_error empty_response_exhausted content_filter refusal turn_failed"
    ),
    "user_abort": (
        "user_abort user_initiated user_interruption interrupted interrupted_by_user aborted abort turn_aborted "
        "message_aborted_error cancelled canceled operator user_cancelled keyboard_interrupt"
    ),
    "unknown": "unknown none null tool_calls tool_use function_call pause_turn in_progress compression custom",
}  # fmt: skip
"""Words of each kind. Those of `unknown` are known to say nothing about the end of a run."""

_PHRASES = (
    ("ran out of turns", "turn_limit"),
    ("ran out of model responses", "turn_limit"),
    ("ran out of steps", "step_limit"),
    ("exceeded max turns", "turn_limit"),
    ("iteration limit or time limit", "unknown"),  # one text for two limits
    ("maximum iteration", "turn_limit"),
    ("maximum number of iterations", "turn_limit"),
    ("maximum number of tool-calling iterations", "turn_limit"),
    ("maximum number of turns", "turn_limit"),
    ("max turns", "turn_limit"),
    ("stuck in a loop", "guard"),
    ("loop detected", "guard"),
    ("maximum budget", "cost_limit"),
    ("recursion limit", "step_limit"),
    ("maximum number of steps", "step_limit"),
    ("max steps", "step_limit"),
    ("context window", "context_limit"),
    ("context length", "context_limit"),
)
"""Found inside a sentence, first one first."""

_EXACT = {
    "Timeout": "error",
    "LimitsExceeded (step_limit)": "turn_limit",
    "LimitsExceeded (cost_limit)": "cost_limit",
}
"""Words whose case matters: an exception class of a failed request is no time limit of the run. And those of
mini-swe-agent, whose steps are turns, where its file tells which limit was reached."""

EITHER_LIMIT = frozenset(("limitsexceeded",))
"""One word for the turn limit and the cost limit; which of the two, only the configuration tells."""

LONGEST = 2000
"""Characters of a stop reason that are looked at."""


def squashed(text: str) -> str:
    """Give the letters and digits of a word, without case."""
    return "".join(character for character in text.casefold() if character.isalnum())


_KINDS = {squashed(word): kind for kind, words in _WORDS.items() for word in words.split()}


def vocabulary() -> dict[str, tuple[str, ...]]:
    """List the words of each kind, sorted, as the documentation shows them."""
    return {kind: tuple(sorted(_WORDS[kind].split())) for kind in STOP_KINDS}


def stop_kind(said: str | None, n_turns: int | None = None, turn_limit: int | None = None) -> str:
    """Give the kind of a raw stop reason; `unknown` for None and for words that are not known.

    mini-swe-agent's `LimitsExceeded` is the turn limit when `n_turns` reached `turn_limit`, the cost limit when it did
    not, and `unknown` when the turn limit is not known.

    >>> stop_kind("max_iterations_reached(90/90)"), stop_kind("submitted (exit_cost)"), stop_kind("max_steps")
    ('turn_limit', 'cost_limit', 'step_limit')
    >>> stop_kind("AgentStuckInLoopError: Agent got stuck in a loop"), stop_kind("InternalServerError"), stop_kind(None)
    ('guard', 'error', 'unknown')
    >>> stop_kind("LimitsExceeded", 250, 250), stop_kind("LimitsExceeded", 40, 250), stop_kind("LimitsExceeded")
    ('turn_limit', 'cost_limit', 'unknown')
    >>> stop_kind("LimitsExceeded (step_limit)", 240, 250)
    'turn_limit'
    """
    text = (said or "").strip()[:LONGEST]
    if text in _EXACT:
        return _EXACT[text]
    if squashed(text) in EITHER_LIMIT:
        if turn_limit is None or n_turns is None:
            return "unknown"
        return "turn_limit" if n_turns >= turn_limit else "cost_limit"
    return _word_kind(text) or _called_kind(text) or _phrase_kind(text) or _error_kind(text) or "unknown"


def says_nothing(said: str) -> bool:
    """Tell whether a raw stop reason is a word that is known to say nothing about the end of a run.

    >>> says_nothing("None"), says_nothing("tool_calls"), says_nothing("gave up"), says_nothing("max_turns")
    (True, True, False, False)
    """
    return _KINDS.get(squashed(said)) == "unknown"


def _word_kind(text: str) -> str | None:
    return _KINDS.get(squashed(text))


def _called_kind(text: str) -> str | None:
    """Read `word(detail)`; of `submitted (exit_cost)` the detail tells why the run ended."""
    head, opened, rest = text.partition("(")
    if not opened:
        return None
    inner = _KINDS.get(squashed(rest)) if handed_in(text) else None
    return inner or _KINDS.get(squashed(head))


def _phrase_kind(text: str) -> str | None:
    folded = text.casefold()
    return next((kind for phrase, kind in _PHRASES if phrase in folded), None)


def _error_kind(text: str) -> str | None:
    """Read the name of an exception class, alone or before a colon."""
    name = text.partition(":")[0].strip()
    if kind := _KINDS.get(squashed(name)):
        return kind
    last = name.rpartition(".")[2]
    return "error" if last.isidentifier() and last.endswith(("Error", "Exception")) else None


def handed_in(said: str | None) -> bool:
    """Tell whether work was handed in although something else ended the run, as in `submitted (exit_cost)`.

    >>> handed_in("submitted (exit_cost)"), handed_in("submitted"), handed_in("exit_cost")
    (True, False, False)
    """
    head, opened, rest = (said or "").strip().partition("(")
    return bool(opened) and squashed(head) == "submitted" and bool(squashed(rest))
