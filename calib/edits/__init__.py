"""Which earlier reasoning a request keeps: the edits of note 000 (sections 5 and 6.5) and the guard of note 003.

An edit takes reasoning out of the copy of the history that goes back to the model, from the request after the fire turn
on. Tool calls, results and visible text stay what they were, byte for byte, and so does the saved history. A block that
equals the block of the turn before, both trimmed, is a repeat; an empty block repeats nothing.

========================= ========================= ============================================
edit                      `A A A B A A` becomes     removes
========================= ========================= ============================================
`full` (F)                `– – – – – –`             all earlier reasoning
`keep_first` (D1)         `A – – B A –`             blocks that equal the previous turn's
`drop_all_copies` (D2)    `– – – B – –`             every block of a run of at least two
`guard`                   each block, cut           degenerate text inside a block
`none`                    `A A A B A A`             nothing
========================= ========================= ============================================
"""

from calib.edits._decide import EDITS, edit_name, removed
from calib.edits._message import Cut, Message, reasoning_of
from calib.edits._providers import PLAIN, PROVIDERS, Provider, provider, usual
from calib.edits.requests import Edit, Edited, History, edited

__all__ = [
    "EDITS", "PLAIN", "PROVIDERS", "Cut", "Edit", "Edited", "History", "Message", "Provider", "edit_name", "edited",
    "provider", "reasoning_of", "removed", "usual",
]  # fmt: skip
