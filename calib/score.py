"""Score a corpus: run the detectors once over every turn, keep reach and peaks, forget the turns.

Everything later (surface, plateaus, reports, groups) is arithmetic on the value made here.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.corpus import Corpus
from calib.detectors import SWEPT, Detector, detector
from calib.errors import CorpusError, NothingMatched
from calib.escape import visible
from calib.evaluate import Columns, called, calls_columns, observable, reach_of, rests_on_calls, turns_columns
from calib.evaluate.actions import placing_of
from calib.labels import POSITIVES
from calib.levels import Integers, Reach, joined
from calib.point import Point, point_of
from calib.results import Lost
from calib.selection import Selection
from calib.tables import EPISODES
from calib.tools import Map

SHIPPED = Map()
"""What is known of tools without the user."""
ALWAYS = ("turn", "actions")
"""Columns of turns that every scoring reads; a detector's rule adds those it needs."""
Frames = tuple[pl.DataFrame, ...]
"""A part: its episodes, turns and, where a rule looks at calls, calls."""
Progress = Callable[[int], None]
"""Told how many parts are done."""


@dataclass(frozen=True)
class Scored:
    """The selected episodes in order of id (by UTF-8 bytes) and what each detector saw in them.

    `episodes` holds the columns of the episodes table; `reach`, `peaks` and `observable` have one entry a
    detector, indexed by the row of `episodes`. `actions` counts what the calls of the corpus do, `placing` says which
    of it reads, `lost` is what ingest lost.
    """

    episodes: pl.DataFrame
    reach: dict[str, Reach]
    observable: dict[str, NDArray[np.bool_]]
    excluded: int
    actions: dict[str, int]
    placing: Map
    lost: Lost
    idle: tuple[str, ...] = ()
    """The --exclude pairs that left nothing out: perhaps a misspelled value."""
    own: Mapping[str, Detector] = field(default_factory=dict)
    """The detectors that calib.toml names."""
    called: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    """Of each detector that looks at certain calls only: the episodes that make one."""
    positives: tuple[str, ...] = POSITIVES
    """The kinds of limit that the label `turn_limit` stands for in the corpus."""

    @property
    def detectors(self) -> list[Detector]:
        """List what was scored."""
        return [detector(name, self.own) for name in self.reach]

    @cached_property
    def peaks(self) -> dict[str, Integers]:
        """Give the highest level of each episode, by detector."""
        return {name: reach.peaks(len(self.episodes)) for name, reach in self.reach.items()}

    def fire_turns(self, point: Point | str) -> Integers:
        """Give the turn at which a point fires in each episode; -1 for never."""
        thresholds = point_of(point).thresholds
        each = [self.reach[name].fire_turns(k, len(self.episodes)) for name, k in thresholds.items()]
        earliest: Integers = np.minimum.reduce([turns.view(np.uint32) for turns in each])  # -1 is after every turn
        return earliest.view(np.int32)

    @property
    def turns(self) -> Integers:
        """Give the number of turns of each episode."""
        return self.episodes["n_turns"].to_numpy()

    def labelled(self, label: str) -> NDArray[np.bool_]:
        """Mark the episodes of one label."""
        return (self.episodes["label"] == label).to_numpy()

    def only(self, kept: NDArray[np.bool_]) -> "Scored":
        """Keep some episodes; the others count neither as selected nor as excluded."""
        rows = np.flatnonzero(kept).astype(np.int32)
        return replace(
            self,
            episodes=self.episodes.filter(pl.Series(kept)),
            reach={name: reach.of(rows) for name, reach in self.reach.items()},
            observable={name: seen[rows] for name, seen in self.observable.items()},
            called={name: made[rows] for name, made in self.called.items()},
        )

    def data_digest(self) -> str:
        """Hash what the numbers rest on: id, label, length and content digest of every selected episode."""
        columns = ["episode_id", "label", "n_turns", "digest"]
        lines = self.episodes.select(pl.concat_str(columns, separator="\0").alias("line"))["line"]
        return hashlib.sha256("\n".join(lines.to_list()).encode()).hexdigest()


@dataclass(frozen=True)
class _Part:
    actions: dict[str, int]
    reach: dict[str, Reach]
    observable: dict[str, NDArray[np.bool_]]
    called: dict[str, NDArray[np.bool_]]


def _score_part(frames: Frames, detectors: Sequence[Detector], placing: Map) -> _Part:
    """Score the episodes of one part; episode numbers count from 0 in it."""
    episodes, turns, *calls = frames
    columns = Columns(turns, calls[0] if calls else None, placing)
    lengths = episodes["n_turns"].to_numpy()
    full = np.flatnonzero(lengths > 0).astype(np.int32)
    first = np.flatnonzero(columns.turn == 0)
    if not np.array_equal(np.diff(np.append(first, len(turns))), lengths[full]):
        raise CorpusError("turns and episodes of a part disagree; ingest the dumps again")
    reach, seen, made = {}, {}, {}
    for each in detectors:
        found = reach_of(each.rule, columns)
        reach[each.name] = Reach(full[found.episode], found.level, found.turn)
        seen[each.name] = np.full(len(episodes), rests_on_calls(each.rule))
        seen[each.name][full] = observable(each.rule, columns)
        if (makes := called(each.rule, columns)) is not None:
            made[each.name] = np.zeros(len(episodes), np.bool_)
            made[each.name][full] = makes
    return _Part(columns.actions(), reach, seen, made)


def score_frames(
    parts: Iterable[Frames],
    detectors: Sequence[str | Detector] | None = None,
    selection: Selection | None = None,
    reads: Map | Sequence[str] = SHIPPED,
    lost: Lost | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Score parts given as (episodes, turns) or (episodes, turns, calls); each turn belongs to an episode of its part.

    Turns are sorted as their episodes are, from turn 0, and calls as their turns. Raises NothingMatched when no
    episode is left.
    """
    chosen = _chosen(detectors)
    placing, actions = placing_of(reads), Counter[str]()
    scored = []
    for done, frames in enumerate(parts, 1):
        part = _score_part(frames, chosen, placing)
        actions.update(part.actions)
        scored.append((frames[0], part))
        if progress:
            progress(done)
    made = _selected(_together(scored, [each.name for each in chosen]), selection or Selection())
    own = {each.name: each for each in chosen if not each.about and "(" not in each.name}
    return replace(made, actions=dict(sorted(actions.items())), placing=placing, lost=lost or Lost(), own=own)


def _chosen(detectors: Sequence[str | Detector] | None) -> list[Detector]:
    """Look the detectors up, each once."""
    found = [each if isinstance(each, Detector) else detector(each) for each in detectors or SWEPT]
    return list({each.name: each for each in found}.values())


def _together(parts: list[tuple[pl.DataFrame, _Part]], detectors: list[str]) -> Scored:
    """Put parts together in order of episode id."""
    if not parts:
        raise NothingMatched("the corpus holds no episode; nothing to score")
    offsets = np.cumsum([0, *(len(episodes) for episodes, _ in parts)]).astype(np.int32)
    names = [pl.Categorical, pl.Enum]
    episodes = pl.concat(
        [frame.with_columns(pl.selectors.by_dtype(*names).cast(pl.String)) for frame, _ in parts], how="vertical"
    )
    order = episodes["episode_id"].arg_sort().to_numpy().astype(np.int32)  # polars sorts text by UTF-8 bytes
    reach = {}
    for name in detectors:
        moved = [
            Reach(part.reach[name].episode + offset, part.reach[name].level, part.reach[name].turn)
            for (_, part), offset in zip(parts, offsets, strict=False)
        ]
        reach[name] = joined(moved).of(order)
    seen = {name: np.concatenate([part.observable[name] for _, part in parts])[order] for name in detectors}
    made = {name: np.concatenate([part.called[name] for _, part in parts])[order] for name in parts[0][1].called}
    return Scored(episodes[order], reach, seen, 0, {}, Map(), Lost(), called=made)


def _selected(scored: Scored, selection: Selection) -> Scored:
    kept = selection.keep(scored.episodes).to_numpy()
    if not kept.any():
        if not len(kept):
            raise NothingMatched("the corpus holds no episode; calib ingest says what became of the dump's bytes")
        why = "; ".join(selection.unmet(scored.episodes)) or "all left out by --where or --exclude"
        raise NothingMatched(f"no episode matched: {len(kept)} in the corpus, {why}")
    excluded = int(np.count_nonzero(~kept))
    return replace(scored.only(kept) if excluded else scored, excluded=excluded, idle=selection.idle(scored.episodes))


def score(
    corpus: Corpus,
    detectors: Sequence[str | Detector] | None = None,
    selection: Selection | None = None,
    reads: Map | Sequence[str] = SHIPPED,
    progress: Progress | None = None,
) -> Scored:
    """Score a corpus with the named detectors (default: the notes' two) over the selected episodes.

    Raises UsageError for an unknown detector or column, CorpusError for a damaged part, NothingMatched when
    no episode is left.
    """
    try:
        found = score_frames(_frames(corpus, _chosen(detectors)), detectors, selection, reads, corpus.lost, progress)
        return replace(found, positives=tuple(corpus.manifest.get("options", {}).get("positive", POSITIVES)))
    except pl.exceptions.PolarsError as error:
        raise CorpusError(f"{visible(str(corpus.path))}: a part cannot be read: {visible(str(error))[:200]}") from error


def _frames(corpus: Corpus, detectors: Sequence[Detector]) -> Iterator[Frames]:
    """Read of each part the columns that the detectors need; calls only where one looks at them."""
    turns = sorted({*ALWAYS, *(column for each in detectors for column in turns_columns(each.rule))})
    calls = sorted({column for each in detectors for column in calls_columns(each.rule)})
    tables = [corpus.read("episodes", EPISODES.names()), corpus.read("turns", turns)]
    return _ahead(zip(*tables, *([corpus.read("calls", calls)] if calls else []), strict=True))


def _ahead(parts: Iterator[Frames]) -> Iterator[Frames]:
    """Read the next part while one is scored: the two take about as long, and need little of the interpreter."""
    with ThreadPoolExecutor(1) as reading:
        coming = reading.submit(next, parts, None)
        while (part := coming.result()) is not None:
            coming = reading.submit(next, parts, None)
            yield part


def score_table(scored: Scored, point: Point | str) -> pl.DataFrame:
    """Give one row per episode: fire turn and who fired, then peak, fire turn and observability per detector.

    `fired_by` names every detector that fired at the fire turn, joined by ` | `; null where nothing fired.
    """
    count = len(scored.episodes)
    frame = scored.episodes.select("episode_id", "label", "n_turns")
    fires = {name: scored.reach[name].fire_turns(k, count) for name, k in point_of(point).thresholds.items()}
    earliest = scored.fire_turns(point)
    fired = earliest >= 0
    names = np.full(count, "", dtype=object)
    for name, turns in fires.items():
        here = fired & (turns == earliest)
        names[here] = [f"{before} | {name}" if before else name for before in names[here]]
    columns = [
        pl.Series("fire_turn", earliest, pl.Int32).set(pl.Series(~fired), None),
        pl.Series("fired_by", names.tolist(), pl.String).set(pl.Series(~fired), None),
    ]
    for name in scored.reach:
        columns.append(pl.Series(f"{name}_peak", scored.reach[name].peaks(count), pl.Int32))
        turns = fires.get(name, np.full(count, -1, np.int32))
        columns.append(pl.Series(f"{name}_fire_turn", turns, pl.Int32).set(pl.Series(turns < 0), None))
        columns.append(pl.Series(f"{name}_observable", scored.observable[name], pl.Boolean))
    return frame.with_columns(columns)
