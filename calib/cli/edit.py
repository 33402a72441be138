"""`calib edit`: the requests that a harness would have sent after a detector fired."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calib.cli._options import ConfigPath, Reads, load_config, tools
from calib.cli._output import emit, say, width
from calib.errors import NothingMatched, UsageError
from calib.escape import visible
from calib.naming import meant, several
from calib.point import parse_point

if TYPE_CHECKING:
    from calib.edits.dumps import Saved
    from calib.edits.episodes import Plan, Wish

To = Literal["terminal", "markdown", "json"]


def edit(
    dumps: Annotated[list[str], typer.Argument(metavar="DUMP…", show_default=False, help="Files, folders, or -.")],
    by: Annotated[str, typer.Option("--by", metavar="EDIT", help="full, keep_first, drop_all_copies, guard or none.")],
    at: Annotated[str, typer.Option("--at", metavar="POINT", help="Edit after the turn at which it fires.")] = "",
    turn: Annotated[int | None, typer.Option("--turn", metavar="T", min=0, help="Edit after turn T.")] = None,
    request: Annotated[int | None, typer.Option("--request", metavar="N", min=0, help="Write request N.")] = None,
    all_requests: Annotated[bool, typer.Option("--all-requests", help="Write every request.")] = False,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Requests, a line each.")] = "-",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write no request; print what an edit removes.")] = False,
    episode: Annotated[
        str, typer.Option("--episode", metavar="ID", help="Only this episode; the end of its id is enough.")
    ] = "",
    provider: Annotated[
        str, typer.Option("--provider", metavar="NAME", help="plain, blank, anthropic or openai; default by the form.")
    ] = "",
    chunk: Annotated[
        int, typer.Option("--chunk", metavar="N", min=0, help="guard: read blocks N characters at a time.")
    ] = 0,
    to: Annotated[To, typer.Option("--to", help="How to print the table.")] = "terminal",
    format: Annotated[str, typer.Option("--format", metavar="NAME", help="See calib formats.")] = "auto",
    reads: Reads = "",
    config: ConfigPath = "",
) -> None:
    """Write the requests a harness would have sent after a fire, with earlier reasoning edited out.

    The dump stays as it is; before the fire turn requests are what they were. Default: the first edited request.
    """
    if bool(at) == (turn is not None):
        raise UsageError(f"edit: expected --at POINT or --turn T, found {'both' if at else 'neither'}")
    if request is not None and all_requests:
        raise UsageError("edit: expected --request N or --all-requests, found both")
    if chunk and by != "guard":
        raise UsageError(f"edit: --chunk is for --by guard, found --by {visible(by)[:80]}")
    _apart(output, dumps)
    from calib.edits.dumps import histories
    from calib.edits.episodes import plans

    wish = _wish(by, provider, at, turn, reads, config, chunk)
    found = _only(histories(dumps, format, say), episode)
    made = plans(found, wish, say)
    if dry_run:
        _table(made, to)
    else:
        _requests(made, output, request, all_requests)


def _apart(output: str, dumps: list[str]) -> None:
    """Refuse to write over a dump or into a corpus: what is saved stays as it is."""
    if output == "-":
        return
    from calib.cli._saving import keep_out

    keep_out(Path(output))
    place = Path(output).resolve()
    for source in (Path(dump).resolve() for dump in dumps):
        if place.is_file() and (place == source or source in place.parents):
            raise UsageError(f"-o {visible(output)[:80]}: expected another file than the dump's own; name another")


def _wish(by: str, provider: str, at: str, turn: int | None, reads: str, config: str, chunk: int) -> "Wish":
    from calib.edits import edit_name
    from calib.edits import provider as rules
    from calib.edits.episodes import Wish

    settings = load_config(config)
    point = parse_point(at) if at else None
    placing = tools(reads, settings)
    return Wish(edit_name(by), rules(provider) if provider else None, point, turn, placing, settings.detectors, chunk)


def _only(found: "Iterable[Saved]", episode: str) -> "Iterator[Saved]":
    """Keep the episode of that id; without one the only episode whose id ends so, or is shown so."""
    seen = False
    maybe: dict[str, list[Saved]] = {}
    for saved in found:
        if not episode or saved.episode_id == episode:
            seen = True
            yield saved
        elif not seen and meant(episode, saved.episode_id):
            kept = maybe.setdefault(saved.episode_id, [])
            if len(maybe) == 1:
                kept.append(saved)
    if seen:
        return
    if len(maybe) > 1:
        raise several(episode, list(maybe))
    for kept in maybe.values():
        yield from kept
    if not maybe:
        raise NothingMatched(
            f"edit: expected an episode{f' named {visible(episode)[:80]!r}' * bool(episode)}, found none"
        )


def _table(made: "Iterator[Plan]", to: To) -> None:
    from calib.edits.episodes import accounts
    from calib.reports import edit as report

    found = list(accounts(made))
    emit(report.render(found, width()) if to == "terminal" else report.RENDER[to](found))


def _requests(made: "Iterator[Plan]", output: str, request: int | None, every: bool) -> None:
    from calib.edits.episodes import encoded
    from calib.files import write_pieces
    from calib.spelling import plural

    fired = written = episodes = changed = 0

    def lines() -> Iterator[bytes]:
        nonlocal fired, written, episodes, changed
        for plan in made:
            episodes += 1
            fired += plan.fire_turn is not None
            numbers = plan.all_numbers() if every else None if request is None else [request]
            for one in plan.sent(numbers):
                written += 1
                changed += plan.edits(one["request"])
                yield encoded(one)

    with suppress(BrokenPipeError):
        write_pieces(output, lines())
    told = f"{plural(written, 'request')} of {plural(episodes, 'episode')}"
    say(f"{told}: {plural(fired, 'episode')} fired, {plural(changed, 'request')} edited")
