"""What rules read off texts, counted while the texts are there: for corpora that keep none, or not as recorded."""

from collections.abc import Sequence
from typing import Any

from calib.mask import same_masked

Texts = Sequence[str | None]


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
    levels = [heights for name in names() for heights in scan_many(name, columns[module(name).READS]).values()]
    return [same_masked(sizes, reasoning), *levels]
