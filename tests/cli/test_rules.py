"""Rules by their spelling, and by names of one's own, wherever a detector is named."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Calib

ANY = "any(run(reads)@10 | lag(reasoning,1)@5)"


def test_a_spelled_rule_counts_what_the_named_one_counts(calib: Calib, corpus: Path) -> None:
    named = [json.loads(line) for line in calib("score", corpus, "T2@5").out.splitlines()]
    spelled = [json.loads(line) for line in calib("score", corpus, "lag( reasoning , 1 )@5").out.splitlines()]
    assert [row["repeated_plan_peak"] for row in named] == [row["lag(reasoning,1)_peak"] for row in spelled]
    assert [row["repeated_plan_fire_turn"] for row in named] == [row["fire_turn"] for row in spelled]
    assert "search_run_peak" in named[0]
    assert "search_run_peak" not in spelled[0]


def test_several_as_one_fire_where_the_first_of_them_does(calib: Calib, corpus: Path) -> None:
    one = [json.loads(line)["fire_turn"] for line in calib("score", corpus, f"{ANY}@1").out.splitlines()]
    two = [json.loads(line)["fire_turn"] for line in calib("score", corpus, "T2@5 | T1@10").out.splitlines()]
    assert one == two


def test_calls_are_looked_at_where_a_rule_asks(calib: Calib, corpus: Path) -> None:
    found = json.loads(calib("sweep", corpus, "count(call)", "T2@3..5", "--to", "json").out)
    assert set(found["point"]) == {"count(call)", "repeated_plan"}
    assert found["tops"]["count(call)"] == 2  # every call of the pencil corpus is a new one


def test_the_range_of_a_rule_stands_after_its_brackets(calib: Calib, corpus: Path) -> None:
    done = calib("sweep", corpus, f"{ANY}@1..3", "--at", f"{ANY}@2 | T2@5", "--to", "json")
    assert json.loads(done.out)["point"] == {ANY: 2, "repeated_plan": 5}


@pytest.mark.parametrize("command", ["report", "sweep"])
def test_terminal_and_markdown_show_the_spelling(calib: Calib, corpus: Path, command: str) -> None:
    words = ["report", corpus, "lag(calls,2)@6"] if command == "report" else ["sweep", corpus, "lag(calls,2)"]
    assert "lag(calls,2)" in calib(*words).out


def test_inspect_shows_the_levels_of_a_rule(calib: Calib, corpus: Path) -> None:
    done = json.loads(calib("inspect", corpus, "L5", "--at", "run(tests)@3 | T2@5", "--to", "json").out)
    assert done["rows"][0]["levels"] == {"run(tests)": 1, "repeated_plan": 0}


def test_names_of_calib_toml_are_taken_everywhere(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text('point = "plans@5"\n[detectors]\nplans = "lag(reasoning,1)@7"\n')
    row = json.loads(calib("score", corpus).out.splitlines()[0])
    assert (row["plans_peak"], row["plans_fire_turn"]) == (6, 7)  # F1
    assert "plans@7  lag(reasoning,1)" in calib("detectors").out
    assert calib("detectors", "plans").out == "rule: lag(reasoning,1)\ndefault: 7\n"
    assert json.loads(calib("sweep", corpus, "plans", "T1", "--to", "json").out)["point"] == {
        "plans": 5,
        "search_run": 10,
    }
    assert calib("inspect", corpus, "L5", "--to", "json").code == 0


def test_a_first_configuration_keeps_ones_own_names(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text('[detectors]\nplans = "lag(reasoning,1)@7"\n')
    assert calib("report", corpus, "plans@5 | lag(calls,2)@6", "--init", "--config", "new.toml").code == 0
    assert calib("report", corpus, "--config", "new.toml").code == 0
    assert 'plans = "lag(reasoning,1)@7"' in (tmp_path / "new.toml").read_text()


def test_the_signature_names_the_tools_map_and_ones_own_rules(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    def signature(*words: str) -> str:
        return str(json.loads(calib("sweep", corpus, *words, "--to", "json").out)["signature"])

    shipped, named, other = signature(), signature("--reads", "search_files,read_file"), signature("--reads", "x")
    assert ", tools " not in shipped
    assert ", tools " in named
    assert named != other
    (tmp_path / "calib.toml").write_text('[detectors]\nplans = "lag(reasoning,1)@7"\n')
    assert ", plans = lag(reasoning,1), data " in signature("plans")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lag(calls)@3"], "rule: lag expects a key and a lag, as in lag(calls,2)"),
        (["run(read)@3"], "rule: no test named 'read'; there are reads"),
        (["lag(calls,2)"], "operating point: expected DETECTOR@THRESHOLD"),
        (["lag(calls,2)@3 | lag(calls, 2)@4"], "names a detector twice"),
        (["scan(nothing)@3"], "no text level named 'nothing'"),
        (["scan(guard_words,prose=2)@3"], "guard_words: expected prose from 0 to 1, found 2"),
        (["any(scan(guard_words,words=x)@3)@1"], "guard_words: expected a whole number for words, found 'x'"),
        (["scan(guard_words,word=3)@3"], "guard_words has no gate 'word'; there are words"),
    ],
)
def test_what_is_no_rule_is_said_in_one_line(calib: Calib, corpus: Path, words: list[str], said: str) -> None:
    done = calib("score", corpus, *words)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_the_meaning_of_rules_is_printed(calib: Calib) -> None:
    assert "`lag(KEY,k)`" in calib("detectors", "rules").out
    assert calib("detectors", "lag( call , 2 )").out == "rule: lag(call,2)\ndefault: none was published\n"


def test_a_default_sweep_reads_no_calls_and_no_texts(
    calib: Calib, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from calib.corpus import Corpus

    asked: list[tuple[str, list[str]]] = []
    read = Corpus.read

    def noted(self: Corpus, table: str, columns: list[str]) -> object:
        asked.append((table, list(columns)))
        return read(self, table, columns)

    monkeypatch.setattr(Corpus, "read", noted)
    assert calib("sweep", corpus).code == 0
    assert dict(asked)["turns"] == ["actions", "reasoning_state", "same_reasoning_as", "turn"]
    assert "calls" not in dict(asked)
    asked.clear()
    assert calib("sweep", corpus, "lag(call,1)").code == 0
    assert dict(asked)["calls"] == ["same_call_as"]
