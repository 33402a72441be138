"""`calib duel`: rules against each other on the same episodes."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calib.cli._options import ConfigPath, CorpusPath, Exclude, Reads, Where, load_config, scored
from calib.cli._output import emit, say, width
from calib.files import check_folder
from calib.point import detector_name, parse_point
from calib.rules import split

if TYPE_CHECKING:
    from calib.config import Config
    from calib.contest import Duel
    from calib.duel import Rival

FILES = ("duel.json", "duel.png", "duel.svg", "duel.txt")


def duel(
    corpus: CorpusPath,
    points: Annotated[
        list[str],
        typer.Argument(
            metavar="[POINT]…", show_default=False, help="Detectors or points, each a rival. Default: all detectors."
        ),
    ] = [],  # noqa: B006 - typer reads it, nobody changes it
    where: Where = [],  # noqa: B006
    exclude: Exclude = [],  # noqa: B006
    output: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="duel.json and a plot.")] = "",
    to: Annotated[Literal["terminal", "markdown", "json"], typer.Option("--to", help="What to print.")] = "terminal",
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Let rules meet: what each catches, how wrongly, how early, who was first.

    Each at its published threshold and at its closest pass.
    """
    settings = load_config(config)
    rivals = _rivals(points, settings)
    if output:
        check_folder(output, "duel.json", FILES)
    names = list(dict.fromkeys(name for rival in rivals for name in rival.thresholds))
    found = scored(corpus, names, where, exclude, reads, settings)
    from calib.duel import duel as meet

    made = meet(found, rivals, settings.confidence)
    if output:
        _save(made, output)
        say(f"wrote {output}")
    _print(made, to)


def _rivals(points: list[str], settings: "Config") -> "list[Rival]":
    """Take each point as a rival; a bare detector at its published threshold."""
    from calib.detectors import detector, names
    from calib.duel import Rival

    rivals: dict[str, Rival] = {}
    for text in points or [*names(), *settings.detectors]:
        if len(split(text, "@")) > 1:
            point = parse_point(text)
            known = {name: detector(name, settings.detectors).default for name in point.thresholds}
            rival = Rival(str(point), dict(point.thresholds), given=known != point.thresholds)
        else:
            found = detector(detector_name(text), settings.detectors)
            rival = Rival(found.name, {found.name: found.default})
        rivals[rival.name] = rival
    return list(rivals.values())


def _print(made: "Duel", to: str) -> None:
    from calib.reports import duel

    if to == "terminal":
        emit(duel.render_terminal(made, width()))
    else:
        emit(duel.render_markdown(made) if to == "markdown" else duel.render_json(made))


def _save(made: "Duel", output: str) -> None:
    from calib.files import write_folder
    from calib.plots import seal
    from calib.reports import duel

    seal()
    from calib.plots._duel import render

    write_folder(output, render(made), "duel.json", duel.render_json(made).encode(), FILES)
