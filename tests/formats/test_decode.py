"""The decoder: what the fast parser refuses, the tolerant one mends or names."""

import json
import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats._codes import Rejected, Reread
from calib.formats._decode import Decoder, json_text, plain, shallow, tolerant

MENDED: dict[bytes, tuple[Any, list[str]]] = {
    b'\xef\xbb\xbf{"a": 1}': ({"a": 1}, ["bom"]),
    b'{"a": NaN, "b": Infinity, "c": -Infinity}': ({"a": None, "b": None, "c": None}, ["nonfinite-number"]),
    b'{"a": 1e999}': ({"a": None}, ["bad-number"]),
    b'{"a": ' + b"9" * 5000 + b"}": ({"a": None}, ["bad-number"]),
    b'{"a": 123456789012345678901234567890}': ({"a": 123456789012345678901234567890}, []),
    b'{"a": "\\ud800"}': ({"a": "\ufffd"}, ["lone-surrogate"]),
    b'{"\\udc00": ["x\\ud800y", {"b": "\\ud83d\\ude00"}]}': (
        {"\ufffd": ["x\ufffdy", {"b": "😀"}]},
        ["lone-surrogate"],
    ),
    b'{"a": "caf\xe9"}': ({"a": "caf\ufffd"}, ["invalid-utf8"]),
    b'{"a": "\xed\xa0\x80"}': ({"a": "\ufffd\ufffd\ufffd"}, ["invalid-utf8"]),
}


@pytest.mark.parametrize("data", MENDED, ids=lambda data: data[:20].decode("latin-1"))
def test_mended(data: bytes) -> None:
    notices: Counter[str] = Counter()
    value, expected = MENDED[data]
    assert Decoder().read(data, notices, plain) == value
    assert sorted(notices) == expected


def test_a_key_given_twice_is_seen_when_the_view_will_not_do() -> None:
    def use(record: Any) -> Any:
        if not isinstance(record, dict):
            raise Reread
        return dict(record)

    notices: Counter[str] = Counter()
    assert Decoder().read(b'{"a": 1, "a": 2}', notices, use) == {"a": 2}
    assert notices == {"duplicate-key": 1}


def test_notices_of_a_rejected_record_are_not_counted() -> None:
    def use(record: Any) -> Any:
        raise Rejected("no-messages")

    notices: Counter[str] = Counter()
    with pytest.raises(Rejected):
        Decoder().read(b'{"a": NaN}', notices, use)
    assert not notices


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"", "json-invalid", "byte 0"),
        (b'{"a": "\xc3\xa9", x}', "json-invalid", "byte 12"),
        (b'{"a": 1},,', "json-invalid", "the second begins at byte 8"),
        (b'{"a": 1,},', "json-invalid", "byte 8"),
        (b'{"a": [{}, {},', "json-truncated", "byte 13"),
        (b'{"a": 1}{"b": 2}', "json-invalid", "the second begins at byte 8"),
        (b'{"a": "\x01"}', "json-invalid", "stopped"),
        (b"null", "not-an-object", ""),
        (b'{"a": "\x00\x00"}', "nul-bytes", "NUL bytes in the line: 2"),
    ],
)
def test_named(data: bytes, code: str, said: str) -> None:
    with pytest.raises(Rejected) as caught:
        Decoder().read(data, Counter(), plain)
    assert caught.value.code == code
    assert said in caught.value.reason


def test_an_error_in_use_leaves_the_decoder_usable() -> None:
    decoder = Decoder()
    kept = []

    def use(record: Any) -> Any:
        kept.append(record)  # a view that stays alive blocks the parser
        raise Rejected("no-messages")

    for _ in range(3):
        with pytest.raises(Rejected):
            decoder.read(b'{"a": 1}', Counter(), use)
    assert decoder.read(b'{"a": 1}', Counter(), plain) == {"a": 1}


def test_the_limit_of_nesting() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert shallow(deep) == deep
    with pytest.raises(Rejected):
        shallow({"a": deep})


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=5), values, max_size=5), st.booleans())
@settings(max_examples=200, deadline=None)
def test_both_readers_agree(record: dict[str, Any], ascii: bool) -> None:
    data = json.dumps(record, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    fast = Decoder().read(data, Counter(), plain)
    slow, _ = tolerant(data)
    assert json_text(fast) == json_text(slow)


@given(values)
@settings(max_examples=100, deadline=None)
def test_json_text_is_strict(value: Any) -> None:
    def refuse(constant: str) -> Any:
        raise AssertionError(constant)

    if not _finite(value):
        return
    assert json.loads(json_text(value), parse_constant=refuse) == value


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    return all(map(_finite, value)) if isinstance(value, list) else True


def test_a_comma_after_the_object_is_told_once() -> None:
    decoder, notices = Decoder(), Counter[str]()
    assert [decoder.value(line, notices) for line in (b'{"a": 1},\n', b'{"a": 2}, \r\n', b'{"a": 3}')] == [
        {"a": 1}, {"a": 2}, {"a": 3},
    ]  # fmt: skip
    assert notices == {"trailing-comma": 1}
