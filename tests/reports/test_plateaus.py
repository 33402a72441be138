"""Plateaus in the words that are promised."""

from dataclasses import replace

from calib.reports import _plateaus as plateaus
from calib.results import Plateau, Support, SupportEpisode
from tests.sweeps import note, pencil, sweep_of

NOTE = sweep_of(note(), excluded=48)
PENCIL = sweep_of(pencil())


def shown(text: str) -> str:
    return f"<{text}>"


def test_a_plateau_names_the_episodes_that_end_it() -> None:
    found = NOTE.plateaus["repeated_plan"]
    support = Support(SupportEpisode("ep-12", 6), SupportEpisode("ep-31", 39))
    assert plateaus.plateau("repeated_plan", found, support, str) == (
        "repeated_plan 7–39, 33 wide: 6 fires on ep-12 (passed), 40 loses ep-31"
    )


def test_a_plateau_that_a_catch_ends_says_so() -> None:
    found = Plateau(5, None, None, "one more caught")
    assert plateaus.plateau("d", found, Support(SupportEpisode("p", 2)), shown) == (
        "d from 5 on, no upper end: below 5: one more caught"
    )


def test_ties_are_counted() -> None:
    found = Plateau(5, 9, 5, "3 more false fires and one more caught", "2 caught fewer")
    support = Support(SupportEpisode("p", 4, 3), SupportEpisode("l", 9, 2))
    assert (
        plateaus.ends(found, support, shown)
        == "4 fires on <p> and 2 more (passed; one more caught), 10 loses <l> and 1 more"
    )


def test_two_plateaus_make_no_rectangle() -> None:
    assert plateaus.rectangle(PENCIL) == "repeated_plan 5–9 × search_run 10–11: 10 pairs with the same counts"
    assert plateaus.far_corner(PENCIL) == (
        "T2@9 | T1@16: 4/5 caught, 0/8 false fires, 0/1 other fires; "
        "one at a time the plateaus hold, together they do not"
    )
    assert plateaus.far_corner(NOTE) == "T2@39 | T1@53: 30/30 caught, 0/635 false fires, 0/42 other fires"


def test_near_misses_name_at_most_three() -> None:
    said = [plateaus.near_miss(near, shown) for near in PENCIL.near_misses]
    assert said[1] == "lower repeated_plan by 2: false fire on <P1>, <P6>"
    many = replace(PENCIL.near_misses[0], kind="loss", episode_ids=("a", "b", "c", "d", "e"))
    assert plateaus.near_miss(many, shown) == "raise repeated_plan by 1: loses <a>, <b>, <c> and 2 more"
