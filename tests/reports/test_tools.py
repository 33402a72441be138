"""The table of `calib tools`."""

from hypothesis import given, settings
from hypothesis import strategies as st

from calib.escape import visible
from calib.reports._columns import cells
from calib.reports.tools import render
from calib.tools import Map
from tests.sweeps import HOSTILE

COUNTS = {"read": 1200, "edit": 7, "bash:cat": 12, "bash:mystery": 3, "my_tool": 30, "bash:?": 1, "todowrite": 2}

SHOWN = """\
tools  7 actions in 1,255 places; 34 not placed (2.71 %)
       A turn only reads when it has a call, every action of every call reads or
       is neutral, and at least one reads. An action that nobody places does not
       read.

  does      calls  action        said by
  unplaced     30  my_tool
  unplaced      3  bash:mystery
  unplaced      1  bash:?
  reads     1,200  read          claude_code
  reads        12  bash:cat      shell
  writes        7  edit          claude_code
  neutral       2  todowrite     claude_code

  unplaced  nobody says
  reads     looks at something and changes nothing
  writes    changes files or the world
  neutral   counts for nothing beside other actions: cd, echo, a list of work to
            do

Not placed: say what they do in calib.toml, each in one of the lists, such as
  [tools]
  reads = ["my_tool", "bash:mystery"]
"""


def rows(shown: str) -> list[list[str]]:
    return [line.split() for line in shown.splitlines()]


def test_what_is_not_placed_stands_first_and_the_file_to_write_last() -> None:
    assert render(COUNTS, Map()).splitlines() == SHOWN.splitlines()


def test_what_users_say_is_shown_as_theirs() -> None:
    shown = render(COUNTS, Map(reads=("my_tool",), other=("bash:mystery", "bash:?")))
    assert ["reads", "30", "my_tool", "[tools]"] in rows(shown)
    assert ["other", "3", "bash:mystery", "[tools]"] in rows(shown)
    assert "0 not placed\n" in shown
    assert "calib.toml" not in shown


def test_a_given_list_places_everything() -> None:
    shown = render(COUNTS, Map.exactly(["my_tool"]))
    assert ["reads", "30", "my_tool", "--reads"] in rows(shown)
    assert ["other", "1,200", "read", "--reads"] in rows(shown)
    assert "unplaced" not in shown


def test_names_of_no_call_are_shown() -> None:
    assert "\nNamed by you, but of no call: reed, bash:ls *\n" in render(
        COUNTS, Map(reads=("reed", "my_tool", "bash:ls *"))
    )
    assert "no call" not in render(COUNTS, Map(reads=("my_tool", "bash:c*")))


def test_names_that_nobody_can_place_get_no_advice_to_write() -> None:
    shown = render({"bash:?": 3, "git \x1b[31m": 1}, Map())
    assert "[tools]" not in shown
    assert "ends in ?" in shown


def test_a_corpus_without_calls() -> None:
    assert render({}, Map()) == "tools  no turn of the corpus has a call\n"


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(HOSTILE) | st.text(max_size=90), st.integers(1, 9_999_999), max_size=5))
def test_any_name_is_harmless_and_fits(counts: dict[str, int]) -> None:
    shown = render(counts, Map())
    assert shown.endswith("\n")
    for line in shown.splitlines():
        assert cells(line) <= 80
        assert visible(line) == line
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
