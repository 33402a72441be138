"""The cheapest filter: how long a text is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


def at_least(texts: "pa.LargeStringArray", characters: int) -> "NDArray[np.bool_]":
    """Mark the texts of so many characters or more."""
    import pyarrow.compute as pc

    long = pc.greater_equal(pc.utf8_length(texts), characters)
    return pc.fill_null(long, False).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]
