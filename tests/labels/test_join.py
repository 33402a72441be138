"""Which episode a row is about."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.ingest import ingest
from calib.labels import EpisodeKey, Row, Said, join, read_labels

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"

EPISODES = [
    EpisodeKey("e1", "dumps/run/7.json", "t1", "a"),
    EpisodeKey("e2", "dumps/run/8.json", "t1", "b"),
    EpisodeKey("e3", "dumps/other/7.json", "t2"),
    EpisodeKey("many:1", "dumps/many.jsonl", "t3", "a"),
    EpisodeKey("many:2", "dumps/many.jsonl", "t4", "a"),
    EpisodeKey("s", "dumps/session.jsonl"),
    EpisodeKey("s/agent", "dumps/session.jsonl", parent="s"),
]


def row(**keys: str) -> Row:
    return Row(Said("l:2", "passed"), **keys)


@pytest.mark.parametrize(
    ("keys", "fits"),
    [
        ({"episode_id": "e1"}, ["e1"]),
        ({"episode_id": "none", "source": "dumps/run/7.json"}, []),  # an id is exact
        ({"source": "dumps/run/7.json"}, ["e1"]),
        ({"source": "run/7.json"}, ["e1"]),
        ({"source": "./run/7.json"}, ["e1"]),
        ({"source": "run\\7.json"}, ["e1"]),
        ({"source": "/home/x/dumps/run/7.json"}, ["e1"]),
        ({"source": "un/7.json"}, []),
        ({"source": "7.json"}, None),
        ({"source": "7.json", "task": "t2"}, ["e3"]),
        ({"source": "8.json", "task": "another"}, ["e2"]),  # a source of one episode needs no more
        ({"source": "many.jsonl"}, None),
        ({"source": "many.jsonl", "task": "t4"}, ["many:2"]),
        ({"source": "many.jsonl", "task": "many:1"}, ["many:1"]),
        ({"source": "many.jsonl", "task": "t9"}, []),
        ({"source": "session.jsonl"}, ["s"]),
        ({"task": "t1"}, None),
        ({"task": "t1", "arm": "b"}, ["e2"]),
        ({"task": "t1", "arm": "c"}, []),
        ({"task": "t2"}, ["e3"]),
        ({"task": "t2", "arm": "a"}, []),
        ({"task": "e3"}, ["e3"]),
        ({"task": "t9"}, []),
    ],
)
def test_the_keys(keys: dict[str, str], fits: list[str] | None) -> None:
    found = join([row(**keys)], EPISODES)
    assert list(found.by_episode) == (fits or [])
    assert len(found.ambiguous) == (fits is None)
    assert len(found.unmatched_rows) == (fits == [])


BUNDLES = [
    EpisodeKey("d/last/1.json", "d/last/*"),
    EpisodeKey("d/last/2.json", "d/last/*"),
    EpisodeKey("session", "d/run/*"),
    EpisodeKey("django/7", "d/other.json"),
    EpisodeKey("8", "d/eight.json"),
]


@pytest.mark.parametrize(
    ("path", "fits"),
    [
        ("d/last/1.json", ["d/last/1.json"]),
        ("last/1.json", ["d/last/1.json"]),
        ("/home/x/d/last/2.json", ["d/last/2.json"]),
        ("d\\last\\2.json", ["d/last/2.json"]),
        ("d/last/3.json", []),
        ("x/last/1.json", []),
        ("1.json", []),  # one word is no path of an id
        ("7", []),
        ("8", ["8"]),  # but it may be the id itself
        ("x/8", []),
        ("d/last/*", None),
        ("d/last", None),
        ("d/run", ["session"]),
        ("run/", ["session"]),
        ("d/run/*", ["session"]),
        ("d/run/1.json", []),  # it may be of another session
    ],
)
def test_paths_that_are_no_source(path: str, fits: list[str] | None) -> None:
    found = join([row(source=path)], BUNDLES)
    assert list(found.by_episode) == (fits or [])
    assert len(found.ambiguous) == (fits is None)


def test_a_row_that_matches_nothing_says_what_it_names() -> None:
    rows = [row(episode_id="e\n9"), row(source="x/y.json", arm="a"), row(task="t" * 70)]
    assert join(rows, EPISODES).unmatched_rows == (
        "l:2 (episode_id e\\x0a9)", "l:2 (source x/y.json, arm a)", f"l:2 (task {'t' * 30}…{'t' * 29})",
    )  # fmt: skip


def test_both_sides_that_stay_alone_are_listed() -> None:
    found = join([row(task="t2"), row(task="t9")], EPISODES)
    assert found.unmatched_rows == ("l:2 (task t9)",)
    assert found.unmatched_episodes == ("e1", "e2", "many:1", "many:2", "s")


def test_what_fits_several_is_told() -> None:
    assert join([row(source="7.json")], EPISODES).ambiguous == (
        "l:2: fits 2 episodes ('e1', 'e3' …); name one by episode_id",
    )


def test_rows_about_one_episode() -> None:
    first = Row(Said("l:2", "passed", metadata={"a": 1, "b": 1}), episode_id="e1")
    same = Row(Said("l:3", "passed", metadata={"b": 2, "c": 2}), source="run/7.json")
    other = Row(Said("l:4", "failed", "max\nturns"), task="t1", arm="a")
    found = join([first, same], EPISODES)
    assert found.by_episode["e1"] == Said("l:2", "passed", metadata={"a": 1, "b": 1, "c": 2})
    assert found.duplicates == ("l:3: says the same as l:2",)
    found = join([first, same, other], EPISODES)
    assert found.conflicts == ("'e1': l:2 says passed, l:4 says failed 'max\\x0aturns'",)
    assert found.by_episode["e1"].conflict == "l:2 says passed, l:4 says failed 'max\\x0aturns'"
    assert found.by_episode["e1"].outcome == "unknown"
    assert found.duplicates == ()


NAME = st.sampled_from(["a", "b", "c"])
KEY = st.none() | NAME


@given(
    st.lists(
        st.builds(EpisodeKey, NAME, st.sampled_from(["x/a", "y/a", "b"]), KEY, KEY, KEY), unique_by=lambda e: e[0]
    ),
    st.lists(st.tuples(KEY, st.sampled_from([None, "x/a", "a", "b", "z/x/a"]), KEY, KEY).filter(lambda k: any(k[:3]))),
)
def test_every_row_and_every_episode_is_accounted_for(
    episodes: list[EpisodeKey], keys: list[tuple[str | None, str | None, str | None, str | None]]
) -> None:
    rows = [Row(Said(f"l:{at}", "passed"), *key) for at, key in enumerate(keys)]
    found = join(rows, episodes)
    assert len(rows) == (
        len(found.by_episode) + len(found.duplicates) + len(found.unmatched_rows) + len(found.ambiguous)
    )
    mains = {one.episode_id for one in episodes if one.parent is None}
    assert mains - set(found.by_episode) == set(found.unmatched_episodes)
    assert not found.conflicts


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the open corpora are not beside the project")
def test_the_labels_of_the_open_corpora_find_their_files() -> None:
    """Named by path relative to the corpora, found under any folder they were read from, whatever the ids are."""
    file = read_labels(CORPORA / "LABELS.jsonl")
    sources = sorted(
        str(path.relative_to(CORPORA))
        for folder in ("mini_swe_agent", "openhands_llm_completions")
        for path in (CORPORA / folder).rglob("*.json")
    )
    found = join(file.rows, [EpisodeKey(f"id-{at}", f"corpora/{name}") for at, name in enumerate(sources)])
    assert file.faults == ()
    assert (found.unmatched_rows, found.ambiguous, found.conflicts, found.duplicates) == ((), (), (), ())
    assert len(found.by_episode) == 13
    lines = [json.loads(line) for line in (CORPORA / "LABELS.jsonl").read_text().splitlines()]
    words = {True: "passed", False: "failed", None: "unknown"}
    for line in lines:
        said = found.by_episode[f"id-{sources.index(line['path'])}"]
        assert said.outcome == words[line["resolved"]]
        assert said.stop_reason == line["exit_status"]
        assert said.metadata["limit"] is False


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the open corpora are not beside the project")
def test_rows_find_the_files_of_a_bundle(tmp_path: Path) -> None:
    """The three files of `last` are episodes of one source, called by their paths."""
    dump = CORPORA / "openhands_llm_completions"
    summary = ingest([dump], tmp_path / "c", labels=CORPORA / "LABELS.jsonl", workers=1)
    assert summary.labels == {"failed": 1, "passed": 2, "unlabelled": 1}
    assert summary.messages[0].startswith("LABELS.jsonl: 10 rows match no episode: LABELS.jsonl:1 (source mini_swe_")
    assert all(len(message) < 700 for message in summary.messages)
