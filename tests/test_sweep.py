"""A sweep of the pencil corpus gives the figures that can be followed by hand, and says what it cannot say."""

from dataclasses import replace

import polars as pl
import pytest

from calib.errors import NothingMatched, UsageError
from calib.point import parse_point
from calib.results import Counts, FireTurns, NearMiss, Region, SupportEpisode, Sweep, Tally, Unknown
from calib.score import Scored, score, score_table
from calib.selection import Selection, parse_where
from calib.sweep import sweep
from tests import sweeps
from tests.corpus import Episode, in_memory, pencil


def scored(episodes: list[Episode] | None = None, selection: Selection | None = None) -> Scored:
    return score(in_memory(pencil() if episodes is None else episodes), selection=selection)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def found() -> Sweep:
    return sweep(scored())


def test_counts_point_and_tally(found: Sweep) -> None:
    assert found.counts == Counts(5, 8, 1)
    assert str(found.point) == "repeated_plan@5 | search_run@10"
    assert found.tally == Tally(caught=5, missed=0, false_fires=0, other_fires=1)
    assert found.unknown == Unknown(passed=1)
    assert found.not_observable == {"repeated_plan": 1}
    assert found.fire_turn == FireTurns(7, 9, 13)
    assert found.turns_after_fire == 45


def test_plateaus_rectangle_and_far_corner(found: Sweep) -> None:
    plan, search = found.plateaus["repeated_plan"], found.plateaus["search_run"]
    assert (plan.low, plan.high, plan.width) == (5, 9, 5)
    assert (search.low, search.high, search.width) == (10, 16, 7)
    assert (plan.below, plan.above) == ("one more false fire", "one caught fewer")
    assert found.rectangle is not None
    assert found.rectangle.low == {"repeated_plan": 5, "search_run": 10}
    assert found.rectangle.high == {"repeated_plan": 9, "search_run": 11}
    assert found.rectangle.pairs == 10
    assert found.region == Region({"repeated_plan": 5, "search_run": 10}, {"repeated_plan": 9, "search_run": 16}, 15)
    assert found.far_corner == Tally(caught=4, missed=1, false_fires=0, other_fires=0)


def test_support_and_near_misses(found: Sweep) -> None:
    plan, search = found.support["repeated_plan"], found.support["search_run"]
    assert plan.closest_pass == SupportEpisode("P3", 4)
    assert plan.first_loss == SupportEpisode("L2", 9)
    assert (plan.margin_below, plan.margin_above) == (0, 4)
    assert search.closest_pass == SupportEpisode("P2", 9)
    assert search.first_loss == SupportEpisode("L3", 16)
    assert NearMiss("repeated_plan", "false_fire", 2, ("P1", "P6")) in found.near_misses
    assert not [miss for miss in found.near_misses if miss.kind == "loss"]


def test_operating_points_worth_knowing(found: Sweep) -> None:
    rows = {row.name: row for row in found.operating_points}
    assert list(rows) == ["closest_pass", "plateau_centre", "never", "always", "turn_count"]
    assert rows["plateau_centre"].spelling == "repeated_plan@7 | search_run@13"
    assert rows["turn_count"].spelling == "turn_count@19"
    assert (rows["turn_count"].tally, rows["turn_count"].turns_after_fire) == (Tally(5, 0, 0, 0), 5)
    assert (rows["always"].tally, rows["always"].turns_after_fire) == (Tally(5, 0, 8, 1), 95)
    assert rows["never"].tally == Tally(0, 5, 0, 0)


def test_the_surface_holds_the_point(found: Sweep) -> None:
    here = found.surface.filter(repeated_plan=5, search_run=10).row(0, named=True)
    assert here["caught"], here["false_fires"] == (5, 0)
    assert (here["fire_turn_min"], here["fire_turn_median"], here["fire_turn_max"]) == (7, 9.0, 13)
    assert here["turns_after_fire"] == 45
    assert len(found.surface) == 16 * 17  # 1 to one above the highest counted peak, 15 and 16


def test_score_names_every_detector_that_fires_first() -> None:
    table = score_table(scored(), parse_point("repeated_plan@5 | search_run@10"))
    fired = {row["episode_id"]: (row["fire_turn"], row["fired_by"]) for row in table.iter_rows(named=True)}
    assert fired["L1"] == (9, "repeated_plan | search_run")
    assert fired["L5"] == (7, "repeated_plan")
    assert fired["P1"] == (None, None)
    assert table["episode_id"].to_list() == sorted(fired)
    assert table.filter(episode_id="P8")["repeated_plan_observable"].item() is False


def test_given_ranges_limit_the_surface() -> None:
    found = sweep(scored(), {"repeated_plan": (2, 4)})
    assert found.surface["repeated_plan"].to_list() == [2, 3, 4]
    assert "search_run" not in found.surface.columns


def test_without_passed_episodes_the_published_thresholds_are_shown() -> None:
    found = sweep(scored([episode for episode in pencil() if episode.label != "passed"]))
    assert (found.rule, str(found.point)) == ("published", "repeated_plan@7 | search_run@35")
    assert any("nothing chooses thresholds" in warning for warning in found.warnings)


def test_passed_episodes_that_nobody_could_observe_choose_nothing() -> None:
    blind = [episode for episode in pencil() if episode.label != "passed" or episode.episode_id == "P8"]
    found = sweep(scored(blind))
    assert (found.rule, str(found.point)) == ("published", "repeated_plan@7 | search_run@35")
    assert any("no passed episode observable for repeated_plan" in warning for warning in found.warnings)


def test_without_turn_limit_episodes_nothing_is_caught_and_no_plateau_ends() -> None:
    found = sweep(scored([episode for episode in pencil() if episode.label != "turn_limit"]))
    assert found.tally.caught == found.counts.turn_limit == 0
    assert found.plateaus["repeated_plan"].high is None
    assert found.fire_turn == FireTurns()
    assert any("nothing to catch" in warning for warning in found.warnings)


def test_unlabelled_episodes_are_counted_and_their_peaks_kept() -> None:
    found = sweep(scored([replace(episode, label="unlabelled") for episode in pencil()]))
    assert found.counts == Counts(unlabelled=14)
    assert found.episodes["repeated_plan_peak"].max() == 15
    assert found.tops == {"repeated_plan": 16, "search_run": 17}


def test_selection_is_counted_as_excluded() -> None:
    found = sweep(scored(selection=Selection((parse_where("task != C"),), (("episode_id", "F1"),))))
    assert found.counts == Counts(turn_limit=4, passed=5, excluded=5)


def test_an_empty_corpus_is_not_called_a_matter_of_selection() -> None:
    with pytest.raises(NothingMatched, match="the corpus holds no episode; calib"):
        scored([])


def test_nothing_left_is_not_a_result() -> None:
    with pytest.raises(NothingMatched, match="14 in the corpus"):
        scored(selection=Selection((parse_where("task = nowhere"),)))


def test_a_point_of_an_unknown_detector_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="repeated_plan, search_run"):
        sweep(scored(), at=parse_point("repeated_plans@7"))


def test_tools_that_are_never_called_are_said() -> None:
    other = score(in_memory(pencil()), reads=("grep",))  # type: ignore[arg-type]
    assert any("search_run cannot fire" in warning for warning in sweep(other).warnings)


def test_the_data_digest_follows_the_episodes_not_the_point() -> None:
    base = sweep(scored())
    assert sweep(scored(), at=parse_point("T2@3")).data == base.data
    assert sweep(scored(pencil()[1:])).data != base.data
    assert base.signature.endswith(f"data {base.data[:12]}")


def test_groups_keep_their_own_rows() -> None:
    whole = scored()
    task = (whole.episodes["task"] == "A").to_numpy()
    part = whole.only(task)
    alone = scored([episode for episode in pencil() if episode.task == "A"])
    assert part.episodes["episode_id"].to_list() == alone.episodes["episode_id"].to_list()
    point = parse_point("T2@5 | T1@10")
    assert score_table(part, point).equals(score_table(alone, point))
    assert isinstance(part.episodes, pl.DataFrame)


def test_a_threshold_that_means_never_costs_no_memory() -> None:
    found = sweep(scored(), at=parse_point("repeated_plan@5 | search_run@2147483647"))
    assert len(found.curves["search_run"].thresholds) <= 1_000_000
    assert found.tally.false_fires == 0


def test_a_range_without_end_is_refused_before_it_is_laid_out() -> None:
    with pytest.raises(UsageError, match="too many"):
        sweep(scored(), {"repeated_plan": (1, 2_147_483_647)})


def test_edge_and_middle_of_the_note() -> None:
    """The middle of a plateau is farther from the next pass than its edge, and each fire is that much later."""
    found = sweeps.sweep_of(sweeps.note())
    assert str(found.point) == "repeated_plan@7 | search_run@35"
    rows = {row.name: row for row in found.operating_points}
    assert rows["plateau_centre"].spelling == "repeated_plan@23 | search_run@44"
    plan, search = found.support["repeated_plan"], found.support["search_run"]
    assert (plan.margin_below, plan.margin_above) == (0, 32)
    assert plan.closest_pass is not None
    assert search.closest_pass is not None
    assert (23 - plan.closest_pass.peak, 44 - search.closest_pass.peak) == (17, 10)
    assert (found.plateaus["repeated_plan"].width, found.plateaus["search_run"].width) == (33, 19)
    assert found.rectangle is not None
    assert found.rectangle.pairs == 627
