"""Options that several commands share, and how their words become values."""

import signal
import threading
from typing import TYPE_CHECKING, Annotated

import typer

from calib.errors import UsageError

if TYPE_CHECKING:
    from calib.config import Config
    from calib.corpus import Corpus
    from calib.point import Point
    from calib.results import Sweep
    from calib.score import Scored
    from calib.selection import Selection
    from calib.tools import Map

CorpusPath = Annotated[str, typer.Argument(metavar="CORPUS", help="Folder made by calib ingest.")]
PointText = Annotated[
    str,
    typer.Argument(
        metavar="[POINT]",
        help="Such as 'repeated_plan@7 | lag(calls,2)@6'; default: that of calib.toml, else closest pass.",
        show_default=False,
    ),
]
Where = Annotated[
    list[str], typer.Option("--where", metavar="EXPR", help="Keep episodes such as 'model = x and n_turns > 3'.")
]
Exclude = Annotated[list[str], typer.Option("--exclude", metavar="KEY=VALUE", help="Leave episodes out, counted.")]
By = Annotated[str, typer.Option("--by", metavar="KEY", help="One table per value of a column or metadata key.")]
Reads = Annotated[
    str,
    typer.Option(
        "--reads",
        metavar="NAMES",
        help="Only these tools read, commas between; [tools] reads in calib.toml adds to what calib knows.",
    ),
]
ConfigPath = Annotated[
    str, typer.Option("--config", metavar="FILE", help="Default: calib.toml, else [tool.calib]; /dev/null: none.")
]


def load_config(path: str) -> "Config":
    """Read the configuration named, or the one found in the working folder."""
    from pathlib import Path

    from calib.config import load

    return load(Path(path) if path else None, Path())


def selection(where: list[str], exclude: list[str], config: "Config") -> "Selection":
    """Join what the options and the configuration leave out or keep."""
    from calib.selection import Selection, parse_pair, parse_where

    return Selection(
        tuple(parse_where(text) for text in [*config.where, *where]),
        tuple(parse_pair(text) for text in [*config.exclude, *exclude]),
    )


def tools(reads: str, config: "Config") -> "Map":
    """Say which calls only read: the tools of the option and no other, else the shipped map as the user extends it."""
    from calib.tools import Map

    if not reads:
        return config.tools
    named = tuple(name.strip() for name in reads.split(",") if name.strip())
    if not named:
        raise UsageError("--reads: expected tool names with commas between, found none")
    return Map.exactly(named)


def wanted(point: "Point | None") -> list[str]:
    """List the detectors to score for a point: none, for the usual ones, when it names no other."""
    from calib.detectors import SWEPT

    names = own(point)
    return [] if set(names) <= set(SWEPT) else names


def own(point: "Point | None") -> list[str]:
    """List the detectors of a point; none, for the usual ones, without one."""
    return list(point.thresholds) if point else []


def scored(
    path: str,
    detectors: list[str],
    where: list[str],
    exclude: list[str],
    reads: str,
    config: "Config",
) -> "Scored":
    """Open a corpus and score the selected episodes, with a bar on a terminal."""
    from calib.cli._output import progress
    from calib.corpus import open_corpus
    from calib.detectors import detector
    from calib.score import score

    _take_interrupts_back()
    corpus: Corpus = open_corpus(path)
    chosen = selection(where, exclude, config)
    named = [config.detectors.get(name) or detector(name) for name in detectors]
    with progress("score") as bar:
        parts = len(corpus.manifest["parts"])
        return score(corpus, named or None, chosen, tools(reads, config), lambda done: bar(done, parts))


def with_savings(swept: "Sweep", path: str) -> "Sweep":
    """Add to a sweep what an edit could save at most. The corpus was checked when it was scored."""
    from dataclasses import replace

    from calib.savings import could_save

    return replace(swept, could_save=could_save(checked(path), swept.episodes))


def checked(path: str) -> "Corpus":
    """Open a corpus that this command has opened, and so checked, before."""
    from pathlib import Path

    from calib.corpus import Corpus, read_manifest

    return Corpus(Path(path), read_manifest(Path(path)))


def _take_interrupts_back() -> None:
    """Undo what importing polars does: it would answer Ctrl-C by ending the process without any cleaning up."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
