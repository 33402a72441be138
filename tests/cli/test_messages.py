"""What a command says when it is asked for something that makes no sense, or needs a pointer."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from calib.cli import app
from calib.cli._examples import EXAMPLES
from calib.tables import TABLES
from tests.cli.conftest import Calib
from tests.corpus import ingested, pencil


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("sweep", "--at", "T2@7 & T1@35"),
            "expected triggers joined by |, found 'T2@7 & T1@35'; a point fires when any",
        ),
        (("sweep", "--at", "T2@7, T1@35"), "expected triggers joined by |, found 'T2@7, T1@35'"),
        (("sweep", "--at", "a & b"), "expected DETECTOR@THRESHOLD [| …], found 'a & b'"),
        (("sweep", "--by", "label"), "--by label: a rate compares labels, so a group of one label has none; choose"),
        (("sweep", "--by", "episode_id"), "--by episode_id: each group would be one episode; choose another key"),
        (("report", "T2@7", "--point", "T2@8"), "expected one POINT, found an argument and --point; keep one"),
        (("report", "--unseen"), "--unseen: expected a record of the episodes the point was chosen on, found none"),
        (("inspect", "L5", "--turns", "20..30"), "--turns 20..30: L5 has 20 turns, from 0 on"),
    ],
)
def test_usage_errors_say_what_to_do(calib: Calib, corpus: Path, words: tuple[str, ...], said: str) -> None:
    done = calib(words[0], corpus, *words[1:])
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_the_help_tells_what_reads_replaces_and_what_it_adds_to(calib: Calib) -> None:
    said = " ".join(calib("sweep", "--help").out.split())
    assert "Only these tools read, commas between; [tools] reads in calib.toml adds to what calib knows." in said


def test_the_last_turns_of_an_episode_are_shown_where_the_range_goes_beyond(calib: Calib, corpus: Path) -> None:
    done = calib("inspect", corpus, "L5", "--turns", "19..99", "--to", "json")
    assert [row["last"] for row in json.loads(done.out)["rows"]] == [19]


def test_init_writes_nothing_that_the_next_report_refuses(calib: Calib, corpus: Path) -> None:
    done = calib("report", corpus, "T2@20", "--init")
    assert (done.code, Path("calib.toml").exists()) == (2, False)
    assert "gate: repeated_plan@20 cannot fire: a turn limit of 20 allows level 19; lower it, or leave" in done.err


def test_after_init_the_report_no_longer_asks_for_it(calib: Calib, corpus: Path) -> None:
    before = " ".join(calib("report", corpus).out.split())
    assert calib("report", corpus, "--init").code == 0
    after = " ".join(calib("report", corpus).out.split())
    assert "did not choose the point: --init now, calib report on new ones" in before
    assert "did not choose the point: calib report on new ones" in after


def test_the_report_of_one_trigger_says_nothing_twice(calib: Calib, corpus: Path) -> None:
    Path("calib.toml").write_text('point = "T2@6"\n[gate]\nmax_false_fire_rate = 0.01\n')
    said = calib("report", corpus).out
    text = " ".join(said.split())
    assert "each trigger" not in text
    assert "(point chosen on these episodes); " in text
    assert "had it been fixed before" not in text
    rung = text[text.index("· 4 guarantee") : text.index("· 5 later data")]
    assert rung.rstrip().endswith("more passed episodes, none of them firing")


def test_long_ids_that_begin_alike_are_told_apart(calib: Calib, tmp_path: Path) -> None:
    episodes = [replace(one, episode_id="runs/" + "of-one-folder/" * 9 + one.episode_id) for one in pencil()[:2]]
    ingested(episodes, tmp_path)
    done = calib("inspect", tmp_path / "corpus", "x")
    assert all(f"/{one.episode_id}" in done.err for one in pencil()[:2])


def test_inspect_closest_in_json_is_one_document(calib: Calib, corpus: Path) -> None:
    shown = json.loads(calib("inspect", corpus, "--closest", "--to", "json").out)
    assert [one["episode_id"] for one in shown] == ["P3", "L2", "P2", "L3"]
    assert json.loads(calib("inspect", corpus, "P3", "--to", "json").out) == shown[0]


def test_the_point_may_be_an_option(calib: Calib, corpus: Path) -> None:
    argument = calib("report", corpus, "T2@6 | T1@10", "--to", "json")
    assert calib("report", corpus, "--point", "T2@6 | T1@10", "--to", "json").out == argument.out


def test_the_demo_leaves_a_foreign_folder_alone(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.tex").write_text("mine")
    done = calib("demo", "thesis")
    assert (done.code, "expected an empty folder or one of calib demo" in done.err) == (2, True)
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter.tex"]


@pytest.mark.parametrize("command", ["sweep", "report", "inspect", "score"])
def test_help_says_what_where_understands(calib: Calib, command: str) -> None:
    said = " ".join(calib(command, "--help").out.split())
    assert "EXPR is COLUMN OP VALUE, joined by `and` and `or`" in said
    assert "(none) for what is not recorded" in said


@pytest.mark.parametrize("command", sorted(EXAMPLES))
def test_help_shows_examples_that_the_command_takes(calib: Calib, command: str) -> None:
    shown = calib(command, "--help").out.splitlines()
    for line in EXAMPLES[command]:
        assert f"    {line}" in shown
        first, name, *rest = shlex.split(line)
        assert (first, name, len(line) <= 76) == ("calib", command, True)
        assert calib(name, "--help", *rest).code == 0  # an option that it has not is refused before the help


def test_every_command_has_examples() -> None:
    assert {command.callback.__name__ for command in app().registered_commands if command.callback} == set(EXAMPLES)


@pytest.mark.parametrize("name", ["report", "sweep"])
def test_schema_reaches_the_json_outputs(calib: Calib, name: str) -> None:
    assert json.loads(calib("schema", name).out)["$id"] == f"{name}.schema.json"
    everything = calib("schema").out
    assert f"`calib schema {name}`" in everything
    assert all(f"# {table.name}\n" in everything for table in TABLES)


def test_one_episode_is_not_spelled_as_several(calib: Calib, tmp_path: Path) -> None:
    ingested(pencil()[:1], tmp_path)
    assert ", 1 episode (1/0/0, 0 excluded), " in calib("sweep", "corpus", "--to", "json").out
