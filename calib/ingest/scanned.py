"""What rules read off texts, counted while the texts are there: for corpora that keep none, or not as recorded."""

from collections.abc import Iterable, Sequence
from typing import Any

from calib.formats._talk import REASONING, TEXT, WIDTH, Episode
from calib.mask import same_masked

Texts = Sequence[str | None]


def count(episodes: Iterable[Episode], keep: bool) -> None:
    """Add to turns what is read off their texts, unless that is done; let go of the texts unless they are kept."""
    new = [one for one in episodes if one.turns and len(one.turns[0]) == WIDTH]
    turns = [turn for one in new for turn in one.turns]
    reasoning, text = ([turn[at] for turn in turns] for at in (REASONING, TEXT))
    for turn, *found in zip(turns, *columns([len(one.turns) for one in new], reasoning, text), strict=True):
        turn += found
        if not keep:
            turn[REASONING] = turn[TEXT] = None


def columns(sizes: Sequence[int], reasoning: Texts, text: Texts) -> list[Any]:
    """Give the last columns of `turns`: same masked reasoning, then each level at the published gates.

    `sizes` are the turns of each episode.
    """
    import pyarrow as pa

    from calib.scanners import module, names
    from calib.scanners._many import scan_many
    from calib.scanners._texts import Texts

    columns = {
        "reasoning": Texts(pa.array(reasoning, pa.large_string())),
        "text": Texts(pa.array(text, pa.large_string())),
    }
    levels = [heights.tolist() for name in names() for heights in scan_many(name, columns[module(name).READS]).values()]
    return [same_masked(sizes, reasoning), *levels]
