"""The oracle itself, by pencil: if these fail, no agreement with it means anything."""

import pytest

from tests import oracle
from tests.corpus import Episode, episode_lines, frames, message_lines, pencil, turn_rows
from tests.drawn import drawn, turns
from tests.oracle import PLAN, SEARCH

POINT = {PLAN: 5, SEARCH: 10}
STORIES = [episode.story for episode in pencil()]


def by_id(episode_id: str) -> oracle.Story:
    return next(story for story in STORIES if story.episode_id == episode_id)


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ("A A A B A A", [0, 1, 2, 0, 0, 1]),
        ("A A A A A A A A", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("A B A B A B", [0, 0, 0, 0, 0, 0]),
        ("A . . A A", [0, 0, 0, 0, 1]),
        ("A - A A", [0, 0, 0, 1]),
        ("A A ? A A", [0, 1, 0, 0, 1]),
        ("! ! !", [0, 0, 0]),
        ("A", [0]),
    ],
)
def test_plan_levels_by_pencil(plan: str, expected: list[int]) -> None:
    assert oracle.levels(drawn(plan).story, PLAN) == expected


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("s r s s", [1, 2, 3, 4]),
        ("s r w s r", [1, 2, 0, 1, 2]),
        ("s . s", [1, 0, 1]),
        ("sr s rr", [1, 2, 3]),
        ("s sw s", [1, 0, 1]),
        ("s x s t", [1, 0, 1, 0]),
    ],
)
def test_search_levels_by_pencil(tool: str, expected: list[int]) -> None:
    assert oracle.levels(drawn(tool=tool).story, SEARCH) == expected


def test_reasoning_is_trimmed_as_python_trims() -> None:
    story = oracle.Story("x", "passed", ["go", " go\n", "\x1cgo\x1f", "go\u200b"], [[], [], [], []])
    assert oracle.levels(story, PLAN) == [0, 1, 2, 0]


def test_a_call_without_a_name_is_no_read() -> None:
    assert oracle.levels(oracle.Story("x", "passed", [None] * 2, [["read_file"], [None]]), SEARCH) == [1, 0]


def test_eight_equal_blocks_fire_at_the_eighth() -> None:
    story = drawn("A A A A A A A A A").story
    assert oracle.fire(story, {PLAN: 7, SEARCH: 35}) == (7, (PLAN,))
    assert oracle.fire(story, {PLAN: 9, SEARCH: 35}) == (None, ())


def test_both_counters_at_one_turn_are_both_named() -> None:
    assert oracle.fire(drawn("A A A", "w s s").story, {SEARCH: 2, PLAN: 2}) == (2, (SEARCH, PLAN))


@pytest.mark.parametrize("episode", pencil(), ids=lambda episode: episode.episode_id)
def test_pencil_levels_are_the_ones_in_the_table(episode: Episode) -> None:
    from tests.corpus import PENCIL

    row = next(line.split() for line in PENCIL.splitlines() if line.startswith(episode.episode_id))
    assert len(episode.reasoning) == int(row[3])
    for detector, drawing in zip((PLAN, SEARCH), row[4:], strict=True):
        expected = [0] * len(episode.reasoning)
        if "+" in drawing:
            start, height = map(int, drawing.split("+"))
            expected[start : start + height] = range(1, height + 1)
        assert oracle.levels(episode.story, detector) == expected
    assert episode.observable == (row[4] != "-")


def test_pencil_point_is_the_closest_pass() -> None:
    assert oracle.closest_pass_point(STORIES) == POINT
    assert oracle.closest_pass_point([by_id("L1")]) is None


def test_pencil_tally_and_fire_turns() -> None:
    assert oracle.tried(STORIES, POINT) == oracle.Tried(5, 0, 0, 1, 7, 9.0, 13, 45)
    fires = {name: oracle.fire(by_id(name), POINT) for name in ("L1", "L2", "L3", "L4", "L5", "P3")}
    assert fires == {
        "L1": (9, (PLAN, SEARCH)),
        "L2": (12, (PLAN,)),
        "L3": (13, (SEARCH,)),
        "L4": (9, (PLAN,)),
        "L5": (7, (PLAN,)),
        "P3": (None, ()),
    }


def test_pencil_plateaus_corner_rectangle_and_region() -> None:
    assert oracle.plateau(STORIES, POINT, PLAN) == (5, 9)
    assert oracle.plateau(STORIES, POINT, SEARCH) == (10, 16)
    assert oracle.tried(STORIES, {PLAN: 9, SEARCH: 16}).counts == (4, 0)
    assert oracle.rectangle(STORIES, POINT) == ((5, 10, 9, 11), 10)
    assert len(oracle.region(STORIES, POINT)) == 15
    assert (oracle.top(STORIES, PLAN), oracle.top(STORIES, SEARCH)) == (16, 17)


def test_a_plateau_that_reaches_the_top_has_no_upper_end() -> None:
    stories = [drawn("A A A", label="passed").story]
    assert oracle.plateau(stories, {PLAN: 3, SEARCH: 1}, PLAN) == (3, None)
    assert oracle.plateau(stories, {PLAN: 2, SEARCH: 1}, PLAN) == (1, 2)


def test_pencil_support_and_near_misses() -> None:
    assert oracle.closest_pass(STORIES, POINT, PLAN) == ("P3", 4, 1)
    assert oracle.closest_pass(STORIES, POINT, SEARCH) == ("P2", 9, 1)
    assert oracle.first_loss(STORIES, POINT, PLAN) == ("L2", 9, 1)
    assert oracle.first_loss(STORIES, POINT, SEARCH) == ("L3", 16, 1)
    assert oracle.near_misses(STORIES, POINT, PLAN, 1)["false_fire"] == {"P3"}
    assert oracle.near_misses(STORIES, POINT, PLAN, 2)["false_fire"] == {"P1", "P6"}
    assert oracle.near_misses(STORIES, {PLAN: 9, SEARCH: 10}, PLAN, 1)["loss"] == {"L2"}
    assert oracle.near_misses(STORIES, {PLAN: 10, SEARCH: 17}, PLAN, 1)["catch"] == {"L2"}


def test_surface_has_every_pair() -> None:
    cells = oracle.surface(STORIES)
    assert len(cells) == 16 * 17
    assert cells[5, 10] == oracle.tried(STORIES, POINT)
    assert cells[16, 17].counts == (0, 0)
    # the bands of the cost example: false fires and turns after fire
    bands = {pair: (cells[pair].false_fires, cells[pair].turns_after_fire) for pair in [(1, 1), (1, 2), (1, 7)]}
    assert bands == {(1, 1): (8, 81), (1, 2): (7, 79), (1, 7): (5, 70)}


def test_drawn_table_marks_repeats_and_states() -> None:
    table = turns("A A . B A -", "s r w t x .")
    assert table["same_reasoning_as"].to_list() == [0, 0, None, 3, 0, None]
    assert table["reasoning_state"].to_list() == ["recorded", "recorded", "empty", "recorded", "recorded", "absent"]
    assert table["tools"].to_list()[3:] == [["run_tests"], ["ask_user"], []]
    assert turns("- -")["reasoning_state"].to_list() == ["absent", "absent"]
    assert turns("A ? !")["reasoning_state"].to_list() == ["recorded", "withheld", "encrypted"]


def test_frames_have_every_column_and_are_sorted() -> None:
    from calib.tables import EPISODES, TURNS

    episodes, table = frames(list(reversed(pencil())))
    assert episodes.columns == EPISODES.names()
    assert table.columns == TURNS.names()
    assert episodes["episode_id"].to_list() == sorted(episode.episode_id for episode in pencil())
    assert table.height == sum(len(list(turn_rows(episode))) for episode in pencil()) == 194


def test_dumps_have_one_line_per_episode_and_per_message() -> None:
    episodes = [drawn("A B", "s .", episode_id="a"), drawn("A", "sr", episode_id="b")]
    assert episode_lines(episodes).count(b"\n") == 2
    assert message_lines(episodes).count(b"\n") == (1 + 2 + 1) + (1 + 1 + 2)
