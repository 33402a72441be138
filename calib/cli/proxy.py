"""`calib proxy`: the filter of note 000 between a harness and a server."""

import traceback
from typing import TYPE_CHECKING, Annotated

import typer

from calib.cli._options import ConfigPath, Reads, load_config, tools
from calib.cli._output import say, warn
from calib.errors import UsageError
from calib.escape import visible

if TYPE_CHECKING:
    from collections import Counter


def proxy(
    upstream: Annotated[str, typer.Option("--upstream", metavar="URL", help="The server, such as http://host:8000.")],
    point: Annotated[
        str, typer.Option("--point", metavar="POINT", help="Such as 'T2@7 | T1@35'. Default: that of calib.toml.")
    ] = "",
    edit: Annotated[str, typer.Option("--edit", metavar="EDIT", help="full, keep_first or drop_all_copies.")] = "full",
    server: Annotated[str, typer.Option("--provider", metavar="NAME", help="Whose rules: plain, blank.")] = "plain",
    shadow: Annotated[bool, typer.Option("--shadow", help="Say what would fire and edit nothing.")] = False,
    log: Annotated[
        str, typer.Option("--log", metavar="FILE", help="Append a line a request; calib ingest reads it.")
    ] = "",
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8010,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="Processes.")] = 1,
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Stand between a harness and its model; take reasoning out of the history once a detector fired.

    Requests go on unchanged until then, and so does all that is no chat completion. Ends at Ctrl-C or SIGTERM, when
    what is under way has been answered, and prints what it counted. Needs the extra `live`.
    """
    settings = load_config(config)
    chosen = point or (str(settings.point) if settings.point else "")
    if not chosen:
        raise UsageError("proxy: expected --point POINT, or `point` in calib.toml; found neither")
    try:
        from calib.live.serve import Service, serve
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"proxy: the library {visible(str(missing.name))} is missing; install calib with its extra `live`"
        ) from None
    from calib.live.filter import Filter

    made = Filter(chosen, edit, server=server, tools=tools(reads, settings), own=settings.detectors, shadow=shadow)
    counts = serve(
        Service(upstream, made, log, host, port, workers),
        lambda where: say(f"calib proxy: listening on {where}, before {upstream}"), _fault,
    )  # fmt: skip
    _tell(counts)


def _fault(error: BaseException) -> None:
    """Show a bug without ending the service."""
    for line in "".join(traceback.format_exception(error)).splitlines():
        warn(line)


def _tell(counts: "Counter[str]") -> None:
    say("calib proxy: " + ", ".join(f"{number:,} {name}" for name, number in counts.items()))
