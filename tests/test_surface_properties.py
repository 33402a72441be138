"""The fast path against the loop of the note: every pair, on hostile random corpora, in memory and through ingest."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from calib import demo
from calib.errors import NothingMatched
from calib.point import Point, Trigger
from calib.results import Sweep
from calib.score import Scored, score, score_frames, score_table
from calib.sweep import sweep
from calib.tables import LABELS
from tests import oracle, sweeps
from tests.corpus import ENCRYPTED, WITHHELD, Episode, frames, in_memory, ingested, pencil
from tests.oracle import PLAN, SEARCH, Story

TEXTS = (
    "plan", "plan", "other", " plan", "plan\n", "\x1cplan\x1f", "\x85plan\u2003", "plan\u200b", "", "  ", "\x1d",
    None, WITHHELD, ENCRYPTED,
)  # fmt: skip
"""Equal after trimming, nearly equal, empty in four ways, and hidden."""
CALLS: tuple[tuple[str | None, ...], ...] = (
    ("search_files",), ("read_file",), ("search_files", "read_file"), ("write_file",), ("search_files", "write_file"),
    (), (None,), ("read_file", None), ("shout",), ("",),
)  # fmt: skip
AXES = tuple(oracle.DETECTORS)


@st.composite
def episode(draw: st.DrawFn, number: int) -> Episode:
    """Draw an episode of 0 to 11 turns, made of stretches so that runs occur."""
    reasoning: list[str | None] = []
    tools: list[Sequence[str | None]] = []
    texts, calls = st.sampled_from(TEXTS), st.sampled_from(CALLS)
    if draw(st.booleans()):
        texts, calls = st.sampled_from(TEXTS[:4]), st.sampled_from(CALLS[:4])
    for length in draw(st.lists(st.integers(1, 5), max_size=4)):
        reasoning += [draw(texts)] * length
    while len(tools) < len(reasoning):
        tools += [draw(calls)] * draw(st.integers(1, 5))
    label = draw(st.sampled_from(LABELS))
    names = st.sampled_from(("a", "B", "é", "z", "\U0001f480", "￮"))  # the last two sort otherwise in UTF-16
    n = min(len(reasoning), 11)
    return Episode(f"{draw(names)}{number}", label, reasoning[:n], tools[:n], task=draw(st.sampled_from((None, "t"))))


@st.composite
def corpora(draw: st.DrawFn) -> list[Episode]:
    """Draw 1 to 7 episodes; sometimes one label is missing."""
    episodes = [draw(episode(number)) for number in range(draw(st.integers(1, 7)))]
    absent = draw(st.sampled_from((None, *LABELS)))
    return [one for one in episodes if one.label != absent] or episodes


points = st.tuples(st.integers(1, 12), st.integers(1, 13))


def thorough(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


def point_of(thresholds: dict[str, int]) -> Point:
    return Point(tuple(Trigger(name, threshold) for name, threshold in thresholds.items()))


def scored_of(episodes: Sequence[Episode], detectors: Sequence[str] = AXES, **options: Any) -> Scored:
    return score_frames([frames(episodes)], detectors, **{"reads": oracle.READS, **options})


def stories_of(episodes: Sequence[Episode]) -> list[Story]:
    return [one.story for one in sorted(episodes, key=lambda one: one.episode_id.encode())]


def surface_rows(cells: dict[tuple[int, ...], oracle.Tried], detectors: Sequence[str]) -> list[dict[str, Any]]:
    return [{**dict(zip(detectors, pair, strict=True)), **vars(found)} for pair, found in cells.items()]


def assert_surface(found: pl.DataFrame, stories: Sequence[Story], detectors: Sequence[str] = AXES) -> None:
    assert found.to_dicts() == surface_rows(oracle.surface(stories, detectors), detectors)


@given(corpora())
@thorough(100)
def test_peaks_and_observability(episodes: list[Episode]) -> None:
    found = scored_of(episodes)
    stories = stories_of(episodes)
    assert found.episodes["episode_id"].to_list() == [one.episode_id for one in stories]
    for name in AXES:
        assert found.peaks[name].tolist() == [oracle.peak(one, name) for one in stories]
    by_id = {one.episode_id: one.observable for one in episodes}
    assert found.observable[PLAN].tolist() == [by_id[one.episode_id] for one in stories]
    assert found.observable[SEARCH].all()


@given(corpora())
@thorough(100)
def test_surface_is_the_loop_at_every_pair(episodes: list[Episode]) -> None:
    assert_surface(sweep(scored_of(episodes)).surface, stories_of(episodes))


@pytest.mark.parametrize("name", AXES)
@given(episodes=corpora())
@thorough(30)
def test_surface_of_one_detector(name: str, episodes: list[Episode]) -> None:
    assert_surface(sweep(scored_of(episodes, [name])).surface, stories_of(episodes), [name])


@given(corpora(), st.tuples(st.integers(1, 9), st.integers(0, 6)), st.tuples(st.integers(1, 9), st.integers(0, 6)))
@thorough(40)
def test_surface_over_given_ranges(episodes: list[Episode], plan: tuple[int, int], search: tuple[int, int]) -> None:
    ranges = {PLAN: (plan[0], sum(plan)), SEARCH: (search[0], sum(search))}
    stories = stories_of(episodes)
    axes = [range(low, high + 1) for low, high in ranges.values()]
    cells = {pair: oracle.tried(stories, dict(zip(AXES, pair, strict=True))) for pair in product(*axes)}
    assert sweep(scored_of(episodes), ranges=ranges).surface.to_dicts() == surface_rows(cells, AXES)


@given(corpora(), points)
@thorough(100)
def test_fire_turns_and_who_fired(episodes: list[Episode], thresholds: tuple[int, int]) -> None:
    point = dict(zip(AXES, thresholds, strict=True))
    table = score_table(scored_of(episodes), point_of(point))
    for row, story in zip(table.iter_rows(named=True), stories_of(episodes), strict=True):
        turn, who = oracle.fire(story, point)
        assert (row["episode_id"], row["label"], row["n_turns"]) == (
            story.episode_id,
            story.label,
            len(story.reasoning),
        )
        assert (row["fire_turn"], row["fired_by"]) == (turn, " | ".join(who) or None)
        for name in AXES:
            assert row[f"{name}_fire_turn"] == oracle.fire(story, {name: point[name]})[0]


@given(corpora(), st.sampled_from([("write_file",), ("search_files", "write_file", "shout"), ("none",)]))
@thorough(40)
def test_other_tools_may_be_the_reading_ones(episodes: list[Episode], reads: tuple[str, ...]) -> None:
    found = scored_of(episodes, reads=reads)
    assert found.peaks[SEARCH].tolist() == [oracle.peak(one, SEARCH, reads) for one in stories_of(episodes)]


def assert_findings(found: Sweep, stories: Sequence[Story], point: dict[str, int]) -> None:
    """Compare everything a sweep says of one point."""
    tried = oracle.tried(stories, point)
    tally, turns = found.tally, found.fire_turn
    assert (tally.caught, tally.missed) == (tried.caught, tried.missed)
    assert (tally.false_fires, tally.other_fires) == (tried.false_fires, tried.other_fires)
    assert (turns.min, turns.median, turns.max) == (
        tried.fire_turn_min,
        tried.fire_turn_median,
        tried.fire_turn_max,
    )
    assert found.turns_after_fire == tried.turns_after_fire
    assert found.tops == {name: oracle.top(stories, name) for name in AXES}
    far = {}
    for name in AXES:
        low, high = oracle.plateau(stories, point, name)
        far[name] = high if high is not None else max(oracle.top(stories, name), point[name])
        plateau = found.plateaus[name]
        assert (plateau.low, plateau.high) == (low, high)
        assert plateau.width == (None if high is None else high - low + 1)
        _assert_support(found, stories, point, name)
    assert found.far_corner is not None
    corner = oracle.tried(stories, far)
    assert (found.far_corner.caught, found.far_corner.false_fires) == corner.counts


def _assert_support(found: Sweep, stories: Sequence[Story], point: dict[str, int], name: str) -> None:
    support = found.support[name]
    for one, expected in (
        (support.closest_pass, oracle.closest_pass(stories, point, name)),
        (support.first_loss, oracle.first_loss(stories, point, name)),
    ):
        assert (one and (one.episode_id, one.peak, one.ties)) == expected
    for steps in (1, 2, 3):
        near = {
            miss.kind: set(miss.episode_ids)
            for miss in found.near_misses
            if (miss.detector, miss.steps) == (name, steps)
        }
        expected_near = oracle.near_misses(stories, point, name, steps)
        assert near == {kind: ids for kind, ids in expected_near.items() if ids}


def assert_rectangle(found: Sweep, stories: Sequence[Story], point: dict[str, int]) -> None:
    (a, b, c, d), pairs = oracle.rectangle(stories, point)
    tops = [max(oracle.top(stories, name), point[name]) for name in AXES]
    assert found.rectangle is not None
    assert list(found.rectangle.low.values()) == [a, b]
    assert list(found.rectangle.high.values()) == [
        None if end == last else end for end, last in zip((c, d), tops, strict=True)
    ]
    assert found.rectangle.pairs == pairs
    reached = oracle.region(stories, point)
    spans = [sorted({pair[axis] for pair in reached}) for axis in (0, 1)]
    assert found.region is not None
    assert found.region.pairs == len(reached)
    assert list(found.region.low.values()) == [span[0] for span in spans]
    assert list(found.region.high.values()) == [
        None if span[-1] == last else span[-1] for span, last in zip(spans, tops, strict=True)
    ]


@given(corpora(), points)
@thorough(80)
def test_plateaus_support_and_rectangle_at_any_point(episodes: list[Episode], thresholds: tuple[int, int]) -> None:
    point = dict(zip(AXES, thresholds, strict=True))
    found = sweep(scored_of(episodes), at=point_of(point))
    assert_findings(found, stories_of(episodes), point)
    assert_rectangle(found, stories_of(episodes), point)


heights = st.tuples(st.integers(0, 8), st.integers(0, 8))


@given(st.lists(heights, min_size=2, max_size=6), st.integers(0, 2), points)
@example([(0, 4), (1, 2), (2, 0)], 0, (1, 1))  # 1 × 4 and 2 × 2 are equally large
@thorough(100)
def test_rectangle_on_stairs(peaks: list[tuple[int, int]], passing: int, thresholds: tuple[int, int]) -> None:
    """Peaks drawn directly, so that several rectangles are equally large."""
    episodes = [
        Episode(
            f"e{number}",
            "passed" if number < passing else "turn_limit",
            ["plan"] * (plan + 1) + [None] * search,
            [[]] * (plan + 1) + [["read_file"]] * search,
        )
        for number, (plan, search) in enumerate(peaks)
    ]
    point = {PLAN: min(thresholds[0], 4), SEARCH: min(thresholds[1], 4)}
    assert_rectangle(sweep(scored_of(episodes), at=point_of(point)), stories_of(episodes), point)


@given(corpora())
@thorough(60)
def test_the_point_is_the_closest_pass_where_there_is_one(episodes: list[Episode]) -> None:
    stories = stories_of(episodes)
    rule = oracle.closest_pass_point(stories)
    found = sweep(scored_of(episodes))
    if rule is None or not any(one.observable for one in episodes if one.label == "passed"):
        assert found.rule == "published"
        assert found.point.thresholds == {PLAN: 7, SEARCH: 35}
    else:
        assert found.rule == "closest_pass"
        assert found.point.thresholds == rule
        assert found.tally.false_fires == 0
        assert_findings(found, stories, rule)


@given(corpora(), st.lists(st.integers(0, 2), min_size=7, max_size=7), st.randoms(use_true_random=False))
@thorough(60)
def test_parts_and_their_order_change_nothing(episodes: list[Episode], parts: list[int], random: Any) -> None:
    split = [[one for one, part in zip(episodes, parts, strict=False) if part == wanted] for wanted in range(3)]
    random.shuffle(split)
    found = sweep(score_frames([frames(part) for part in split if part], AXES, reads=oracle.READS))
    whole = sweep(scored_of(episodes))
    assert found.surface.equals(whole.surface)
    assert found.episodes.equals(whole.episodes)
    assert found.signature == whole.signature or found.data != whole.data  # made-up digests differ by part


@pytest.mark.parametrize("text", [True, False])
@given(episodes=corpora())
@thorough(40)
def test_through_ingest_of_an_episode_dump(text: bool, episodes: list[Episode]) -> None:
    with TemporaryDirectory() as folder:
        found = sweep(score(ingested(episodes, Path(folder), text=text), AXES, reads=oracle.READS))
    stories = stories_of(episodes)
    assert_surface(found.surface, stories)
    point = found.point.thresholds
    assert_findings(found, stories, point)
    assert found.episodes["fire_turn"].to_list() == [oracle.fire(one, point)[0] for one in stories]


@pytest.mark.parametrize("text", [True, False])
@given(episodes=corpora(), thresholds=points)
@thorough(40)
def test_through_ingest_of_a_message_dump(text: bool, episodes: list[Episode], thresholds: tuple[int, int]) -> None:
    point = dict(zip(AXES, thresholds, strict=True))
    stories = [Story(one.episode_id, "unlabelled", one.reasoning, one.tools) for one in stories_of(episodes)]
    with TemporaryDirectory() as folder:
        table = score_table(
            score(ingested(episodes, Path(folder), form="messages", text=text), AXES, reads=oracle.READS),
            point_of(point),
        )
    assert table["episode_id"].to_list() == [one.episode_id for one in stories]
    assert set(table["label"].to_list()) == {"unlabelled"}
    for name in AXES:
        assert table[f"{name}_peak"].to_list() == [oracle.peak(one, name) for one in stories]
    assert table["fire_turn"].to_list() == [oracle.fire(one, point)[0] for one in stories]


def test_pencil_corpus_through_the_fast_path() -> None:
    found = sweep(score(in_memory(pencil()), AXES))  # type: ignore[arg-type]
    stories = stories_of(pencil())
    assert str(found.point) == "repeated_plan@5 | search_run@10"
    assert_findings(found, stories, found.point.thresholds)
    assert_rectangle(found, stories, found.point.thresholds)
    assert_surface(found.surface, stories)
    assert found.unknown.passed == 1
    assert found.surface.equals(sweeps.sweep_of(sweeps.pencil()).surface)  # the same table, drawn without turns


def test_an_empty_corpus_matches_nothing() -> None:
    with pytest.raises(NothingMatched):
        score_frames([], AXES)


def demo_dump(folder: Path) -> Path:
    return demo.write_demo(folder)


@pytest.mark.parametrize("text", [True, False])
def test_every_published_figure_holds_on_the_demo(tmp_path: Path, text: bool) -> None:
    from calib.corpus import open_corpus
    from calib.ingest import ingest
    from calib.selection import Selection

    ingest([demo_dump(tmp_path)], tmp_path / "corpus", text=text)
    left_out = Selection(exclude=(("arm", "always-strip"),))
    found = sweep(score(open_corpus(tmp_path / "corpus"), AXES, left_out))
    assert [check for check in demo.checks(found) if not check.holds] == []
    assert found.rectangle is not None
    assert found.rectangle.pairs == 33 * 19 == 627
    assert found.not_observable == {}
    fires = dict(found.episodes.select("episode_id", "fired_by").iter_rows())
    assert fires[demo.BATCH_TRACE] == fires[demo.ARGV_TRACE] == PLAN
    assert fires[demo.ALTERNATING] == SEARCH
