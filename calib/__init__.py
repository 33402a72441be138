"""Choose the thresholds of an agent's loop guard from transcripts, and prove the choice."""

__version__ = "0.1.0"
