"""`calib demo`: the main job on embedded synthetic data, from dump to verdict."""

from pathlib import Path
from typing import Annotated

import typer

from calib.cli._output import colour, emit, progress, say, width
from calib.errors import CalibError


def demo(folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder to make.")]) -> None:
    """Run the whole job on synthetic data.

    Writes a dump with the published figures, then ingests, sweeps and reports on it.
    """
    from calib.demo import DUMP, EXCLUDE, write_demo

    here = Path(folder)
    write_demo(here)
    say(f"wrote {folder}/{DUMP}: synthetic, made so that the published figures hold by construction")
    _ingest(here / DUMP, here / "corpus")
    _sweep_and_report(here, EXCLUDE)


def _ingest(dump: Path, corpus: Path) -> None:
    from calib.ingest import ingest
    from calib.reports.account import render

    with progress("ingest", in_bytes=True) as bar:
        summary = ingest([dump], corpus, progress=bar)
    emit(render(summary) + "\n")


def _sweep_and_report(here: Path, exclude: str) -> None:
    from calib.cli._start import write_start
    from calib.cli.sweep import save
    from calib.config import load
    from calib.corpus import open_corpus
    from calib.demo import checks
    from calib.evidence import statistics
    from calib.gate import judge
    from calib.ladder import climb
    from calib.plots import MAIN
    from calib.reports import terminal
    from calib.results import Report
    from calib.score import score
    from calib.selection import Selection, parse_pair
    from calib.sweep import sweep

    selected = Selection(exclude=(parse_pair(exclude),))
    found = score(open_corpus(here / "corpus"), selection=selected)
    swept = sweep(found)
    if not (here / "calib.toml").exists():
        write_start(str(here / "corpus"), found, swept, here / "calib.toml", [], [exclude])
    settings = load(here / "calib.toml", here)
    known = statistics(found, swept)
    save([swept], str(here / "sweep"), known, MAIN)
    verdict = judge(swept, known, settings)
    emit(terminal.render(Report(swept, known, climb(swept, known, verdict, None), verdict), width(), colour()))
    say(f"wrote {here}/corpus, {here}/sweep (surface, plots, sweep.json) and {here}/calib.toml")
    wrong = [check for check in checks(swept) if not check.holds]
    if wrong:
        raise CalibError(
            f"demo: {wrong[0].figure}: expected {wrong[0].published}, found {wrong[0].found}; this is a bug"
        )
    say(f"all {len(checks(swept))} published figures hold")
    say("next, your own: calib ingest DUMPS --out corpus, then calib sweep corpus -o sweep and calib duel corpus")
