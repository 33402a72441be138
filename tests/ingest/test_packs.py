"""Many small sources share parts: the same rows and accounts as alone, the same bytes whatever came first."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calib.check import check
from calib.corpus import open_corpus
from calib.errors import CalibError, CorpusError, NothingMatched
from calib.ingest import ingest
from calib.ingest.grouping import leaves
from tests.cli_faults.running import tree
from tests.ingest.dumping import Made, dumped, episode, line, made

MANY = {f"s{at:02}": line(episode(f"e{at}", ["p" * at, "q"], outcome="pass" if at % 2 else "fail")) for at in range(12)}
ODD = {"empty": b"", "bad": b"oops\n", "torn": MANY["s03"] + b'{"messages": [', "again": MANY["s04"], "blank": b"\n\n"}


@pytest.fixture(autouse=True)
def small_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.ingest.grouping.FEW", 2)
    monkeypatch.setattr("calib.ingest.grouping.MOST", 3)


def parts_of(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = open_corpus(folder).manifest["parts"]
    return found


def rows_of(found: Made) -> dict[str, list[str]]:
    return {table: sorted(map(str, found.rows(table))) for table in ("episodes", "turns", "calls", "rejects")}


@pytest.mark.parametrize("options", [{}, {"text": False}, {"redact": True}])
def test_packed_or_alone_the_rows_and_accounts_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    files = MANY | ODD
    packed = made(tmp_path / "packed", files, **options)
    monkeypatch.setattr("calib.ingest.grouping.FEW", 100)
    alone = made(tmp_path / "alone", files, **options)
    assert len(parts_of(packed.folder)) < len(files) - 1 <= len(parts_of(alone.folder)) + 1
    assert rows_of(packed) == rows_of(alone)
    assert [open_corpus(one.folder).manifest["sources"] for one in (packed, alone)].count(
        open_corpus(packed.folder).manifest["sources"]
    ) == 2
    assert packed.summary == alone.summary
    assert check(packed.folder).findings == check(alone.folder).findings == ()


def test_a_grown_file_makes_its_own_pack_anew_and_no_other(tmp_path: Path) -> None:
    before = made(tmp_path, MANY)
    kept = {part["part"] for part in parts_of(before.folder)}
    home = next(part for part in parts_of(before.folder) if "s05" in part["members"])
    grown = made(tmp_path, MANY | {"s05": MANY["s05"] + line(episode("new"))})
    assert grown.summary.grown == ("s05",)
    assert len(grown.summary.unchanged) == 11
    assert kept - {part["part"] for part in parts_of(grown.folder)} == {home["part"]}


def test_one_named_file_takes_the_others_of_its_pack_along(tmp_path: Path) -> None:
    made(tmp_path, MANY)
    grown = MANY["s05"] + line(episode("new"))
    after = made(tmp_path, {"s05": grown})
    assert after.summary.grown == ("s05",)
    assert after.summary.sources == 12
    assert tree(after.folder) == tree(made(tmp_path / "fresh", MANY | {"s05": grown}).folder)


def test_a_file_beyond_the_few_packs_those_that_stood_alone(tmp_path: Path) -> None:
    made(tmp_path, {"s00": MANY["s00"], "s01": MANY["s01"]})
    assert all("members" not in part for part in parts_of(tmp_path / "corpus"))
    after = made(tmp_path, {"s02": MANY["s02"]})
    assert [sorted(part["members"]) for part in parts_of(after.folder)] == [["s00", "s01", "s02"]]
    fresh = made(tmp_path / "fresh", {name: MANY[name] for name in ("s00", "s01", "s02")})
    assert tree(after.folder) == tree(fresh.folder)


@pytest.mark.parametrize("left", [1, 2, 3, 9])
def test_renamed_files_leave_their_packs(tmp_path: Path, left: int) -> None:
    folder = dumped(tmp_path / "dump", dict(list(MANY.items())[:left]))
    for at in range(3):
        (folder / f"t{at}").write_bytes(line(episode(f"r{at}")))
    ingest([folder], tmp_path / "c", workers=1)
    whole = b"".join((folder / f"t{at}").read_bytes() for at in range(3))
    for at in range(3):
        (folder / f"t{at}").unlink()
    (folder / "one").write_bytes(whole)
    ingest([folder], tmp_path / "c", workers=1)
    ingest([folder], tmp_path / "fresh", workers=1)
    assert tree(tmp_path / "c") == tree(tmp_path / "fresh")


def test_what_stood_in_a_pack_stands_alone_when_few_are_left(tmp_path: Path) -> None:
    """The last run names one file of the folder's; the other is copied out of its pack."""
    folder = dumped(tmp_path / "dump", {"a": line(episode("x")), "b": line(episode("y"))})
    other = dumped(tmp_path / "other", {"o": MANY["s01"]})
    ingest([folder, other], tmp_path / "c", workers=1)
    assert "members" in parts_of(tmp_path / "c")[0]
    (folder / "a").unlink()
    (folder / "b").write_bytes(line(episode("x")) + line(episode("y")))
    ingest([folder], tmp_path / "c", workers=1)
    ingest([folder, other], tmp_path / "fresh", workers=1)
    assert tree(tmp_path / "c") == tree(tmp_path / "fresh")


def test_workers_and_order_change_nothing(tmp_path: Path) -> None:
    dumps = dumped(tmp_path / "dumps", MANY | ODD)
    names = [dumps / name for name in MANY | ODD]
    ingest(names, tmp_path / "1", workers=1)
    ingest(names[::-1], tmp_path / "2", workers=2)
    assert tree(tmp_path / "1") == tree(tmp_path / "2")


def test_the_same_again_writes_nothing(tmp_path: Path) -> None:
    first = made(tmp_path, MANY | ODD)
    before = {path: path.stat().st_mtime_ns for path in first.folder.rglob("*") if path.is_file()}
    again = made(tmp_path, MANY | ODD)
    assert {path: path.stat().st_mtime_ns for path in first.folder.rglob("*") if path.is_file()} == before
    assert len(again.summary.unchanged) == len(MANY | ODD)
    assert again.summary.messages == ()


def damage(folder: Path, source: str) -> None:
    part = next(part for part in parts_of(folder) if source in part["members"])
    path = folder / part["tables"]["turns"]["file"]
    path.write_bytes(path.read_bytes()[:-1] + b"\x00")


def test_a_damaged_pack_is_read_again(tmp_path: Path) -> None:
    before = tree(made(tmp_path, MANY).folder)
    damage(tmp_path / "corpus", "s05")
    again = made(tmp_path, MANY)
    assert tree(again.folder) == before
    assert "s05" in again.summary.remade
    assert len(again.summary.remade) < len(MANY)


def test_a_damaged_pack_needs_all_its_sources(tmp_path: Path) -> None:
    made(tmp_path, MANY)
    damage(tmp_path / "corpus", "s05")
    home = next(
        part for part in json.loads((tmp_path / "corpus/calib.json").read_text())["parts"] if "s05" in part["members"]
    )
    assert len(home["members"]) > 1
    with pytest.raises(CorpusError, match="is damaged, and is needed now; name it too"):
        made(tmp_path, {"s05": MANY["s05"]})


def test_other_options_make_the_parts_of_unchanged_sources_anew(tmp_path: Path) -> None:
    made(tmp_path, MANY)
    bare = made(tmp_path, MANY, text=False)
    assert bare.summary.remade == tuple(MANY)
    assert bare.summary.unchanged == ()


@pytest.mark.parametrize("first", [["s00", "s03"], ["s03", "s11", "s07"]])
def test_labels_are_joined_once(tmp_path: Path, first: list[str]) -> None:
    table = tmp_path / "labels.csv"
    table.write_text("episode_id,outcome\n" + "".join(f"e{at},{'passed' if at % 3 else 'failed'}\n" for at in range(9)))
    made(tmp_path, {name: MANY[name] for name in first}, labels=table)
    rest = {name: data for name, data in MANY.items() if name not in first}
    steps = made(tmp_path, rest, labels=table)
    whole = made(tmp_path / "whole", MANY, labels=table)
    assert tree(steps.folder) == tree(whole.folder)


def test_progress_counts_the_bytes_of_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.ingest.bundles.LOOKED", 2)
    every: list[tuple[str, int, int | None]] = []
    made(tmp_path, MANY, progress=lambda done, size, what: every.append((what, done, size)))
    size = sum(map(len, MANY.values()))
    looked = [(done, of) for what, done, of in every if what == "looking into files"]
    told = [(done, of) for what, done, of in every if not what]
    assert [what for what, _, _ in every] == ["looking into files"] * len(looked) + [""] * len(told)
    assert looked == sorted(looked)
    assert (len(looked), looked[-1][1]) == (len(MANY) // 2, size)
    assert told == sorted(told)
    assert told[-1] == (size, size)


@given(st.dictionaries(st.sampled_from([f"é{at}" for at in range(60)]), st.integers(0, 1 << 17), max_size=40))
@settings(max_examples=100, deadline=None)
def test_groups_hold_every_source_once_and_no_more_than_they_may(sizes: dict[str, int]) -> None:
    from calib.ingest.grouping import HEAVIEST, MOST

    found = leaves(sizes)
    assert sorted(name for names in found for name in names) == sorted(sizes)
    assert all(len(names) <= MOST and sum(sizes[name] for name in names) <= HEAVIEST for names in found)
    assert leaves(dict(reversed(sizes.items()))) == found


@given(st.sets(st.integers(0, 500), min_size=1, max_size=30), st.integers(0, 500))
@settings(max_examples=50, deadline=None)
def test_one_more_source_changes_one_group(names: set[int], more: int) -> None:
    before = set(leaves({str(name): 1 for name in names}))
    after = set(leaves({str(name): 1 for name in names | {more}}))
    assert len(before - after) <= 1


EPISODES = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["", "p", "pq"])), max_size=2)
CONTENT = st.builds(
    lambda episodes, odd: b"".join(line(episode(name, list(plans))) for name, plans in episodes) + odd,
    EPISODES, st.sampled_from([b"", b"", b"oops\n", b"\n", b'{"mess']),
)  # fmt: skip
STEPS = st.lists(st.dictionaries(st.sampled_from("ABCDEFG"), CONTENT, min_size=1, max_size=4), min_size=1, max_size=5)


@given(steps=STEPS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_history_leaves_no_trace(tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, bytes]]) -> None:
    """Runs over some of the files, in any order of contents; the corpus is that of one run over what was read last."""
    root = tmp_path_factory.mktemp("history")
    last: dict[str, bytes] = {}
    for step in steps:
        step = {name: line(episode(f"own {name}")) + data for name, data in step.items()}
        before = tree(root / "corpus") if last else None
        try:
            made(root, step)
        except NothingMatched:
            continue
        except CalibError:  # a dump shares ids with one that is not named
            assert before is not None
            assert tree(root / "corpus") == before
            continue
        last |= step
        assert check(root / "corpus").findings == ()
    if any(b"messages" in data for data in last.values()):
        assert tree(root / "corpus") == tree(made(root / "fresh", last).folder)


def test_reasoning_is_counted_by_format_and_kind_packed_or_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan in a field of its own is `native`, one in `<think>` is `inline`, a missing one `absent`."""
    inline = {"role": "assistant", "content": "<think>a</think>b"}
    chat = line({"role": "user", "content": "go"}) + line(inline) + line({"role": "assistant", "content": "c"})
    files = {"a": line(episode("a", ["p", None, "p"])), "b": chat, "c": line(episode("c", ["p"]))}
    packed = made(tmp_path / "packed", files)
    assert [sorted(part["members"]) for part in parts_of(packed.folder)] == [["a", "b", "c"]]
    wanted = {"episode_lines": {"absent": 1, "native": 3}, "message_lines": {"absent": 1, "inline": 1}}
    assert packed.summary.reasoning == wanted
    assert [part["reasoning"] for part in parts_of(packed.folder)] == [wanted]
    assert check(packed.folder).findings == ()
    monkeypatch.setattr("calib.ingest.grouping.FEW", 100)
    assert made(tmp_path / "alone", files).summary.reasoning == wanted


def test_limits_that_are_no_positives_are_counted_packed_or_alone_and_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps of mini-swe-agent are turns, money is none: which limit it was, the number of turns tells."""
    files = {
        "a": line(episode("a", "p", stop_reason="LimitsExceeded", turn_limit=1, outcome="fail")),
        "b": line(episode("b", "p", stop_reason="LimitsExceeded", turn_limit=2, outcome="fail")),
        "c": line(episode("c", "p", stop_reason="LimitsExceeded", outcome="fail")),
        "d": line(episode("d", "p", outcome="fail")),
    }
    (tmp_path / "l.csv").write_text("episode_id,stop_reason\nd,max_steps\n")
    packed = made(tmp_path / "packed", files)
    assert (packed.summary.stops, packed.summary.labels) == ({"cost_limit": 1}, {"failed": 3, "turn_limit": 1})
    joined = made(tmp_path / "joined", files, labels=tmp_path / "l.csv")
    assert joined.summary.stops == {"cost_limit": 1, "step_limit": 1}
    assert check(packed.folder).findings == check(joined.folder).findings == ()
    monkeypatch.setattr("calib.ingest.grouping.FEW", 100)
    assert made(tmp_path / "alone", files).summary.stops == {"cost_limit": 1}
