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


def test_a_notice_fits_the_page(tmp_path: Path) -> None:
    noticed = (("folder/" + "x" * 60, "label-conflict", 9, (1, 20, 300)),)
    shown = render(summary(tmp_path, notices={"label-conflict": 9}, noticed=noticed)).splitlines()
    assert max(map(len, shown)) <= 80
    assert "  noticed  label-conflict: 9 times, kept" in [line.partition(" (")[0] for line in shown]
