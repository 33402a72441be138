"""The JSON Schema of each JSON output, beside this file; `data-schema/` holds the same."""

from importlib.resources import files

NAMES = ("report", "sweep")


def schemas() -> dict[str, str]:
    """Give the text of every schema by the name of its output."""
    return {name: files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8") for name in NAMES}
