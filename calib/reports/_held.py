"""The sentences on episodes that did not choose the point: who did, and whether these still look like those."""

from calib.results import Calibrated, Drift, Report
from calib.spelling import count, p_value, plural

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


def drift(held: Calibrated) -> str:
    """Say how the later peaks compare; that nothing was seen is never said to mean that nothing is there."""
    if not held.drift:
        return "no later passed episode to compare"
    if not any(each.above for each in held.drift):
        first, *others = held.drift
        more = "".join(
            f", 0 of {count(each.later)} for {each.detector}" for each in others if each.later != first.later
        )
        of = f" for {first.detector}" if more else ""
        return (
            f"no sign of drift: 0 of {count(first.later)} later passed episodes above every calibration pass{of}{more}"
        )
    return "; ".join(_above(each) for each in held.drift if each.above)


def _above(each: Drift) -> str:
    went = "passed episode" if each.later == 1 else "passed episodes"
    said = (
        f"{each.detector}: {count(each.above)} of {count(each.later)} later {went} went higher than every calibration "
        f"pass (p = {p_value(each.p)} if nothing changed)"
    )
    return f"{said}: do not rely on the guarantee" if each.sign else f"{said}: that may be chance"
