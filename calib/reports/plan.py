"""How many more episodes would decide a limit, for people and for programs."""

from dataclasses import asdict

from calib.reports._columns import guarded, wrap
from calib.reports.json import dumps
from calib.results import Outlook
from calib.spelling import at_least, at_most, confidence, count
from calib.spelling import confidence as written
from calib.tables import SCHEMA_VERSION

WAYS = {"before": "fixed before", "here": "chosen on them"}
WHAT = {"passed": "fired", "turn_limit": "were caught"}


def render(found: Outlook, width: int = 80) -> str:
    """Say what the counts show now, then for each limit what would decide it."""
    lines = wrap(_now(found), width, "", "  ")
    for limit in dict.fromkeys(each.limit for each in found.planned):
        lines.append(f"limit {written(limit)}")
        for each in found.planned:
            if each.limit == limit:
                way = f"  {WAYS[each.chosen]:<16}" if found.label == "passed" else "  "
                lines += wrap(each.plan.said, width, way, " " * len(way))
    return guarded(lines)


def _now(found: Outlook) -> str:
    share = found.share
    hidden = f" ({count(share.unknown)} not observable)" if share.unknown else ""
    if not share.n:
        return f"no {found.label} episode yet"
    said = f"{count(share.fired)} of {count(share.n)} {found.label} episodes {WHAT[found.label]}{hidden}: "
    level = confidence(found.confidence)
    if found.label == "turn_limit":
        return f"{said}at least {at_least(share.lower or 0.0)} ({level}, for a point of the closest-pass rule)"
    before, here = at_most(share.one_sided_upper or 1.0), at_most(share.upper or 1.0)
    triggers = "one trigger" if found.triggers == 1 else f"{found.triggers} triggers"
    chosen = f"a point of {triggers} chosen on these episodes"
    return f"{said}at most {before} for a point fixed before, {here} for {chosen} ({level})"


def render_json(found: Outlook) -> str:
    """Give the same as one JSON object."""
    return dumps({"schema_version": SCHEMA_VERSION, **asdict(found)})
