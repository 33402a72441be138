"""Which columns of a corpus a rule reads; a default sweep reads turns only."""

from calib.evaluate._columns import SAME
from calib.evaluate._scans import text_column
from calib.rules import KEYS, NUMBERS, AnyOf, AnyRule, Scan

RESET = {"user": ["user_before"], "compaction": ["after_compaction"], "idle": ["same_calls_as"], "wrote": ["actions"]}
CALL_RESET = {"wrote": ["is_error"], "result": ["same_call_as", "same_result_as"]}
TEST = {
    "idle": ["same_calls_as"], "empty": ["same_calls_as", "same_text_as"], "reads": ["actions"],
    "writes": ["actions"], "tests": ["actions"], "wrote": ["actions"],
    "failed_anew": ["actions"],
}  # fmt: skip
CALL_TEST = {"error": ["is_error"], "failed_anew": ["is_error"], "wrote": ["is_error"], "tool": ["tool"]}
RECORDED = {
    "reasoning": ["reasoning_state"], "users": ["user_before"], "output_tokens": ["output_tokens"],
    "milliseconds": ["milliseconds"],
}  # fmt: skip
"""What tells whether something was recorded."""
CALL_RECORDED = {"results": ["result_chars"], "errors": ["is_error"]}


def turns_columns(rule: AnyRule) -> set[str]:
    """List the columns of turns that a rule reads."""
    if isinstance(rule, AnyOf):
        return {column for member, _ in rule.members for column in turns_columns(member)}
    if isinstance(rule, Scan):
        column = text_column(rule)
        return {
            "turn",
            rule.scanner,
            column,
            f"{column}_chars",
            *(RECORDED["reasoning"] if column == "reasoning" else ()),
        }
    found = {"turn"} | {column for what in rule.needs for column in RECORDED.get(what, ())}
    found |= {SAME[name] for name in rule.keys if KEYS[name][0] == "turn" and name in SAME}
    found |= {column for test in rule.tests for column in TEST.get(test.name, ())}
    found |= {column for event in rule.reset for column in RESET.get(event, ())}
    if "call_set" in rule.keys:
        found.add("same_calls_as")
    if "masked_reasoning" in rule.keys:
        found.add("reasoning")
    if isinstance(rule.of, str) and rule.of != "result_chars":
        found.add(rule.of)
    return found | ({"tools"} if calls_columns(rule) else set())


def calls_columns(rule: AnyRule) -> set[str]:
    """List the columns of calls that a rule reads; none when it does not look at calls."""
    if isinstance(rule, AnyOf):
        return {column for member, _ in rule.members for column in calls_columns(member)}
    if isinstance(rule, Scan):
        return set()
    found = {column for what in rule.needs for column in CALL_RECORDED.get(what, ())}
    found |= {SAME.get(name, name) for name in rule.keys if KEYS[name][0] == "call"}
    found |= {column for test in rule.tests for column in CALL_TEST.get(test.name, ())}
    if "call_set" in rule.keys:
        found.add("same_call_as")
    if rule.exempt:
        found.add("tool")
    found |= {column for event in rule.reset for column in CALL_RESET.get(event, ())}
    if isinstance(rule.of, str) and NUMBERS[rule.of][0] == "call":
        found.add(rule.of)
    return found or ({"call"} if rule.unit == "call" else set())
