"""The cases of rules that other agents ship: what each was given, and where it fired upstream.

`tests/data/detector_cases.jsonl`: detector, case, source of the verdict, parameters, input (calls, or turns), expected
index (from 0) of the call or turn at which it fires, null for never.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.literal import Called, Turned

FILE = Path(__file__).parents[1] / "data" / "detector_cases.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True)
class Asked:
    """One question to one detector: fires at `expected` with this threshold? None: nothing would ever fire."""

    detector: str
    threshold: int | None
    expected: int | None


def asked(case: dict[str, Any]) -> list[Asked]:
    """Translate a case's detector and parameters: which of ours, at which threshold."""
    name, given, expect = case["detector"], case["params"], case["expect"]
    if name == "cline":
        return [Asked(f"cline_{each}", given[each] - 1, expect[each]) for each in ("soft", "hard")]
    if name == "openhands.S2":
        hard = [Asked("openhands_v1_error", {"nudge": 2, "stuck": 3}[each], expect[each]) for each in expect]
        return [*hard, Asked("openhands_v0_error", 2, expect["nudge"])]
    if name == "openhands.S1":
        headless = [] if "user message resets" in case["case"] else [Asked("openhands_v0_repeat", 3, expect)]
        return [*headless, Asked("openhands_v1_repeat", 3, expect), Asked("openhands_v1", 1, expect)]
    thresholds = {
        "roo": given.get("limit"),
        "goose": given.get("m"),
        "hermes.streak": given.get("n", 0) - 1,
        "hermes.cycle": given.get("laps", 0) - 1,
        "hermes.no_progress": given.get("n", 0) - 1,
    }
    threshold = thresholds.get(name)
    if name in thresholds and (threshold is None or threshold < 1):
        return [Asked(OURS[name][0], None, expect)]
    return [Asked(ours, threshold, expect) for ours in OURS[name]]


OURS = {
    "roo": ["roo"],
    "gemini.tools": ["gemini_tools"],
    "qwen.identical": ["qwen_identical"],
    "qwen.global": ["qwen_global"],
    "qwen.read": ["qwen_read_window"],
    "qwen.stagnation": ["qwen_stagnation"],
    "goose": ["goose"],
    "crewai": ["crewai"],
    "crush": ["crush"],
    "oh-my-pi": ["oh_my_pi_tools"],
    "openhands.S4": ["openhands_v0_alternation", "openhands_v1_alternation", "openhands_v0", "openhands_v1"],
    "openhands.S3.v0": ["openhands_v0_monologue", "openhands_v0"],
    "openhands.S3.v1": ["openhands_v1_monologue", "openhands_v1"],
    "hermes.streak": ["hermes_identical_streak"],
    "hermes.cycle": ["hermes_identical_cycle"],
    "hermes.no_progress": ["hermes_no_progress"],
    "opencode": ["opencode", "kilo"],
    "T2": ["repeated_plan"],
    "T1": ["search_run"],
}


def turns_of(case: dict[str, Any]) -> list[Turned]:
    """Give the input as turns; a call by itself is a turn of its own."""
    return [turned(row) for row in case["input"]]


def turned(row: dict[str, Any]) -> Turned:
    """Read one turn, or one call."""
    calls = [called(call) for call in (row.get("calls", [row]))]
    return Turned(
        reasoning=row.get("reasoning", "").strip() or None,
        text=row.get("visible", "").strip() or None,
        calls=calls,
        reads=bool(calls) and all(call.tool in ("search_files", "read_file") for call in calls),
        user=row.get("user", False),
    )


def called(row: dict[str, Any]) -> Called:
    """Read one call."""
    canonical = json.dumps(row["args"], sort_keys=True)
    return Called(
        row["tool"], (row["tool"], canonical), (row["tool"], json.dumps(row["args"])), row["result"], row["error"], 1
    )


def messages_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the input as chat messages."""
    said: list[dict[str, Any]] = [{"role": "user", "content": "Do it."}]
    for turn, row in enumerate(case["input"]):
        if row.get("user"):
            said.append({"role": "user", "content": "Go on."})
        calls = row.get("calls", [row])
        message: dict[str, Any] = {"role": "assistant", "content": row.get("visible") or None}
        message["reasoning_content"] = row.get("reasoning", "")
        if calls:
            message["tool_calls"] = [
                {
                    "id": f"{turn}.{at}",
                    "type": "function",
                    "function": {"name": call["tool"], "arguments": json.dumps(call["args"])},
                }
                for at, call in enumerate(calls)
            ]
        said.append(message)
        said += [
            {"role": "tool", "tool_call_id": f"{turn}.{at}", "content": call["result"], "is_error": call["error"]}
            for at, call in enumerate(calls)
        ]
    return said
