"""What a duel says around its tables: where thresholds come from, why there is no table, what counts once."""

from typing import Literal

from calib.contest import Duel
from calib.spelling import count

Which = Literal["published", "closest"]
PUBLISHED = "at the published thresholds, fixed before these episodes"
GIVEN = "at the thresholds given, which count as chosen on these episodes (in sample)"
NONE_FIRES = "no rule fires in a labelled episode"
CLOSEST = "one step above the highest passing peak, chosen on these episodes (in sample)"


def title(found: Duel, which: Which) -> str:
    """Say where the thresholds of a table come from."""
    if which == "closest":
        return CLOSEST
    given = {one.published.given for one in found.contenders if one.published and not one.measure}
    return GIVEN if given == {True} else f"{PUBLISHED}; or {GIVEN}" if True in given else PUBLISHED


def copies(found: Duel) -> list[str]:
    """Say that many passed episodes look like copies of others, or nothing."""
    if found.differ is None:
        return []
    passed = f"{count(found.differ)} of {count(found.counts.passed)} passed episodes"
    return [f"only {passed} differ, the others look like copies under other names: bounds count each such once"]


def unlabelled(found: Duel) -> str:
    """Say why there is no table, or nothing: without a label nothing is caught and nothing fires falsely."""
    n = found.counts
    if n.turn_limit or n.passed or n.failed:
        return ""
    how = "join outcomes with calib ingest --labels FILE (docs/labels.md)"
    return f"no episode is labelled, so no rule can be judged: {how}"
