"""Copies of lines, windows, cycles, paragraphs and words: published cases with texts of our own, naive judges."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.measures import COLUMNS, measures
from calib.scanners import module, scan
from calib.scanners._cycles import cycles, periods, word_cycles
from calib.scanners._dominated import dominated
from calib.scanners.repeated_lines import copies
from calib.scanners.runaway import Gates as RunawayGates
from calib.scanners.runaway import runaway
from calib.scanners.thinking_loop import _is_prose, _names_something

LINE = "Let me look at the same file once more and then decide what to do with it.\n"


def prose(sentences: int, seed: int = 0) -> str:
    source = random.Random(seed)
    words = [f"{a}{b}" for a in ("pa", "lo", "mi", "ste", "gra", "ju") for b in ("ke", "ron", "vi", "tal", "us", "")]
    return "".join(" ".join(source.choices(words, k=9)).capitalize() + f" {n}. " for n in range(sentences))


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        (LINE * 20, True),
        ("a sentence that comes again. " * 2000, True),
        (prose(12) * 100, True),
        (prose(5, 1) + LINE * 40 + prose(5, 2), True),
        (prose(60), False),
        ("A. " * 50, False),
        ("".join(prose(4, n) + LINE for n in range(30)), False),
        ("", False),
    ],
)
def test_dominated(text: str, yes: bool) -> None:
    assert (dominated(text) >= 50) == yes


def test_a_runaway_has_few_different_lines_and_is_long() -> None:
    assert runaway(LINE * 20) == 100
    rows = "".join(f"INSERT INTO a_table_with_a_name (id, name, value) VALUES ({n}, 'x', 1);\n" for n in range(400))
    assert dominated(rows) >= 50
    assert runaway(rows) == 0
    assert scan("runaway", LINE * 200)["runaway"] == 0  # 15,000 characters
    assert scan("runaway", LINE * 300)["runaway"] == 100


PARAGRAPH = (prose(40, 3))[:763] + "\n"


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("INCIDENT: the worker did not answer, trying again\n" * 800, True),
        ("This sentence says nothing that it did not say before. " * 2_000, True),
        (PARAGRAPH * 100, True),
        (PARAGRAPH * 1_000, True),
        (prose(150, 8) + PARAGRAPH * 100 + prose(150, 9), True),
        (prose(1_500), False),
        ("A. " * 50, False),
        ("".join(prose(30, n) + LINE for n in range(30)), False),
        ("", False),
    ],
)
def test_a_runaway_by_its_published_cases(text: str, yes: bool) -> None:
    assert len(PARAGRAPH) == 764
    assert (scan("runaway", text)["runaway"] >= 50) == yes


def test_few_lines_in_turn_by_the_published_cases() -> None:
    gates = module("repeated_lines").Gates
    four = [f"incident {name}: the service did not answer in time, the next try begins\n" for name in "abcd"]
    assert scan("repeated_lines", "".join(four * 5))["repeated_lines"] >= 4
    mixed = "".join(f"{four[0]}line {n}: another thing that is long enough to be counted\n" for n in range(20))
    assert scan("repeated_lines", mixed, gates(distinct=3))["repeated_lines"] == 0


def test_the_watch_looks_at_the_tail_alone() -> None:
    text = prose(1500) + LINE * 900
    assert scan("runaway", text)["runaway"] >= 50
    assert scan("runaway", LINE * 900 + prose(1500))["runaway"] == 0
    assert scan("runaway", LINE * 900 + prose(1500), RunawayGates(chunk=100))["runaway"] == 100


def test_a_window_that_fills_the_last_of_a_text() -> None:
    assert scan("repeated_window", prose(40) + LINE * 26)["repeated_window"] >= 50
    assert scan("repeated_window", prose(40))["repeated_window"] == 0


def test_few_lines_in_turn() -> None:
    four = [f"status {name}: still waiting for the build to finish, looking again\n" for name in "abcd"]
    assert scan("repeated_lines", "".join(four * 8))["repeated_lines"] == 8
    assert scan("repeated_lines", "".join(four * 3))["repeated_lines"] == 0  # too short
    different = "".join(f"{four[0]}step {n}: something else that is long enough to be looked at\n" for n in range(20))
    assert scan("repeated_lines", different)["repeated_lines"] == 0


def test_a_unit_at_the_end_of_an_unfinished_line() -> None:
    sentence = "a sentence of 36 characters is this "
    assert len(sentence) == 36
    assert scan("repeated_lines", sentence * 12)["repeated_tail"] == 12
    assert scan("repeated_lines", sentence * 12 + "\n")["repeated_tail"] == 0
    assert copies(" " * 40, 4) == 0


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("I go on and on, " * 12, True),
        ("wave 👋 " * 40, True),
        ("00 " * 200, False),
        ("👋" * 26, False),
        ("👋" * 120, False),  # a unit of one character is the guard's
        ("👋 " * 26, False),
        ("👋 " * 120, True),
        ("─ " * 120, False),
        (prose(30), False),
        (prose(4) * 3, False),
        (prose(8) * 3, True),
    ],
)
def test_exact_cycles_of_thinking(text: str, fires: bool) -> None:
    assert (scan("thinking_loop", text)["thinking_cycle"] >= 100) == fires


def test_paragraphs_said_again() -> None:
    said = "I am now checking that the configuration of the server is read before the first request comes in {}.\n\n"
    assert scan("thinking_loop", "".join(said.format(n) for n in range(12)))["thinking_cluster"] >= 4
    assert scan("thinking_loop", "".join(prose(3, n) + "\n\n" for n in range(12)))["thinking_cluster"] < 4
    assert scan("thinking_loop", said.format(1) * 7)["thinking_cluster"] == 0  # before the eighth


def test_paragraphs_that_say_nothing_new_but_names() -> None:
    source = random.Random(4)
    words = (
        "just", "doing", "it", "pushing", "ahead", "maintaining", "momentum", "steady", "progress", "moving", "forward",
        "keeping", "focus",
    )  # fmt: skip

    def filler() -> str:
        return " ".join(source.sample(words, len(words))) + ".\n\n"

    plain = "".join(filler() for _ in range(14))
    named = "".join(f"in `module_{chr(97 + n)}` {filler()}" for n in range(14))
    assert scan("thinking_loop", plain)["thinking_stall"] >= 8
    assert scan("thinking_loop", named)["thinking_stall"] < 8


def naive_thinking(text: str) -> tuple[int, int]:
    """Cluster and stall by what they say, paragraph against paragraph."""
    counted: list[tuple[list[str], set[tuple[str, ...]], set[str]]] = []
    cluster = stall = stalled = 0
    for part in re.split(r"\n\s*\n", text):
        for piece in [part[at : at + 700] for at in range(0, len(part), 700)]:
            said = "\n".join(line for line in piece.split("\n") if _is_prose(line))
            words = [word for word in re.findall("[a-z0-9]+", said.lower()) if not word.isdigit()]
            if len(" ".join(words)) < 60:
                continue
            threes = {tuple(words[at : at + 3]) for at in range(len(words) - 2)}
            names = {
                word.strip("`").lower()
                for word in re.findall(r"`[^`]+`|[\w/.-]+", said, re.ASCII)
                if _names_something(word)
            }
            alike = sum(len(threes & one[1]) * 5 >= 4 * len(threes | one[1]) for one in counted[-16:])
            fresh = set(words).difference(*(one[0] for one in counted[-8:]))
            news = names.difference(*(one[2] for one in counted[-8:]))
            stalled = stalled + 1 if counted and len(fresh) * 5 <= len(set(words)) and not news else 0
            counted.append((words, threes, names))
            if len(counted) >= 8:
                cluster, stall = max(cluster, alike + (alike > 0)), max(stall, stalled)
    return cluster, stall


VOCABULARY = [
    "alpha",
    "beta",
    "gamma",
    "file",
    "parser",
    "reads",
    "the",
    "so",
    "`read_x`",
    "src/a/b.py",
    "12",
    "é",
    "K",
]
VOCABULARY += [f"w{n}q" for n in range(30)]


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["\n\n", "\n \n\n", "\n"]))
def test_paragraphs_are_counted_as_they_say(source: random.Random, between: str) -> None:
    said: list[str] = []
    for _ in range(source.randint(7, 22)):
        if said and source.random() < 0.5:
            words = source.choice(said[-18:]).split(" ")
            words[source.randrange(len(words))] = source.choice(VOCABULARY)
            said.append(" ".join(words))
        else:
            said.append(" ".join(source.choices(VOCABULARY, k=source.randint(8, 120))))
    found = scan("thinking_loop", between.join(said))
    assert (found["thinking_cluster"], found["thinking_stall"]) == naive_thinking(between.join(said))


def test_a_template_filled_in_for_each_file_is_no_loop() -> None:
    source = random.Random(7)
    verbs = ("reads", "parses", "checks", "writes", "merges", "sorts", "splits", "guards", "renders", "caches")

    def entry(n: int) -> str:
        does = ", then ".join(f"{source.choice(verbs)} the {prose(1, 31 * n + k).split()[1]}" for k in range(4))
        return f"Next is `part_{n}.py`. It {does}, and its test covers {prose(1, n)}\n\n"

    found = scan("thinking_loop", "".join(entry(n) for n in range(14)))
    assert found["thinking_cluster"] < 4
    assert found["thinking_stall"] < 8


def test_code_and_titles_are_no_paragraphs() -> None:
    code = "".join(f"    value_{n} = read(the_same_thing, again, and, again)\n\n" for n in range(20))
    titles = "**Keeping the momentum of the work that lies before me and behind me today**\n\n" * 20
    for text in (code, titles):
        assert scan("thinking_loop", text)["thinking_cluster"] == 0


@settings(max_examples=150, deadline=None)
@given(st.text("ab ", max_size=40), st.integers(1, 12), st.text("ab", max_size=8))
def test_periods_of_the_end_are_all_found(unit: str, times: int, before: str) -> None:
    text = before + unit * times
    naive = []
    for period in range(1, 61):
        count = 1
        while len(text) >= (count + 1) * period and text[-(count + 1) * period :][:period] == text[-period:]:
            count += 1
        if count > 1 and count * period >= period + 16:
            naive.append((period, count))
    found = [(period, count) for period, count in cycles(text, 60) if count * period >= period + 16]
    assert found == naive


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_periods_of_words(words: list[str]) -> None:
    naive = []
    for period in range(1, len(words) // 2 + 1):
        count = 1
        while words[-(count + 1) * period :][:period] == words[-period:] and len(words) >= (count + 1) * period:
            count += 1
        if count > 1:
            naive.append((period, count))
    assert list(word_cycles(words, 30)) == naive


def test_copies_at_the_end_of_the_reasoning() -> None:
    assert scan("tail_period", "so we go on and then we go on " * 5)["tail_words"] == 5
    assert scan("tail_period", "x" * 48 + "y")["tail_characters"] == 0
    assert scan("tail_period", "first. " + "abcdefgh" * 10)["tail_characters"] == 10
    assert scan("tail_period", "one two one two")["tail_words"] == 0  # two copies are none
    late = module("tail_period").Gates(chunk=16)
    assert scan("tail_period", "on and " * 40 + prose(3), late)["tail_words"] >= 30


def test_a_block_of_words_at_the_end() -> None:
    assert scan("repeated_block", "all is well now " * 4)["repeated_block"] == 4
    assert scan("repeated_block", "no " * 11)["repeated_block"] == 0  # below a dozen words
    assert scan("repeated_block", "no " * 12)["repeated_block"] == 12
    longest = "so " + "no " * 12  # of 4 copies of 13 words and 12 of one the first cover more
    assert scan("repeated_block", longest * 4)["repeated_block"] == 4
    assert scan("repeated_block", longest * 3)["repeated_block"] == 12
    assert scan("repeated_block", prose(2, 5) * 5)["repeated_block"] == 0  # blocks of more than 16 words


def test_measures() -> None:
    plan = " ".join(f"step{n}" for n in range(16)) + " "
    assert list(measures(plan)) == list(COLUMNS)
    assert measures(plan)["rep_4"] == 0
    assert 860 <= (measures(plan * 8)["rep_4"] or 0) <= 880
    assert measures(plan * 8)["period_words"] == 16
    assert (measures("the " * 400)["compression"] or 0) > 5000
    assert periods("") == (0, 0)
    assert measures("") == dict.fromkeys(COLUMNS[:-2]) | {"period_characters": 0, "period_words": 0}
