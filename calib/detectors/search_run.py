"""Search run (the note's T1): turn after turn of nothing but searching and reading.

Counts
    Consecutive turns, this one included, with at least one tool call and all calls of tools that only read.
    What reads is in a map of tools (`calib tools`). `[tools] reads` adds to it; after `--reads NAMES` only these read,
    such as the note's two: `--reads read_file,search_files`.

Fires when
    The level reaches the threshold. The published 35 means 35 such turns in a row.

Why
    It catches search loops in which the reasoning text keeps changing. It is a proxy for lack of progress,
    not a judgment that reading is useless.

Blind spots
    Loops of writes or tests, shells in which every command is one tool, tools whose names are not in the
    list, and long honest reading.

Differs from
    Step limits: a turn with no call, a write or a test starts the count again.

Source
    "When an Agent Repeats Its Plan", 27 October 2026, section 4, counter T1.
"""

from calib.rules import parse_rule

DEFAULT = 35
RULE = parse_rule("run(reads)")
