"""What an edit could save at most: what the episodes took after their fire turns.

An upper bound, for it is what a stop saves: an edit lets the run go on. Turns are always known; tokens and seconds only
where the transcript recorded them for every turn after the fire.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.corpus import Corpus
from calib.results import Savings

AMOUNTS = {"tokens_after_fire": "output_tokens", "milliseconds_after_fire": "milliseconds"}


def after_fire(corpus: Corpus, fires: pl.DataFrame) -> pl.DataFrame:
    """Give what each episode took after its fire turn.

    `fires` has `episode_id` and `fire_turn`; so has the result, with `turns_after_fire`, `tokens_after_fire` and
    `milliseconds_after_fire`, in the same order. They are null where nothing fired, the last two also where a turn
    after the fire did not record them.
    """
    fires = fires.select("episode_id", "fire_turn")
    fired = fires.drop_nulls().with_columns(pl.col("fire_turn").cast(pl.Int64))
    made = list(_parts(corpus, fired))
    whole = pl.concat(made) if made else _empty()
    return fires.join(whole, on="episode_id", how="left", maintain_order="left")


def could_save(corpus: Corpus, episodes: pl.DataFrame) -> Savings:
    """Sum what the caught episodes took after their fires; `episodes` is what `score_table` gives."""
    caught = episodes.filter((pl.col("label") == "turn_limit") & pl.col("fire_turn").is_not_null())
    found = after_fire(corpus, caught)
    lasting = found.filter(pl.col("turns_after_fire") > 0)  # after a last turn nothing is recorded, and nothing missing
    seen = found if lasting.is_empty() else lasting
    tokens, milliseconds = (
        found[name].drop_nulls() if seen[name].count() else seen[name].drop_nulls() for name in AMOUNTS
    )
    return Savings(
        len(caught), int(found["turns_after_fire"].sum()),
        int(tokens.sum()) if len(tokens) else None, len(tokens),
        float(milliseconds.sum()) / 1000 if len(milliseconds) else None, len(milliseconds),
    )  # fmt: skip


def _empty() -> pl.DataFrame:
    names = ["turns_after_fire", *AMOUNTS]
    return pl.DataFrame(schema={"episode_id": pl.String, **dict.fromkeys(names, pl.Int64)})


def _parts(corpus: Corpus, fired: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Sum part by part; parts in which nothing fired are not read."""
    for part, episodes in enumerate(corpus.read("episodes", ["episode_id", "n_turns"])):
        named = episodes.with_columns(pl.col("episode_id").cast(pl.String))
        rows = named.join(fired, on="episode_id", how="left", maintain_order="left")
        if rows["fire_turn"].null_count() < len(rows):
            yield _summed(rows, corpus.read_part("turns", part, ["turn", *AMOUNTS.values()]))


def _summed(episodes: pl.DataFrame, turns: pl.DataFrame) -> pl.DataFrame:
    """Sum over the turns after the fire; turns stand in the order of their episodes."""
    never = np.iinfo(np.int64).max
    sizes = episodes["n_turns"].to_numpy()
    owner = np.repeat(np.arange(len(episodes)), sizes)
    after = turns["turn"].to_numpy() > np.repeat(episodes["fire_turn"].fill_null(never).to_numpy(), sizes)
    fired = episodes["fire_turn"].is_not_null()
    made = {"turns_after_fire": pl.Series(_count(owner[after], len(episodes))).set(~fired, None)}
    for name, amount in AMOUNTS.items():
        known = turns[amount].is_not_null().to_numpy()
        sums = np.zeros(len(episodes), np.int64)
        here = after & known
        np.add.at(sums, owner[here], turns[amount].fill_null(0).to_numpy()[here])
        missing = _count(owner[after & ~known], len(episodes)) > 0
        made[name] = pl.Series(sums).set(~fired | pl.Series(missing), None)
    return episodes.select("episode_id").with_columns(**made).filter(fired)


def _count(owners: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    return np.bincount(owners, minlength=size)
