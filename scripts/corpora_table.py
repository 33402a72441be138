"""Write docs/formats.md: what calib reads of the open corpora, format by format.

Run: python -m scripts.corpora_table FOLDER [--check]. The corpora are public transcripts kept outside this repository.
"""

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

import polars as pl

from calib.corpus import Corpus, open_corpus
from calib.ingest import ingest

DOCUMENT = Path(__file__).parent.parent / "docs" / "formats.md"
KINDS = ("native", "inline", "thought", "summary")
STATES = ("empty", "withheld", "encrypted", "absent")
HEAD = """# What calib reads

Measured by `scripts/corpora_table.py` on a set of real transcripts from public repositories; a test compares the two
where that set is at hand. `calib formats NAME` says how a format is recognised and what it cannot know.

Turns by reasoning: kinds of what is recorded, then states of what is not. Outcome: episodes whose dump says passed or
failed. Stop: episodes whose dump says why they ended. Bytes: kept, rejected, ignored by design, in kB.

"""


def table(corpus: Corpus) -> str:
    """Lay out one row a format."""
    episodes = pl.concat(
        [
            f.with_columns(pl.selectors.by_dtype(pl.Categorical).cast(pl.String))
            for f in corpus.read("episodes", ["episode_id", "format", "outcome", "stop_reason", "n_turns"])
        ]
    )
    turns = pl.concat(
        [
            f.with_columns(pl.selectors.by_dtype(pl.Categorical).cast(pl.String))
            for f in corpus.read("turns", ["episode_id", "reasoning_state", "reasoning_kind"])
        ]
    ).join(episodes.select("episode_id", "format"), on="episode_id")
    heads = ["format", "files", "episodes", "turns", *KINDS, *STATES, "outcome", "stop", "kept", "rejected", "ignored"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    by_format: dict[str, list[dict[str, object]]] = {}
    for source in corpus.manifest["sources"]:
        by_format.setdefault(source["format"] or "(none)", []).append(source)
    for name in sorted(by_format):
        lines.append(_row(name, by_format[name], episodes.filter(format=name), turns.filter(format=name)))
    return "\n".join(lines)


def _row(name: str, sources: list[dict[str, object]], episodes: pl.DataFrame, turns: pl.DataFrame) -> str:
    kinds, states = Counter(turns["reasoning_kind"].to_list()), Counter(turns["reasoning_state"].to_list())
    told = [int((episodes["outcome"] != "unknown").sum()), int(episodes["stop_reason"].is_not_null().sum())]
    accounts = [source["account"] for source in sources]
    bytes_of = [
        sum(account["kept"] for account in accounts),  # type: ignore[index]
        *(
            sum(each["bytes"] for account in accounts for each in account[fate].values())
            for fate in ("rejected", "ignored")
        ),  # type: ignore[index]
    ]
    cells = [
        name,
        len(sources),
        len(episodes),
        len(turns),
        *(kinds[kind] for kind in KINDS),
        *(states[s] for s in STATES),
    ]
    return "| " + " | ".join(map(str, [*cells, *told, *(-(-size // 1000) for size in bytes_of)])) + " |"


def document(folder: Path) -> str:
    """Ingest the corpora and write the page."""
    with tempfile.TemporaryDirectory() as out:
        summary = ingest([folder], Path(out) / "corpus")
        corpus = open_corpus(Path(out) / "corpus")
        rejected = json.dumps(dict(sorted(corpus.lost.by_code.items())), indent=None)
        body = table(corpus)
    tail = (
        f"\n\n{summary.episodes} episodes, {summary.turns} turns, {summary.calls} calls. "
        f"Rejects by code: `{rejected}`.\n"
        "`(none)`: files that are no transcripts, such as notes, manifests and result tables.\n"
    )
    return HEAD + body + tail


if __name__ == "__main__":
    made = document(Path(sys.argv[1]))
    if "--check" in sys.argv:
        sys.exit(0 if DOCUMENT.read_text(encoding="utf-8") == made else 1)
    DOCUMENT.write_text(made, encoding="utf-8")
