"""Cut a text where its loop begins, as note 003 does."""

MARKER = "[thinking truncated: repetition loop detected]"
"""What note 003 puts where the loop was, word for word: what a model has learned to read there."""


def cut(text: str, offset: int | None, marker: str = MARKER) -> str:
    """Keep what stands before `offset`, then a blank line and the marker; the text itself for no offset.

    White space before the cut goes too; where nothing is left, the marker stands alone.

    >>> cut("Steps.\\n「「「「", 7)
    'Steps.\\n\\n[thinking truncated: repetition loop detected]'
    >>> cut("「「「「", 0), cut("fine", None)
    ('[thinking truncated: repetition loop detected]', 'fine')
    """
    if offset is None:
        return text
    prefix = text[: max(offset, 0)].rstrip()
    return f"{prefix}\n\n{marker}" if prefix else marker
