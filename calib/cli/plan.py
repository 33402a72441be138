"""`calib plan`: how many more episodes until a limit is decided?"""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calib.cli._options import ConfigPath, Exclude, PointText, Reads, Where, load_config, own, scored
from calib.cli._output import emit, say
from calib.errors import UsageError
from calib.escape import visible
from calib.point import parse_point

if TYPE_CHECKING:
    from calib.config import Config
    from calib.point import Point
    from calib.score import Scored

FALSE_FIRES, CAUGHT = (0.05, 0.01, 0.005, 0.001), (0.9, 0.95, 0.99)
"""Limits that are planned for when none is asked."""


def share(text: str, what: str) -> float:
    """Read a share as a decimal or in percent.

    >>> share("0.01", "--limit"), share("0.5 %", "--limit")
    (0.01, 0.005)

    Raises UsageError for anything that is not above 0 and below 1.
    """
    from decimal import Decimal, InvalidOperation

    number, per_cent, _ = text.strip().partition("%")
    try:
        value = Decimal(number.strip()) / (100 if per_cent else 1)
    except InvalidOperation:
        value = Decimal(0)
    if not (value.is_finite() and 0 < value < 1):
        raise UsageError(f"{what}: expected a share such as 0.01 or 1%, found {visible(text)[:40]!r}")
    return float(value)


def plan(
    corpus: Annotated[str, typer.Argument(metavar="[CORPUS]", help="Count there.", show_default=False)] = "",
    point: PointText = "",
    limit: Annotated[list[str], typer.Option("--limit", metavar="SHARE", help="Such as 0.01; may be repeated.")] = [],  # noqa: B006
    fired: Annotated[int, typer.Option("--fired", metavar="N", min=0, help="Without a corpus: how many fired.")] = 0,
    of: Annotated[int, typer.Option("--of", metavar="N", min=-1, help="Of how many.", show_default=False)] = -1,
    unknown: Annotated[int, typer.Option("--unknown", metavar="N", min=0, help="Silent, but not observable.")] = 0,
    triggers: Annotated[int, typer.Option("--triggers", metavar="N", min=1, max=99, help="Triggers of the point.")] = 2,
    caught: Annotated[bool, typer.Option("--caught", help="Plan for the caught turn_limit episodes.")] = False,
    to: Annotated[Literal["terminal", "json"], typer.Option("--to", help="What to print.")] = "terminal",
    where: Where = [],  # noqa: B006
    exclude: Exclude = [],  # noqa: B006
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Say how many more episodes would decide a limit.

    From a corpus, or from two counts: calib plan --limit 0.01 --fired 0 --of 235
    """
    if bool(corpus) == (of >= 0):
        raise UsageError("plan: expected a CORPUS, or --fired N --of N; found " + ("both" if corpus else "neither"))
    asked = [share(text, "--limit") for text in limit]
    settings = load_config(config)
    limits = asked or _declared(settings, caught)
    counted, n, blind = (fired, unknown, of), triggers, list[str]()
    if corpus:
        given = parse_point(point) if point else settings.point
        found = scored(corpus, own(given), where, exclude, reads, settings)
        counted, n, blind = _counted(found, given, caught)
    _check(*counted)
    from calib.gate import outlook, outlook_caught
    from calib.reports import plan as report

    seen = (outlook_caught if caught else outlook)(counted, n, limits, settings, blind)
    emit(report.render_json(seen) if to == "json" else report.render(seen))


def _declared(settings: "Config", caught: bool) -> list[float]:
    """Give the limit of the configuration, else the usual ones."""
    limit = settings.limits.min_caught_rate if caught else settings.limits.max_false_fire_rate
    return [limit] if limit is not None else list(CAUGHT if caught else FALSE_FIRES)


def _counted(found: "Scored", point: "Point | None", caught: bool) -> tuple[tuple[int, int, int], int, list[str]]:
    """Count in a corpus: fired, unknown and all episodes of the label, the triggers of the point, and those unseen."""
    from calib.cautions import of_repeats
    from calib.gate import all_blind
    from calib.sweep import sweep

    swept = sweep(found, at=point)
    label = "turn_limit" if caught else "passed"
    for warning in of_repeats(swept.counts, swept.distinct) if label in swept.distinct else ():
        say(f"warning: {warning}")
    blind = all_blind(swept, label) if caught else swept.blind(label)
    return swept.counted(label), len(swept.point.triggers), blind


def _check(fired: int, unknown: int, of: int) -> None:
    if fired + unknown > of:
        raise UsageError(f"plan: expected at most --of {of} episodes, found {fired} fired and {unknown} unknown")
