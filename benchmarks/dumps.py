"""Seeded dumps to measure on: chat transcripts, one episode or one message a line.

*long*: 50 to 800 KB of source text in the prompt, 10 to 64 turns; most bytes are text that nobody compares.
*ascii*: the same without a single letter outside ASCII, which is the easiest input for every parser.
*short*: prompts of some KB, the same turns; most bytes are structure.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = [
    "the", "file", "reads", "config", "value", "then", "returns", "error", "from", "parser", "module", "test", "fails",
    "because", "index", "list", "empty", "check", "again", "function", "import", "path", "branch", "merge", "cache",
    "token", "stream", "handler", "class", "method", "result", "node",
]  # fmt: skip
FOREIGN = ("naïve", "über", "–", "→", "試験", "✓")
TOOLS = ("read_file", "search_files", "write_file", "patch", "terminal")
POOL = 4 << 20


class Writer:
    """Makes episodes from a seed. Texts are cut from one pool, so that making them costs little."""

    def __init__(self, kind: str, seed: int) -> None:
        self.random = random.Random(seed)
        self.kind = kind
        lines, size = [], 0
        while size < POOL:
            words = self.random.choices(WORDS, k=self.random.randint(3, 14))
            if kind != "ascii" and self.random.random() < 0.01:
                words.append(self.random.choice(FOREIGN))
            lines.append("    " * self.random.randint(0, 4) + " ".join(words))
            size += len(lines[-1]) + 1
        self.pool = "\n".join(lines)

    def text(self, low: int, high: int) -> str:
        """Cut a text of `low` to `high` characters."""
        size = self.random.randint(low, high)
        at = self.random.randrange(len(self.pool) - high)
        return self.pool[at : at + size]

    def messages(self) -> list[dict[str, Any]]:
        """Make the messages of one episode."""
        low, high = (50_000, 800_000) if self.kind != "short" else (500, 8_000)
        made: list[dict[str, Any]] = [
            {"role": "system", "content": self.text(200, 2_000)},
            {"role": "user", "content": self.text(low, high)},
        ]
        plan = self.text(100, 1_500)
        for turn in range(self.random.randint(10, 64)):
            plan = plan if self.random.random() < 0.2 else self.text(100, 1_500)
            arguments = json.dumps({"path": f"src/{self.random.randint(0, 99)}.py", "text": self.text(0, 300)})
            call = {"name": self.random.choice(TOOLS), "arguments": arguments}
            made.append(
                {"role": "assistant", "content": None, "reasoning_content": plan,
                 "tool_calls": [{"id": f"call_{turn}", "type": "function", "function": call}]}
            )  # fmt: skip
            made.append({"role": "tool", "tool_call_id": f"call_{turn}", "content": self.text(20, 2_000)})
        made.append({"role": "assistant", "content": self.text(20, 400), "reasoning_content": self.text(20, 400)})
        return made

    def episodes(self) -> Iterator[dict[str, Any]]:
        """Make episodes without end."""
        number = 0
        while True:
            passed = self.random.random() < 0.8
            yield {
                "episode_id": f"{self.kind}-{number:06d}", "task": f"task-{number % 500}", "model": "model-a",
                "arm": self.random.choice("ab"), "outcome": "pass" if passed else "fail",
                "stop_reason": "stop" if passed else "turn_limit", "turn_limit": 64,
                "metadata": {"seed": number, "repo": f"repo-{number % 40}"}, "messages": self.messages(),
            }  # fmt: skip
            number += 1


def write(path: Path, size: int, kind: str = "long", seed: int = 1) -> None:
    """Write an episode-per-line dump of at least `size` bytes."""
    with path.open("wb") as file:
        for episode in Writer(kind, seed).episodes():
            file.write(json.dumps(episode, ensure_ascii=False).encode() + b"\n")
            if file.tell() >= size:
                return


def repeat(path: Path, target: Path, times: int) -> None:
    """Write the episodes of a dump several times, each time under other ids."""
    with target.open("wb") as file:
        for time in range(times):
            with path.open("rb") as lines:
                for line in lines:
                    file.write(line.replace(b'"episode_id": "', b'"episode_id": "%d-' % time, 1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--mb", type=int, default=500)
    parser.add_argument("--kind", choices=("long", "ascii", "short"), default="long")
    asked = parser.parse_args()
    write(asked.path, asked.mb * 1_000_000, asked.kind)
