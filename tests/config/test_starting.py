from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib import stats
from calib.config import Config, Limits, load, write_commented
from calib.config.starting import round_above, text
from calib.errors import UsageError
from calib.gate import judge
from calib.results import Counts, Sweep, Tally, Unknown
from calib.sweep import sweep
from calib.tools import Map
from tests.sweeps import HOSTILE, known_of, note, pencil, scored, sweep_of

NOTE = sweep_of(note())
PENCIL = sweep_of(pencil())


def read_back(written: str) -> Config:
    with TemporaryDirectory() as folder:
        (Path(folder) / "calib.toml").write_text(written)
        return load(None, Path(folder))


def test_the_notes_point_and_what_holds_for_it() -> None:
    config = read_back(write_commented(NOTE))
    assert config == Config(
        point=NOTE.point,
        chosen="before",
        calibrated_on=NOTE.data[:12],
        rule="closest_pass",
        limits=Limits(
            max_false_fires=0,
            min_caught=30,
            min_plateau_width={"repeated_plan": 16, "search_run": 9},
            max_false_fire_rate=0.0075,
        ),
    )


def test_the_gate_passes_at_once_and_on_the_point_as_configured() -> None:
    config = read_back(write_commented(NOTE))
    again = sweep(scored(note()), at=config.point, chosen=config.chosen, confidence=config.confidence)
    assert [judge(found, known_of(found), config).verdict for found in (NOTE, again)] == ["PASS", "PASS"]


def test_every_line_that_is_commented_out_is_valid_too() -> None:
    written = write_commented(NOTE)
    keys = [line.removeprefix("# ") for line in written.split("\n") if line.startswith("# ") and " = " in line]
    offered = [line for line in keys if line.split(" = ")[0].isidentifier()]
    assert [line.split(" = ")[0] for line in offered] == [
        "where", "exclude", "min_caught_rate", "max_other_fire_rate", "min_passed", "min_turn_limit", "max_rejected",
        "reads",
    ]  # fmt: skip
    for line in offered:
        written = written.replace(f"# {line}", line)
    config = read_back(written)
    assert None not in vars(config.limits).values()
    assert (config.where, config.exclude) == (("n_turns > 3",), ("arm=always-strip",))
    assert (config.tools.reads, config.tools.only) == (("mcp__fs__*", "bash:cat"), False)


def test_options_of_the_sweep_travel_along() -> None:
    asked: dict[str, Any] = {
        "where": ("model = 'a\"b\\\\'", "n_turns > 3"),
        "exclude": ("note=\x1b]0;é\U0001f480",),
    }
    names = (*HOSTILE[:8], "x" * 900)
    written = write_commented(PENCIL, **asked, placing=Map.exactly(names))
    config = read_back(written)
    assert (config.where, config.exclude) == tuple(asked.values())
    assert config.tools == Map.exactly(names)
    assert "\x1b" not in written


def test_what_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(UsageError, match=r"^--init: the options are too long"):
        write_commented(PENCIL, placing=Map(reads=("z" * 1_000,)))
    with pytest.raises(UsageError, match=r"^--init: the options are too long"):
        write_commented(PENCIL, exclude=("task=" + "z" * 900,) * 80)


@given(st.text(max_size=30))
def test_any_text_can_be_written(value: str) -> None:
    import tomllib

    assert tomllib.loads(f"x = {text(value)}")["x"] == value


@pytest.mark.parametrize("label", ["turn_limit", "passed"])
def test_a_missing_label_sets_no_limit_on_it(label: str) -> None:
    labels = [each for each in ("turn_limit", "passed", "failed") if each != label]
    found = sweep_of(note(labels=labels))
    limits = read_back(write_commented(found)).limits
    assert (limits.min_caught is None) == (label == "turn_limit")
    assert (limits.max_false_fires is None, limits.max_false_fire_rate is None) == (label == "passed",) * 2


@pytest.mark.parametrize(
    ("share", "limit"),
    [(0.00745, "0.0075"), (0.0075, "0.0075"), (0.00751, "0.01"), (0.1, "0.1"), (0.74, "0.75"), (0.9, "None")],
)
def test_round_limits(share: float, limit: str) -> None:
    assert str(round_above(share)) == limit


def with_counts(caught: int, missed: int, false_fires: int, silent: int, unknown: int) -> Sweep:
    passed = false_fires + silent
    return replace(
        PENCIL,
        counts=Counts(caught + missed, passed, 1),
        tally=Tally(caught, missed, false_fires, 0),
        unknown=Unknown(passed=min(unknown, silent)),
    )


counted = st.integers(0, 60)


@settings(max_examples=60, deadline=None)
@given(counted, counted, counted, st.integers(0, 700), st.integers(0, 3))
def test_what_is_written_never_fails_on_what_it_was_written_from(
    caught: int, missed: int, false_fires: int, silent: int, unknown: int
) -> None:
    found = with_counts(caught, missed, false_fires, silent, unknown)
    verdict = judge(found, known_of(found), read_back(write_commented(found)))
    idle = missed > 0 and not caught and found.counts.passed > 0  # a limit on false fires that nothing bears out
    open_ones = [limit for limit in verdict.limits if limit.verdict != "PASS"]
    assert [(limit.name, limit.verdict) for limit in open_ones] == [("min_caught", "INCONCLUSIVE")] * idle


def test_a_point_that_catches_nothing_gets_no_fewest_caught() -> None:
    idle = replace(NOTE, tally=replace(NOTE.tally, caught=0, missed=30))
    assert "\nmin_caught = 30\n" in write_commented(NOTE)
    assert "\n# min_caught = 1   (nothing is caught now" in write_commented(idle)


def test_a_rate_that_would_assure_nobody_is_not_written() -> None:
    few = replace(NOTE, counts=replace(NOTE.counts, passed=20))
    assert "\nmax_false_fire_rate = 0.0075\n" in write_commented(NOTE)
    assert "\n# max_false_fire_rate = 0.01   (too few passed episodes" in write_commented(few)


def test_checks_and_unit_stay_and_the_limit_is_above_the_bound_of_one_of_so_many_checks() -> None:
    weekly = Config(checks=52)
    config = read_back(write_commented(NOTE, settings=weekly))
    assert (config.checks, config.unit) == (52, "episode")
    assert config.limits.max_false_fire_rate is not None
    assert config.limits.max_false_fire_rate >= stats.adjusted_upper(0, 635, 2, weekly.alpha) > 0.0075
    by_task = read_back(write_commented(NOTE, settings=Config(unit="task")))
    assert (by_task.unit, by_task.limits.max_false_fire_rate) == ("task", None)
