"""Select and group the episodes of a corpus by a column of their table or a key of their metadata.

What --where, --exclude and --by mean; the grammar is in `calib.where`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from calib.errors import CorpusError, UsageError, near
from calib.escape import visible
from calib.tables import EPISODES
from calib.where import NONE, Term, Value, Where, as_number, parse_where

if TYPE_CHECKING:
    import polars as pl

__all__ = ["NONE", "Selection", "by_groups", "parse_pair", "parse_where", "values_of"]

COLUMNS = tuple(name for name in EPISODES.names() if name != "metadata")
PREFIX = "metadata."
MOST_GROUPS = 1_000
MOST_VALUES = 50
"""Values of a column beyond which none is suggested."""
_LABEL = "a rate compares labels, so a group of one label has none"
_ONE = "each group would be one episode"
NO_GROUPS = {"label": _LABEL, "outcome": _LABEL, "episode_id": _ONE, "digest": _ONE}
"""Columns that make no groups worth comparing, and why."""


def parse_pair(text: str) -> tuple[str, str]:
    """Read KEY=VALUE; the value is everything after the first `=`, or `(none)`.

    >>> parse_pair("arm=always-strip"), parse_pair("note=a = b")
    (('arm', 'always-strip'), ('note', 'a = b'))

    Raises UsageError where there is no `=` or no key.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"--exclude: expected KEY=VALUE, found {visible(text)[:80]!r}")
    return key.strip(), value.strip()


@dataclass(frozen=True)
class Selection:
    """Which episodes count: those that satisfy every `where` and none of the `exclude` pairs."""

    where: tuple[Where, ...] = ()
    exclude: tuple[tuple[str, str], ...] = ()

    def keep(self, episodes: "pl.DataFrame") -> "pl.Series":
        """Mark the selected rows of the episodes of a whole corpus.

        Raises UsageError, with the near names, for a column that no episode has; and for a word where numbers are.
        """
        import polars as pl

        excluded = [Term(key, "=", None if value == NONE else value) for key, value in self.exclude]
        terms = [term for where in self.where for alternative in where.alternatives for term in alternative]
        columns = _columns(episodes, {term.column for term in (*terms, *excluded)})
        for term in terms:
            _check_number(term, episodes)
        found = {term: columns[term.column].where(term.matches) for term in (*terms, *excluded)}
        kept = pl.repeat(True, len(episodes), dtype=pl.Boolean, eager=True)
        for where in self.where:
            kept &= reduce(or_, (reduce(and_, map(found.__getitem__, terms)) for terms in where.alternatives))
        for term in excluded:
            kept &= ~found[term]
        return kept.alias("keep")

    def idle(self, episodes: "pl.DataFrame") -> tuple[str, ...]:
        """List the exclude pairs that match no episode."""
        pairs = [(f"{key}={value}", Term(key, "=", None if value == NONE else value)) for key, value in self.exclude]
        columns = _columns(episodes, {term.column for _, term in pairs})
        return tuple(text for text, term in pairs if not columns[term.column].where(term.matches).any())

    def unmet(self, episodes: "pl.DataFrame") -> list[str]:
        """Say of each value that a column of few values is asked to equal and never does what values it has."""
        terms = [term for where in self.where for terms in where.alternatives for term in terms if term.op == "="]
        columns = _columns(episodes, {term.column for term in terms})
        said = []
        for term in dict.fromkeys(terms):
            values = [str(value) for value in columns[term.column].values.values() if value is not None]
            if term.value is not None and term.value not in values and 0 < len(values) <= MOST_VALUES:
                known = near(term.value[:80], [visible(value)[:80] for value in values])
                said.append(f"no {visible(term.column)[:80]} is {visible(term.value)[:80]!r}, there are {known}")
        return said


def _check_number(term: Term, episodes: "pl.DataFrame") -> None:
    """Refuse to compare a word with a column of numbers: no episode would match, or every one."""
    numbers = term.column in COLUMNS and episodes[term.column].dtype.is_integer()
    if numbers and term.op != "~" and term.value is not None and as_number(term.value) is None:
        found = visible(term.value)[:80]
        raise UsageError(f"--where: expected a number to compare {term.column} with, found {found!r}")


def by_groups(episodes: "pl.DataFrame", key: str) -> "list[tuple[str | None, pl.Series]]":
    """Split the episodes by a column or metadata key: the value as text, and its rows.

    Groups come in order of their UTF-8 bytes; None, what is not recorded, comes last.
    Raises UsageError, with the near names, for an unknown key, for one that is no group, and for over 1,000 groups.
    """
    named, codes = group_codes(episodes, key)
    if len(named) > MOST_GROUPS:
        raise UsageError(
            f"--by {visible(key)[:80]}: expected at most {MOST_GROUPS:,} groups, found {len(named):,}; "
            "choose a key with fewer values"
        )
    return [(name, codes == place) for place, name in enumerate(named)]


def group_codes(episodes: "pl.DataFrame", key: str) -> "tuple[list[str | None], pl.Series]":
    """Give the groups of a column or metadata key, and for each episode the place of its group among them.

    In order of their UTF-8 bytes, None last, as many as there are. Raises UsageError, with the near names, for an
    unknown key, and for one that is no group.
    """
    import polars as pl

    if key in NO_GROUPS:
        raise UsageError(f"--by {key}: {NO_GROUPS[key]}; choose another key, such as task, model or arm")
    column = _columns(episodes, {key})[key]
    meant = {token: None if value is None else str(value) for token, value in column.values.items()}
    named = sorted(set(meant.values()), key=lambda name: (name is None, (name or "").encode()))
    place = {name: at for at, name in enumerate(named)}
    codes = [place[name] for name in meant.values()]
    return named, column.tokens.replace_strict(list(meant), codes, return_dtype=pl.Int32).alias("group")


def values_of(episodes: "pl.DataFrame", key: str) -> list[str | None]:
    """Give the value of a column or metadata key of each episode, as text; None for what is not recorded.

    Raises UsageError, with the near names, for an unknown key.
    """
    column = _columns(episodes, {key})[key]
    return [None if (value := column.values[token]) is None else str(value) for token in column.tokens.to_list()]


@dataclass(frozen=True)
class _Column:
    """A column as tokens (values of the table, or JSON as recorded) and what each distinct token means."""

    tokens: "pl.Series"
    values: dict[Any, Value]

    def where(self, holds: Callable[[Value], bool]) -> "pl.Series":
        """Mark the rows whose value satisfies a predicate, asked once for each distinct value."""
        return self.rows([token for token, value in self.values.items() if holds(value)])

    def rows(self, tokens: list[Any]) -> "pl.Series":
        """Mark the rows that hold one of the tokens."""
        return self.tokens.is_in(tokens, nulls_equal=True)


def _columns(episodes: "pl.DataFrame", names: set[str]) -> dict[str, _Column]:
    """Look up columns of the table and metadata keys; metadata is read only when a key is asked for."""
    import polars as pl

    found = {}
    for name in names & set(COLUMNS):
        series = episodes[name]
        series = series if series.dtype.is_integer() else series.cast(pl.String)
        found[name] = _Column(series, {token: token for token in series.unique().to_list()})
    keys = {name: name.removeprefix(PREFIX) for name in names - set(COLUMNS)}
    if keys:
        tokens = _metadata(episodes["metadata"], sorted(keys.values()))
        for name, key in keys.items():
            if key not in tokens:
                raise _unknown(episodes["metadata"], name)
            found[name] = _Column(tokens[key], {token: _meaning(token) for token in tokens[key].unique().to_list()})
    return found


def _objects(metadata: "pl.Series") -> Iterator[dict[str, Any]]:
    """Read each metadata text one level deep; the values stay JSON."""
    import msgspec
    import polars as pl

    decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
    try:
        yield from map(decode, metadata.cast(pl.String).fill_null("{}"))
    except (msgspec.MsgspecError, RecursionError):
        raise CorpusError("episodes: expected a JSON object as metadata, found something else; ingest again") from None


def _metadata(metadata: "pl.Series", keys: list[str]) -> "dict[str, pl.Series]":
    """Give the JSON of each key that any episode has, null where it is null or missing."""
    import polars as pl

    columns: dict[str, list[str | None]] = {key: [] for key in keys}
    known = set()
    for record in _objects(metadata):
        for key, column in columns.items():
            raw = record.get(key)
            if raw is not None:
                known.add(key)
            text = None if raw is None else bytes(raw).decode()
            column.append(None if text == "null" else text)
    return {key: pl.Series(key, column, pl.String) for key, column in columns.items() if key in known}


def _meaning(token: str | None) -> Value:
    """Read a JSON value: numbers and texts as such, anything else as the text it is written in."""
    import msgspec

    if token is None:
        return None
    if token.startswith('"'):
        return msgspec.json.decode(token, type=str)
    number = as_number(token)
    return token if number is None else number


def _unknown(metadata: "pl.Series", name: str) -> UsageError:
    names = set(COLUMNS)
    for record in _objects(metadata):
        names.update(record)
        if len(names) > MOST_GROUPS:
            break
    shown = [visible(known)[:80] for known in names]
    return UsageError(f"no column or metadata key named {visible(name)[:80]!r}; there are {near(name[:80], shown)}")
