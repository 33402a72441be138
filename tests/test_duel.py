"""Rules against each other, by a slow count over the levels and by pencil."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.contest import Duel, DuelSide
from calib.duel import Rival, duel
from calib.reports._about_duel import copies, title
from calib.score import Scored
from calib.stats import upper
from tests.sweeps import Drawn, note, pencil, scored

BOTH = ("repeated_plan", "search_run")
T2 = Rival("repeated_plan", {"repeated_plan": 7})
T1 = Rival("search_run", {"search_run": 35})
PAIR = Rival("both", {"repeated_plan": 7, "search_run": 35})


def side(found: Duel, name: str, which: str = "published") -> DuelSide:
    (one,) = [one for one in found.contenders if one.name == name]
    made = getattr(one, which)
    assert made is not None
    return made  # type: ignore[no-any-return]


def first_fire(found: Scored, thresholds: dict[str, int], episode: int) -> int | None:
    """Look through the record-setting turns of one episode for the first that reaches a threshold."""
    turns = [
        int(turn)
        for name, threshold in thresholds.items()
        for at, level, turn in zip(*(getattr(found.reach[name], c) for c in ("episode", "level", "turn")), strict=True)
        if at == episode and level >= threshold
    ]
    return min(turns, default=None)


def test_the_notes_rule_against_its_halves() -> None:
    found = duel(scored(note()), [T2, T1, PAIR])
    pair = side(found, "both")
    assert (pair.tally.caught, pair.tally.false_fires, pair.tally.other_fires) == (30, 0, 1)
    assert pair.fire_turn.median == 13
    assert side(found, "both", "closest").point.thresholds == {"repeated_plan": 7, "search_run": 35}
    assert side(found, "repeated_plan").at_most == pytest.approx(upper(0, 635, 0.05))
    assert pair.at_most == side(found, "repeated_plan").at_most
    assert side(found, "both", "closest").at_most > pair.at_most  # two detectors chosen on these episodes
    assert found.contenders[0].name == "both"


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))
def test_everything_is_what_a_slow_count_says(plan: int, search: int, other: int) -> None:
    found = scored(pencil())
    rivals = [
        Rival("a", {"repeated_plan": plan}),
        Rival("b", {"search_run": search}),
        Rival("c", {"repeated_plan": other, "search_run": other}),
    ]
    made = duel(found, rivals)
    ids, labels = found.episodes["episode_id"].to_list(), found.episodes["label"].to_list()
    fires = {
        rival.name: [first_fire(found, {n: k for n, k in rival.thresholds.items() if k}, at) for at in range(len(ids))]
        for rival in rivals
    }
    for name, turns in fires.items():
        one = side(made, name)
        hit = [at for at in range(len(ids)) if turns[at] is not None]
        caught = [at for at in hit if labels[at] == "turn_limit"]
        assert one.tally.caught == len(caught)
        assert one.tally.false_fires == sum(labels[at] == "passed" for at in hit)
        assert one.tally.other_fires == sum(labels[at] == "failed" for at in hit)
        assert one.turns_after_fire == sum(int(found.turns[at]) - 1 - (turns[at] or 0) for at in caught)
        earliest = {at: min(t[at] for t in fires.values() if t[at] is not None) for at in caught}  # type: ignore[type-var]
        assert one.first == sum(turns[at] == earliest[at] for at in caught)
        alone = [ids[at] for at in caught if sum(t[at] is not None for t in fires.values()) == 1]
        assert one.only == len(alone)
        assert list(one.only_episodes) == alone[:5]


def test_what_was_not_observable_is_counted_by_label() -> None:
    found = scored(pencil())
    (one,) = duel(found, [T2]).contenders
    assert (one.hidden.turn_limit, one.hidden.passed, one.hidden.failed) == (0, 1, 0)  # P8 is encrypted
    assert side(duel(found, [T2]), "repeated_plan").of.passed == 7


def test_a_rule_that_no_passed_episode_could_observe_has_no_closest_pass() -> None:
    drawn = [one for one in pencil() if one.label != "passed" or one.episode_id == "P8"]
    (one,) = duel(scored(drawn), [T2]).contenders
    assert one.closest is None


def test_without_a_published_threshold_there_is_only_the_closest_pass() -> None:
    (one,) = duel(scored(pencil()), [Rival("repeated_plan", {"repeated_plan": None})]).contenders
    assert one.published is None
    assert one.closest is not None
    assert one.closest.tally.false_fires == 0


def test_a_turn_limit_that_saves_as_much_is_not_beaten() -> None:
    long = [Drawn("L", "turn_limit", 20, ((0, 3), (0, 0))), Drawn("P", "passed", 5, ((0, 1), (0, 0)))]
    found = duel(scored(long), [Rival("late", {"repeated_plan": 3})])
    one = side(found, "late")
    assert one.turns_after_fire == 20 - 1 - 2
    assert one.beats_turn_count  # a limit of 6 turns saves 14
    short = [long[0], Drawn("P", "passed", 2, ((0, 1), (0, 0)))]
    assert not side(duel(scored(short), [Rival("late", {"repeated_plan": 3})]), "late").beats_turn_count


def test_measures_are_no_rivals() -> None:
    found = scored(pencil())
    with_measure = Scored(
        found.episodes, {**found.reach, "turn_count": found.reach["search_run"]},
        {**found.observable, "turn_count": np.ones(len(found.episodes), np.bool_)}, 0, {}, found.placing, found.lost,
    )  # fmt: skip
    made = duel(with_measure, [T2, Rival("turn_count", {"turn_count": 1})])
    assert side(made, "turn_count").first == side(made, "turn_count").only == 0
    assert side(made, "repeated_plan") == side(duel(found, [T2]), "repeated_plan")


def test_a_rule_over_tools_that_nobody_calls_is_no_quiet_rule() -> None:
    mute = replace(scored(pencil()), called={"search_run": np.zeros(14, np.bool_)})
    found = {one.name: one.called for one in duel(mute, [T2, T1, PAIR]).contenders}
    assert found == {"repeated_plan": True, "search_run": False, "both": True}


def test_thresholds_that_the_user_gives_pay_for_the_choice() -> None:
    mine = Rival("mine", {"repeated_plan": 7, "search_run": 35}, given=True)
    found = duel(scored(note()), [PAIR, mine])
    assert side(found, "mine").at_most == side(found, "both", "closest").at_most > side(found, "both").at_most
    assert (side(found, "mine").given, side(found, "mine", "closest").given) == (True, False)
    assert title(found, "published").endswith(
        "episodes; or at the thresholds given, which count as chosen on these episodes (in sample)"
    )
    assert title(duel(scored(note()), [mine]), "published").startswith("at the thresholds given, which count as chosen")
    assert (
        title(duel(scored(note()), [PAIR]), "published") == "at the published thresholds, fixed before these episodes"
    )


def test_copies_are_said() -> None:
    passes = [Drawn(f"P{at}", "passed", 9, ((1, 2), (0, 2)), "A", 20, "P") for at in range(30)]
    found = duel(scored([Drawn("L", "turn_limit", 20, ((5, 12), (0, 2)), "A", 20), *passes]), [T2])
    assert found.differ == 1
    assert side(found, "repeated_plan").at_most == pytest.approx(upper(0, 1, 0.05))
    assert copies(found)[0].startswith("only 1 of 30 passed episodes differ")
    assert copies(duel(scored(note()), [T2])) == []
