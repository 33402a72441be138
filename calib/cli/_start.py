"""Write what later reports judge against: a commented calib.toml, and beside it the record of today's episodes."""

from pathlib import Path
from typing import TYPE_CHECKING

from calib.cli._options import checked

if TYPE_CHECKING:
    from calib.config import Config
    from calib.results import Sweep
    from calib.score import Scored
    from calib.tools import Map


def write_start(
    corpus: str,
    scored: "Scored",
    swept: "Sweep",
    path: Path,
    where: list[str],
    exclude: list[str],
    placing: "Map | None" = None,
    settings: "Config | None" = None,
) -> Path:
    """Write both files, the configuration last; give the path of the record.

    A record of another data that lies there is replaced: without its configuration it says nothing.
    Raises ConfigurationError when some other file has its name.
    """
    from calib.calibration import read_record, record_of, record_path, write_record
    from calib.config import write_commented
    from calib.files import write_bytes

    text = write_commented(swept, tuple(where), tuple(exclude), placing, scored.own, settings)
    record = record_path(path)
    read_record(record, "")
    write_bytes(record, write_record(record_of(scored, swept, checked(corpus))))
    write_bytes(path, text.encode())
    return record
