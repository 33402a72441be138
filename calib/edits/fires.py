"""The fire turns of histories that are in no corpus: read as ingest reads them, scored as `calib score` scores them."""

from collections.abc import Mapping, Sequence

import polars as pl
import pyarrow as pa

from calib.detectors import Detector, detector
from calib.edits._message import Message
from calib.formats import anthropic_messages
from calib.formats._chat import Transcript
from calib.formats._items import Items
from calib.formats._reader import Ignored
from calib.formats._record import About
from calib.formats._talk import Episode, Talk
from calib.ingest.parts import Columns, Kept, calls_columns, episodes_columns, turns_columns
from calib.labels import decide
from calib.point import Point
from calib.score import score_frames, score_table
from calib.tables import CALLS, EPISODES, TURNS, Table, arrow_schema
from calib.tools import Map


def told(messages: Sequence[Message], format: str) -> Episode:
    """Read messages into turns, as the reader of their format does."""
    talk: Talk
    if format == "anthropic_messages":
        talk = Talk(True)
        anthropic_messages._history(talk, list(messages))
    elif format == "responses":
        talk = items = Items(True)
        for item in messages:
            try:
                items.add(item)
            except Ignored:
                continue
        items.close()
    else:
        talk = transcript = Transcript(True)
        for message in messages:
            transcript.add(message)
    return talk.finish(About())


def fire_turns(
    episodes: Sequence[Episode], point: Point, reads: Map, own: Mapping[str, Detector] | None = None
) -> list[int | None]:
    """Give the first turn of each episode at which an operating point fires; None for never.

    `own` are the detectors of calib.toml.
    """
    if not episodes:
        return []
    unknown = decide(None, None, 0, None)
    kept = [Kept(f"{at:09}", 1, episode, unknown) for at, episode in enumerate(episodes)]
    frames = (
        _frame(EPISODES, episodes_columns("", "", kept)),
        _frame(TURNS, turns_columns("", "", kept)),
        _frame(CALLS, calls_columns("", "", kept)),
    )
    scored = score_frames([frames], [detector(name, own) for name in point.thresholds], reads=reads)
    return score_table(scored, point)["fire_turn"].to_list()


def _frame(table: Table, columns: Columns) -> pl.DataFrame:
    """Make the frame of a table; columns that are None, or missing at the end, are null."""
    schema = pa.schema([field.with_type(_plain(field.type)) for field in arrow_schema(table)])
    rows = len(columns[0] or ())
    whole = [*columns, *[None] * (len(schema) - len(columns))]
    arrays = [
        pa.nulls(rows, field.type) if values is None else pa.array(list(values), field.type)
        for values, field in zip(whole, schema, strict=True)
    ]
    frame = pl.from_arrow(pa.Table.from_arrays(arrays, schema=schema))
    assert isinstance(frame, pl.DataFrame)
    return frame


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return kind.value_type
    return pa.list_(_plain(kind.value_type)) if pa.types.is_list(kind) else kind
