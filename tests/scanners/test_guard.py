"""The guard of note 003: its published cases with strings of our own, its loop, its edges, its two readings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.scanners import MARKER, cut, pieces, scan
from calib.scanners._trips import Trip
from calib.scanners.guard import FLOORS, LEVELS, THRESHOLDS, Gates, Scanner, trip
from tests.scanners.literal_guard import FLOORS as LITERAL_FLOORS
from tests.scanners.literal_guard import THRESHOLDS as LITERAL_THRESHOLDS
from tests.scanners.literal_guard import literal
from tests.scanners.texts import texts

PROSE = "We read the config first, then compare every value with what the parser returned for it. "
LITTER = "ここ「diff「全体「像 を「見る 次「の 行 も 同じ よう に「確かめる まで 待て\n"
WEDGED = "move the the crossing the the the town the the field the the road and the the the the end of the the the way "
EQUALS = "= the state = = holds = = = so = = we = go = = "
FILLER = " ".join(f"word{n}" for n in range(24))


def cut_at(text: str, chunk: int = 0) -> int | None:
    found = trip(text, Gates(chunk=chunk))
    return found.offset if found else None


def test_the_tables_of_scanner_and_loop_are_the_same() -> None:
    assert FLOORS == LITERAL_FLOORS
    assert THRESHOLDS == LITERAL_THRESHOLDS
    assert list(LEVELS) == list(THRESHOLDS)
    assert all(FLOORS[name] <= THRESHOLDS[name] for name in THRESHOLDS)


def test_brackets_are_cut_where_their_run_begins() -> None:
    text = "手順を見る段。\n" + "「" * 30 + "実行" + "」" * 30
    assert trip(text) == Trip("guard_brackets", 8)
    assert cut(text, 8) == "手順を見る段。\n\n" + MARKER


def test_nothing_but_brackets_leaves_the_marker_alone() -> None:
    assert cut("「" * 20, cut_at("「" * 20)) == MARKER


def test_growing_runs_are_cut_at_one_place_however_they_are_fed() -> None:
    text = "見る\n" + "「" * 11 + "やる" + "「" * 16 + "やる" + "「" * 20
    assert cut_at(text) == cut_at(text, 7) == 16


@pytest.mark.parametrize(
    "part",
    ["-" * 60, "=" * 40, " " * 26, "A" * 21, "0x" + "0" * 40, "".join(f"「語{n}」" for n in range(8)), "─" * 50,
     "━" * 30, "✗" * 60],
)  # fmt: skip
def test_layout_and_short_runs_are_left_alone(part: str) -> None:
    assert trip(PROSE + part + "\n" + PROSE) is None


def test_litter_is_cut_near_its_begin() -> None:
    assert len(LITTER) == 45
    found = trip(LITTER * 24)
    assert found is not None
    assert found.level == "guard_litter"
    assert 0 < found.offset < 200
    assert len(cut(LITTER * 24, found.offset)) < len(LITTER * 24) / 2


def test_litter_needs_its_runway() -> None:
    assert trip(LITTER * 10) is None
    assert trip(LITTER * 16) is not None


def test_an_analysis_that_quotes_litter_is_left_alone() -> None:
    assert trip(PROSE * 40 + LITTER * 5 + PROSE * 40) is None


def test_wedged_articles_are_cut_however_they_are_fed() -> None:
    found = trip(WEDGED * 16)
    assert found is not None
    assert found.level == "guard_pairs"
    assert found.offset < 400
    assert cut_at(WEDGED * 16, 37) == found.offset


@pytest.mark.parametrize(
    "text",
    [
        "Go on: " + "Down " * 12 + "then wait. " + "Down " * 12 + PROSE * 3,
        "[" + ", ".join(["False"] * 14) + "] " + PROSE * 3,
        PROSE * 3 + "run: " + "XX " * 40,
        PROSE * 15 + '"' + "the " * 30 + '" ' + PROSE * 10,
        "await " * 12 + FILLER + " " + FILLER + " ",
        "| name | value |\n|---|---|\n" + "| one | 2 |\n" * 30,
        "- first\n- second\n" * 30,
        "name = 1\n" * 12,
        PROSE * 4 + 'the sample "= =" of it ' + PROSE * 4,
    ],
)
def test_shapes_that_must_never_trip(text: str) -> None:
    assert trip(text) is None


def test_another_word_must_run_far_longer() -> None:
    assert trip(FILLER + " " + "hello " * 30) == Trip("guard_words", len(FILLER) + 1)


def test_symbols_that_flood_are_cut_however_they_are_fed() -> None:
    found = trip(EQUALS * 8)
    assert found is not None
    assert found.level == "guard_equals"
    assert found.offset < 300
    assert cut_at(EQUALS * 8, 37) == found.offset
    assert cut("= " * 40, cut_at("= " * 40)) == MARKER


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("「" * 11, False),
        ("「" * 12, True),
        ("x" * 159, False),
        ("x" * 160, True),
        ("-" * 5000, False),
        ("─" * 160, True),
        ("0" * 160, True),
        ("", False),
    ],
)
def test_edges(text: str, fires: bool) -> None:
    assert (trip(text) is not None) == fires


def test_the_share_may_belong_to_another_word() -> None:
    text = "plan " * 24 + FILLER + " " + "hello " * 25 + "x "
    assert trip(text) is not None


@pytest.mark.parametrize(
    ("text", "code", "prose"),
    [
        (("plan stop " * 30) + "hello " * 25, "guard_words", None),
        ("foo foo bar " * 20 + "the ", "guard_pairs", None),
        (FILLER + " " + FILLER + " " + "the " * 30 + "x " * 20, "guard_cue_words", "guard_cue_words"),
        (f"{FILLER} {FILLER[:95]} " + " the" * 10, None, None),
        (FILLER + " " + "a " * 40, None, "guard_cue_words"),
    ],
)
def test_prose_and_code(text: str, code: str | None, prose: str | None) -> None:
    said = [trip(text, gates) for gates in (Gates(), Gates(prose=True))]
    assert [found and found.level for found in said] == [code, prose]


def test_the_last_word_counts_in_prose_only() -> None:
    text = "so " + FILLER + " " + ("the " * 40).rstrip()
    held = text.count("the")
    assert scan("guard", text)["guard_cue_words"] == held - 1
    assert scan("guard", text, Gates(prose=True))["guard_cue_words"] == held
    assert scan("guard", text + " ")["guard_cue_words"] == held


def test_litter_with_a_long_healthy_tail_depends_on_the_pieces() -> None:
    text = LITTER * 16 + PROSE * 40
    assert trip(text) is None
    assert trip(text, Gates(chunk=64)) is not None
    assert trip(text, Gates(prose=True)) is not None


def test_two_shapes_in_one_text_depend_on_the_pieces() -> None:
    text = "the " * 80 + "z" * 200
    assert trip(text) == Trip("guard_characters", 320)
    assert trip(text, Gates(chunk=16)) == Trip("guard_cue_words", 0)


@settings(max_examples=200, deadline=None)
@given(texts(), st.sampled_from((0, 1, 7, 37, 64, 100)), st.booleans())
def test_the_scanner_is_the_loop(text: str, chunk: int, prose: bool) -> None:
    slow = literal(text, chunk, prose)
    gates = Gates(chunk=chunk, prose=prose)
    scanner = Scanner(gates)
    for piece in pieces(text, chunk):
        scanner.feed(piece)
    scanner.finish()
    assert scanner.levels == slow.levels
    assert scanner.trip == slow.trip
    assert trip(text, gates) == slow.trip


@settings(max_examples=50, deadline=None)
@given(texts(), st.integers(1, 50))
def test_levels_never_fall(text: str, chunk: int) -> None:
    scanner = Scanner()
    before = dict(scanner.levels)
    for piece in pieces(text, chunk):
        scanner.feed(piece)
        assert all(scanner.levels[name] >= before[name] for name in before)
        before = dict(scanner.levels)


def test_gates_are_parameters() -> None:
    text = FILLER[:60] + " " + "hello " * 26
    assert scan("guard", text)["guard_words"] == 0  # too few words
    assert scan("guard", text, Gates(words=20))["guard_words"] == 26
    assert scan("guard", LITTER * 10, Gates(litter_characters=400))["guard_litter"] >= 20


def test_thresholds_move_the_cut() -> None:
    text = "a" * 50 + " " + "b" * 200
    assert trip(text, thresholds={"guard_characters": 50}) == Trip("guard_characters", 0)
    assert trip(text) == Trip("guard_characters", 51)
