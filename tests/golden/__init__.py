"""Golden outputs: files beside this one. `CALIB_GOLDEN=write` accepts today's output; read the diff."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent


def check(name: str, text: str) -> None:
    """Compare text with the golden file of that name, or write it when asked to."""
    path = FOLDER / name
    if os.environ.get("CALIB_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{name} differs; make golden accepts it"
