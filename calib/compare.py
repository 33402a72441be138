"""Compare a sweep with a stored report: what moved, by episode.

A stored report is what `calib report --to json` printed; it lists every episode that fired, so that a fire
gained or lost has a name. Two reports with one signature have nothing to compare.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from calib.errors import UsageError
from calib.escape import terminal, visible
from calib.point import Point, Trigger
from calib.results import Counts, FireTurns, Moved, Plateau, SupportEpisode, Sweep, Tally
from calib.spelling import count, turns
from calib.tables import SCHEMA_VERSION

LARGEST_REPORT = 1 << 28
MOST_LINES = 20
"""Lines of one kind; the rest is counted."""

FIRES = {"passed": "false fire", "turn_limit": "catch", "failed": "other fire"}
NOTHING = "nothing moved"


class Fire(msgspec.Struct, frozen=True):
    """One episode that fired."""

    episode_id: str
    label: str
    fire_turn: int
    fired_by: str


class _Plateau(msgspec.Struct, frozen=True):
    low: int
    high: int | None
    width: int | None


class _Support(msgspec.Struct, frozen=True):
    closest_pass: SupportEpisode | None
    first_loss: SupportEpisode | None


class Stored(msgspec.Struct, frozen=True):
    """What a comparison needs of a stored report; names follow the contract."""

    signature: str
    counts: Counts
    point: dict[str, int]
    tally: Tally
    fire_turn: FireTurns
    plateaus: dict[str, _Plateau]
    support: dict[str, _Support]
    fires: list[Fire]


class _Version(msgspec.Struct):
    schema_version: int


def fires(found: Sweep) -> list[dict[str, Any]]:
    """List every episode that fired, by id: `episode_id`, `label`, `fire_turn`, `fired_by`."""
    columns = ("episode_id", "label", "fire_turn", "fired_by")
    return found.episodes.filter(found.episodes["fire_turn"].is_not_null()).select(columns).to_dicts()


def load_report(path: Path) -> Stored:
    """Read a stored report.

    Raises UsageError, in one line, for anything that is not one of this schema version.
    """
    shown = visible(str(path))
    try:
        if not path.is_file():
            raise UsageError(f"{shown}: expected a report of calib report --to json, found no file")
        if path.stat().st_size > LARGEST_REPORT:
            raise UsageError(f"{shown}: expected a report of calib report --to json, found too large a file")
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown}: could not read: {error.strerror}") from error
    return parse_report(data, shown)


def parse_report(data: bytes, shown: str) -> Stored:
    """Read the JSON of a stored report; `shown` names it in an error."""
    try:
        version = msgspec.json.decode(data, type=_Version).schema_version
        if version != SCHEMA_VERSION:
            raise UsageError(
                f"{shown}: was written with schema {version}, this calib reads schema {SCHEMA_VERSION}; make it again"
            )
        return msgspec.json.decode(data, type=Stored)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason = visible(str(error))[:200]
        raise UsageError(
            f"{shown}: expected a report of calib report --to json, found another file: {reason}"
        ) from None


def moved(stored: Stored, found: Sweep) -> Moved:
    """Say what is different now, one line each: counts, point, tally, plateaus, their ends, then fires by episode.

    Ids are spelled without characters that act. At most 20 lines of a kind, then a count of the rest.
    """
    lines = [*_numbers(stored, found), *_plateaus(stored, found), *_support(stored, found), *_fires(stored, found)]
    return Moved(tuple(lines) or (NOTHING,), stored.signature)


def _was(name: str, now: object, before: object) -> Iterator[str]:
    if now != before:
        yield f"{name}: {now}, was {before}"


def _numbers(stored: Stored, found: Sweep) -> Iterator[str]:
    for label, before in asdict(stored.counts).items():
        yield from _was(f"{label} episodes", count(getattr(found.counts, label)), count(before))
    before_point = Point(tuple(Trigger(_short(name), k) for name, k in stored.point.items()))
    if stored.point != found.point.thresholds:
        yield from _was("point", found.point, before_point)
    for name in ("caught", "false_fires", "other_fires"):
        now, before = getattr(found.tally, name), getattr(stored.tally, name)
        yield from _was(name.replace("_", " "), count(now), count(before))
    yield from _was("fire turns (min / median / max)", turns(found.fire_turn), turns(stored.fire_turn))


def _plateau(plateau: Plateau | _Plateau | None) -> str:
    if plateau is None:
        return "not in the point"
    if plateau.high is None or plateau.width is None:
        return f"from {plateau.low} on, no upper end"
    return f"{plateau.low}–{plateau.high}, {count(plateau.width)} wide"


def _both(now: Mapping[str, Any], before: Mapping[str, Any]) -> list[str]:
    """Name the detectors of both points, those of now first."""
    return list(dict.fromkeys([*now, *before]))


def _plateaus(stored: Stored, found: Sweep) -> Iterator[str]:
    for name in _both(found.plateaus, stored.plateaus):
        now, before = found.plateaus.get(name), stored.plateaus.get(name)
        yield from _was(f"{_short(name)} plateau", _plateau(now), _plateau(before))


def _episode(episode: SupportEpisode | None) -> str:
    return f"{_short(episode.episode_id)} (peak {count(episode.peak)})" if episode else "none"


def _support(stored: Stored, found: Sweep) -> Iterator[str]:
    for name in _both(found.support, stored.support):
        now, before = found.support.get(name), stored.support.get(name)
        if now and before:
            closest = _episode(now.closest_pass), _episode(before.closest_pass)
            yield from _was(f"{_short(name)} closest pass", *closest)
            yield from _was(f"{_short(name)} first loss", _episode(now.first_loss), _episode(before.first_loss))


def _fires(stored: Stored, found: Sweep) -> Iterator[str]:
    """Name the episodes that fire and did not, that did and do not, that fire otherwise or got another label."""
    now = {fire.episode_id: fire for fire in msgspec.convert(fires(found), list[Fire])}
    before = {fire.episode_id: fire for fire in stored.fires}
    lost = [fire for name, fire in before.items() if name not in now]
    ids = found.episodes["episode_id"]
    here = set(ids.filter(ids.is_in([fire.episode_id for fire in lost])))
    kept = [(fire, before[name]) for name, fire in now.items() if name in before]
    yield from _listed("new", ((fire, _at(fire)) for name, fire in now.items() if name not in before))
    yield from _listed("lost", ((fire, f"was {_at(fire)}") for fire in lost if fire.episode_id in here))
    gone = ((fire, f"is no longer among the episodes, was {_at(fire)}") for fire in lost if fire.episode_id not in here)
    yield from _listed("gone", gone)
    yield from _listed("moved", ((fire, f"{_at(fire)}, was {_at(old)}") for fire, old in kept if _at(fire) != _at(old)))
    yield from _listed(
        "relabelled", ((fire, f"was {_short(old.label)}") for fire, old in kept if fire.label != old.label)
    )


def _short(text: str) -> str:
    return terminal(text, 80)


def _at(fire: Fire) -> str:
    return f"at turn {count(fire.fire_turn)} by {_short(fire.fired_by)}"


def _listed(change: str, said: Iterable[tuple[Fire, str]]) -> Iterator[str]:
    """Give a line for each fire, false fires first, then by id; at most 20 of a kind."""
    kinds: dict[str, list[tuple[Fire, str]]] = {}
    for fire, words in said:
        kinds.setdefault(fire.label, []).append((fire, words))
    order = list(FIRES)
    for label in sorted(kinds, key=lambda label: (order.index(label) if label in FIRES else len(order), label)):
        kind = f"{change} {FIRES.get(label) or f'fire of a {_short(label)} episode'}"
        rows = sorted(kinds[label], key=lambda row: row[0].episode_id.encode())
        for fire, words in rows[:MOST_LINES]:
            yield f"{kind}: {_short(fire.episode_id)} {words}"
        if len(rows) > MOST_LINES:
            yield f"{kind}: {count(len(rows) - MOST_LINES)} more"
