"""The episodes a point was chosen on, kept beside the configuration, and later episodes held against them.

The record is a small JSON file: the digest of the whole data, one short digest an episode, and for each detector the
highest level among the passed ones. An episode is found again by content, whatever its file or id is called now; one
that has gone on since, by its id and its beginning.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.beginnings import beginnings, continued
from calib.corpus import Corpus
from calib.errors import ConfigurationError
from calib.escape import visible
from calib.results import Calibrated, Drift, Mix, Sweep
from calib.rules import looks_at_actions
from calib.score import Scored
from calib.stats.drift import exceedances
from calib.tables import SCHEMA_VERSION

ENDING = ".calibrated.json"
DIGITS = 16
"""Hexadecimal digits kept of an episode's digest: 100,000 episodes on either side meet by chance once in a billion."""
LARGEST_RECORD = 1 << 28


class Passed(msgspec.Struct, frozen=True):
    """The passed episodes that a detector could observe: how many, and the highest level in any."""

    episodes: int
    highest: int


class Record(msgspec.Struct, frozen=True):
    """What is kept of the episodes a point was chosen on. `episodes`: short digests, sorted; those with turns only.

    `meanings` spells what each detector of the point counted, the map of the tools too where it decides. `beginnings`
    are those of episodes of some turns, as `calib.beginnings` gives them.
    """

    schema_version: int
    signature: str
    data: str
    rule: str
    point: dict[str, int]
    passed: dict[str, Passed]
    episodes: list[str]
    mix: Mix | None = None
    meanings: dict[str, str] | None = None
    beginnings: list[str] = msgspec.field(default_factory=list)


def record_path(config: Path) -> Path:
    """Say where the record of a configuration file lies.

    >>> record_path(Path("a/calib.toml")).name, record_path(Path("pyproject.toml")).name
    ('calib.calibrated.json', 'calib.calibrated.json')
    """
    stem = "calib" if config.name == "pyproject.toml" else config.name.removesuffix(".toml")
    return config.with_name(stem + ENDING)


def record_of(scored: Scored, swept: Sweep, corpus: Corpus | None = None) -> Record:
    """Record the selected episodes, of `corpus`, and the point that was chosen on them."""
    passed = {
        name: Passed(int(np.count_nonzero(seen)), int(scored.peaks[name][seen].max(initial=0)))
        for name, seen in _passed(scored).items()
    }
    point, digests = swept.point.thresholds, _digests(scored)
    meanings = {name: meaning for name, meaning in _meanings(scored).items() if name in point}
    return Record(
        SCHEMA_VERSION, swept.signature, swept.data, swept.rule, point, passed, digests, _mix(scored), meanings,
        beginnings(corpus, scored.episodes) if corpus else [],
    )  # fmt: skip


def write_record(record: Record) -> bytes:
    """Spell a record: equal ones give equal bytes."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def read_record(path: Path, calibrated_on: str) -> Record | None:
    """Read the record at a path; None when there is none.

    Raises ConfigurationError for another kind of file, and for the record of other data than `calibrated_on`.
    """
    shown = visible(str(path))
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            record = msgspec.json.decode(file.read(LARGEST_RECORD), type=Record)
    except OSError as error:
        raise ConfigurationError(f"{shown}: could not read: {error.strerror}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ConfigurationError(
            f"{shown}: expected the record that calib report --init writes, found another file; write it again"
        ) from None
    if record.schema_version != SCHEMA_VERSION:
        raise ConfigurationError(
            f"{shown}: was written with schema {record.schema_version}; write it again with --init"
        )
    if not record.data.startswith(calibrated_on):
        raise ConfigurationError(
            f"{shown}: expected the record of calibrated_on {calibrated_on}, found another; "
            "write both again with --init"
        )
    return record


def seen_before(record: Record, scored: Scored, corpus: Corpus | None = None) -> NDArray[np.bool_]:
    """Mark the episodes that are among those of the record, by content; with their `corpus` also those that go on."""
    short = scored.episodes["digest"].cast(pl.String).str.head(DIGITS)
    known: NDArray[np.bool_] = short.is_in(record.episodes).to_numpy() & (scored.turns > 0)
    if corpus:
        known |= continued(corpus, scored.episodes, record.beginnings)
    return known


def held_against(record: Record, scored: Scored, alpha: float, corpus: Corpus | None = None) -> Calibrated:
    """Compare the present episodes, of `corpus`, with those of a record; `alpha` is shared among all detectors."""
    shared = int(np.count_nonzero(seen_before(record, scored, corpus)))
    drift = tuple(_drift(record.passed, scored, alpha))
    size = len(record.episodes)
    now = _meanings(scored)
    changed = tuple(name for name, then in (record.meanings or {}).items() if now.get(name, then) != then)
    return Calibrated(record.data, record.rule, record.point, size, shared, drift, record.mix, _mix(scored), changed)


def _meanings(scored: Scored) -> dict[str, str]:
    """Spell what each detector counts: its rule, and the map of the tools where the rule asks what calls do."""
    tools = f", tools {scored.placing.digest[:12]}"
    return {each.name: f"{each.rule}{tools * looks_at_actions(each.rule)}" for each in scored.detectors}


def _mix(scored: Scored) -> Mix:
    """Say what kind of episodes count."""
    labels = {label: scored.labelled(label) for label in ("turn_limit", "passed", "failed")}
    turns = scored.turns[np.logical_or.reduce(list(labels.values()))]
    sizes = {label: int(np.count_nonzero(marked)) for label, marked in labels.items()}
    return Mix(**sizes, median_turns=float(np.median(turns)) if len(turns) else None)


def _drift(passed: Mapping[str, Passed], scored: Scored, alpha: float) -> list[Drift]:
    found = []
    for name, seen in _passed(scored).items():
        before, peaks = passed.get(name), scored.peaks[name][seen]
        if before and before.episodes and len(peaks):
            above = int(np.count_nonzero(peaks > before.highest))
            p = exceedances(above, len(peaks), before.episodes)
            found.append(Drift(name, before.episodes, before.highest, len(peaks), above, p, p <= alpha / len(passed)))
    return found


def _passed(scored: Scored) -> dict[str, NDArray[np.bool_]]:
    """Mark, by detector, the passed episodes that it could observe."""
    passed = scored.labelled("passed")
    return {name: passed & seen for name, seen in scored.observable.items()}


def _digests(scored: Scored) -> list[str]:
    full = scored.episodes.filter(scored.episodes["n_turns"] > 0)
    return full["digest"].cast(pl.String).str.head(DIGITS).unique().sort().to_list()
