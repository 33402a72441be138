"""`calib export`: an operating point for another program, with vectors that prove it."""

from typing import Annotated

import typer

from calib.cli._options import ConfigPath, Reads, load_config, tools
from calib.cli._output import emit, say
from calib.point import parse_point


def export(
    point: Annotated[str, typer.Argument(metavar="POINT", help="Such as 'repeated_plan@7 | search_run@35'.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="- is standard output.")] = "-",
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Write rules and conformance vectors as JSON.

    A port of the rules to another language is proven with them by calib conform.
    """
    import msgspec

    from calib.cli._saving import save
    from calib.live.export import export as make

    settings = load_config(config)
    made = make(parse_point(point), tools(reads, settings), settings.detectors)
    text = msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"
    if output == "-":
        emit(text.decode())
    else:
        save(output, text)
    for each in made["triggers"]:
        if each["highest"] < each["threshold"]:
            say(
                f"{each['detector']}: no vector reaches {each['threshold']:,}; the highest level is {each['highest']:,}"
            )
