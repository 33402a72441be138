"""Does another program count what calib counts? Vectors go to its standard input, its answers are compared.

What it reads, a JSON object a line: `{"begin": NAME, "triggers": […]}` before each episode, then `{"turn": {…}}` for
each of its turns. What it answers, a line for each turn and nothing for a beginning: `{"levels": {DETECTOR: LEVEL, …},
"fired": [DETECTOR, …]}`, `fired` being the detectors whose level at this turn reaches their threshold, in any order.
"""

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from calib.errors import UsageError
from calib.escape import visible

SHOWN = 120
"""Most characters of an answer that a report shows."""


@dataclass(frozen=True)
class Verdict:
    """How far a program agrees: `difference` is None when it does to the end."""

    episodes: int
    turns: int
    difference: str | None = None

    def __str__(self) -> str:
        if self.difference is None:
            return f"conforms: {self.episodes} episodes, {self.turns:,} turns"
        return f"differs: {self.difference}"


@dataclass(frozen=True)
class _Expected:
    episode: str
    turn: int
    levels: dict[str, int]
    fired: list[str]


def conform(document: dict[str, Any], command: Sequence[str], seconds: float) -> Verdict:
    """Run a program over the vectors of a document that `export` made; stop at the first turn where it differs.

    Raises UsageError for a program that cannot be started or does not end in time, and for another document.
    """
    try:
        expected = list(_expected(document))
        asked = b"".join(msgspec.json.encode(line) + b"\n" for line in _asked(document))
    except (KeyError, TypeError, IndexError) as error:
        raise UsageError("vectors: expected a file of calib export, found another; export again") from error
    answers = _run(command, asked, seconds)
    for number, (one, answer) in enumerate(zip(expected, answers, strict=False)):
        if difference := _difference(one, answer):
            return Verdict(len(document["vectors"]), number, difference)
    if len(answers) < len(expected):
        one = expected[len(answers)]
        return Verdict(
            len(document["vectors"]), len(answers), f"{_place(one)}: expected an answer, found the end of the output"
        )
    if len(answers) > len(expected):
        shown = visible(answers[len(expected)].decode("utf-8", "replace"))[:SHOWN]
        return Verdict(len(document["vectors"]), len(expected), f"after the last turn: expected nothing, found {shown}")
    return Verdict(len(document["vectors"]), len(expected))


def _asked(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for vector in document["vectors"]:
        yield {"begin": vector["name"], "triggers": document["triggers"]}
        yield from ({"turn": turn} for turn in vector["turns"])


def _expected(document: dict[str, Any]) -> Iterator[_Expected]:
    thresholds = {each["detector"]: each["threshold"] for each in document["triggers"]}
    for vector in document["vectors"]:
        for turn in range(len(vector["turns"])):
            levels = {name: vector["levels"][name][turn] for name in thresholds}
            fired = sorted(name for name, level in levels.items() if level >= thresholds[name])
            yield _Expected(vector["name"], turn, levels, fired)


def _run(command: Sequence[str], asked: bytes, seconds: float) -> list[bytes]:
    shown = visible(command[0])[:80]
    try:
        done = subprocess.run(list(command), input=asked, stdout=subprocess.PIPE, timeout=seconds, check=False)
    except OSError as error:
        raise UsageError(f"{shown}: could not be started: {error.strerror}; name a program that can be") from error
    except subprocess.TimeoutExpired:
        raise UsageError(f"{shown}: did not end within {seconds:g} seconds; it ends when its input does") from None
    return [line for line in done.stdout.split(b"\n") if line.strip()]


def _difference(one: _Expected, answer: bytes) -> str | None:
    try:
        found = msgspec.json.decode(answer)
        levels, fired = found["levels"], found["fired"]
        for name, level in one.levels.items():
            if levels.get(name) != level or isinstance(levels.get(name), bool):
                return f"{_place(one)}: expected level {level} of {visible(name)}, found {_shown(levels.get(name))}"
        if sorted(fired) != one.fired:
            return f"{_place(one)}: expected fired {_shown(one.fired)}, found {_shown(fired)}"
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError, UnicodeDecodeError):
        shown = visible(answer.decode("utf-8", "replace"))[:SHOWN]
        return f'{_place(one)}: expected {{"levels": {{…}}, "fired": […]}}, found {shown}'
    return None


def _place(one: _Expected) -> str:
    return f"episode {visible(one.episode)}, turn {one.turn}"


def _shown(value: Any) -> str:
    return visible(msgspec.json.encode(value).decode())[:SHOWN]
