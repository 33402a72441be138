"""The sentences on episodes that did not choose the point: who did, and whether these still look like those."""

from calib.ladder import drift
from calib.results import Calibrated, Report
from calib.spelling import plural

RULES = {"closest_pass": "closest pass", "given": "hand", "published": "publication"}


def facts(report: Report) -> list[tuple[str, str]]:
    """Say what a reader must know of how the point came about, and whether these episodes look like those then."""
    said = [("note", note) for note in report.notes]
    held = report.held
    if held is not None and not held.shared:
        said += [("held out", _origin(held)), ("drift", drift(held))]
    return said


def _origin(held: Calibrated) -> str:
    others = plural(held.calibrated, "other episode")
    return f"chosen by {RULES.get(held.rule, 'hand')} on {others} (data {held.data[:12]}), none of them among these"
