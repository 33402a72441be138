"""The episodes a point was chosen on: recorded by content, found again, and later peaks held against theirs."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import msgspec
import polars as pl
import pytest

from calib.calibration import (
    Record,
    held_against,
    read_record,
    record_of,
    record_path,
    seen_before,
    write_record,
)
from calib.errors import ConfigurationError
from calib.results import Drift, Mix
from calib.score import Scored
from calib.sweep import sweep
from calib.tools import Map
from tests.sweeps import Drawn, pencil, scored


def with_digests(drawn: list[Drawn], prefix: str = "") -> Scored:
    """Score drawn episodes; the digest of each is its id, spelled in 32 hexadecimal digits, after a prefix."""
    made = scored(drawn)
    digests = [(prefix + name.encode().hex()).ljust(32, "0") for name in made.episodes["episode_id"]]
    episodes = made.episodes.with_columns(digest=pl.Series(digests, dtype=pl.String))
    return Scored(episodes, made.reach, made.observable, 0, {}, made.placing, made.lost)


PENCIL = with_digests(pencil())
RECORD = record_of(PENCIL, sweep(PENCIL))


def test_the_record_holds_what_was_chosen_and_the_highest_passes_that_could_be_seen() -> None:
    assert (RECORD.rule, RECORD.point) == ("closest_pass", {"repeated_plan": 5, "search_run": 10})
    assert {name: (each.episodes, each.highest) for name, each in RECORD.passed.items()} == {
        "repeated_plan": (7, 4),
        "search_run": (8, 9),
    }
    assert RECORD.episodes == sorted(RECORD.episodes)
    assert len(RECORD.episodes) == 14


def test_it_is_read_back_as_it_was(tmp_path: Path) -> None:
    path = record_path(tmp_path / "calib.toml")
    assert read_record(path, RECORD.data) is None
    path.write_bytes(write_record(RECORD))
    assert read_record(path, RECORD.data[:12]) == RECORD
    assert write_record(RECORD) == write_record(record_of(PENCIL, sweep(PENCIL)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}", "expected the record that calib report --init writes, found another file; write it again"),
        (b"[" * 100_000, "expected the record that"),
        (b"\xff", "expected the record that"),
        (write_record(RECORD).replace(b'"schema_version": 1', b'"schema_version": 2'), "was written with schema 2"),
        (write_record(RECORD), "expected the record of calibrated_on abcabcabcabc, found another; write both"),
    ],
)
def test_what_is_not_the_record_is_said_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "calib.calibrated.json").write_bytes(content)
    with pytest.raises(ConfigurationError, match=f"calib.calibrated.json: {said}") as caught:
        read_record(tmp_path / "calib.calibrated.json", "abcabcabcabc")
    assert "\n" not in str(caught.value)


def test_an_episode_is_found_by_content_whatever_it_is_called() -> None:
    renamed = [Drawn(f"x{one.episode_id}", one.label, one.n_turns, one.ramps) for one in pencil()[:3]]
    later = with_digests(renamed)
    fresh = later.episodes.with_columns(
        digest=pl.Series([name.encode().hex().ljust(32, "0") for name in ("L1", "L2", "new")])
    )
    later = Scored(fresh, later.reach, later.observable, 0, {}, later.placing, later.lost)
    assert seen_before(RECORD, later).tolist() == [True, True, False]
    assert held_against(RECORD, later, 0.05).shared == 2
    assert held_against(RECORD, with_digests(pencil(), "ff"), 0.05).shared == 0


def test_an_episode_without_a_turn_is_like_every_other_and_so_is_never_recognised() -> None:
    empty = with_digests([Drawn("E", "unlabelled", 0, ((0, 0), (0, 0)))])
    record = record_of(empty, sweep(empty))
    assert record.episodes == []
    assert not seen_before(RECORD, empty).any()


def test_drift_counts_what_went_higher_than_every_calibrated_pass() -> None:
    later = with_digests(
        [
            Drawn("A", "passed", 20, ((1, 4), (0, 10))),
            Drawn("B", "passed", 20, ((1, 2), (0, 9))),
            Drawn("C", "passed", 20, (None, (0, 12))),
            Drawn("D", "turn_limit", 20, ((1, 19), (0, 20))),  # not passed: no part of it
        ],
        "ff",
    )
    assert held_against(RECORD, later, 0.05).drift == (
        Drift("repeated_plan", 7, 4, 2, 0, 1.0, False),
        Drift("search_run", 8, 9, 3, 2, float(Fraction(3, 55)), False),
    )


def test_nothing_passed_later_gives_no_drift() -> None:
    assert (
        held_against(RECORD, with_digests([Drawn("D", "turn_limit", 20, ((1, 19), (0, 20)))], "ff"), 0.05).drift == ()
    )


def test_a_sign_of_drift_shares_the_error_among_the_detectors() -> None:
    above = Drawn("A", "passed", 20, ((1, 4), (0, 10)))
    for alpha, sign in ((0.3, True), (0.2, False)):
        drift = held_against(RECORD, with_digests([above], "ff"), alpha).drift
        assert [(each.above, each.sign) for each in drift] == [(0, False), (1, sign)]
        assert drift[1].p == 1 / 9


def test_the_mix_of_episodes_is_set_beside_that_of_the_record() -> None:
    later = with_digests([Drawn("A", "passed", 30, ((1, 4), (0, 10))), Drawn("B", "unlabelled", 90, ((0, 0), (0, 0)))])
    held = held_against(RECORD, later, 0.05)
    assert (held.then, held.now) == (Mix(5, 8, 1, 13.5), Mix(0, 1, 0, 30.0))
    old = write_record(RECORD).replace(b'"mix"', b'"a_key_of_another_version"')
    assert msgspec.json.decode(old, type=Record).mix is None  # written before there was a mix


def test_a_rule_of_another_meaning_is_another_detector() -> None:
    def read_by(*names: str) -> Scored:
        return replace(PENCIL, placing=Map.exactly(names))

    record = record_of(read_by("read_file"), sweep(PENCIL))
    assert held_against(record, read_by("read_file"), 0.05).changed == ()
    assert held_against(record, read_by("read_file", "bash"), 0.05).changed == ("search_run",)
    assert held_against(msgspec.structs.replace(record, meanings=None), read_by("bash"), 0.05).changed == ()
