"""What an episode's end means: stop reasons, outcomes, the label rule, and labels that lie beside the dump.

Pure: nothing here knows a transcript format. `stop_kind` and `outcome_of` read raw words, `decide` is the one label
rule, `read_labels` reads a labels file, `join` finds the episodes that its rows are about.
"""

from calib.labels._decide import LABEL_SOURCES, POSITIVES, Decision, decide, parse_positives
from calib.labels._file import read_labels, read_rows
from calib.labels._join import EpisodeKey, Joined, join
from calib.labels._outcomes import OUTCOMES, outcome_of, outcome_of_reward
from calib.labels._rows import LabelFile, Row, Said, Unusable, by_name, outcome_in
from calib.labels._stops import LIMIT_KINDS, STOP_KINDS, handed_in, says_nothing, stop_kind, vocabulary
from calib.labels._uncounted import NOT_COUNTED, uncounted

__all__ = [
    "LABEL_SOURCES", "LIMIT_KINDS", "NOT_COUNTED", "OUTCOMES", "POSITIVES", "STOP_KINDS",
    "Decision", "EpisodeKey", "Joined", "LabelFile", "Row", "Said",
    "Unusable", "by_name", "decide", "handed_in", "join", "outcome_in", "outcome_of", "outcome_of_reward",
    "parse_positives", "read_labels", "read_rows", "says_nothing", "stop_kind", "uncounted", "vocabulary",
]  # fmt: skip
