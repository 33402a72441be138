"""The sentences on episodes that did not choose the point: who did, and whether these still look like those."""

from calib.ladder import drift, others
from calib.results import Calibrated, Mix, Report
from calib.spelling import count, turn

RULES = {"closest_pass": "closest pass", "given": "hand", "published": "publication"}


def facts(report: Report) -> list[tuple[str, str]]:
    """Say what a reader must know of how the point came about, and whether these episodes look like those then."""
    said = [("note", note) for note in report.notes]
    held = report.held
    if held is not None and not held.shared:
        moved = "" if held.changed else drift(held)  # levels of another rule are no drift
        said += [("held out", _origin(held)), *[("drift", moved)] * bool(moved), *_mixes(held)]
    return said


def _mixes(held: Calibrated) -> list[tuple[str, str]]:
    """Set what kind of episodes there are beside those that chose the point: shown, not tested."""
    return [] if held.then is None else [("", f"then {_mix(held.then)}; now {_mix(held.now)} (not tested)")]


def _mix(its: Mix) -> str:
    sizes = f"{count(its.turn_limit)}/{count(its.passed)}/{count(its.failed)} turn_limit/passed/failed"
    return sizes if its.median_turns is None else f"{sizes} of median {turn(its.median_turns)} turns"


def _origin(held: Calibrated) -> str:
    how = RULES.get(held.rule, "hand")
    return f"chosen by {how} on {others(held)}, data {held.data[:12]}, none of them among these"
