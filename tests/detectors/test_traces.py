"""The two traces of note 000, section 3, under every rule: each fires at the turn worked out by hand, or never.

Rebuilt from the note: what it does not say is assumed as the least favourable to fire, different arguments in the first
trace, equal outputs in the second.
"""

import pytest

from calib.detectors import detector
from calib.evaluate import levels_of
from calib.rules import AnyOf, Rule
from tests import literal
from tests.evaluate.episodes import columns
from tests.literal import Called, Turned

SEARCHED = {4: "0", 5: "0", 6: "0", 7: "0", 8: "0", 9: "1", 10: "4", 11: "1", 12: "3", 13: "0", 14: "1"}
"""Matches of the searches that the note lists."""
READ = (1, 3, 15)


def batch() -> list[Turned]:
    """61 searches and 3 reads in 64 turns; from turn 7 on the plan is the same word for word."""
    turns = []
    for turn in range(64):
        tool = "read_file" if turn in READ else "search_files"
        result = f"{SEARCHED.get(turn, turn % 3)} matches" if tool == "search_files" else f"text {turn}"
        call = Called(tool, (tool, turn), (tool, turn), result, False, len(result))
        turns.append(Turned(reasoning=min(turn, 7) or "first", calls=[call], reads=True, user=turn == 0))
    return turns


def argv() -> list[Turned]:
    """Ten turns of reading, a fix at turn 10, then the same tests 53 times; from turn 13 on the same reasoning."""
    turns = []
    for turn in range(64):
        tool = "read_file" if turn < 10 else "write_file" if turn == 10 else "run_tests"
        arguments = turn if turn < 11 else 11
        result = f"text {turn}" if turn < 11 else "Ran 3 tests ... OK"
        call = Called(tool, (tool, arguments), (tool, arguments), result, False, len(result))
        turns.append(
            Turned(
                reasoning=f"thought {min(turn, 13)}",
                calls=[call],
                reads=turn < 10,
                writes=turn == 10,
                tests=turn > 10,
                user=turn == 0,
            )
        )
    return turns


TABLE: dict[str, tuple[int, int | None, int | None]] = {
    # rule: threshold, fire turn of the batch trace, of the argv trace
    "repeated_plan": (7, 14, 20),
    "search_run": (35, 34, None),
    "cline_soft": (2, None, 13),
    "cline_hard": (4, None, 15),
    "roo": (3, None, 14),
    "gemini_tools": (4, None, 15),
    "qwen_identical": (4, None, 15),
    "qwen_stagnation": (7, 11, 7),  # ten reads before the fix are one tool eight times too
    "qwen_read_window": (8, None, 10),  # reads of the beginning count once something else was called
    "oh_my_pi_tools": (4, None, 15),
    "crush": (6, None, 16),
    "openhands_v1_repeat": (3, None, 16),
    "openhands_v1": (1, None, 16),
    "openhands_v0": (1, None, 16),
    "hermes_identical_streak": (4, None, 15),
    "lag(call+result,1)": (2, None, 13),  # its notice
    "opencode": (2, None, None),
    "kilo": (2, None, None),
    "run(reads)": (7, 6, 6),
    "any(run(reads)@24)": (1, 23, None),
    "any(run(reads)@35)": (1, 34, None),  # unwedge also asks for a repeat: the plan repeats from turn 8 on
    "any(run(reads)@40)": (1, 39, None),
    "turn_count": (64, 63, 63),
    "always": (1, 0, 0),
    "never": (1, None, None),
}


@pytest.mark.parametrize("name", TABLE)
def test_every_rule_fires_where_it_was_worked_out_to(name: str) -> None:
    threshold, *expected = TABLE[name]
    rule = detector(name).rule
    assert isinstance(rule, Rule | AnyOf)
    found = []
    for trace in (batch(), argv()):
        levels = literal.levels(rule, trace)
        assert levels_of(rule, columns([trace])).tolist() == levels
        found.append(next((turn for turn, level in enumerate(levels) if level >= threshold), None))
    assert found == expected


def test_the_thresholds_are_the_published_ones() -> None:
    named = {name: threshold for name, (threshold, *_) in TABLE.items() if "(" not in name}
    assert named == {name: detector(name).default for name in named}
