"""Where an ingest begins: the worker processes first, then the imports of this one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from calib.ingest.crew import SMALL, Crew, glance, workers_for

if TYPE_CHECKING:
    from calib.ingest.account import IngestSummary
    from calib.ingest.bundles import Progress


def ingest(
    dumps: Sequence[str | Path], out: str | Path, *, text: bool = True, workers: int | None = None,
    format: str = "auto", max_rejected: float | None = None, progress: "Progress | None" = None, redact: bool = False,
    labels: str | Path | None = None, turn_limit: int | None = None, positives: Sequence[str] = ("turn_limit",),
) -> "IngestSummary":  # fmt: skip
    """Read dumps into the corpus folder `out`, adding to what is there.

    Files, folders (recursive) and `-` (standard input); gzip and zstd by content. A source of the same name is
    replaced, sources not named now stay. `text=False` leaves every text column null. `workers=None` chooses.
    `redact` masks addresses, home folders and keys in stored text. `labels` is a file of outcomes to join,
    `turn_limit` the limit to assume where no dump names one, `positives` the kinds of stop that count as turn_limit.
    `max_rejected` is the largest share of the bytes of these dumps that may be rejected. Equal dumps give equal
    bytes for any order, number of workers and history; unchanged ones change nothing.

    Raises UsageError (an argument makes no sense), CorpusError (another schema version), TooMuchLost, NothingMatched
    (no transcript in any dump) and CalibError (the disk refuses, a worker died). After any of them the corpus is
    what it was before.
    """
    with Crew(bare=text and not redact) as crew:
        if (size := glance(dumps)) > SMALL:
            crew.start(workers_for(workers, size))
        from calib.ingest.run import read_dumps  # it takes as long as the start of a worker

        return read_dumps(
            dumps, Path(out), crew, text=text, workers=workers, format=format, max_rejected=max_rejected,
            progress=progress, redact=redact, labels=labels, turn_limit=turn_limit, positives=positives,
        )  # fmt: skip
