"""Find the episodes that the rows of a labels file are about.

A row is about the episode of its `episode_id`. Without one, about the episode of its `source`; without that, about
the episode whose task, or whose id, is its `task`. `task` and `arm` narrow a choice of several, and a sub-agent's
episode is none where the episode that started it is another. A row that still fits several episodes is about none of
them: it is told as ambiguous.

A `source` fits when either path is the other or its end: `run/7.json` fits `dumps/run/7.json`. Where no source does, it
may be a path that the episode is called by, as where each file of a folder is an episode of one source `folder/*`; or
that folder, where all its files are one episode.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from calib.escape import terminal
from calib.labels._rows import Row, Said, shown


class EpisodeKey(NamedTuple):
    """What a row can name an episode by. `parent` is the episode that started a sub-agent's one."""

    episode_id: str
    source: str
    task: str | None = None
    arm: str | None = None
    parent: str | None = None


@dataclass(frozen=True)
class Joined:
    """What each episode's rows say, and what did not fit. Every text is one line.

    `unmatched_rows` are file:row and what it names, `unmatched_episodes` ids: episodes of sub-agents are not among
    them. `ambiguous`, `conflicts` and `duplicates` are sentences. `unknown_stops` counts, once the rows were applied,
    stop reasons that are no words that are understood.
    """

    by_episode: dict[str, Said] = field(default_factory=dict)
    unmatched_rows: tuple[str, ...] = ()
    unmatched_episodes: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    unknown_stops: Mapping[str, int] = field(default_factory=dict)


def join(rows: Iterable[Row], episodes: Iterable[EpisodeKey]) -> Joined:
    """Match rows and episodes, each in the order given.

    >>> rows = [Row(Said("l.csv:2", "passed"), source="b.json"), Row(Said("l.csv:3", "failed"), task="t9")]
    >>> joined = join(rows, [EpisodeKey("e1", "runs/a.json"), EpisodeKey("e2", "runs/b.json")])
    >>> joined.by_episode["e2"].outcome, joined.unmatched_rows, joined.unmatched_episodes
    ('passed', ('l.csv:3 (task t9)',), ('e1',))
    """
    index = _Index(tuple(episodes))
    said: dict[str, list[Said]] = {}
    unmatched, ambiguous = [], []
    for row in rows:
        found = index.find(row)
        if len(found) == 1:
            said.setdefault(found[0].episode_id, []).append(row.said)
        elif found:
            some = ", ".join(shown(one.episode_id) for one in found[:2])
            ambiguous.append(f"{row.said.where}: fits {len(found)} episodes ({some} …); name one by episode_id")
        else:
            unmatched.append(f"{row.said.where} ({_named(row)})")
    merged = {name: _merged(all_said) for name, all_said in said.items()}
    return Joined(
        merged,
        tuple(unmatched),
        tuple(one.episode_id for one in index.episodes if one.episode_id not in said and one.parent is None),
        tuple(ambiguous),
        tuple(f"{shown(name)}: {one.conflict}" for name, one in merged.items() if one.conflict),
        tuple(
            f"{one.where}: says the same as {all_said[0].where}"
            for name, all_said in said.items()
            for one in all_said[1:]
            if not merged[name].conflict
        ),
    )


class _Index:
    """Episodes by id, task, and last component of the source, of an id that is a path, and of a bundle's folder."""

    def __init__(self, episodes: tuple[EpisodeKey, ...]) -> None:
        self.episodes = episodes
        self._by_id = {one.episode_id: one for one in episodes}
        self._by_task: dict[str, list[EpisodeKey]] = {}
        self._by_path: tuple[dict[str, list[tuple[str, EpisodeKey]]], ...] = ({}, {}, {})
        for one in episodes:
            for paths, path in zip(self._by_path, _paths(one), strict=True):
                if path:
                    paths.setdefault(_last(path), []).append((path, one))
            if one.task is not None:
                self._by_task.setdefault(one.task, []).append(one)

    def find(self, row: Row) -> Sequence[EpisodeKey]:
        """List the episodes that a row fits."""
        if row.episode_id is not None:
            return [one for one in (self._by_id.get(row.episode_id),) if one is not None]
        if row.source is not None:
            found = self._of_source(row.source)
            if len(found) > 1 and row.task is not None:
                found = [one for one in found if row.task in (one.task, one.episode_id)]
            return _narrowed(found, row.arm)
        task = row.task or ""
        found = self._by_task.get(task) or [one for one in (self._by_id.get(task),) if one is not None]
        return _narrowed(found if row.arm is None else [one for one in found if one.arm == row.arm], None)

    def _of_source(self, named: str) -> list[EpisodeKey]:
        wanted = named.replace("\\", "/").removeprefix("./").rstrip("/")
        sources, ids, folders = self._by_path
        for paths in (sources, ids, folders) if "/" in wanted else (sources, folders):  # one word is no path of an id
            near = paths.get(_last(wanted), [])
            exact = [one for path, one in near if path == wanted]
            if found := exact or [one for path, one in near if _ends_with(path, wanted) or _ends_with(wanted, path)]:
                return found
        return [one for one in (self._by_id.get(named),) if one is not None]


def _paths(one: EpisodeKey) -> tuple[str, str, str]:
    """Give the paths of an episode, empty for none: its source, its id, the folder whose files are its source."""
    folder, _, last = one.source.rpartition("/")
    return one.source, one.episode_id if "/" in one.episode_id else "", folder if last.startswith("*") else ""


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _named(row: Row) -> str:
    """Say what a row names, as far as it was looked at."""
    if row.episode_id is not None:
        return f"episode_id {terminal(row.episode_id, 60)}"
    names = (("source", row.source), ("task", row.task), ("arm", row.arm))
    return ", ".join(f"{key} {terminal(value, 60)}" for key, value in names if value is not None)


def _ends_with(path: str, end: str) -> bool:
    return path.endswith("/" + end.removeprefix("/"))


def _narrowed(found: Sequence[EpisodeKey], arm: str | None) -> Sequence[EpisodeKey]:
    if len(found) > 1 and arm is not None:
        found = [one for one in found if one.arm == arm]
    if len(found) > 1:
        found = [one for one in found if one.parent is None] or found
    return found


def _merged(said: Sequence[Said]) -> Said:
    """Make one statement of all rows about an episode; rows that disagree become a conflict."""
    first = said[0]
    metadata = {key: value for one in reversed(said) for key, value in one.metadata.items()}
    for other in said[1:]:
        if not first.agrees(other):
            line = f"{first.where} says {_told(first)}, {other.where} says {_told(other)}"
            return Said(first.where, metadata=metadata, conflict=line)
    return replace(first, metadata=metadata)


def _told(said: Said) -> str:
    words = [said.outcome, said.stop_reason and shown(said.stop_reason), said.label]
    return " ".join(word for word in words if word)
