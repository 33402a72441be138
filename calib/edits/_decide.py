"""Which blocks of reasoning an edit removes, decided from the blocks alone."""

from collections.abc import Sequence

from calib.errors import UsageError, near

EDITS = {
    "none": "leaves the history as it is",
    "full": "removes all earlier reasoning (F)",
    "keep_first": "removes each block that equals the previous turn's (D1)",
    "drop_all_copies": "removes every block of a run of at least two equal ones (D2)",
    "guard": "cuts degenerate text off inside each block",
}
ALIASES = {"F": "full", "D1": "keep_first", "D2": "drop_all_copies"}


def edit_name(name: str) -> str:
    """Give the full name of an edit; the note's labels F, D1, D2 are understood.

    Raises UsageError, with the near names, when there is none.
    """
    name = ALIASES.get(name, name).replace("-", "_")
    if name not in EDITS:
        raise UsageError(f"edit {name[:80]!r}: expected one of {near(name, list(EDITS))}")
    return name


def removed(blocks: Sequence[str | None], by: str) -> list[bool]:
    """Tell for each turn's block whether an edit removes it.

    `blocks` are trimmed; an empty one and None, which cannot be read, repeat nothing. `none` and `guard` remove none.

    >>> removed(["A", "A", "A", "B", "A", "A"], "keep_first")
    [False, True, True, False, False, True]
    >>> removed(["A", "A", "A", "B", "A", "A"], "drop_all_copies")
    [True, True, True, False, True, True]

    Source: note 000, section 6.5.
    """
    if by == "full":
        return [True] * len(blocks)
    if by not in ("keep_first", "drop_all_copies"):
        return [False] * len(blocks)
    repeats = [bool(now) and now == before for before, now in zip([None, *blocks], blocks, strict=False)]
    if by == "keep_first":
        return repeats
    return [here or after for here, after in zip(repeats, [*repeats[1:], False], strict=False)]
