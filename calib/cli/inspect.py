"""`calib inspect`: one episode, turn by turn."""

import re
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calib.cli._options import ConfigPath, CorpusPath, Exclude, Reads, Where, load_config, scored, tools, wanted
from calib.cli._output import emit, width
from calib.errors import UsageError
from calib.escape import visible
from calib.point import parse_point

if TYPE_CHECKING:
    from calib.results import Sweep
    from calib.trace import Trace


def inspect(
    corpus: CorpusPath,
    episode: Annotated[
        str, typer.Argument(metavar="[EPISODE]", show_default=False, help="Its id, as calib shows it or its end.")
    ] = "",
    turns: Annotated[str, typer.Option("--turns", metavar="A..B", help="Only these turns.")] = "",
    at: Annotated[
        str, typer.Option("--at", "--point", metavar="POINT", help="Default: that of calib.toml, else closest pass.")
    ] = "",
    closest: Annotated[bool, typer.Option("--closest", help="Show the episodes that end the plateaus.")] = False,
    to: Annotated[Literal["terminal", "markdown", "json"], typer.Option("--to", help="What to print.")] = "terminal",
    where: Where = [],  # noqa: B006 - typer reads it, nobody changes it
    exclude: Exclude = [],  # noqa: B006
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Show one episode turn by turn.

    Call, result, start of reasoning, levels, and the fire turn. This prints transcript text.
    """
    if bool(episode) == closest:
        found_both = "both" if closest else "neither"
        raise UsageError(f"inspect: expected an EPISODE or --closest, found {found_both}")
    span = _span(turns)
    settings = load_config(config)
    point = parse_point(at) if at else settings.point
    found = scored(corpus, wanted(point), where, exclude, reads, settings)
    from calib.corpus import open_corpus
    from calib.sweep import sweep
    from calib.trace import trace

    swept = sweep(found, at=point)
    names = _support(swept) if closest else [episode]
    opened = open_corpus(corpus)
    shown = [trace(opened, name, swept.point, tools(reads, settings), span, settings.detectors) for name in names]
    for each in shown:
        if span and each.n_turns <= span[0]:
            raise UsageError(f"--turns {turns}: {visible(each.episode_id)[:80]} has {each.n_turns} turns, from 0 on")
    emit(_together([_render(each, to) for each in shown], to == "json" and closest))


def _together(texts: list[str], as_list: bool) -> str:
    """Put several episodes into one text; JSON stays one document, a list."""
    return f"[\n{','.join(texts)}]\n" if as_list else "\n".join(texts)


def _span(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    found = re.fullmatch(r"([0-9]{1,9})\.\.([0-9]{1,9})", text)
    if not found or int(found[1]) > int(found[2]):
        raise UsageError(f"--turns: expected A..B with A not above B, found {visible(text)[:40]!r}")
    return int(found[1]), int(found[2])


def _support(swept: "Sweep") -> list[str]:
    """Name the episodes that end the plateaus, each once."""
    ends = [end for found in swept.support.values() for end in (found.closest_pass, found.first_loss) if end]
    if not ends:
        raise UsageError("no episode ends a plateau here: no pass stays silent, none is caught by one detector alone")
    return list(dict.fromkeys(end.episode_id for end in ends))


def _render(each: "Trace", to: str) -> str:
    from calib.reports import trace as report

    return {
        "terminal": lambda: report.render(each, width()),
        "markdown": lambda: report.render_markdown(each),
        "json": lambda: report.render_json(each),
    }[to]()
