"""The content loops of Gemini CLI and Qwen Code: their published cases with texts of our own, and a literal loop."""

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.scanners import scan
from calib.scanners._chanting import comes_again
from calib.scanners.gemini_chanting import Gates
from calib.scanners.qwen_chanting import Gates as QwenGates
from tests.scanners.test_scanners import repeated

FIFTY = "these fifty characters are said again and again; "
HUNDRED_FIFTY = (
    "one sentence of the three that make up this pattern, which is longer; "
    "another one of them, still not the last of it; and here the last of it ends now. "
)


def gemini(text: str, chunk: int = 0) -> int:
    return scan("gemini_chanting", text, Gates(chunk=chunk))["gemini_chanting"]


def qwen(text: str, chunk: int = 0) -> int:
    return scan("qwen_chanting", text, QwenGates(chunk=chunk))["qwen_chanting"]


def literal(text: str, chunk: int, history: int, spacing: int, kinds: int, divider: str, bullets: str) -> int:
    """Every window of every history, looked up anew."""
    best, kept, done, code = 0, "", 0, False
    seen: list[tuple[int, str]] = []
    dropped = 0
    for piece in [text[at : at + chunk] for at in range(0, len(text), chunk)] if chunk else [text] * bool(text):
        fences = piece.count("```")
        rule = re.fullmatch(divider, piece)
        lines = rf"(^|\n)\s*(\|[^\n]*\||[|+-]{{3,}})|(^|\n)\s*[{bullets}]\s|(^|\n)\s*\d+\.\s|(^|\n)#+\s|(^|\n)>\s"
        if fences or rule or re.search(lines, piece):
            kept, done, seen, dropped = "", 0, [], 0
        was, code = code, code != (fences % 2 == 1)
        if was or code or rule:
            continue
        kept += piece
        if len(kept) > history:
            dropped += len(kept) - history
            done = max(0, done - (len(kept) - history))
            kept = kept[-history:]
        while done + 50 <= len(kept):
            window = kept[done : done + 50]
            seen.append((dropped + done, window))
            at = [place - dropped for place, other in seen if other == window and place >= dropped][-10:]
            if len(at) > 1 and (at[-1] - at[0]) / (len(at) - 1) <= spacing:
                between = {kept[low:high] for low, high in pairwise(at)}
                if not kinds or len(between) <= kinds:
                    best = max(best, len(at))
            done += 1
    return best


@settings(max_examples=40, deadline=None)
@given(repeated.map(lambda text: text[:900]), st.sampled_from((0, 4, 33)))
def test_the_scanner_is_the_loop(text: str, chunk: int) -> None:
    line = "\u2500-\u257f"
    assert gemini(text, chunk) == literal(text, chunk, 5000, 250, 5, f"[+-_=*{line}]+", "*+")
    assert qwen(text, chunk) == literal(text, chunk, 1000, 75, 0, rf"[-+_=*{line}]+", "*+-")


@settings(max_examples=10, deadline=None)
@given(repeated.map(lambda text: text[:1500]))
def test_the_loop_again_with_a_short_history(text: str) -> None:
    gates = Gates(chunk=64, history=300)
    found = scan("gemini_chanting", text, gates)["gemini_chanting"]
    assert found == literal(text, 64, 300, 250, 5, "[+-_=*\u2500-\u257f]+", "*+")


@settings(max_examples=60, deadline=None)
@given(repeated.map(lambda text: text[:600]), st.sampled_from((75, 250)))
def test_two_near_windows_share_a_block(text: str, spacing: int) -> None:
    places: dict[str, int] = {}
    near = False
    for at in range(len(text) - 49):
        window = text[at : at + 50]
        near |= at - places.get(window, -1000) <= spacing
        places[window] = at
    assert comes_again(text, spacing) or not near


def test_the_same_fifty_characters_ten_times() -> None:
    assert len(FIFTY) == 49
    assert gemini(FIFTY * 9) == 8  # one window more than copies, less one
    assert gemini(FIFTY * 11) == qwen(FIFTY * 11) == 10


def test_random_text_and_copies_far_apart_are_no_chant() -> None:
    source = random.Random(1)
    noise = ["".join(source.choices("abcdefghijklmnop ", k=500)) for _ in range(12)]
    assert gemini("".join(noise)) == 0
    assert gemini("".join(FIFTY + "x" + each for each in noise)) == 0


def test_a_longer_pattern_is_gemini_s_alone() -> None:
    assert 140 < len(HUNDRED_FIFTY) < 160
    assert gemini(HUNDRED_FIFTY * 12) == 10
    assert qwen(HUNDRED_FIFTY * 6) == 0


def test_items_with_a_long_common_beginning_are_no_chant() -> None:
    shared = "the item of this list begins with the same seventy characters or so as all "
    assert gemini("\n".join(f"* {shared}{random.Random(n).random()}" for n in range(15))) < 10


def test_code_is_not_tracked_and_layout_forgets() -> None:
    assert gemini("```\n" + FIFTY * 20) == 0
    assert gemini(FIFTY * 20 + "\n```\n") == 0
    assert gemini("".join(FIFTY * 6 + "\n# next\n" for _ in range(4)), 7) < 10
    assert gemini(FIFTY * 6 + "\n> quoted\n" + FIFTY * 6, 9) < 10


@pytest.mark.parametrize("chunk", [4, 16, 64])
@pytest.mark.parametrize(("bullet", "streamed"), [("* ", False), ("- ", True)])
def test_what_a_bullet_does_depends_on_the_pieces(bullet: str, streamed: bool, chunk: int) -> None:
    text = (bullet + FIFTY.strip() + "\n") * 30
    assert gemini(text) == 10
    assert (gemini(text, chunk) == 10) == streamed


@pytest.mark.parametrize("chunk", [4, 16, 64])
def test_a_heading_half_way_forgets_where_it_is_seen(chunk: int) -> None:
    text = FIFTY * 8 + "\n# next\n" + FIFTY * 8
    assert gemini(text) == 10
    assert gemini(text, chunk) < 10


def test_the_same_fifty_characters_in_ten_pieces() -> None:
    exact = FIFTY + "x"
    assert len(exact) == 50
    assert gemini(exact * 9, 50) == 9
    assert gemini(exact * 10, 50) == 10


def test_a_thousand_random_pieces_are_no_chant() -> None:
    source = random.Random(2)
    assert gemini("".join("".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=10)) for _ in range(1_000)), 10) == 0


@pytest.mark.parametrize(
    ("unit", "rounds"),
    [
        ("Thinking... Done. ", 30),
        ("I will now look at the build again, because it may have ended. ", 15),
        ("Wait, the file is not there. Let me list the folder. Wait, it is. Let me open it once more. ", 15),
        ("The user wants the report. The report is ready. I give the report to the user. Now the report: ", 15),
    ],
)
def test_what_users_saw_is_a_chant(unit: str, rounds: int) -> None:
    for chunk in (0, 7, 64):
        assert gemini(unit * rounds, chunk) == 10


@pytest.mark.parametrize(
    "layout", ["\n```\n", "\n| a | b |\n", "\n* item\n", "\n1. item\n", "\n## head\n", "\n> said\n"]
)
def test_layout_in_a_piece_forgets_what_came_before(layout: str) -> None:
    from calib.scanners import new

    scanner = new("gemini_chanting")
    for piece in [FIFTY] * 9 + [layout, layout] + [FIFTY] * 9:
        scanner.feed(piece)
    assert scanner.levels["gemini_chanting"] < 10
    plain = new("gemini_chanting")
    for piece in [FIFTY] * 9 + ["so on. "] + [FIFTY] * 9:
        plain.feed(piece)
    assert plain.levels["gemini_chanting"] == 10


@pytest.mark.parametrize("divider", ["-", "=", "*", "_", "+", "─", "━"])
def test_dividers_are_no_chant(divider: str) -> None:
    assert gemini(divider * 800, 80) == 0


def test_capitals_count_as_a_divider_where_the_published_expression_has_its_range() -> None:
    assert gemini("SELECT" * 400, 6) == 0
    assert qwen("SELECT" * 400, 6) == 10
