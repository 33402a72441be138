"""What must hold between the tables of a part, and between the parts of a corpus."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from calib.check._rows import SAME, SAME_CALL, Rule, broken
from calib.escape import visible

if TYPE_CHECKING:
    import polars as pl

WHITESPACE = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
"""What Python's `strip` takes away: four characters more than polars' does."""


def cross_findings(frames: Mapping[str, "pl.DataFrame"], part: Mapping[str, Any], whole_text: bool) -> list[str]:
    """Check episodes, turns and calls of a part against each other; their keys and turn numbers are in order.

    `whole_text`: the text is as recorded, so that equalities and lengths can be found again.
    """
    import polars as pl

    files = {name: part["tables"][name]["file"] for name in frames}
    episodes, turns, calls = frames["episodes"], frames["turns"], frames["calls"]
    found = broken(turns, [*_pointers(), *(_texts() if whole_text else [])], files["turns"])
    found += broken(calls, _call_pointers(), files["calls"])
    counted = episodes.join(
        turns.group_by("episode_id").len("rows"), on="episode_id", how="left", maintain_order="left"
    )
    enough = Rule("n_turns", "the rows of turns", pl.col("n_turns") == pl.col("rows").fill_null(0))
    found += broken(counted, [enough], files["episodes"])
    strays = turns.join(episodes, on="episode_id", how="anti")
    found += [f"{files['turns']}: episode_id: expected episodes of the part, found another one"] if len(strays) else []
    names = calls.group_by("episode_id", "turn").agg(pl.col("tool").fill_null("")).rename({"tool": "called"})
    both = turns.join(names, on=["episode_id", "turn"], how="left", maintain_order="left")
    listed, called = (pl.col(name).list.join("\0").fill_null("") for name in ("tools", "called"))
    same = (listed == called) & (pl.col("tools").list.len() == pl.col("called").list.len().fill_null(0))
    found += broken(both, [Rule("tools", "the tools of the calls", same)], files["turns"])
    strays = calls.join(turns, on=["episode_id", "turn"], how="anti")
    return found + ([f"{files['calls']}: turn: expected turns of the part, found another one"] if len(strays) else [])


def _pointers() -> list[Rule]:
    """List that a turn equal to an earlier one points at the first of them, which points at itself."""
    import polars as pl

    return [_pointing(name, pl.col("turn"), "a turn") for name in SAME]


def _call_pointers() -> list[Rule]:
    import polars as pl

    ordinal = pl.int_range(pl.len()).over("episode_id")
    return [_pointing(name, ordinal, "a call") for name in SAME_CALL]


def _pointing(name: str, place: "pl.Expr", what: str) -> Rule:
    """Say that what an equality points at points at itself; `place` is a row's place in its episode."""
    import polars as pl

    row = pl.int_range(pl.len())
    target = pl.col(name).gather((row - place + pl.col(name)).fill_null(row))
    return Rule(name, f"{what} that is the first of its kind", target == pl.col(name))


def _texts() -> list[Rule]:
    """List what text that is stored as recorded tells again: its length, and which turns are equal."""
    import polars as pl

    found = []
    for name in ("reasoning", "text"):
        trimmed = pl.col(name).str.strip_chars(WHITESPACE)
        first = pl.when(trimmed != "").then(pl.col("turn").min().over("episode_id", trimmed))
        chars = pl.col(name).str.len_chars().fill_null(0)
        found.append(Rule(f"{name}_chars", f"the length of {name}", pl.col(f"{name}_chars") == chars))
        found.append(
            Rule(f"same_{name}_as", "the first turn with this text", pl.col(f"same_{name}_as").eq_missing(first))
        )
    return found


class Ids:
    """The episodes of all parts, as 16 bytes each: no id may stand in two."""

    def __init__(self) -> None:
        self._hashes: list[pl.DataFrame] = []
        self._parts: list[str] = []

    def add(self, ids: "pl.Series", part: str) -> None:
        """Take the ids of a part."""
        import polars as pl

        self._parts.append(part)
        number = pl.lit(len(self._parts) - 1, pl.Int32).alias("part")
        self._hashes.append(pl.DataFrame({"low": ids.hash(0), "high": ids.hash(1)}).with_columns(number))

    def findings(self) -> list[str]:
        """Name the parts that share an id, for the first few ids."""
        import polars as pl

        if not self._hashes:
            return []
        every = pl.concat(self._hashes)
        twice = every.filter(pl.struct("low", "high").is_duplicated()).group_by("low", "high").agg("part")
        pairs = sorted({tuple(sorted(parts)[:2]) for parts in twice["part"].to_list()})
        return [
            f"episodes/{self._parts[first]}.parquet: episode_id: expected each id once in the corpus,"
            f" found one also in episodes/{self._parts[second]}.parquet"
            for first, second in pairs[:20]
            if first != second
        ]


class Stretches:
    """The rejected stretches of sources, from all their parts: none may overlap in a source.

    A row of records that stand here and there, without a line, is no stretch.
    """

    def __init__(self) -> None:
        self._frames: list[pl.DataFrame] = []

    def add(self, rejects: "pl.DataFrame") -> None:
        """Take the rejects of a part."""
        import polars as pl

        rejects = rejects.filter(pl.col("line").is_not_null() | (pl.col("records") == 1))
        self._frames.append(rejects.select("source", "offset", "bytes"))

    def findings(self) -> list[str]:
        """Find the first two that overlap."""
        import polars as pl

        if not self._frames:
            return []
        every = pl.concat(self._frames).sort("source", "offset", "bytes")
        end = (pl.col("offset") + pl.col("bytes")).cum_max().shift().over("source")
        rows = every.filter(pl.col("offset") < end)
        if not len(rows):
            return []
        return [
            f"{visible(rows[0, 'source'])}: rejects: expected stretches that do not overlap,"
            f" found one at byte {rows[0, 'offset']}"
        ]
