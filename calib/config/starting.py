"""Write the first calib.toml: the current point, and limits that hold now."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from calib import stats
from calib.config._values import Config
from calib.config.reading import LARGEST_FILE, LONGEST_LINE
from calib.detectors import Detector
from calib.errors import UsageError
from calib.escape import visible
from calib.results import Sweep
from calib.spelling import at_most, plural
from calib.tools import KINDS, Map

ROUND = tuple(map(Decimal, ("1", "1.5", "2", "2.5", "3", "4", "5", "7.5")))
"""Limits of one decade that people write."""


def write_commented(
    found: Sweep,
    where: Sequence[str] = (),
    exclude: Sequence[str] = (),
    placing: Map | None = None,
    own: Mapping[str, Detector] | None = None,
    settings: Config | None = None,
) -> str:
    """Write calib.toml for the point of a sweep, every key with its meaning.

    The limits are set to what holds on these episodes, so the gate passes now if anything is caught: counts as they
    are, half of each plateau, and the next round limit above the bound on false fires. `where`, `exclude`, `placing`
    and `own` are the options and detectors the sweep was made with; `checks` and `unit` of `settings` stay what they
    are. Raises UsageError when they are too long to be read back.
    """
    kept = settings or Config()
    named = [*_tools(placing or Map()), *_own(own or {})]
    lines = [*_point(found, kept), *_selected(where, exclude), "[gate]", *_limits(found, kept), "", *named]
    written = "\n".join(lines) + "\n"
    if len(written.encode()) > LARGEST_FILE or any(len(line) > LONGEST_LINE for line in written.split("\n")):
        raise UsageError(
            "--init: the options are too long for a configuration file; shorten --where, --exclude or --reads"
        )
    return written


def text(value: str) -> str:
    r"""Spell a TOML text; every character that acts is escaped.

    >>> print(text('a"b\\c\x1b'))
    "a\"b\\c\u001B"
    """
    spelled = (c if visible(c) == c else f"\\U{ord(c):08X}" if ord(c) > 0xFFFF else f"\\u{ord(c):04X}" for c in value)
    return '"' + "".join({'"': '\\"', "\\": "\\\\"}.get(c, c) for c in spelled) + '"'


def _texts(values: Sequence[str]) -> str:
    joined = ", ".join(map(text, values))
    return f"[{joined}]" if len(joined) <= 100 else "[\n" + "".join(f"    {text(value)},\n" for value in values) + "]"


def _point(found: Sweep, kept: Config) -> list[str]:
    return [
        "# What `calib report` judges, and by which limits. Written by `calib report --init` from",
        f"# {visible(found.signature)}",
        "# In pyproject.toml the tables are [tool.calib], [tool.calib.gate] and [tool.calib.tools].",
        "",
        "# The operating point. Without it the closest-pass rule chooses one anew from every corpus.",
        f"point = {text(str(found.point))}",
        "",
        '# "before": from now on the point is fixed, so episodes that come in later get the narrower bounds of a point',
        '# fixed before. "here": it was chosen on the episodes it is judged on, and their bounds pay for that; so it',
        "# is, whatever this says, on the data of calibrated_on and on any episode of it, which the file",
        "# calib.calibrated.json (*.calibrated.json for another name) beside this one lists by content.",
        'chosen = "before"',
        f"calibrated_on = {text(found.data[:12])}",
        f"rule = {text(found.rule)}",
        "",
        "# Confidence of each bound, on one side; checks = 52 divides the error over 52 weekly checks.",
        f"confidence = {found.confidence!r}",
        f"checks = {kept.checks}",
        *_unit(kept),
        "",
    ]


def _unit(kept: Config) -> list[str]:
    """Write the declared unit; nothing for the usual one."""
    if kept.unit == "episode":
        return []
    return ["# What is taken as drawn independently: episode, task, model or arm.", f"unit = {text(kept.unit)}"]


def _selected(where: Sequence[str], exclude: Sequence[str]) -> list[str]:
    return [
        "# Which episodes count: all wheres and none of the excludes, added to those on the command line.",
        f"where = {_texts(where)}" if where else '# where = ["n_turns > 3"]',
        f"exclude = {_texts(exclude)}" if exclude else '# exclude = ["arm=always-strip"]',
        "",
    ]


def _tools(placing: Map) -> list[str]:
    said = [f"{kind} = {_texts(names)}" for kind in KINDS if (names := getattr(placing, kind))]
    return [
        "[tools]",
        "# What only reads, for search_run: added to what calib knows, or with only = true nothing else.",
        *(said or ['# reads = ["mcp__fs__*", "bash:cat"]']),
        *(["only = true"] if placing.only else []),
    ]


def _limits(found: Sweep, kept: Config) -> Iterator[str]:
    counts, tally, unknown = found.counts, found.tally, found.unknown
    hidden = f", {unknown.passed} that could not be observed counted in" if unknown.passed else ""
    yield f"# Most false fires, of {plural(counts.passed, 'passed episode')} now{hidden}."
    yield _if(counts.passed > 0, f"max_false_fires = {tally.false_fires + unknown.passed}")
    yield f"# Fewest caught, of {plural(counts.turn_limit, 'turn_limit episode')} now."
    if counts.turn_limit and not tally.caught:
        yield "# min_caught = 1   (nothing is caught now: no gate passes that unless min_caught = 0 says it is meant)"
    else:
        yield _if(counts.turn_limit > 0, f"min_caught = {tally.caught}")
    yield "# Narrowest plateau of each detector: half of what it is now."
    widths = {name: plateau.width for name, plateau in found.plateaus.items() if plateau.width is not None}
    halves = ", ".join(f"{_key(name)} = {max(1, width // 2)}" for name, width in widths.items())
    yield f"min_plateau_width = {{ {halves} }}" if halves else "# min_plateau_width = 5   (no plateau has an end now)"
    yield from _false_fire_rate(found, kept)
    yield "# More that can be asked: a rate passes only when its exact bound does, too few episodes are inconclusive."
    yield "# min_caught_rate = 0.9"
    yield "# max_other_fire_rate = 0.2"
    yield f"# min_passed = {counts.passed}"
    yield f"# min_turn_limit = {counts.turn_limit}"
    yield "# Share of the input bytes that ingest may lose; more is exit 4."
    yield "# max_rejected = 0.001"


def _key(name: str) -> str:
    return text(name) if "(" in name else name


def _own(own: Mapping[str, Detector]) -> Iterator[str]:
    """Write the detectors that the configuration names; nothing where it names none."""
    if own:
        yield from ("", "# Rules by names of your own.", "[detectors]")
    for name, each in own.items():
        yield f"{name} = {text(f'{each.rule}@{each.default}' if each.default else str(each.rule))}"


def _if(known: bool, line: str) -> str:
    return line if known else f"# {line}   (nothing to count now)"


def _false_fire_rate(found: Sweep, kept: Config) -> Iterator[str]:
    if kept.unit != "episode":
        yield f"# Highest rate of false fires that the data must rule out; it is judged on {kept.unit}s."
        yield "# max_false_fire_rate = 0.1"
        return
    fired, unknown, n = found.counted("passed")
    alpha = Config(confidence=found.confidence, checks=kept.checks).alpha
    upper = stats.adjusted_upper(fired + unknown, n, len(found.point.triggers), alpha)
    limit = round_above(upper)
    yield "# Highest rate of false fires that the data must rule out: the next round one above"
    yield f"# {at_most(upper)}, the bound for a point of {plural(len(found.point.triggers), 'detector')} chosen here."
    if limit and limit <= Decimal(repr(stats.WORTH_HAVING)):
        yield f"max_false_fire_rate = {limit:f}"
    else:
        yield "# max_false_fire_rate = 0.01   (too few passed episodes for one worth having: calib plan CORPUS)"


def round_above(share: float) -> Decimal | None:
    """Give the lowest round share that is not below `share`; None when there is none below 1.

    >>> round_above(0.00745), round_above(0.0126), round_above(0.05), round_above(0.8)
    (Decimal('0.0075'), Decimal('0.015'), Decimal('0.05'), None)
    """
    exact = Decimal(share)
    decade = exact.adjusted()
    ladder = (step.scaleb(power) for power in (decade, decade + 1) for step in ROUND)
    return next((limit for limit in ladder if float(limit) >= share and limit < 1), None)
