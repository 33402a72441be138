"""Labels beside a dump: what disagrees is counted as a notice of its source, and the corpus stays sound."""

from pathlib import Path

from calib.check import check
from calib.corpus import open_corpus
from calib.ingest import ingest


def test_a_conflict_is_a_notice_of_its_source(tmp_path: Path) -> None:
    lines = [f'{{"episode_id": "{name}", "outcome": "fail", "messages": []}}\n' for name in "ab"]
    (tmp_path / "d.jsonl").write_text("".join(lines))
    (tmp_path / "l.csv").write_text("episode_id,outcome\na,pass\nb,fail\n")
    ingest([tmp_path / "d.jsonl"], tmp_path / "corpus", labels=tmp_path / "l.csv")
    corpus = open_corpus(tmp_path / "corpus")
    assert [source["notices"] for source in corpus.manifest["sources"]] == [{"label-conflict": 1}]
    (frame,) = corpus.read("episodes", ["label", "label_source"])
    assert frame.rows() == [("unlabelled", "conflict"), ("failed", "dump")]
    assert check(corpus.path).findings == ()
