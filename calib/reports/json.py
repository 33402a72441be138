"""The JSON of a sweep and of a report: what programs read.

Names follow the contract. What was not computed is null. Text is exact, but every character that acts instead
of showing is written as its `\\uXXXX`, so that the text is as harmless on a terminal as in a file.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from calib.escape import json_text
from calib.results import FireTurns, NearMiss, Plateau, Support, SupportEpisode, Sweep
from calib.tables import SCHEMA_VERSION

if TYPE_CHECKING:
    from calib.results import Report

Value = dict[str, Any]


def sweep_object(found: Sweep) -> Value:
    """Give the object of `sweep.json`: keys in a fixed order, every threshold a whole number."""
    return {
        "schema_version": SCHEMA_VERSION,
        "signature": found.signature,
        "data": found.data,
        "group": found.group or None,
        "counts": asdict(found.counts),
        "point": found.point.thresholds,
        "rule": found.rule,
        "chosen": found.chosen,
        "confidence": found.confidence,
        "tally": asdict(found.tally),
        "unknown": asdict(found.unknown),
        "fire_turn": _fire_turn(found.fire_turn),
        "turns_after_fire": found.turns_after_fire,
        "could_save": asdict(found.could_save) if found.could_save else None,
        "plateaus": {name: _plateau(plateau) for name, plateau in found.plateaus.items()},
        "rectangle": asdict(found.rectangle) if found.rectangle else None,
        "region": asdict(found.region) if found.region else None,
        "far_corner": asdict(found.far_corner) if found.far_corner else None,
        "support": {name: _support(support) for name, support in found.support.items()},
        "near_misses": [_near_miss(one) for one in found.near_misses],
        "operating_points": [
            asdict(point) | {"fire_turn": _fire_turn(point.fire_turn)} for point in found.operating_points
        ],
        "cost_bands": [asdict(band) for band in found.cost_bands],
        "tops": dict(found.tops),
        "not_observable": dict(found.not_observable),
        "lost": asdict(found.lost) | {"rate": found.lost.rate},
        "warnings": list(found.warnings),
    }


def report_object(report: "Report") -> Value:
    """Give the object of `calib report --to json`: the sweep, what its shares could be, the gate, what moved."""
    from calib.compare import fires  # a sweep needs neither
    from calib.reports._plain import plain

    found, verdict = report.sweep, report.verdict
    return sweep_object(found) | {
        "plain": plain(report),
        "statistics": asdict(report.statistics)
        | {
            "gate": [asdict(limit) for limit in verdict.limits],
            "plan": {limit.name: asdict(limit.plan) for limit in verdict.limits if limit.plan},
        },
        "ladder": asdict(report.ladder) | {"needs": report.ladder.next.needs if report.ladder.next else None},
        "held_out": asdict(report.held) if report.held else None,
        "notes": list(report.notes),
        "gate": [asdict(limit) for limit in verdict.limits],
        "certified": asdict(verdict.certified) if verdict.certified else None,
        "fires": fires(found),
        "moved": asdict(report.moved) if report.moved else None,
        "verdict": verdict.verdict,
        "exit_code": verdict.exit_code,
    }


def render(swept: Sweep | Sequence[Sweep]) -> str:
    """Give the JSON text of a sweep; the sweeps of `--by` follow the first under `groups`."""
    first, *groups = [swept] if isinstance(swept, Sweep) else swept
    return dumps(sweep_object(first) | ({"groups": [sweep_object(one) for one in groups]} if groups else {}))


def render_report(report: "Report") -> str:
    """Give the JSON text of a report."""
    return dumps(report_object(report))


def dumps(value: Value) -> str:
    """Write strict JSON, indented by one, ending in a line feed.

    Raises ValueError for nan and infinity.

    >>> dumps({"id": "a\\x1b\\ud800ü"})
    '{\\n "id": "a\\\\u001b\\\\ufffdü"\\n}\\n'
    """
    return json_text(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)) + "\n"


def _fire_turn(turns: FireTurns) -> Value:
    median = turns.median
    return asdict(turns) | ({"median": int(median)} if median is not None and median.is_integer() else {})


def _plateau(plateau: Plateau) -> Value:
    return {
        "low": plateau.low,
        "high": plateau.high,
        "width": plateau.width,
        "below": plateau.below or None,
        "above": plateau.above or None,
    }


def _episode(episode: SupportEpisode | None) -> Value | None:
    return asdict(episode) if episode else None


def _support(support: Support) -> Value:
    return {
        "closest_pass": _episode(support.closest_pass),
        "first_loss": _episode(support.first_loss),
        "margin_below": support.margin_below,
        "margin_above": support.margin_above,
    }


def _near_miss(near: NearMiss) -> Value:
    return asdict(near) | {"episode_ids": list(near.episode_ids)}
