"""Failing results without their times: what goes, what stays, which are the same, and that long ones take no longer."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.times import Failures, without_times
from tests.timeless import timeless

PIECES = (
    *("0", "1", "12", "59", "03", "44", "3", ".", ",", ":", "s", "ms", "µs", " ", "m", "h", "min", "sec", "seconds"),
    *("in ", "after ", "took ", "(", ")", "[", "]", "< ", "=", "====", "\n", "\r\n", "\t", "\\t", "T", "_", "-", "/"),
    *("%", "a", "é", "e-", "duration", "_ms", "Elapsed", '"', 'time="', "real", "user", ", estimated ", "2 s", "0.03s"),
    *("12:03:44", "0:01.25", "x", ">", "1m2.3s", "hour", "\0"),
)


def made(pieces: list[str]) -> str:
    return "".join(pieces)


TEXTS = st.lists(st.sampled_from(PIECES), max_size=10).map(made)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 failed in 0.03s", "1 failed in 0.12s"),
        ("==== 1 failed in 9.98s ====", "=== 1 failed in 65.02s (0:01:05) ==="),
        ("Ran 3 tests in 0.002s\n\nFAILED (failures=1)", "Ran 3 tests in 1.040s\n\nFAILED (failures=1)"),
        ("--- FAIL: TestA (0.00s)\nFAIL\tpkg\t0.412s", "--- FAIL: TestA (0.01s)\nFAIL\tpkg\t0.398s"),
        (r"--- FAIL: TestA (0.00s)\nFAIL\tpkg\t0.412s\n", r"--- FAIL: TestA (0.01s)\nFAIL\tpkg\t0.398s\n"),
        ("Time:        1.2 s, estimated 2 s", "Time:        0.9 s"),
        ("  ✕ adds (2 ms)", "  ✕ adds"),
        ("Failed Adds [< 1 ms]", "Failed Adds [12 ms]"),
        ("[INFO] Total time:  01:02 min", "[INFO] Total time:  59.123 s"),
        ("BUILD FAILED in 3s", "BUILD FAILED in 1m 2s"),
        ("test result: FAILED. 1 failed; finished in 0.00s", "test result: FAILED. 1 failed; finished in 12.01s"),
        ("real\t0m0.003s\nuser\t0m0.001s", "real\t0m0.010s\nuser\t0m0.002s"),
        ("real 0.03\nuser 0.01\nsys 0.00\n", "real 0.12\nuser 0.02\nsys 0.01\n"),
        ("0:00.30elapsed", "0:01.02elapsed"),
        ("[12:03:44] FAIL", "[12:03:59] FAIL"),
        ("2026-10-27T12:03:44.512Z error", "2026-10-27T12:04:00.001Z error"),
        ("Time: 00:00.012, Memory: 6.00 MB", "Time: 00:00.030, Memory: 6.00 MB"),
        ('{"Action":"fail","Elapsed":0.01}', '{"Action":"fail","Elapsed":0.02}'),
        ('<testcase time="0.003" line="3">', '<testcase time="0.010" line="3">'),
        ("# duration_ms 45.2", "# duration_ms 46"),
        ("\x1b[31m1 failed\x1b[0m in \x1b[33m0.03s\x1b[0m", "\x1b[31m1 failed\x1b[0m in \x1b[33m0.04s\x1b[0m"),
    ],
)
def test_the_same_failure_at_another_time(one: str, other: str) -> None:
    assert without_times(one) == without_times(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3 failed in 0.03s", "2 failed in 0.03s"),
        ("test_a.py:12: AssertionError in 0.03s", "test_a.py:13: AssertionError in 0.03s"),
        ("a.c:12:30:45: error", "a.c:12:30:46: error"),
        ("  12:34  error  'x' is not defined", "  12:35  error  'x' is not defined"),
        ("<Node at 0x7f00a0>", "<Node at 0x7f00b0>"),
        ("job 1f3a9c2 failed", "job 1f3a9c3 failed"),
        ("goroutine 12 [running]", "goroutine 13 [running]"),
        ("expected 3, got 2 steps", "expected 3, got 1 steps"),
        ("all 7s", "all 8s"),
        ("columns with 1s", "columns with 2s"),
        ("%5s of v1.5s in log-10s.txt", "%6s of v1.5s in log-10s.txt"),
        ("%5s of v1.5s in log-10s.txt", "%5s of v1.6s in log-10s.txt"),
        ("%5s of v1.5s in log-10s.txt", "%5s of v1.5s in log-11s.txt"),
        ("2026-10-27 12:03:44 no such file", "2026-10-28 12:03:44 no such file"),
        ("at 12:34:56:78:9a:bc", "at 12:34:57:78:9a:bc"),
        ("=== a ===", "==== a ===="),
    ],
)
def test_another_failure(one: str, other: str) -> None:
    assert without_times(one) != without_times(other)


@given(TEXTS)
@settings(max_examples=1_000)
def test_what_goes_is_what_the_slow_reading_takes(text: str) -> None:
    assert without_times(text) == timeless(text)


RESULTS = st.sampled_from(
    ["", "1 failed in 0.03s", "1 failed in 0.04s", "2 failed in 0.03s", "a\nb 1.0s", "a\nb 2.0s", "a\nc 2.0s", "in"]
)


@given(st.lists(RESULTS | TEXTS, max_size=12))
@settings(max_examples=300)
def test_the_first_failure_of_its_kind(results: list[str]) -> None:
    failures = Failures()
    kinds = [timeless(result) for result in results]
    assert [failures.first(result, at) for at, result in enumerate(results)] == [kinds.index(kind) for kind in kinds]


@pytest.mark.parametrize(
    "unit",
    ["1", "1.", "1,", "1:", "12:0", "1m", "1 m ", "1, ", "1 min ", "12:03:4", "=", "=1s ", "\0", "duration: ", "(1s"],
)
def test_a_result_without_end_takes_linear_time(unit: str) -> None:
    start = time.process_time()
    without_times(unit * (1_000_000 // len(unit)))
    assert time.process_time() - start < 10


def test_one_failure_runs_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("calib.times.without_times")
    failures = Failures()
    assert [failures.first(text, at) for at, text in enumerate(["a 1s", "a\nb 1s", "a 1s", "a\nb\nc"])] == [0, 1, 0, 3]
    with pytest.raises(NameError):
        failures.first("a 2s", 4)
