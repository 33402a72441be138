"""One spelling for equal arguments, also where they are too large to be held twice."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats._calls import made_call
from calib.formats._canonical import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=150, deadline=None)
@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_huge_arguments_are_spelled_as_small_ones(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    small = canonical(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calib.formats._canonical.HUGE", 0)
        assert canonical(text) == small


@pytest.mark.parametrize(
    "text", ['{"a": "\\u00e9\\/"}', '{"a": "\\\\u"}', '{"a": NaN}', "{", '{"a":1,"a":"b"}', "{}", " {} "]
)
def test_odd_arguments_too(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small, call = canonical(text), made_call("c", "f", text)
    monkeypatch.setattr("calib.formats._canonical.HUGE", 0)
    monkeypatch.setattr("calib.formats._calls.HUGE", 0)
    assert canonical(text) == small
    huge = made_call("c", "f", text)
    assert huge[:3] == call[:3]
    assert huge.broken == call.broken
    spelled = call.key[1]
    assert huge.key[1] == (spelled.decode() if isinstance(spelled, bytes) and spelled[:1] == b"{" else spelled)
