"""`calib score`: one row per episode."""

from typing import TYPE_CHECKING, Annotated

import typer

from calib.cli._options import (
    ConfigPath,
    CorpusPath,
    Exclude,
    PointText,
    Reads,
    Where,
    checked,
    load_config,
    scored,
    wanted,
)
from calib.cli._output import emit, say
from calib.errors import UsageError
from calib.point import parse_point

if TYPE_CHECKING:
    import polars as pl

Output = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="-, .jsonl, .csv or .parquet.")]


def score(
    corpus: CorpusPath,
    point: PointText = "",
    output: Output = "-",
    where: Where = [],  # noqa: B006 - typer reads it, nobody changes it
    exclude: Exclude = [],  # noqa: B006
    reads: Reads = "",
    config: ConfigPath = "",
    measures: Annotated[
        str, typer.Option("--measures", metavar="FILE", help="Also measure each reasoning text: a row per turn.")
    ] = "",
) -> None:
    """Give one row per episode: fire turn and peaks.

    Without a point: the configured one, else closest pass, else the published thresholds.
    """
    ending = _ending(output)
    if measures:
        _ending(measures)
    settings = load_config(config)
    given = parse_point(point) if point else settings.point
    found = scored(corpus, wanted(given), where, exclude, reads, settings)
    from calib.score import score_table
    from calib.sweep import check_point, closest_pass, defaults

    chosen = check_point(given or closest_pass(found) or defaults(found), found)
    _write(_with_amounts(score_table(found, chosen), corpus), output, ending)
    if measures:
        from calib.corpus import open_corpus
        from calib.measured import measure_table

        table = measure_table(open_corpus(corpus), found.episodes["episode_id"].to_list())
        _write(table, measures, _ending(measures))
    if not given:
        say(f"point: {chosen}")


def _with_amounts(table: "pl.DataFrame", corpus: str) -> "pl.DataFrame":
    """Add what each episode took after its fire: turns, tokens, seconds."""
    from calib.savings import after_fire

    amounts = after_fire(checked(corpus), table).drop("episode_id", "fire_turn")
    seconds = (amounts["milliseconds_after_fire"] / 1000).round(3).alias("seconds_after_fire")
    return table.hstack(amounts.drop("milliseconds_after_fire")).with_columns(seconds)


def _ending(output: str) -> str:
    if output == "-":
        return "jsonl"
    ending = output.rpartition(".")[2].lower()
    if ending not in ("jsonl", "csv", "parquet"):
        raise UsageError(f"-o {output}: expected a name that ends in .jsonl, .csv or .parquet")
    return ending


def _write(table: "pl.DataFrame", output: str, ending: str) -> None:
    from io import BytesIO

    from calib.cli._saving import save
    from calib.escape import csv_cell, json_text

    if ending == "jsonl":
        text = json_text(table.write_ndjson())
    elif ending == "csv":
        import polars as pl

        safe = pl.col("episode_id").map_elements(csv_cell, return_dtype=pl.String)
        text = table.with_columns(safe).write_csv()
    else:
        buffer = BytesIO()
        table.write_parquet(buffer)
        save(output, buffer.getvalue())
        return
    if output == "-":
        emit(text)
    else:
        save(output, text.encode())
