"""`calib formats NAME`: every format says how it is recognised, what a turn is, and what it cannot know."""

import re
from itertools import pairwise

import pytest

from calib.registry import entry, names

PACKAGE = "calib.formats"
HEADINGS = ("Recognised by", "Turn", "Reasoning", "Calls and results", "Tokens and times", "Outcome and stop",
            "Cannot know")  # fmt: skip
ODD: tuple[object, ...] = (
    {},
    [],
    {"messages": None},
    {"type": 7, "payload": []},
    {"history": 1},
    [[]],
    [None],
    {"role": {}},
    {"events": "x"},
)


@pytest.mark.parametrize("name", names(PACKAGE))
def test_the_page_has_the_headings_in_order(name: str) -> None:
    page = entry(PACKAGE, name).__doc__ or ""
    places = [page.find(f"*{heading}*") for heading in HEADINGS]
    assert -1 not in places
    assert all(before < after for before, after in pairwise(places))
    assert len(re.findall(r"^\S.*$", page, re.MULTILINE)) > len(HEADINGS)


@pytest.mark.parametrize("name", names(PACKAGE))
def test_a_module_says_what_a_format_must(name: str) -> None:
    module = entry(PACKAGE, name)
    assert module.SUMMARY
    assert isinstance(module.RANK, int)
    assert module.STREAM in (True, False)


@pytest.mark.parametrize("name", names(PACKAGE))
@pytest.mark.parametrize("value", ODD, ids=str)
def test_recognising_never_raises_and_takes_nothing_odd(name: str, value: object) -> None:
    assert entry(PACKAGE, name).recognises(value) is False


def test_ranks_tell_formats_apart() -> None:
    assert max(entry(PACKAGE, name).RANK for name in names(PACKAGE)) == entry(PACKAGE, "message_lines").RANK
