"""A skimmed value is the value, but for the elements of large lists behind the first 20."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.ingest.skim import ELEMENTS, skim

SCALARS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=9)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=5), inner, max_size=5)
)


def cut(value: Any, depth: int = 0) -> Any:
    if depth == 6:
        return value
    if isinstance(value, list):
        return [cut(item, depth + 1) for item in value[:ELEMENTS]]
    return {key: cut(item, depth + 1) for key, item in value.items()} if isinstance(value, dict) else value


@settings(max_examples=150, deadline=None)
@given(VALUES, st.sampled_from([None, 1]))
def test_the_same_but_for_long_lists(value: Any, indent: int | None) -> None:
    data = json.dumps(value, indent=indent).encode()
    assert skim(data, small=0) == cut(value)
    assert skim(memoryview(data)) == value


@pytest.mark.parametrize("data", [b'{"a": [1, }', b"[NaN]", b"", b"[1] [2]", b"\xef\xbb\xbf{}", b"[" * 5000])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        skim(data, small=0)
