"""An operating point as a document that another program can run, with vectors that prove that it does."""

import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from calib import __version__
from calib.detectors import Detector, detector
from calib.live._vectors import reached, vectors
from calib.point import Point, point_of
from calib.tools import Map

SCHEMA_VERSION = 1
WHITE_SPACE = [code for code in range(sys.maxunicode + 1) if chr(code).isspace()]
"""What trimming removes at both ends of a text: the 29 characters of Python's `str.strip`."""


def export(point: Point | str, tools: Map, own: Mapping[str, Detector]) -> dict[str, Any]:
    """Give the document of `data-schema/detector.schema.json`: triggers with their rules, and vectors.

    Raises UsageError for an unknown detector.
    """
    point = point_of(point)
    made = vectors(point, tools, own)
    return {
        "schema_version": SCHEMA_VERSION,
        "calib": __version__,
        "point": str(point),
        "triggers": [
            {"detector": each.detector, "threshold": each.threshold, "highest": reached(point, made)[each.detector],
             **_rule(each.detector, own)}
            for each in point.triggers
        ],
        "trims": WHITE_SPACE,
        "vectors": made,
    }  # fmt: skip


def _rule(name: str, own: Mapping[str, Detector]) -> dict[str, Any]:
    rule = detector(name, own).rule
    return {"rule": str(rule), "parts": msgspec.to_builtins(rule)}
