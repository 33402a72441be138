"""Faults met in the field, each a file of its own: what is kept, what is rejected where, what is counted."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.ingest.dumping import Made, made

CASES = Path(__file__).parents[1] / "data/cases"


@dataclass(frozen=True)
class Case:
    """Turns, calls, results; rejected lines; notices."""

    name: str
    counts: tuple[int, int, int]
    rejects: list[tuple[int, str]] = field(default_factory=list)
    notices: dict[str, int] = field(default_factory=dict)


LIST = [
    Case("071-truncated-last-line", (2, 1, 1), [(5, "json-truncated")]),
    Case("073-stub-glued-to-record", (1, 0, 0), [(2, "json-invalid")], {"orphan-tool-result": 1}),
    Case("076-nul-padding-line", (2, 1, 1), [(3, "nul-bytes")]),
    Case("078-blank-and-space-lines", (1, 1, 1), [(6, "json-invalid")]),
    Case("080-bom-first-record", (2, 1, 1), [], {"bom": 1}),
    Case("083-unicode-line-separators", (2, 1, 1)),
    Case("085-raw-latin1-byte", (2, 1, 1), [], {"invalid-utf8": 1}),
    Case("093-timestamps-run-backwards", (3, 2, 2), [], {"bad-timestamp": 1, "time-went-back": 2}),
    Case("094-same-second-batch", (2, 0, 0)),
    Case("097-args-truncated", (2, 2, 2), [], {"args-not-json": 2}),
    Case("100-call-id-reused-each-turn", (4, 4, 4), [], {"call-id-reused": 1}),
    Case("101-call-id-twice-in-one-turn", (1, 2, 2), [], {"call-id-duplicate": 1}),
    Case("103-legacy-function-call", (2, 1, 1)),
    Case("112-nan-and-infinity", (2, 1, 1), [], {"nonfinite-number": 1}),
    Case("115-deep-nesting", (1, 0, 0), [(2, "too-deep")], {"orphan-tool-result": 1}),
    Case("116-duplicate-keys", (2, 1, 1), [], {"duplicate-key": 1}),
    Case("121-null-first-column", (128, 0, 0)),
    Case("124-trailing-commas", (1, 1, 1), [(4, "json-invalid")], {"trailing-comma": 1}),
    Case("129-pending-call-at-cap", (6, 6, 5), [], {"missing-tool-result": 1}),
    Case("130-stop-for-format-errors", (3, 0, 0)),
]


def read(name: str, folder: Path) -> Made:
    (path,) = CASES.glob(f"{name}.*")
    return made(folder, {path.name: path.read_bytes()}, format="message_lines")


@pytest.mark.parametrize("case", LIST, ids=lambda case: case.name)
def test_case(case: Case, tmp_path: Path) -> None:
    found = read(case.name, tmp_path)
    calls = found.rows("calls")
    results = [row for row in calls if row["result_chars"] is not None]
    assert (len(found.rows("turns")), len(calls), len(results)) == case.counts
    assert [(line, code) for _, line, code in found.codes] == case.rejects
    assert found.summary.notices == case.notices


def test_every_file_is_a_case() -> None:
    names = {path.name.split(".")[0] for path in CASES.iterdir()}
    assert names == {case.name for case in LIST} | {"125-gzip-truncated"}


def test_a_truncated_gzip(tmp_path: Path) -> None:
    found = read("125-gzip-truncated", tmp_path)
    assert [row["code"] for row in found.rows("rejects")] == ["truncated-archive"]
    assert found.rows("rejects")[0]["line"] > 100


def test_what_the_cases_say_in_words(tmp_path: Path) -> None:
    same = {name: [row["same_calls_as"] for row in read(name, tmp_path / name).rows("turns")]
            for name in ("097-args-truncated", "116-duplicate-keys")}  # fmt: skip
    assert same["097-args-truncated"] == [0, 1]
    turns = read("116-duplicate-keys", tmp_path / "116").rows("turns")
    assert turns[0]["text"] == "second"
    calls = read("100-call-id-reused-each-turn", tmp_path / "100").rows("calls")
    assert [row["result_head"] for row in calls] == [f"result {at}" for at in range(4)]
    separators = read("083-unicode-line-separators", tmp_path / "083").rows("calls")
    assert {"\u2028", "\u2029", "\x85"} <= set(separators[0]["result_head"])
    states = [row["reasoning_state"] for row in read("121-null-first-column", tmp_path / "121").rows("turns")]
    assert states == ["absent"] * 120 + ["recorded"] * 8
