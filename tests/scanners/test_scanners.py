"""What every scanner promises."""

import re
from dataclasses import fields

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.errors import UsageError
from calib.scanners import gates_of, level_names, module, names, new, pieces, scan, scanner_of
from calib.scanners._many import scan_many
from tests.scanners.texts import texts

UNITS = (
    "So I look at the parser again and read what it returns. ", "ha ", "the plan is to run the tests\n", "x", "==",
    "- item one of the list\n", "\n\n", "```\n", "| a | b |\n",
    "First I check `read_config` in config.py, then every caller of it, and after that I write the missing test.\n\n",
)  # fmt: skip

repeated = st.lists(st.tuples(st.sampled_from(UNITS), st.integers(1, 25)), min_size=1, max_size=5).map(
    lambda blocks: "".join(unit * times for unit, times in blocks)
)


def test_every_level_belongs_to_one_scanner() -> None:
    every = [level for name in names() for level in module(name).LEVELS]
    assert sorted(every) == sorted(level_names())
    assert all(re.fullmatch("[a-z_]{1,40}", level) for level in every)


@pytest.mark.parametrize("name", names())
def test_a_module_holds_what_it_must(name: str) -> None:
    found = module(name)
    assert found.READS in ("reasoning", "text")
    assert found.Gates().chunk == 0
    assert set(vars(found)["THRESHOLDS"]) == set(found.LEVELS)
    said = (found.__doc__ or "").split("\n")
    heads = ["Counts", "Fires when", "Why", "Blind spots", "Differs from", "Source"]
    assert [line for line in said if line in heads] == heads
    assert dict(new(name).levels) == dict.fromkeys(found.LEVELS, 0)


@pytest.mark.parametrize("name", names())
@settings(max_examples=40, deadline=None)
@given(many=st.lists(texts() | repeated | st.none(), min_size=1, max_size=4))
def test_no_text_with_a_level_is_passed_over(name: str, many: list[str | None]) -> None:
    found = scan_many(name, pa.array(many, pa.string()))
    for row, text in enumerate(many):
        assert {level: int(heights[row]) for level, heights in found.items()} == scan(name, text or "")


@pytest.mark.parametrize("name", names())
@settings(max_examples=30, deadline=None)
@given(text=repeated, chunk=st.sampled_from((1, 5, 64, 300)))
def test_levels_never_fall_and_pieces_are_a_stream(name: str, text: str, chunk: int) -> None:
    scanner, before = new(name), dict.fromkeys(module(name).LEVELS, 0)
    for piece in pieces(text, chunk):
        scanner.feed(piece)
        assert all(scanner.levels[level] >= before[level] for level in before)
        before = dict(scanner.levels)
    scanner.finish()
    assert scanner.levels == scan(name, text, module(name).Gates(chunk=chunk))


def test_an_unknown_level_or_gate_is_refused_with_the_near_ones() -> None:
    with pytest.raises(UsageError, match="guard_words"):
        scanner_of("guard_word")
    with pytest.raises(UsageError, match="litter_bin"):
        gates_of("guard_litter", {"litter_bins": 3})
    assert gates_of("guard_litter", {"chunk": 64}).chunk == 64


@pytest.mark.parametrize(
    ("level", "gate", "value", "allowed"),
    [
        ("guard_words", "prose", 2, "prose from 0 to 1, found 2"),
        ("guard_words", "share", 101, "share from 0 to 100, found 101"),
        ("guard_litter", "litter_permille", 1_001, "from 0 to 1,000"),
        ("guard_litter", "litter_bin", 0, "litter_bin from 1 to 1,000,000, found 0"),
        ("thinking_stall", "new", 200, "new from 0 to 100"),
        ("runaway", "chunk", 1_000_001, "chunk from 0 to 1,000,000"),
    ],
)
def test_a_gate_out_of_its_range_is_refused(level: str, gate: str, value: int, allowed: str) -> None:
    with pytest.raises(UsageError, match=allowed):
        gates_of(level, {gate: value})


@pytest.mark.parametrize("name", names())
def test_every_gate_works_at_the_ends_of_its_range(name: str) -> None:
    level = next(iter(module(name).LEVELS))
    for field in fields(module(name).Gates):
        for value in (0, 1):
            try:
                gates = gates_of(level, {field.name: value})
            except UsageError:
                continue
            text = "so it goes on and on. " * 60 + "\n\n"
            found = scan_many(name, pa.array([text]), gates)
            assert {each: int(heights[0]) for each, heights in found.items()} == scan(name, text, gates)
