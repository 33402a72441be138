"""What an ingest did, as a terminal shows it."""

from dataclasses import replace
from pathlib import Path

from calib.ingest.account import Account, IngestSummary
from calib.reports.account import render
from tests.ingest.dumping import episode, line, made


def summary(tmp_path: Path, **changed: object) -> IngestSummary:
    return replace(made(tmp_path, {"d": line(episode("x"))}).summary, **changed)  # type: ignore[arg-type]


def account(kinds: int) -> Account:
    ignored = {f"k{at}": {"records": at + 1, "bytes": 10 * at} for at in range(kinds)}
    return Account(10_000, 10_000 - sum(one["bytes"] for one in ignored.values()), 0, {}, ignored)


def test_few_kinds_of_ignored_records_are_all_named(tmp_path: Path) -> None:
    shown = render(summary(tmp_path, account=account(6))).splitlines()
    assert [text for text in shown if "ignored  " in text] == [
        f"  ignored  k{at}: {at + 1} record{'s' * (at > 0)}, by design" for at in range(6)
    ]


def test_of_many_kinds_the_largest_are_named_and_the_rest_added_up(tmp_path: Path) -> None:
    shown = render(summary(tmp_path, account=account(8))).splitlines()
    assert [text for text in shown if "ignored  " in text] == [
        "  ignored  k7: 8 records, by design",
        "  ignored  k6: 7 records, by design",
        "  ignored  k5: 6 records, by design",
        "  ignored  k4: 5 records, by design",
        "  ignored  k3: 4 records, by design",
        "  ignored  3 other kinds: 6 records, 30 bytes, by design",
    ]


def test_names_of_sources_fit_the_page(tmp_path: Path) -> None:
    names = tuple(f"folder-{at}/" + "x" * 60 for at in range(7))
    shown = render(summary(tmp_path, added=names)).splitlines()
    assert max(map(len, shown)) <= 80
    assert shown[1].startswith("added      folder-0/")
    assert shown[5].endswith(" and 2 more")
    assert "added      50 % of it\n" in render(summary(tmp_path / "b", added=("50 % of it",)))


def test_a_code_of_a_reject_has_a_pointer_to_its_meaning(tmp_path: Path) -> None:
    pointer = "  calib ingest --explain CODE says what a code means and what to do about it\n"
    lost = Account(10, 0, 0, {"json-invalid": {"records": 1, "bytes": 10}}, {})
    assert render(summary(tmp_path / "a", account=lost)).endswith(pointer)
    assert render(summary(tmp_path / "c", notices={"bom": 1})).endswith(pointer)
    assert pointer not in render(summary(tmp_path / "b"))


def test_each_format_has_a_line_of_how_its_turns_show_their_reasoning(tmp_path: Path) -> None:
    forms = {"codex": {"encrypted": 1, "summary": 1_200}, "pi": {"absent": 2, "inline": 1, "native": 3}}
    shown = render(summary(tmp_path / "a", reasoning=forms)).splitlines()
    assert [text for text in shown if text.startswith("reasoning")] == [
        "reasoning  codex: 1,200 summary, 1 encrypted",
        "reasoning  pi: 3 native, 1 inline, 2 absent",
    ]
    assert "\nreasoning  none\n" in render(summary(tmp_path / "b", reasoning={}))


def test_limits_that_are_no_positives_are_counted(tmp_path: Path) -> None:
    ends = [("a", "fail", "max_steps"), ("b", None, "max_steps"), ("c", "pass", "max_steps"), ("d", "fail", "timeout")]
    dump = b"".join(line(episode(name, outcome=outcome, stop_reason=stop)) for name, outcome, stop in ends)
    found = made(tmp_path / "a", {"d": dump}).summary
    assert found.stops == {"step_limit": 2, "time_limit": 1}
    told = "stops      2 step_limit, 1 time_limit: not counted as turn_limit; --positive names them"
    assert told in render(found).splitlines()
    asked = made(tmp_path / "b", {"d": dump}, positives=("step_limit", "time_limit")).summary
    assert "stops " not in render(asked)
    assert asked.labels == {"passed": 1, "turn_limit": 3}


def test_a_notice_fits_the_page(tmp_path: Path) -> None:
    noticed = (("folder/" + "x" * 60, "label-conflict", 9, (1, 20, 300)),)
    shown = render(summary(tmp_path, notices={"label-conflict": 9}, noticed=noticed)).splitlines()
    assert max(map(len, shown)) <= 80
    assert "  noticed  label-conflict: 9 times, kept" in [line.partition(" (")[0] for line in shown]
