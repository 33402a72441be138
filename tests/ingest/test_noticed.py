"""Where a notice was made: the first three lines of each code and source."""

from pathlib import Path

from calib.corpus import open_corpus
from calib.ingest.noticed import Noticed
from calib.reports.account import render
from tests.ingest.dumping import episode, line, made

PLAIN, TWICE = (
    line(episode("x")),
    line(episode("y")).replace(b'{"episode_id"', b'{"task": "a", "task": "b", "episode_id"'),
)


def test_the_first_three_lines_are_kept_and_printed(tmp_path: Path) -> None:
    dump = PLAIN + b"".join(TWICE.replace(b'"y"', b'"y%d"' % at) for at in range(5))
    found = made(tmp_path, {"d": dump, "plain": line(episode("z"))})
    kept, plain = open_corpus(found.folder).manifest["sources"]
    assert (kept["notices"], kept["notice_lines"]) == ({"duplicate-key": 5}, {"duplicate-key": [2, 3, 4]})
    assert plain["notice_lines"] == {}
    assert "noticed  duplicate-key: 5 times, kept (d: lines 2, 3, 4, …)" in render(found.summary)


def test_lines_count_over_the_ranges_of_a_file(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("calib.ingest.run.RANGE", 300)
    found = made(tmp_path, {"d": PLAIN * 4 + TWICE})
    (source,) = open_corpus(found.folder).manifest["sources"]
    assert source["notice_lines"] == {"duplicate-key": [5]}
    assert "(d: line 5)" in render(found.summary)


def test_counts_from_another_counter_have_the_place_too() -> None:
    found = Noticed()
    found.line = 4
    found.update({"bom": 2})
    found.update(["bom", "bom"])
    assert (found["bom"], found.places) == (4, {"bom": [4]})
