"""Exported rules and their vectors; right and wrong ports of them."""

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings

from calib.detectors import names
from calib.live import Monitor
from calib.live._vectors import called
from calib.live.export import export
from calib.point import Point, Trigger, parse_point
from calib.rules import AnyOf, Rule
from calib.tools import Map
from tests.cli.conftest import Calib
from tests.rules.drawing import every_rule

POINT = "repeated_plan@7 | search_run@35"
PORT = Path(__file__).with_name("port.py")
SCHEMA = json.loads((Path(__file__).parents[2] / "data-schema" / "detector.schema.json").read_text())


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return export(parse_point(POINT), Map(), {})


def test_the_document_is_of_its_schema(document: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(document)))


def test_vectors_reach_every_threshold_and_stop_short_of_it(document: dict[str, Any]) -> None:
    for trigger in document["triggers"]:
        shown = {level for vector in document["vectors"] for level in vector["levels"][trigger["detector"]]}
        assert shown >= set(range(trigger["threshold"] + 1))
    fired = [vector["fire"]["detectors"] for vector in document["vectors"] if vector["fire"]]
    assert ["repeated_plan"] in fired
    assert ["search_run"] in fired
    assert any(not vector["fire"] for vector in document["vectors"])


def test_the_same_point_gives_the_same_document(document: dict[str, Any]) -> None:
    assert export(parse_point(POINT), Map(), {}) == document


@settings(max_examples=15, deadline=None)
@given(every_rule())
def test_vectors_hold_what_a_monitor_counts(rule: Rule | AnyOf) -> None:
    point = Point((Trigger(str(rule), 2),))
    for vector in export(point, Map(), {})["vectors"]:
        monitor = Monitor(point)
        turns = [{**turn, "calls": [dict(call) for call in turn["calls"]]} for turn in vector["turns"]]
        levels = [monitor.turn(**called(turn))[str(rule)] for turn in turns]
        assert vector["levels"] == {str(rule): levels}
        assert (vector["fire"] or {}).get("turn") == (monitor.fire.turn if monitor.fire else None)


def test_every_detector_can_be_exported(calib: Calib) -> None:
    for name in names():
        done = calib("export", f"{name}@3", "-o", "detector.json")
        assert done.code == 0
        jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(Path("detector.json").read_text()))


def test_a_right_port_conforms(calib: Calib) -> None:
    assert calib("export", POINT, "-o", "detector.json").code == 0
    done = calib("conform", "--", sys.executable, PORT)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("conforms: ")


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("trim", "of repeated_plan"), ("empty", "of repeated_plan"), ("any", "of search_run"),
        ("idle", "of search_run"), ("above", "expected fired"), ("crash", "found the end of the output"),
        ("words", "expected {"), ("more", "after the last turn"),
    ],
)  # fmt: skip
def test_a_wrong_port_differs(calib: Calib, mistake: str, said: str) -> None:
    calib("export", POINT, "-o", "detector.json")
    done = calib("conform", "--", sys.executable, PORT, mistake)
    assert (done.code, done.out.count("\n")) == (1, 1)
    assert done.out.startswith("differs: ")
    assert said in done.out


def test_a_port_that_forgets_at_a_user_message_differs(calib: Calib) -> None:
    calib("export", "repeated_plan@7", "-o", "v.json")
    assert calib("conform", "--vectors", "v.json", "--", sys.executable, PORT, "user").code == 1


def test_the_first_difference_is_named(calib: Calib) -> None:
    calib("export", "repeated_plan@1 | search_run@1", "-o", "v.json")
    vectors = json.loads(Path("v.json").read_text())["vectors"]
    episode, turn = next(
        (vector["name"], at) for vector in vectors for at, level in enumerate(vector["levels"]["repeated_plan"])
        if level == 1 or vector["levels"]["search_run"][at] == 1
    )  # fmt: skip
    done = calib("conform", "--vectors", "v.json", "--", sys.executable, PORT, "above")
    assert done.out.startswith(f"differs: episode {episode}, turn {turn}: expected fired [")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--", "/no/such/program"], "could not be started"),
        (["--timeout", "0.5", "--", sys.executable, str(PORT), "endless"], "did not end within 0.5 seconds"),
        (["--vectors", "none.json", "--", "true"], "could not read"),
        (["--vectors", "broken.json", "--", "true"], "expected JSON"),
        (["--vectors", "other.json", "--", "true"], "expected a file of calib export"),
    ],
)
def test_what_cannot_run_is_told(calib: Calib, words: list[str], said: str) -> None:
    calib("export", POINT, "-o", "detector.json")
    Path("broken.json").write_text("{")
    Path("other.json").write_text('{"vectors": [5]}')
    done = calib("conform", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err


def test_a_threshold_out_of_reach_is_said(calib: Calib) -> None:
    done = calib("export", "repeated_plan@100000")
    assert done.code == 0
    assert "repeated_plan: no vector reaches 100,000" in done.err
    assert json.loads(done.out)["point"] == "repeated_plan@100000"
