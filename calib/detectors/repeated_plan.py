"""Repeated plan (the note's T2): the same reasoning turn after turn.

Counts
    Consecutive turns whose reasoning, white space trimmed at both ends, is not empty and equals the
    previous turn's. Two equal blocks are one transition, level 1.

Fires when
    The level reaches the threshold. The published 7 means 8 equal blocks in a row.

Why
    An agent that states the same plan word for word at every turn while its calls keep changing makes no
    progress. Text equality needs no model and no tuning.

Blind spots
    Two plans in alternation, a plan with a counter or a time in it, repetition inside one turn, and
    transcripts that withhold or encrypt reasoning: there it is not observable, which is not silence.

Differs from
    Guards that compare calls (identical calls in a row): here the calls may differ at every turn.
    Trimming is Python's `str.strip`, which removes 29 characters, four more than most trims.

Source
    "When an Agent Repeats Its Plan", 27 October 2026, section 4, counter T2.
"""

from calib.rules import parse_rule

DEFAULT = 7
RULE = parse_rule("lag(reasoning,1)")
