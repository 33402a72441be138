"""Write data-schema/ from the code: `python -m tests.schema`."""

from pathlib import Path

from calib.schemas import schemas
from calib.tables import TABLES, page

FOLDER = Path(__file__).parent.parent / "data-schema"


def pages() -> dict[str, str]:
    return {f"{table.name}.md": page(table) for table in TABLES} | {
        f"{name}.schema.json": text for name, text in schemas().items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
