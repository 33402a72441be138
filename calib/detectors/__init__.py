"""One detector per file. A detector counts something at each turn and fires when the count reaches a threshold.

Each module holds `DEFAULT` (the published threshold), `RULE` (a rule, `calib.rules`: how the level is counted) and a
docstring under fixed headings; a rule that another agent ships has `UPSTREAM` too. The folder is the registry.

A rule without a file is a detector too, wherever one is named: by its spelling, `lag(calls,2)`, or by a name that
calib.toml gives it under `[detectors]`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from calib import registry, scanners
from calib.detectors._ceiling import ceiling
from calib.point import ALIASES, detector_name
from calib.rules import AnyOf, AnyRule, Scan, parse_rule

READS = ("search_files", "read_file")
"""Tools that only read, as named in note 000."""
SWEPT = tuple(ALIASES.values())
"""What is scored unless something else is asked for."""


@dataclass(frozen=True)
class Upstream:
    """Where a rule that another agent ships was read, and how near this one is to it.

    `fires`: which occurrence, in words, and whether it is stopped before it is executed or noticed after.
    `fidelity`: `exact`; `convention`: exact under something that is declared in `why`; `approximate`, and `why`.
    """

    repo: str
    path: str
    commit: str
    fires: str
    when: Literal["before", "after"]
    fidelity: Literal["exact", "convention", "approximate"]
    why: str = ""


@dataclass(frozen=True)
class Detector:
    """A rule with a name. `default`: its published threshold, None where none was published."""

    name: str
    rule: AnyRule
    default: int | None = None
    also: Mapping[str, int] = field(default_factory=dict)
    """Other published thresholds by what happens there, such as a notice."""
    about: str = ""
    upstream: Upstream | None = None

    @property
    def ceiling(self) -> Callable[[int], int] | None:
        """Give what computes the highest level that so many turns allow; None where turns bound nothing."""
        return ceiling(self.rule)


def names() -> tuple[str, ...]:
    """List the detectors that have a file, the notes' first."""
    return tuple(sorted(registry.names(__name__), key=lambda name: (name not in SWEPT, name)))


def detector(name: str, own: Mapping[str, Detector] | None = None) -> Detector:
    """Give a detector by its name, the note's label, or the spelling of a rule; `own` are those of calib.toml.

    >>> detector("T2").name, detector("lag( calls, 2 )").name
    ('repeated_plan', 'lag(calls,2)')

    Raises UsageError, with the near names, when there is none.
    """
    known = detector_name(name)
    if own and known in own:
        return own[known]
    if "(" in known:
        return _spelled(known)
    module = registry.entry(__name__, known, tuple(ALIASES))
    return Detector(
        known,
        module.RULE,
        module.DEFAULT,
        getattr(module, "ALSO", {}),
        (module.__doc__ or "").strip(),
        getattr(module, "UPSTREAM", None),
    )


def _spelled(text: str) -> Detector:
    """Take a rule for a detector; one that scans texts has its scanner's threshold and words."""
    rule = parse_rule(text)
    for each in [member for member, _ in rule.members] if isinstance(rule, AnyOf) else [rule]:
        if isinstance(each, Scan):
            scanners.read_gates(each.scanner, each.settings)
    if not isinstance(rule, Scan):
        return Detector(text, rule)
    found = scanners.scanner_of(rule.scanner)
    return Detector(text, rule, found.THRESHOLDS[rule.scanner], about=(found.__doc__ or "").strip())


def documentation(name: str) -> str:
    """Give the text of a detector: what it counts, when it fires, why, where it is blind."""
    return detector(name).about
