"""Rules against each other: two tables in 80 columns, the same in Markdown, and everything as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction

from calib import escape
from calib.contest import Contender, Duel, DuelSide
from calib.reports._about_duel import NONE_FIRES, Which, copies, title, unlabelled
from calib.reports._columns import STUCK, cells, guarded, name, safe, table, wrap
from calib.reports._words import lost_input
from calib.reports.json import dumps
from calib.spelling import NONE, at_most, confidence, count, of, plural, turn
from calib.tables import SCHEMA_VERSION

HEADS = ("rule", "caught", "false", "other", "turn", "after", "first", "only")
RIGHT = (False, *[True] * 7)
STAR = " *"
BEGINS = Fraction(3, 4)
"""Share of a cut name that its beginning gets: rules of one agent differ near the middle."""
LEGEND = (
    "turn: median fire turn; after: turns of turn_limit episodes after the fire; first: turn_limit episodes in which "
    "no rule fired before it; only: those that no other rule catches"
)
BEATEN = "* does not beat plain turn count: a turn limit with as few false fires saves as many turns"
NO_TURNS = "no turn_limit episode: nothing is caught, and no rule is set against a plain turn count"


def sides(found: Duel, which: Which) -> list[tuple[Contender, DuelSide]]:
    """List the rules that have a point of this kind, are observable somewhere, and fire somewhere; the best first.

    Those that beat a plain turn count, then by what is caught, few false fires, turns saved; the measures at the end.
    """

    def place(each: tuple[Contender, DuelSide]) -> tuple[bool | int | str, ...]:
        one, side = each
        worse = one.measure, not side.beats_turn_count
        return *worse, -side.tally.caught, side.tally.false_fires, -side.turns_after_fire, one.name

    return sorted(((one, side) for one, side in _observed(found, which) if _fires(side)), key=place)


def quiet(found: Duel, which: Which) -> str:
    """Name the rules that fire nowhere, though they could be observed and calls that they look at are made."""
    names = [
        str(side.point) for one, side in _observed(found, which) if one.called and not _fires(side) and not one.measure
    ]
    return f"fires in no episode: {', '.join(sorted(names))}" if names else ""


def _observed(found: Duel, which: Which) -> list[tuple[Contender, DuelSide]]:
    every = [(one, side) for one in found.contenders if (side := getattr(one, which)) is not None]
    return [(one, side) for one, side in every if not _hidden(one, found)]


def _hidden(one: Contender, found: Duel) -> bool:
    """Tell whether a rule is observable in no episode."""
    n, hidden = found.counts, one.hidden
    return (hidden.turn_limit, hidden.passed, hidden.failed) == (n.turn_limit, n.passed, n.failed)


def _fires(side: DuelSide) -> bool:
    return side.tally.caught + side.tally.false_fires + side.tally.other_fires > 0


def row(one: Contender, side: DuelSide) -> tuple[str, ...]:
    """Spell one side: the counts over the episodes in which the rule could be observed."""
    tally, seen = side.tally, side.of
    race = (NONE, NONE) if one.measure else (count(side.first), count(side.only))
    return (
        of(tally.caught, seen.turn_limit), of(tally.false_fires, seen.passed), of(tally.other_fires, seen.failed),
        turn(side.fire_turn.median), count(side.turns_after_fire), *race,
    )  # fmt: skip


def headline(found: Duel) -> str:
    """Count rules and episodes."""
    n = found.counts
    rest = [
        f"{count(size)} {label}" for label, size in (("unlabelled", n.unlabelled), ("excluded", n.excluded)) if size
    ]
    excluded = f"; {', '.join(rest)}" if rest else ""
    return (
        f"{plural(len(found.contenders), 'rule')} on {plural(n.episodes, 'episode')}: "
        f"{count(n.turn_limit)} turn_limit, {count(n.passed)} passed, {count(n.failed)} failed{excluded}"
    )


def bounds(found: Duel, which: Which) -> str:
    """Say what no false fire leaves open, for each number of passed episodes it is said of."""
    none = [side for _, side in _observed(found, which) if side.of.passed and not side.tally.false_fires]
    if not none:
        return ""
    most = {(side.of.passed, -side.at_most, len(side.point.triggers)) for side in none}
    single = {(n, bound) for n, bound, size in most if size == 1}
    said = sorted(each for each in most if each[2] == 1 or each[:2] not in single)
    each = "; ".join(
        f"0/{count(n)} at most {at_most(-bound)}" + (f" for {size} detectors joined" if size > 1 else "")
        for n, bound, size in reversed(said)
    )
    return f"false fires, each rule by itself ({confidence(found.confidence)}): {each}"


def unseen(found: Duel) -> list[str]:
    """Say of each rule that is not observable in some episode in how many; those of equal numbers in one line."""
    groups: dict[tuple[int, int, int], list[str]] = {}
    for one in found.contenders:
        hidden = one.hidden
        if any((hidden.turn_limit, hidden.passed, hidden.failed)):
            of_label = hidden.turn_limit, hidden.passed, hidden.failed
            groups.setdefault(of_label, []).append(one.name + _partly(one, found))
    n = found.counts
    return [
        f"not observable in {hidden[0]:,}/{n.turn_limit:,} turn_limit, {hidden[1]:,}/{n.passed:,} passed, "
        f"{hidden[2]:,}/{n.failed:,} failed: {', '.join(sorted(names))}"
        for hidden, names in sorted(groups.items())
    ]


def _partly(one: Contender, found: Duel) -> str:
    """Say where a rule fires on what is recorded, though it is observable nowhere."""
    side = one.published
    if side is None or not _hidden(one, found) or not _fires(side):
        return ""
    fires = side.tally.caught + side.tally.false_fires + side.tally.other_fires
    return f" (fires in {plural(fires, 'episode')} on what is recorded)"


def unplaced(found: Duel) -> list[str]:
    """Name the rules that cannot fire here, and those without a point of a kind."""
    said = {
        "no call is one that they look at, so they cannot fire here": [
            one.name for one in found.contenders if not one.called
        ],
        "no threshold was published": [one.name for one in found.contenders if one.published is None],
        "no passed episode in which it is observable, so none is closest": [
            one.name for one in found.contenders if one.closest is None and not one.measure
        ],
    }
    return [f"{why}: {', '.join(names)}" for why, names in said.items() if names]


def alone(found: Duel) -> list[str]:
    """Name what only one rule catches at its closest pass."""
    return [
        f"only {side.point} catches {', '.join(name(each, 60).replace(STUCK, ' ') for each in side.only_episodes)}"
        + (f" and {count(side.only - len(side.only_episodes))} more" if side.only > len(side.only_episodes) else "")
        for _, side in sides(found, "closest")
        if side.only
    ]


def starred(found: Duel, one: Contender, side: DuelSide) -> bool:
    """Tell whether a rule is marked as no better than a turn limit; where no run ended at one nothing says so."""
    return found.counts.turn_limit > 0 and not one.measure and not side.beats_turn_count


def grounds(found: Duel) -> list[str]:
    """Say what the tables do not: the words in them, what was not observable, what input was lost."""
    return [
        LEGEND,
        BEATEN if found.counts.turn_limit else NO_TURNS,
        *unseen(found),
        *unplaced(found),
        *alone(found),
        *copies(found),
        f"lost input: {lost_input(found.lost)}",
    ]


def render_terminal(found: Duel, width: int = 80) -> str:
    """Give the text, in lines of at most `width` cells, 60 at least."""
    width = max(60, width)
    lines = [headline(found)]
    if lacking := unlabelled(found):
        lines += ["", *wrap(lacking, width), *wrap(f"lost input: {lost_input(found.lost)}", width, "", "  ")]
        return guarded(lines)
    which: Which
    for which in ("published", "closest"):
        shown = sides(found, which)
        lines += [
            "",
            *wrap(title(found, which), width),
            *(_rows(found, shown, width) if shown else [f"  {NONE_FIRES}"]),
        ]
        said = [safe(each) for each in (quiet(found, which), bounds(found, which)) if each]
        lines += [line for each in said for line in wrap(each, width, "  ", "    ")]
    lines += ["", *(line for each in grounds(found) for line in wrap(safe(each), width, "", "  "))]
    return guarded(lines)


def _rows(found: Duel, shown: Sequence[tuple[Contender, DuelSide]], width: int) -> list[str]:
    rows = [row(one, side) for one, side in shown]
    room = width - 4 - _widest(rows)
    if room < 20:  # what the counts are of is said in the headline
        rows = [(*(cell.partition("/")[0] for cell in each[:3]), *each[3:]) for each in rows]
        room = max(width - 4 - _widest(rows), 12)
    names = [name(str(side.point), room - len(STAR), BEGINS) + STAR * starred(found, one, side) for one, side in shown]
    return table([HEADS, *((first, *rest) for first, rest in zip(names, rows, strict=True))], RIGHT)


def _widest(rows: Sequence[tuple[str, ...]]) -> int:
    return max(map(cells, table([HEADS[1:], *rows], RIGHT[1:], "")))


def render_markdown(found: Duel) -> str:
    """Give the Markdown."""
    heads = ("rule", "caught", "false fires", "at most", "other fires", "median fire turn", "turns after fire",
             "first", "only")  # fmt: skip
    blocks = [f"**{headline(found)}**"]
    if lacking := unlabelled(found):
        return "\n\n".join([*blocks, lacking, f"- lost input: {lost_input(found.lost)}"]) + "\n"
    which: Which
    for which in ("published", "closest"):
        rows = []
        for one, side in sides(found, which):
            spelled = escape.markdown(str(side.point)) + " \\*" * starred(found, one, side)
            caught, false, *rest = row(one, side)
            rows.append((spelled, caught, false, at_most(side.at_most), *rest))
        blocks += [f"Rules {title(found, which)}:", _table(heads, rows) if rows else f"{NONE_FIRES}."]
        blocks += [
            f"- {escape.markdown(each, cell=False)}" for each in (quiet(found, which), bounds(found, which)) if each
        ]
    blocks.append("\n".join(f"- {escape.markdown(each, cell=False)}" for each in grounds(found)))
    return "\n\n".join(blocks) + "\n"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    line = "|---|" + "--:|" * (len(heads) - 1)
    return "\n".join([f"| {' | '.join(heads)} |", line, *(f"| {' | '.join(each)} |" for each in rows)])


def render_json(found: Duel) -> str:
    """Give the JSON: every number, the points as objects."""
    return dumps(
        {
            "schema_version": SCHEMA_VERSION,
            "data": found.data,
            "counts": asdict(found.counts),
            "confidence": found.confidence,
            "rules": list(_objects(found)),
            "differ": found.differ,
            "lost": asdict(found.lost),
        }
    )


def _objects(found: Duel) -> Iterator[dict[str, object]]:
    for one in found.contenders:
        yield {
            "rule": one.name, "measure": one.measure, "not_observable": asdict(one.hidden), "called": one.called,
            "published": _side(one.published), "closest_pass": _side(one.closest),
        }  # fmt: skip


def _side(side: DuelSide | None) -> dict[str, object] | None:
    if side is None:
        return None
    return asdict(side) | {"point": side.point.thresholds, "only_episodes": list(side.only_episodes)}
