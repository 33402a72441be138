"""Write an episode turn by turn, as the messages a harness would have saved."""

import json
from typing import Any

SEARCH, READ, WRITE, TEST = "search_files", "read_file", "write_file", "run_tests"
TURN_LIMIT = 64
PASSED = "Ran 3 tests in 0.004s\n\nOK"
FAILED = "Ran 3 tests in 0.005s\n\nFAILED (failures=1)"


def matches(count: int, where: str) -> str:
    """Show what a search found.

    >>> matches(1, "service.py")
    '1 match\\nservice.py:4'
    """
    head = "1 match" if count == 1 else f"{count} matches"
    return "\n".join([head, *(f"{where}:{4 + 7 * line}" for line in range(count))])


class Script:
    """The messages of one episode; every method adds one turn and returns nothing."""

    def __init__(self, prompt: str) -> None:
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": prompt}]
        self.turns = 0

    def say(self, reasoning: str | None, text: str) -> None:
        """Add a turn without a call."""
        self._respond(reasoning, text)
        self.turns += 1

    def call(self, reasoning: str | None, tool: str, arguments: dict[str, str], result: str, text: str = "") -> None:
        """Add a turn with one call and its result."""
        name = f"c{self.turns}"
        function = {"name": tool, "arguments": json.dumps(arguments)}
        self._respond(reasoning, text)["tool_calls"] = [{"id": name, "type": "function", "function": function}]
        self.messages.append({"role": "tool", "tool_call_id": name, "content": result})
        self.turns += 1

    def search(self, reasoning: str | None, pattern: str, count: int, where: str = "bundle/app.py") -> None:
        """Add a turn that searches."""
        self.call(reasoning, SEARCH, {"pattern": pattern}, matches(count, where))

    def read(self, reasoning: str | None, path: str, content: str) -> None:
        """Add a turn that reads a file."""
        self.call(reasoning, READ, {"path": path}, content)

    def write(self, reasoning: str | None, path: str, content: str) -> None:
        """Add a turn that writes a file."""
        self.call(reasoning, WRITE, {"path": path, "content": content}, f"wrote {len(content)} characters")

    def test(self, reasoning: str | None, result: str, text: str = "") -> None:
        """Add a turn that runs the tests."""
        self.call(reasoning, TEST, {}, result, text)

    def _respond(self, reasoning: str | None, text: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if reasoning is not None:
            message["reasoning_content"] = reasoning
        self.messages.append(message)
        return message
