"""What the open corpora really call: placed by the shipped families, or explained here."""

from collections import Counter

import pytest

from calib.tools import Map, actions_of
from tests.tools.recorded import CORPORA, calls

FOLDERS = [path.name for path in sorted(CORPORA.iterdir()) if path.is_dir()] if CORPORA.is_dir() else []
EXPLAINED = {
    "bash:?": "no command was recorded, or it ends inside a quote",
    "bash:entire": "the program that the recorded project builds",
    "bash:ponyc": "the compiler that the recorded task is about",
    "bash:chat_npc": "a program of the benchmark",
    "bash:gog": "a program of one user",
    "bash:markdownlint-cli2": "one of many linters",
    "bash:emerge": "one of many package managers",
    "bash:update_plan": "a tool typed into the shell",
    "bash:command1": "the model wrote an example",
    "bash:command2": "the model wrote an example",
    "bash:obs": "the model wrote prose after its command",
    "bash:observation": "the model wrote prose after its command",
    "bash:thank": "the model wrote prose",
    "[trimmed for fixture]": "removed by whoever published the file",
    "diagnostic_tool": "invented for a fixture",
    "failingtool": "invented for a fixture",
}


pytestmark = pytest.mark.skipif(not FOLDERS, reason="the corpora are not here")


@pytest.fixture(scope="module")
def seen() -> dict[str, Counter[tuple[str, ...]]]:
    return {name: Counter(actions_of(*call) for call in calls(CORPORA / name)) for name in FOLDERS}


def test_what_is_not_placed_is_explained(seen: dict[str, Counter[tuple[str, ...]]]) -> None:
    names = {action for counter in seen.values() for actions in counter for action in actions}
    assert set(Map().unplaced(names)) <= set(EXPLAINED)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_share_of_calls_placed(seen: dict[str, Counter[tuple[str, ...]]], folder: str) -> None:
    """At least 93 % in every folder with 100 calls or more."""
    calls_in = seen[folder].total()
    placed = sum(times for actions, times in seen[folder].items() if not Map().unplaced(actions))
    assert calls_in < 100 or placed >= 0.93 * calls_in


def test_the_share_of_all_calls_placed(seen: dict[str, Counter[tuple[str, ...]]]) -> None:
    together = sum(seen.values(), Counter[tuple[str, ...]]())
    placed = sum(times for actions, times in together.items() if not Map().unplaced(actions))
    assert together.total() > 5000
    assert placed >= 0.985 * together.total()


def test_the_notes_tools_are_seen_nowhere_else_to_read_by_name_alone(
    seen: dict[str, Counter[tuple[str, ...]]],
) -> None:
    """The literal names of note 000 find next to nothing here; the map finds reading in every larger folder."""
    note = Map.exactly(["search_files", "read_file"])
    together = sum(seen.values(), Counter[tuple[str, ...]]())
    literal = sum(times for actions, times in together.items() if note.reads_only(actions))
    mapped = sum(times for actions, times in together.items() if Map().reads_only(actions))
    assert literal < 10
    assert mapped > 0.4 * together.total()
