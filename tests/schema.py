"""Write data-schema/ from the code, and the JSON schemas' parts that follow classes: `python -m tests.schema`."""

import json
from pathlib import Path
from typing import Any

import msgspec

from calib.results import Calibrated, Certified, Ladder, LimitResult
from calib.schemas import schemas
from calib.statistics import Statistics
from calib.tables import TABLES, page

ROOT = Path(__file__).parent.parent
FOLDER, WRITTEN = ROOT / "data-schema", ROOT / "calib" / "schemas"


def report_schema() -> dict[str, Any]:
    """Give the schema of a report: written by hand, but for what follows the classes field by field."""
    schema: dict[str, Any] = json.loads(schemas()["report"])
    roots = (Statistics, Calibrated, LimitResult, Ladder, Certified)
    refs, found = msgspec.json.schema_components(roots, ref_template="#/$defs/{name}")
    for each in found.values():
        each["additionalProperties"] = False
        each["required"] = list(each["properties"])
        for field in each["properties"].values():
            field.pop("default", None)
    statistics, held, limit, ladder, certified = refs
    found["Statistics"]["properties"] |= {
        "gate": {"type": "array", "items": limit},
        "plan": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Plan"}},
    }
    found["Statistics"]["required"] += ["gate", "plan"]
    found["Ladder"]["properties"]["needs"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    found["Ladder"]["required"] += ["needs"]
    schema["properties"] |= {
        "statistics": statistics,
        "ladder": ladder,
        "held_out": {"anyOf": [held, {"type": "null"}]},
        "gate": {"type": "array", "items": limit},
        "certified": {"anyOf": [certified, {"type": "null"}]},
    }
    schema["required"] = list(schema["properties"])
    schema["$defs"] = dict(sorted(found.items()))
    return schema


def pages() -> dict[str, str]:
    tables = {f"{table.name}.md": page(table) for table in TABLES}
    outputs = schemas() | {"report": json.dumps(report_schema(), indent=1, ensure_ascii=False) + "\n"}
    return tables | {f"{name}.schema.json": text for name, text in outputs.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        if name.endswith(".json"):
            (WRITTEN / name).write_text(text, encoding="utf-8")
