"""From scores to findings: the surface, the point, its plateaus, and the points worth comparing it with."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from calib import __version__
from calib.cautions import of_corpus, of_point, of_repeats
from calib.errors import UsageError, near
from calib.escape import visible
from calib.frontier import cost_bands
from calib.levels import Integers
from calib.plateaus import Landscape, near_misses, plateau, rectangle, region, support, tally, tally_at
from calib.point import Point, Trigger, point_of
from calib.repeats import distinct
from calib.results import Chosen, Counts, Curve, FireTurns, OperatingPoint, Plateau, Sweep
from calib.risk import standing, unknown
from calib.score import SHIPPED, Scored, score_table
from calib.surface import fires, surface_frame
from calib.tables import LABELS, SCHEMA_VERSION

CELLS = 1_000_000
"""Combinations of thresholds beyond which only those are listed at which a count changes."""

Ranges = Mapping[str, tuple[int, int] | None]


def counts(scored: Scored) -> Counts:
    """Count the selected episodes by label."""
    found = dict(scored.episodes["label"].cast(pl.String).value_counts().iter_rows())
    return Counts(**{label: found.get(label, 0) for label in LABELS}, excluded=scored.excluded)


def tops(scored: Scored) -> dict[str, int]:
    """Give, by detector, the lowest threshold at which it fires in no counted episode."""
    counted = np.logical_or.reduce([scored.labelled(label) for label in LABELS[:3]])
    seen = counted if counted.any() else np.ones(len(counted), np.bool_)
    return {name: 1 + int(peaks[seen].max(initial=0)) for name, peaks in scored.peaks.items()}


def closest_pass(scored: Scored) -> Point | None:
    """Choose by the rule of note 000: one step above the highest peak of any passed episode, per detector.

    A partly recorded episode counts with what was recorded. None when some detector could observe no passed
    episode: then nothing chooses.
    """
    passed = scored.labelled("passed")
    if not all((passed & seen).any() for seen in scored.observable.values()):
        return None
    return Point(tuple(Trigger(name, 1 + int(peaks[passed].max())) for name, peaks in scored.peaks.items()))


def defaults(scored: Scored) -> Point:
    """Give the published threshold of each detector; one that never fires here where none was published."""
    never = tops(scored)
    return Point(tuple(Trigger(each.name, each.default or never[each.name]) for each in scored.detectors))


def check_point(point: Point | str, scored: Scored) -> Point:
    """Give back a point whose detectors were all scored.

    Raises UsageError, with the near names, otherwise.
    """
    point = point_of(point)
    for trigger in point.triggers:
        if trigger.detector not in scored.reach:
            known = near(trigger.detector, list(scored.reach))
            raise UsageError(f"no detector named {visible(trigger.detector)[:80]!r} was scored; there are {known}")
    return point


def _landscape(scored: Scored, point: Point, highest: dict[str, int]) -> Landscape:
    thresholds = point.thresholds
    return Landscape(
        ids=scored.episodes["episode_id"].to_list(),
        positive=scored.labelled("turn_limit"),
        passed=scored.labelled("passed"),
        failed=scored.labelled("failed"),
        peaks={name: scored.peaks[name] for name in thresholds},
        thresholds=thresholds,
        tops={name: max(highest[name], threshold) for name, threshold in thresholds.items()},
    )


def _axes(scored: Scored, ranges: Ranges, highest: dict[str, int], warnings: list[str]) -> dict[str, Integers]:
    """Give the thresholds of each swept detector: the asked range, else every one at which anything changes."""
    axes = {}
    _check_cells([float(asked[1] - asked[0] + 1) for asked in ranges.values() if asked])
    for name, asked in ranges.items():
        low, high = asked or (1, highest[name])
        axes[name] = np.arange(low, high + 1, dtype=np.int64).astype(np.int32)
    if np.prod([float(len(axis)) for axis in axes.values()]) > CELLS:
        for name, asked in ranges.items():
            if asked is None:
                axes[name] = np.unique(np.append(scored.peaks[name], 0)).astype(np.int32) + 1
        warnings.append(f"over {CELLS:,} threshold combinations: only thresholds at which a count changes are listed")
    _check_cells([float(len(axis)) for axis in axes.values()])
    return axes


def _check_cells(sides: list[float]) -> None:
    cells = np.prod(sides)
    if cells > 20 * CELLS:
        raise UsageError(f"{cells:.2g} threshold combinations are too many; give ranges such as repeated_plan@1..100")


def _surface(scored: Scored, axes: dict[str, Integers]) -> pl.DataFrame:
    by_label = {label: scored.only(scored.labelled(label)) for label in LABELS[:3]}
    return surface_frame(
        axes,
        {label: part.reach for label, part in by_label.items()},
        {label: part.turns for label, part in by_label.items()},
    )


def _fire_turns(turns: Integers) -> FireTurns:
    if not len(turns):
        return FireTurns()
    return FireTurns(int(turns.min()), float(np.median(turns)), int(turns.max()))


def _operating_point(name: str, scored: Scored, land: Landscape, point: Point) -> OperatingPoint:
    """Tally one point, with the fire turns of what it catches."""
    fire = scored.fire_turns(point)
    caught = scored.labelled("turn_limit") & (fire >= 0)
    turns = fire[caught].astype(np.int64)
    left = int((scored.turns[caught] - 1 - turns).sum())
    return OperatingPoint(name, str(point), tally_at(land, point.thresholds), _fire_turns(turns), left)


def _baselines(scored: Scored, land: Landscape, budget: int) -> list[OperatingPoint]:
    """Tally never, always, and a plain turn count with at most `budget` false fires."""
    length = scored.turns
    lasting = np.sort(length[land.passed])[::-1]
    threshold = 1 + int(lasting[budget]) if len(lasting) > budget else 1
    rows = [OperatingPoint("never", "never", tally(land, np.zeros(len(length), np.bool_)), FireTurns(), 0)]
    for name, spelling, k in (("always", "always", 1), ("turn_count", f"turn_count@{threshold}", threshold)):
        fired = length >= k
        caught = fired & land.positive
        turns = np.full(int(np.count_nonzero(caught)), k - 1)
        left = int((length[caught] - k).sum())
        rows.append(OperatingPoint(name, spelling, tally(land, fired), _fire_turns(turns), left))
    return rows


def _centre(point: Point, plateaus: dict[str, Plateau]) -> Point:
    """Move each threshold to the middle of its plateau; one without an upper end stays."""
    moved = []
    for trigger in point.triggers:
        found = plateaus[trigger.detector]
        middle = trigger.threshold if found.high is None else (found.low + found.high) // 2
        moved.append(Trigger(trigger.detector, middle))
    return Point(tuple(moved))


def _curve(scored: Scored, name: str, top: int) -> Curve:
    axis = np.arange(1, min(top, CELLS) + 1, dtype=np.int32)  # a threshold may mean "never": 2,000,000,000
    peaks = scored.peaks[name]
    found = [fires([axis], [peaks[scored.labelled(label)]]).tolist() for label in LABELS[:3]]
    return Curve(axis.tolist(), *found)


def sweep(
    scored: Scored,
    ranges: Ranges | None = None,
    at: Point | str | None = None,
    chosen: Chosen = "here",
    confidence: float = 0.95,
    group: str = "",
) -> Sweep:
    """Find everything about one selection of episodes.

    `ranges` maps the swept detectors to inclusive ranges of thresholds (None: all that change anything);
    by default all scored detectors. `at` is the point, such as "T2@7 | T1@35"; without it the closest pass is chosen.
    Raises UsageError for a detector that was not scored or for too many combinations.
    """
    ranges = ranges or dict.fromkeys(scored.reach)
    rule = closest_pass(scored)
    given = point_of(at) if at else None
    point = check_point(given or rule or defaults(scored), scored)
    found, highest, data = counts(scored), tops(scored), scored.data_digest()
    warnings = of_corpus(scored, found, given or rule)
    surface = _surface(scored, _axes(scored, ranges, highest, warnings))
    hidden = {name: int(np.count_nonzero(~seen)) for name, seen in scored.observable.items()}
    around = _around(scored, point, {"closest_pass": rule, "given": given}, highest)
    its = standing(scored, point)
    once, unseen = distinct(scored, its), unknown(scored, its)
    warnings += of_point(found, around["tally"], unseen) + of_repeats(found, once)
    return Sweep(
        signature=_signature(scored, found, point, data),
        data=data,
        group=group,
        counts=found,
        point=point,
        rule="given" if given else "closest_pass" if rule else "published",
        chosen=chosen,
        confidence=confidence,
        curves={name: _curve(scored, name, max(highest[name], point.thresholds.get(name, 1))) for name in scored.reach},
        tops=highest,
        not_observable={name: n for name, n in hidden.items() if n},
        warnings=tuple(warnings),
        lost=scored.lost,
        episodes=score_table(scored, point),
        surface=surface,
        unknown=unseen,
        distinct=once,
        cost_bands=cost_bands(surface, list(ranges)) if found.turn_limit and found.passed else (),
        **around,
    )


def _around(scored: Scored, point: Point, named: dict[str, Point | None], highest: dict[str, int]) -> dict[str, Any]:
    """Find what depends on the point: its tally, plateaus, support, and the points to compare it with."""
    land = _landscape(scored, point, highest)
    here = _operating_point("point", scored, land, point)
    plateaus = {name: plateau(land, name) for name in point.thresholds}
    far = {name: (p.high if p.high is not None else land.tops[name]) for name, p in plateaus.items()}
    points = {
        "closest_pass": named["closest_pass"],
        "plateau_centre": _centre(point, plateaus),
        "given": named["given"],
    }
    rows = [
        _operating_point(name, scored, _landscape(scored, row, highest), row) for name, row in points.items() if row
    ]
    return {
        "tally": here.tally,
        "fire_turn": here.fire_turn,
        "turns_after_fire": here.turns_after_fire,
        "plateaus": plateaus,
        "rectangle": rectangle(land),
        "region": region(land),
        "far_corner": tally_at(land, far) if len(far) > 1 else None,
        "support": {name: support(land, name) for name in point.thresholds},
        "near_misses": near_misses(land),
        "operating_points": (*rows, *_baselines(scored, land, here.tally.false_fires)),
    }


def _signature(scored: Scored, found: Counts, point: Point, data: str) -> str:
    """Say what a number rests on: two numbers with one signature may be compared, others not.

    It names a tools map that is not the shipped one by its digest, and a detector of calib.toml by its rule.
    """
    shown = f"{found.turn_limit}/{found.passed}/{found.failed}, {found.excluded} excluded"
    episodes = f"{found.episodes} episode{'s' * (found.episodes != 1)} ({shown})"
    placed = f", tools {scored.placing.digest[:12]}" if scored.placing != SHIPPED else ""
    own = "".join(f", {name} = {each.rule}" for name, each in scored.own.items())
    return f"calib {__version__}, schema {SCHEMA_VERSION}, {episodes}, {point}{own}{placed}, data {data[:12]}"
