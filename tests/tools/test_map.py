"""What the shipped families say, what users say over them, and when a turn only reads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib import registry
from calib.tools import KINDS, Map, actions_of
from calib.tools._family import families, listed, parts, shells, vocabulary
from calib.tools._globs import matches

FAMILIES = registry.names("calib.tools.families")


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_says_where_it_is_from(name: str) -> None:
    text = registry.entry("calib.tools.families", name).__doc__ or ""
    assert "\nSource: " in text
    assert list(families()[name].places())


def test_no_two_families_disagree_and_none_says_a_thing_twice() -> None:
    said: dict[str, str] = {}
    for family in families().values():
        own = [name for name, _ in family.places()]
        assert len(own) == len(set(own)), sorted(name for name in own if own.count(name) > 1)
        for name, kind in family.places():
            assert said.setdefault(name, kind) == kind, name


def test_every_name_is_spelled_as_actions_are() -> None:
    for name in vocabulary():
        tool, colon, part = name.partition(":")
        assert tool == tool.lower(), name
        assert (tool == "bash" or tool in parts() or name == "write_stdin:poll") if colon else " " not in name, name
        assert part == " ".join(part.split()), name
    assert all(name == name.lower() for name in shells())


def test_every_shell_spelling_can_be_reached() -> None:
    """A name that no command line gives would be a mistake, such as a sub-command of a misspelt program."""
    for name in sorted(vocabulary()):
        words = name.removeprefix("bash:")
        if name.startswith("bash:") and words not in UNREACHED:
            typed = words.replace("NAME", "n1").replace("VALUE", "n2")
            assert name in actions_of("bash", {"command": typed}), name


UNREACHED = {">", "<<", "./", "awk >", "tee"}
"""Said by something else than these words."""


def test_groups_in_a_list() -> None:
    assert list(listed("a, git {log,\n show x}, b  c,")) == ["a", "git log", "git show x", "b c"]
    assert list(listed("")) == []


@pytest.mark.parametrize(
    ("action", "kind", "source"),
    [
        ("read_file", "reads", "gemini"),
        ("search_files", "reads", "note"),
        ("write_file", "writes", "gemini"),
        ("run_tests", "tests", "note"),
        ("str_replace_editor:view", "reads", "anthropic_tools"),
        ("mcp__x__str_replace_editor:view", "reads", "anthropic_tools"),
        ("mcp__fs__read_file", "reads", "gemini"),
        ("mcp__github__list_issues", "reads", "verbs"),
        ("get_user_details", "reads", "verbs"),
        ("book_reservation", "writes", "tau"),
        ("search_pages", "reads", "verbs"),
        ("_fetch_pr", "reads", "verbs"),
        ("bash:git log", "reads", "git"),
        ("bash:git ?", "unplaced", ""),
        ("bash:nobody --version", "reads", "shell"),
        ("bash:?", "unplaced", ""),
        ("?", "unplaced", ""),
        ("mystery", "unplaced", ""),
        ("bash:read", "neutral", "shell"),
        ("read", "reads", "claude_code"),
        ("todowrite", "neutral", "claude_code"),
    ],
)
def test_shipped_places(action: str, kind: str, source: str) -> None:
    place = Map().place(action)
    assert (place.kind, place.source) == (kind, source)


def test_what_users_say_wins() -> None:
    chosen = Map(reads=("mcp__fs__*", "My_Tool", "bash:mystery"), writes=("read_file", "bash:cat", "mcp__fs__write_*"))
    assert chosen.kind("my_tool") == "reads"
    assert chosen.kind("bash:mystery") == "reads"
    assert chosen.kind("bash:cat") == "writes"
    assert chosen.place("bash:cat").source == "[tools]"
    assert chosen.kind("bash:head") == "reads"
    assert chosen.kind("mcp__fs__anything") == "reads"
    assert chosen.kind("mcp__fs__write_file") == "writes"  # the longer pattern
    assert chosen.kind("read_file") == "writes"
    assert chosen.kind("mcp__other__read_file") == "writes"  # the server may be left out


def test_a_name_goes_before_a_pattern_and_the_careful_list_before_the_other() -> None:
    assert Map(reads=("*",), writes=("x*",)).kind("xy") == "writes"
    assert Map(reads=("xyz",), writes=("xy*",)).kind("xyz") == "reads"
    assert Map(reads=("xy",), writes=("xy",)).kind("xy") == "writes"
    assert Map(reads=("x*",), other=("*y",)).kind("xy") == "other"


def test_a_whole_shell_or_editor_may_be_named() -> None:
    chosen = Map(reads=("Execute_Bash", "file_editor"), writes=("bash:rm",))
    assert chosen.kind("bash:mystery") == "reads"
    assert chosen.kind("bash:rm") == "writes"
    assert chosen.kind("file_editor:create") == "reads"


def test_marks_of_other_pattern_languages_mean_themselves() -> None:
    chosen = Map(reads=("bash:?", "to[ab]"))
    assert chosen.kind("bash:?") == "reads"
    assert chosen.kind("bash:nobody") == "unplaced"
    assert chosen.kind("toa") == "unplaced"
    assert chosen.kind("to[ab]") == "reads"


TEXT = st.text(st.sampled_from("ab*"), max_size=8)


@settings(max_examples=200, deadline=None)
@given(pattern=TEXT, name=st.text(st.sampled_from("ab"), max_size=8))
def test_patterns_match_as_a_search_by_trying(pattern: str, name: str) -> None:
    def tried(pattern: str, name: str) -> bool:
        if not pattern:
            return not name
        if pattern[0] == "*":
            return any(tried(pattern[1:], name[at:]) for at in range(len(name) + 1))
        return name[:1] == pattern[0] and tried(pattern[1:], name[1:])

    assert matches(pattern, name) is tried(pattern, name)


NOTE = st.lists(st.sampled_from(["search_files", "read_file", "write_file", "run_tests", None]), max_size=4)


@settings(max_examples=100, deadline=None)
@given(calls=NOTE)
def test_the_notes_tools_keep_their_meaning(calls: list[str | None]) -> None:
    """Note 000: at least one call and every call is search_files or read_file."""
    literal = bool(calls) and all(name in ("search_files", "read_file") for name in calls)
    seen = [action for name in calls for action in actions_of(name, "{}")]
    assert Map().reads_only(seen) is literal
    assert Map.exactly(["search_files", "read_file"]).reads_only(seen) is literal


@settings(max_examples=100, deadline=None)
@given(calls=st.lists(st.sampled_from(["Read", "Bash", "Grep", "TodoWrite", "mcp__fs__read_file", None]), max_size=4))
def test_a_given_list_of_names_is_taken_exactly(calls: list[str | None]) -> None:
    seen = [action for name in calls for action in actions_of(name, '{"command": "cd x; rm y"}')]
    for names in (["Read"], ["Read", "Bash"], ["Bash", "TodoWrite", "Grep"]):
        literal = bool(calls) and all(name in names for name in calls)
        assert Map.exactly(names).reads_only(seen) is literal


@pytest.mark.parametrize(
    ("seen", "reads"),
    [
        ([], False),
        (["bash:cd"], False),
        (["todowrite"], False),
        (["read", "todowrite"], True),
        (["bash:cd", "bash:ls", "bash:echo"], True),
        (["read", "edit"], False),
        (["read", "bash:pytest"], False),
        (["read", "task"], False),
        (["read", "mystery"], False),
        (["?"], False),
    ],
)
def test_a_turn_only_reads(seen: list[str], reads: bool) -> None:
    assert Map().reads_only(seen) is reads


@settings(max_examples=100, deadline=None)
@given(seen=st.lists(st.sampled_from(["read", "edit", "bash:cd", "bash:ls", "mystery", "?", "bash:pytest"])))
def test_the_two_sets_say_the_same_as_the_rule(seen: list[str]) -> None:
    """How a table of turns is judged at once: any in `reading`, all in `reading` or `passing`."""
    reading, passing = Map().reading(seen), Map().passing(seen)
    judged = any(action in reading for action in seen) and all(action in reading | passing for action in seen)
    assert judged is Map().reads_only(seen)


def test_unplaced_names_are_listed_once_in_order() -> None:
    assert Map().unplaced(["b", "read", "a", "b", "bash:ls"]) == ["a", "b"]
    assert Map(reads=("a",)).unplaced(["b", "a"]) == ["b"]
    assert Map.exactly(["x"]).unplaced(["b", "a"]) == []


def test_kinds_are_the_lists_of_a_map() -> None:
    assert all(Map(**{kind: ("x",)}).kind("x") == kind for kind in KINDS)  # type: ignore[arg-type]
