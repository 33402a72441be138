"""Workers: how many, when they start, and that how they were started changes nothing."""

from pathlib import Path

import pytest

from calib.ingest import crew, ingest
from calib.ingest.crew import Crew, glance
from tests.cli_faults.running import tree
from tests.corpus import episode_lines, pencil


def test_a_glance_adds_up_files_and_the_first_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "GLANCE", 3)
    (tmp_path / "inner").mkdir()
    for at in range(5):
        (tmp_path / "inner" / f"{at}").write_bytes(b"12345")
    (tmp_path / "file").write_bytes(b"1234567")
    assert glance([tmp_path / "inner", str(tmp_path / "file"), "-", tmp_path / "missing"]) == 3 * 5 + 7


@pytest.mark.parametrize("forks", [True, False])
def test_forked_or_started_one_by_one_workers_give_the_same_corpus(
    tmp_path: Path, forks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    dumps = [tmp_path / f"{name}.jsonl" for name in ("one", "two", "three")]
    for at, dump in enumerate(dumps):
        dump.write_bytes(episode_lines(pencil()[at::3]))
    monkeypatch.setattr("calib.ingest.plan.SMALL", 0)  # so that each file is a unit of its own
    monkeypatch.setattr("calib.ingest.start.SMALL", 0)  # so that workers start before anything else
    monkeypatch.setattr(crew, "FORKS", forks)
    leaders: list[int] = []

    def counted(self: Crew, count: int) -> None:
        start(self, count)
        leaders.append(len(self._leaders))

    start = Crew.start
    monkeypatch.setattr(Crew, "start", counted)
    ingest(dumps, tmp_path / "together", workers=3)
    assert leaders == [1 if forks else 3] * 2
    ingest(dumps, tmp_path / "alone", workers=1)
    assert tree(tmp_path / "together") == tree(tmp_path / "alone")


def test_workers_that_got_no_work_are_ended() -> None:
    with Crew(bare=True) as crew:
        crew.start(2)
        (leader,) = crew._leaders
    assert leader.returncode == 0
    assert crew.workers == []


def test_one_worker_is_none_for_this_process_does_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.ingest.start.SMALL", 0)
    monkeypatch.setattr(crew, "_started", lambda *_: pytest.fail("a process was started"))
    (tmp_path / "one.jsonl").write_bytes(episode_lines(pencil()))
    ingest([tmp_path / "one.jsonl"], tmp_path / "corpus", workers=1)
