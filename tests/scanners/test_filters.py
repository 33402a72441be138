"""Filters over many texts against naive ones: what they ask for is never missed, wherever blocks end."""

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calib.scanners import _texts
from calib.scanners._echoes import NEVER, SHORTEST, echoes
from calib.scanners._ends import TAIL, repeating
from calib.scanners._lines import same_lines
from calib.scanners._suspects import look
from calib.scanners._texts import Texts
from tests.scanners.test_scanners import repeated
from tests.scanners.texts import texts

EVERY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
UNITS = st.text("abc é試-\n", min_size=1, max_size=90)
ECHOING = st.lists(st.tuples(UNITS, st.integers(1, 4)), min_size=1, max_size=4).map(
    lambda parts: "".join(unit * times for unit, times in parts)
)


@pytest.fixture(params=[1, 60, 1 << 19])
def _blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blocks hold one text, a few, all."""
    monkeypatch.setattr(_texts, "BLOCK", request.param)


def said_twice(text: str) -> list[tuple[int, int]]:
    """Every two places next to each other at which the same 50 bytes stand."""
    data, seen, found = text.encode(), dict[bytes, int](), list[tuple[int, int]]()
    for at in range(len(data) - SHORTEST + 1):
        window = data[at : at + SHORTEST]
        if window in seen:
            found.append((seen[window], at))
        seen[window] = at
    return found


@pytest.mark.usefixtures("_blocks")
@EVERY
@given(st.lists(ECHOING | repeated | st.none(), min_size=1, max_size=4))
def test_no_fifty_bytes_said_twice_are_missed(many: list[str | None]) -> None:
    found = echoes(Texts(pa.array(many, pa.string())))
    for text, nearest, latest in zip(many, found.nearest.tolist(), found.latest.tolist(), strict=True):
        pairs = said_twice(text or "")
        size = len((text or "").encode())
        assert nearest <= min((second - first for first, second in pairs), default=NEVER)
        assert latest <= min((size - first for first, _ in pairs), default=NEVER)
        assert nearest == NEVER or (text or "").encode()  # a null says nothing


def test_ordinary_text_has_no_echo() -> None:
    plain = " ".join(f"word{n} of {n * 7}" for n in range(300))
    found = echoes(Texts(pa.array([plain, plain[:400] + plain[:60], None, ""])))
    assert (found.nearest == NEVER).tolist() == [True, False, True, True]
    assert found.nearest[1] == 400


@pytest.mark.usefixtures("_blocks")
@EVERY
@given(st.lists(ECHOING | repeated | st.none(), min_size=1, max_size=4), st.integers(2, 5), st.integers(1, 40))
def test_no_equal_lines_are_missed(many: list[str | None], copies: int, shortest: int) -> None:
    marked = same_lines(Texts(pa.array(many, pa.string())), copies, shortest).tolist()
    for text, mark in zip(many, marked, strict=True):
        lines = [" ".join(line.split()) for line in (text or "").splitlines()]
        often = any(lines.count(line) >= copies for line in lines if line and len(line) >= shortest)
        assert mark or not often


@pytest.mark.usefixtures("_blocks")
@EVERY
@given(st.lists(ECHOING | texts() | st.none(), min_size=1, max_size=4))
def test_no_copies_of_words_at_the_end_are_missed(many: list[str | None]) -> None:
    whole = Texts(pa.array(many, pa.string()))
    marked, thrice = repeating(whole, 16).tolist(), look(whole).last_thrice.tolist()
    again = whole.end_again.tolist()
    for at, text in enumerate(many):
        words = (text or "").split()
        for said in (words, words[:-1]):
            for period in range(1, 17):
                enough = max(period, 12 - period)
                if len(said) >= period + enough and said[-enough:] == said[-enough - period : -period]:
                    assert marked[at]
        assert thrice[at] or not words or words.count(words[-1]) < 3
        assert again[at] == (len(text or "") >= 18 and (text or "").find((text or "")[-16:], 0, -1) >= 0)


def test_the_end_of_a_long_text_is_enough() -> None:
    prose = " ".join(f"word{n}" for n in range(400))
    long = "x" * TAIL
    many = [prose, prose + " on and" * 8, f"{long} {long} " * 20, prose + " " + " ".join(["a", "b", "c", "d"] * 3)]
    assert repeating(Texts(pa.array(many)), 16).tolist() == [False, True, True, True]
