"""The JSON outputs: the contract's names, strict, valid against data-schema/."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from referencing import Registry, Resource

from calib.compare import parse_report
from calib.reports import json as report_json
from calib.results import Lost, Moved
from tests import golden
from tests.sweeps import FAILING, HOSTILE, hostile, known_of, note, pencil, report_of, sweep_of

SCHEMAS = Path(__file__).parent.parent.parent / "data-schema"
SWEPT = sweep_of(pencil(), lost=Lost(1, 312, 48_213, {"not_json": 1}), warnings=("a warning",))
PENCIL = report_of(
    SWEPT,
    FAILING,
    Moved(("caught 4 -> 5: L3",), "calib 0.0.9, schema 1, 13 episodes"),
    known_of(SWEPT, drawn=pencil()),
)


def validator(name: str) -> Draft202012Validator:
    both = {each: json.loads((SCHEMAS / each).read_text()) for each in ("sweep.schema.json", "report.schema.json")}
    registry: Any = Registry().with_resources([(each, Resource.from_contents(one)) for each, one in both.items()])
    Draft202012Validator.check_schema(both[name])
    return Draft202012Validator(both[name], registry=registry)


def strict(text: str) -> Any:
    """Read JSON as a strict reader does: no nan, no key twice, no lone surrogate."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    def refused(constant: str) -> None:
        raise AssertionError(constant)

    value = json.loads(text.encode().decode(), object_pairs_hook=once, parse_constant=refused)
    json.dumps(value, ensure_ascii=False).encode()
    return value


def test_the_pencil_report_is_as_accepted() -> None:
    golden.check("report.json", report_json.render_report(PENCIL))


def test_the_contract() -> None:
    value = strict(report_json.render(sweep_of(note(), excluded=48)))
    assert value["schema_version"] == 1
    assert value["counts"] == {
        "turn_limit": 30, "passed": 635, "failed": 42, "censored": 0, "unlabelled": 0, "excluded": 48,
    }  # fmt: skip
    assert value["point"] == {"repeated_plan": 7, "search_run": 35}
    assert value["tally"] == {"caught": 30, "missed": 0, "false_fires": 0, "other_fires": 1}
    assert value["fire_turn"] == {"min": 7, "median": 13, "max": 39}
    plateau = value["plateaus"]["repeated_plan"]
    assert {name: plateau[name] for name in ("low", "high", "width")} == {"low": 7, "high": 39, "width": 33}
    closest = value["support"]["repeated_plan"]["closest_pass"]
    assert closest == {"episode_id": "passed-000011", "peak": 6, "ties": 1}
    assert value["support"]["search_run"]["margin_above"] == 18


def test_a_rate_has_exact_counts_and_full_bounds() -> None:
    rate = strict(report_json.render_report(PENCIL))["statistics"]["false_fires"]
    assert (rate["least"], rate["most"], rate["known_only"]) == ([0, 8], [1, 8], [0, 7])
    assert rate["one_sided_upper"] == pytest.approx(0.470679, abs=1e-6)
    assert rate["adjusted_upper"] > rate["one_sided_upper"]


SWEEPS = {
    "pencil": sweep_of(pencil()),
    "note": sweep_of(note()),
    "no turn_limit": sweep_of(note(labels=("passed",))),
    "no passed": sweep_of(note(labels=("turn_limit",))),
    "unlabelled": sweep_of(note(labels=())),
    "given": sweep_of(pencil(), at="T2@9 | T1@16", chosen="before"),
    "one": sweep_of([one.__class__(*one.__dict__.values()) for one in pencil()], at="T2@5"),
}


@pytest.mark.parametrize("name", SWEEPS)
def test_the_outputs_follow_their_schemas(name: str) -> None:
    validator("sweep.schema.json").validate(strict(report_json.render(SWEEPS[name])))
    validator("report.schema.json").validate(strict(report_json.render_report(report_of(SWEEPS[name]))))


def test_the_schemas_refuse_what_is_not_theirs() -> None:
    value = report_json.sweep_object(SWEEPS["pencil"])
    for wrong in (value | {"more": 1}, value | {"point": {"repeated_plan": 0}}, {**value, "rule": "eye"}):
        assert not validator("sweep.schema.json").is_valid(wrong)
    assert not validator("report.schema.json").is_valid(value)


def test_groups_follow_the_whole() -> None:
    value = strict(report_json.render([SWEEPS["note"], SWEEPS["pencil"]]))
    assert [one["counts"]["passed"] for one in (value, *value["groups"])] == [635, 8]
    validator("sweep.schema.json").validate(value)


def test_a_stored_report_is_read_back() -> None:
    stored = parse_report(report_json.render_report(PENCIL).encode(), "report.json")
    assert stored.tally == PENCIL.sweep.tally
    assert [fire.episode_id for fire in stored.fires] == ["F1", "L1", "L2", "L3", "L4", "L5"]


@pytest.mark.parametrize("text", [*HOSTILE, "\ud800x", "\udfff\ud800"], ids=range(len(HOSTILE) + 2))
def test_hostile_text_is_exact_and_harmless(text: str) -> None:
    """T8: strict JSON; nothing in it acts on a terminal; text comes back as it was, lone surrogates replaced."""
    written = report_json.dumps({"id": text, "ids": [text, f"{text}!"]})
    kept = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    assert strict(written) == {"id": kept, "ids": [kept, f"{kept}!"]}
    assert len(written.splitlines()) == 7
    assert written.replace("\n", "").isprintable()


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_episodes_are_named_exactly(text: str) -> None:
    value = strict(report_json.render_report(report_of(sweep_of(hostile(text)))))
    assert value["support"]["search_run"]["closest_pass"]["episode_id"] == f"{text}3"
    validator("report.schema.json").validate(value)


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        report_json.dumps({"x": float("nan")})
