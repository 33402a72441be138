"""No value anywhere in a record of a benchmark, a log or a trace makes its reader raise anything but a verdict."""

import copy
from typing import Any

import pytest

from tests.formats import test_atif, test_inspect_eval, test_openclaw, test_otel_genai, test_tau2_bench, test_tau_bench
from tests.formats.knowing import ODD
from tests.formats.reading import paths, told

CONTINUED = {**test_atif.FILE, "subagent_trajectories": [{**test_atif.FILE, "steps": test_atif.STEPS[:3]}]}
COMPACTED = {**test_inspect_eval.SAMPLE, "events": test_inspect_eval.EVENTS}
TRACES = [test_otel_genai.export(*test_otel_genai.SPANS), *(
    test_otel_genai.export(test_otel_genai.span(name, 1, trace=name, said=said))
    for name, said in (("flat", test_otel_genai.FLAT), ("inference", test_otel_genai.INFERENCE))
)]  # fmt: skip
RECORDS: dict[str, list[Any]] = {
    "tau_bench": [test_tau_bench.RUN],
    "tau2_bench": [{**test_tau2_bench.RUN, "simulations": test_tau2_bench.RUN["simulations"][:1]}],
    "atif": [CONTINUED],
    "inspect_eval": [{**test_inspect_eval.LOG, "samples": [COMPACTED]}],
    "otel_genai": TRACES,
    "openclaw": test_openclaw.EVENTS,
}
MORE: tuple[Any, ...] = ("x" * 3000, -1, 10**30, {"a": {"b": []}}, ["x", None], "[{", "attachment://0")


def places(value: Any) -> set[tuple[Any, ...]]:
    """All places of a value: leaves, and what holds them."""
    return {path[:end] for path in paths(value) for end in range(1, len(path) + 1)}


@pytest.mark.parametrize("format", RECORDS)
def test_an_odd_value_anywhere(format: str) -> None:
    records = RECORDS[format]
    for number, record in enumerate(records):
        for at, path in enumerate(sorted(places(record), key=str)):
            for odd in (*ODD, *MORE)[at % 3 :: 3]:  # each place meets a third of them, neighbours another
                other = copy.deepcopy(record)
                box = other
                for key in path[:-1]:
                    box = box[key]
                box[path[-1]] = odd
                told(format, [*records[:number], other, *records[number + 1 :]])
