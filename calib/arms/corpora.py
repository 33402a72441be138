"""Runs out of a corpus: verdicts and fire turns by episode, amounts from its turns, shared prefixes from its content.

A pair is a *replay* when all its runs fire at the same turn of a history that they share up to there: then the history
through the fire turn is the prefix, amounts are those after it, and the detectors begin anew behind it. Else the prefix
is what the runs of the pair have in common, if anything, and amounts are those of the whole run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import polars as pl

from calib.arms.runs import NOT_RECORDED, Design, LeftOut, Run
from calib.corpus import Corpus
from calib.point import Point, point_of
from calib.risk import standing
from calib.score import Scored, score_frames, score_table
from calib.selection import values_of
from calib.tables import CALLS, EPISODES, TURNS

SEEN = ("reasoning", "reasoning_chars", "same_reasoning_as", "text", "text_chars", "same_text_as", "same_calls_as",
        "same_results_as")  # fmt: skip
CALLED = ("tool", "canonical", "result_chars", "result_head")


@dataclass
class _Told:
    """One episode: what stands up to each turn, hashed, and what each turn took."""

    episode: dict[str, object]
    fire_turn: int | None
    unseen: bool = False
    """The point did not fire, and could not have been seen to."""
    upto: list[bytes] = field(default_factory=list)
    milliseconds: list[int | None] = field(default_factory=list)
    tokens: list[int | None] = field(default_factory=list)
    prefix: int = 0
    replay: bool = False

    def spent(self, amounts: Sequence[int | None]) -> float | None:
        """Sum what was taken after the prefix of a replay; None when a turn did not record it."""
        own = amounts[self.prefix if self.replay else 0 :]
        known = [amount for amount in own if amount is not None]
        return float(sum(known)) if own and len(known) == len(own) else None


def left_out(corpus: Corpus, scored: Scored, by: tuple[tuple[str, str], ...], design: Design) -> LeftOut:
    """Tell what a selection, `by` the words of somebody each, left out of a corpus."""
    if not scored.excluded:
        return LeftOut()
    columns = [name for name in EPISODES.names() if name in (design.by, "metadata")]
    names = pl.selectors.by_dtype(pl.Categorical, pl.Enum).cast(pl.String)
    whole = pl.concat(frame.with_columns(names) for frame in corpus.read("episodes", columns))
    every, left = ({value or NOT_RECORDED for value in values_of(each, design.by)} for each in (whole, scored.episodes))
    return LeftOut(scored.excluded, by, tuple(sorted(every - left, key=str.encode)))


def runs_of(corpus: Corpus, scored: Scored, point: Point | str, design: Design) -> list[Run]:
    """Give the run of each selected episode.

    Raises UsageError, with the near names, for a key that no episode has.
    """
    point, frame = point_of(point), scored.episodes
    arms, *keys = ([value or NOT_RECORDED for value in values_of(frame, key)] for key in (design.by, *design.pair))
    clusters = values_of(frame, design.cluster) if design.cluster else [None] * len(frame)
    fires, hidden = score_table(scored, point)["fire_turn"].to_list(), standing(scored, point).unknown.tolist()
    told = {
        row["episode_id"]: _Told(row, fire, unseen)
        for row, fire, unseen in zip(frame.to_dicts(), fires, hidden, strict=True)
    }
    _read(corpus, told)
    listed = list(told.values())
    groups = list(zip(*keys, strict=True)) if keys else [()] * len(listed)
    if design.pair:
        _find_prefixes(listed, groups)
    again = _again(corpus, told, scored, point)
    return [
        _run(one, arm, key, cluster, again)
        for one, arm, key, cluster in zip(listed, arms, groups, clusters, strict=True)
    ]


def _run(one: _Told, arm: str, key: tuple[str, ...], cluster: str | None, again: dict[str, bool]) -> Run:
    name, label = str(one.episode["episode_id"]), one.episode["label"]
    milliseconds = one.spent(one.milliseconds)
    return Run(
        arm, key, name,
        None if label in ("censored", "unlabelled") else label == "passed",
        None if milliseconds is None else milliseconds / 1000,
        one.spent(one.tokens),
        float(len(one.upto) - (one.prefix if one.replay else 0)),
        None if one.unseen else one.fire_turn is not None,
        one.fire_turn,
        again.get(name),
        f"{one.episode['task']} {one.upto[one.prefix - 1].hex()}" if one.prefix else None,
        cluster,
    )  # fmt: skip


def _read(corpus: Corpus, told: dict[str, _Told]) -> None:
    """Read what each turn of the episodes holds, part by part."""
    columns = ["episode_id", "turn", *SEEN, "milliseconds", "output_tokens"]
    tables = zip(corpus.read("turns", columns), corpus.read("calls", ["episode_id", "turn", *CALLED]), strict=True)
    for turns, calls in tables:
        names = pl.selectors.by_dtype(pl.Categorical, pl.Enum).cast(pl.String)
        wanted = pl.col("episode_id").is_in(list(told))
        made: dict[tuple[str, int], list[object]] = {}
        for episode, turn, *called in calls.with_columns(names).filter(wanted).iter_rows():
            made.setdefault((episode, turn), []).append(called)
        for episode, turn, *seen, milliseconds, tokens in turns.with_columns(names).filter(wanted).iter_rows():
            one = told[episode]
            content = repr((one.upto[-1] if one.upto else b"", seen, made.get((episode, turn), ())))
            one.upto.append(blake2b(content.encode("utf-8", "replace"), digest_size=16).digest())
            one.milliseconds.append(milliseconds)
            one.tokens.append(tokens)


def _find_prefixes(told: Sequence[_Told], groups: Sequence[tuple[str, ...]]) -> None:
    """Say for each episode how many turns it shares with all the others of its pair."""
    pairs: dict[tuple[str, ...], list[_Told]] = {}
    for one, key in zip(told, groups, strict=True):
        if NOT_RECORDED not in key:
            pairs.setdefault(key, []).append(one)
    for runs in (runs for runs in pairs.values() if len(runs) > 1):
        shared = _common([one.upto for one in runs])
        fires = {one.fire_turn for one in runs}
        fire = fires.pop() if len(fires) == 1 else None
        for one in runs:
            one.replay = fire is not None and fire < shared
            one.prefix = fire + 1 if fire is not None and fire < shared else shared


def _common(histories: Sequence[list[bytes]]) -> int:
    return next((at for at, digests in enumerate(zip(*histories, strict=False)) if len(set(digests)) > 1),
                min(map(len, histories)))  # fmt: skip


def _again(corpus: Corpus, told: dict[str, _Told], scored: Scored, point: Point) -> dict[str, bool]:
    """Tell for each run of a replay whether the point, begun anew after the prefix, fires."""
    starts = {name: one.prefix for name, one in told.items() if one.replay and one.prefix < len(one.upto)}
    found = {name: False for name, one in told.items() if one.replay}
    if starts:
        wanted = [each for each in scored.detectors if each.name in point.thresholds]
        after = score_frames(_behind(corpus, starts), wanted, reads=scored.placing)
        for name, fire in score_table(after, point).select("episode_id", "fire_turn").iter_rows():
            found[name] = fire is not None
    return found


def _behind(corpus: Corpus, starts: dict[str, int]) -> Iterator[tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]]:
    """Cut the prefixes off: the frames of what follows, turns counted from 0."""
    cut = pl.DataFrame({"episode_id": list(starts), "start": list(starts.values())})
    tables = (corpus.read(table.name, table.names()) for table in (EPISODES, TURNS, CALLS))
    for episodes, *others in zip(*tables, strict=True):
        kept = episodes.join(cut, on="episode_id", how="inner", maintain_order="left")
        turns, calls = (
            frame.join(cut, on="episode_id", how="inner", maintain_order="left")
            .filter(pl.col("turn") >= pl.col("start"))
            .with_columns(turn=(pl.col("turn") - pl.col("start")).cast(pl.Int32))
            .drop("start")
            for frame in others
        )
        yield (
            kept.with_columns(n_turns=(pl.col("n_turns") - pl.col("start")).cast(pl.Int32)).drop("start"),
            turns,
            calls,
        )
