"""The label rule: outcome and stop reason in, one label out, and who said so.

In this order:

1. Who passed is `passed`, also when a limit stopped the run.
2. A stop of a kind asked for as positive is `turn_limit`. That is the turn limit alone unless other limits are asked
   for (`--positive turn_limit,step_limit`): a step is not a turn, and a run out of money is not a loop.
3. A run that a guard or a person stopped is `censored`: what would have become of it is unknown.
4. Who failed is `failed`; so is a run that an error ended with nothing handed in.
5. Anything else is `unlabelled`: above all, a limit not asked for with an unknown outcome. It may have passed.

Where no stop reason is known, reaching the limit tells: `n_turns` at or above the limit that the dump names, else
that of `--turn-limit`. Never for an episode that ends in a torn record: it may still have been written.

When the dump and a labels file disagree, the episode is `unlabelled` and its source `conflict`, and the disagreement
is told. Taking either side would put an episode into a count that the other side says it is not in. Only where both
sides lead to the same label does it stand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from calib.errors import UsageError, near
from calib.labels._outcomes import outcome_of
from calib.labels._rows import Said, shown
from calib.labels._stops import LIMIT_KINDS, handed_in, stop_kind

LABEL_SOURCES: Mapping[str, str] = {
    "dump": "the transcript, or a file of its harness, says it",
    "joined": "the labels file says it",
    "inferred": "the episode reached the limit that the dump or `--turn-limit` names, and no stop reason is known",
    "conflict": "two sources disagree; the episode is `unlabelled`",
    "none": "nobody says; the episode is `unlabelled`",
}
"""Every value of `label_source`, and what it means."""

POSITIVES = ("turn_limit",)


@dataclass(frozen=True)
class Decision:
    """What is known about the end of an episode.

    `stop_reason` is raw, `stop_kind` what it comes down to (`calib.labels.STOP_KINDS`). `conflict` is one line, empty
    when the sources agree. `other_stop_reason` is the raw stop reason of the source that `stop_reason` was not taken
    from, when both gave one: it belongs under metadata.
    """

    outcome: str
    stop_reason: str | None
    label: str
    label_source: str
    conflict: str = ""
    stop_kind: str = "unknown"
    other_stop_reason: str | None = None


@dataclass(frozen=True)
class _Stop:
    raw: str | None
    kind: str
    source: str

    @property
    def empty_handed(self) -> bool:
        return not handed_in(self.raw)


def decide(
    outcome: Any, stop_reason: str | None, n_turns: int, turn_limit: int | None, *,
    positives: Sequence[str] = POSITIVES, joined: Said | None = None, limit_option: int | None = None,
    ends_truncated: bool = False, kind: str | None = None, n_steps: int | None = None, step_limit: int | None = None,
) -> Decision:  # fmt: skip
    """Decide the label of one episode.

    `outcome` and `stop_reason` are what the dump says, raw; `turn_limit` is the limit that it names. `kind` is the
    kind of the stop where the format knows more than the words tell. `n_steps` and `step_limit` count steps of
    another kind, where a dump names a limit on those: they are never compared with turns.

    >>> decide("pass", "max_turns", 10, 10).label, decide("fail", "max_steps", 90, None).label
    ('passed', 'failed')
    >>> decide("fail", "max_steps", 90, None, positives=("turn_limit", "step_limit")).label
    'turn_limit'
    >>> decide(None, None, 6, None, limit_option=6).label_source, decide(None, None, 6, None).label
    ('inferred', 'unlabelled')
    """
    ours = _Stop(stop_reason, kind or stop_kind(stop_reason, n_turns, turn_limit), "dump")
    said = joined or Said("")
    theirs = _Stop(said.stop_reason, stop_kind(said.stop_reason, n_turns, turn_limit), "joined")
    words = (outcome_of(outcome), said.outcome)
    known = [stop for stop in (ours, theirs) if stop.kind != "unknown"]
    if not known and "passed" not in words:
        reached = "" if ends_truncated else _reached(n_turns, turn_limit or limit_option, n_steps, step_limit)
        known = [_Stop(None, reached, "inferred")] if reached else []
    first, other = (theirs, ours) if ours.raw is None or (ours.kind == "unknown" != theirs.kind) else (ours, theirs)
    differing = other.raw if other.raw != first.raw else None
    found = _found(words, known, said, positives)
    return Decision(
        found.outcome, first.raw, found.label, found.label_source, found.conflict, found.stop_kind, differing
    )


def _reached(n_turns: int, turn_limit: int | None, n_steps: int | None, step_limit: int | None) -> str:
    if turn_limit and n_turns >= turn_limit:
        return "turn_limit"
    return "step_limit" if step_limit and n_steps is not None and n_steps >= step_limit else ""


def _found(words: tuple[str, str], known: Sequence[_Stop], said: Said, positives: Sequence[str]) -> Decision:
    told = sorted({word for word in words if word != "unknown"})
    outcome = told[0] if len(told) == 1 else "unknown"
    stops = known or [_Stop(None, "unknown", "none")]
    labels = {_label(word, stop, positives) for word, stop in product(told or ["unknown"], stops)}
    conflict = said.conflict or _disagreement(words, known, said)
    kind = stops[0].kind if len({stop.kind for stop in stops}) == 1 or len(labels) == 1 else "unknown"
    if said.label in ("censored", "unlabelled"):  # asked for, whatever happened
        return Decision(outcome, None, said.label, "joined", conflict, kind)
    if said.conflict or len(labels) > 1:
        return Decision(outcome, None, "unlabelled", "conflict", conflict, kind)
    label = labels.pop()
    source = _source(label, words, stops[0])
    if said.label is None:
        return Decision(outcome, None, label, source, conflict, kind)
    if _contradicts(said.label, outcome, label, stops[0]):
        line = f"label: the dump leads to {label}, {said.where} says {said.label}"
        return Decision(outcome, None, "unlabelled", "conflict", line, kind)
    outcome = said.label if said.label in ("passed", "failed") else outcome
    return Decision(
        outcome, None, said.label, "dump" if (label, source) == (said.label, "dump") else "joined", conflict, kind
    )


def _label(outcome: str, stop: _Stop, positives: Sequence[str]) -> str:
    """Apply the rule of the module's docstring."""
    if outcome == "passed":
        return "passed"
    if stop.kind in positives:
        return "turn_limit"
    if stop.kind in ("guard", "user_abort"):
        return "censored"
    return "failed" if outcome == "failed" or (stop.kind == "error" and stop.empty_handed) else "unlabelled"


def _source(label: str, words: tuple[str, str], stop: _Stop) -> str:
    """Say who led to a label: for a pass or a fail whoever gave the outcome, else whoever gave the stop reason."""
    if label == "unlabelled":
        return "none"
    if label in words:
        return "dump" if words[0] == label else "joined"
    return stop.source


def _contradicts(label: str, outcome: str, found: str, stop: _Stop) -> bool:
    """Tell whether a label that is given cannot be true of what else is known; an inference yields to it."""
    if label == "passed":
        return outcome == "failed"
    if outcome == "passed":
        return True
    if label == "failed":
        return found in ("turn_limit", "censored") and stop.source != "inferred"
    return stop.kind not in (*LIMIT_KINDS, "unknown")


def _disagreement(words: tuple[str, str], known: Sequence[_Stop], said: Said) -> str:
    if set(words) == {"passed", "failed"}:
        return f"outcome: the dump says {words[0]}, {said.where} says {words[1]}"
    if len({stop.kind for stop in known}) > 1:
        ours, theirs = (shown(stop.raw or stop.kind) for stop in known)
        return f"stop_reason: the dump says {ours}, {said.where} says {theirs}"
    return ""


def parse_positives(text: str) -> tuple[str, ...]:
    """Read the stop kinds that count as positives, with commas between.

    Raises UsageError for one that is no limit.

    >>> parse_positives("turn_limit, step_limit")
    ('turn_limit', 'step_limit')
    """
    kinds = tuple(dict.fromkeys(kind.strip() for kind in text.split(",") if kind.strip()))
    for kind in kinds:
        if kind not in LIMIT_KINDS:
            raise UsageError(
                f"--positive: expected limits, found {shown(kind)}; there are {near(kind, list(LIMIT_KINDS))}"
            )
    if not kinds:
        raise UsageError(
            f"--positive: expected limits with commas between, found none; there are {', '.join(LIMIT_KINDS)}"
        )
    return kinds
