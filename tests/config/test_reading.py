"""Configuration files: what is read, where from, and one plain line for everything else."""

import os
from pathlib import Path

import pytest

from calib.config import Config, Limits, load
from calib.errors import ConfigurationError
from calib.escape import visible
from calib.point import parse_point
from calib.tools import Map

EVERYTHING = """
point = "T2@7 | search_run@35"
chosen = "before"
calibrated_on = "0123456789ab"
confidence = 0.99
checks = 52
unit = "episode"
where = ["model = x"]
exclude = ["arm=always-strip"]

[gate]
max_false_fires = 0
min_caught = 30
min_plateau_width = { T2 = 16, search_run = 9 }
min_passed = 600
min_turn_limit = 20
max_false_fire_rate = 0.0075
max_other_fire_rate = 0.2
min_caught_rate = 0.9
max_rejected = 0

[tools]
reads = ["grep", "cat"]
"""
PARSED = Config(
    point=parse_point("repeated_plan@7 | search_run@35"),
    chosen="before",
    calibrated_on="0123456789ab",
    confidence=0.99,
    checks=52,
    where=("model = x",),
    exclude=("arm=always-strip",),
    limits=Limits(0, 30, {"repeated_plan": 16, "search_run": 9}, 600, 20, 0.0075, 0.2, 0.9, 0.0),
    tools=Map(reads=("grep", "cat")),
)


def test_the_null_device_is_no_configuration(tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text("checks = 52\n")
    assert load(Path(os.devnull), tmp_path) == Config()
    assert load(None, tmp_path).checks == 52


def test_every_key(tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text(EVERYTHING)
    assert load(None, tmp_path) == PARSED


def test_every_key_below_tool_calib(tmp_path: Path) -> None:
    moved = EVERYTHING.replace("[gate]", "[tool.calib.gate]").replace("[tools]", "[tool.calib.tools]")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.calib]' + moved)
    assert load(None, tmp_path) == PARSED
    assert load(tmp_path / "pyproject.toml", Path("elsewhere")) == PARSED


def test_nothing_there_gives_the_defaults(tmp_path: Path) -> None:
    assert load(None, tmp_path) == Config()
    (tmp_path / "calib.toml").write_text("")
    assert load(None, tmp_path) == Config()


def test_named_before_calib_toml_before_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.calib]\nchecks = 2\n")
    assert load(None, tmp_path).checks == 2
    (tmp_path / "calib.toml").write_text("checks = 3\n")
    assert load(None, tmp_path).checks == 3
    (tmp_path / "other.toml").write_text("checks = 4\n")
    assert load(tmp_path / "other.toml", tmp_path).checks == 4


@pytest.mark.parametrize(
    "text", ['description = "' + "a" * 2_000 + '"', "not toml", "[tool.other]\nx = 1", "\ufeff", "#" * 70_000, "\x80"]
)
def test_a_pyproject_of_others_is_none_of_ours(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(text.encode("latin-1" if text == "\x80" else "utf-8"))
    assert load(None, tmp_path) == Config()


def test_the_error_allowed_is_exact() -> None:
    assert Config().alpha == 0.05  # and not 1 - 0.95
    assert Config(confidence=0.99, checks=5).alpha == 0.002


LEVEL = "a confidence from 0.5 to below 1, such as 0.95 for 95 %"
COUNT, SHARE, INNER = (
    "a whole number from 0",
    "a share from 0 to 1, such as 0.001 for 0.1 %",
    "a share above 0 and below 1",
)
PAIRS, WHERES = 'a list of pairs such as "arm=always-strip"', 'a list of selections such as "n_turns > 3"'
POINT = 'an operating point such as "repeated_plan@7 | search_run@35"'
NEST = "expected plain tables, found values nested too deeply"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # unknown keys, with the near names
        ("pont = 1", "pont: expected one of point, "),
        ("[gates]", "gates: expected one of gate, "),
        ("[gate]\nmax_false_fire = 0", "gate.max_false_fire: expected one of max_false_fires, max_false_fire_rate, "),
        ("max_false_fires = 0", "max_false_fires: expected one of "),
        ("[tools]\nread = []", "tools.read: expected one of reads, "),
        ('"a\\u001b[31m[/b]" = 1', "a\\x1b[31m[/b]: expected one of "),
        ('"a\\nverdict: PASS" = 1', "a\\x0averdict: PASS: expected one of "),
        (f"{'k' * 900} = 1", "k" * 80 + ": expected one of "),
        # wrong types and values
        ("[gate]\nmax_false_fires = -1", f"gate.max_false_fires: expected {COUNT}, found -1"),
        ("[gate]\nmax_false_fires = 1.0", f"gate.max_false_fires: expected {COUNT}, found 1.0"),
        ("[gate]\nmax_false_fires = true", f"gate.max_false_fires: expected {COUNT}, found True"),
        ("[gate]\nmin_caught = 99999999999", f"gate.min_caught: expected {COUNT}, found 99999999999"),
        ("[gate]\nmin_caught = 1e300", f"gate.min_caught: expected {COUNT}, found 1e+300"),
        ("[gate]\nmin_caught = 2026-11-30", f"gate.min_caught: expected {COUNT}, found datetime.date("),
        ("[gate]\nmax_false_fire_rate = nan", f"gate.max_false_fire_rate: expected {INNER}, such as"),
        ("[gate]\nmax_false_fire_rate = -0.01", f"gate.max_false_fire_rate: expected {INNER}, such as"),
        ("[gate]\nmax_false_fire_rate = 0.0", f"gate.max_false_fire_rate: expected {INNER}, such as"),
        ("[gate]\nmax_other_fire_rate = 1e300", f"gate.max_other_fire_rate: expected {INNER}, such as"),
        ("[gate]\nmin_caught_rate = 90", f"gate.min_caught_rate: expected {INNER}, such as"),
        ('[gate]\nmin_caught_rate = "90 %"', f"gate.min_caught_rate: expected {INNER}, such as"),
        ("[gate]\nmax_rejected = inf", f"gate.max_rejected: expected {SHARE}, found inf"),
        ("[gate]\nmax_rejected = false", f"gate.max_rejected: expected {SHARE}, found False"),
        ("[gate]\nmin_plateau_width = 0", "gate.min_plateau_width: expected a whole number from 1, found 0"),
        ("[gate]\nmin_plateau_width = { loop = 3 }", "gate.min_plateau_width: expected a detector, found 'loop'"),
        ('[gate]\nmin_plateau_width = { "lag(calls)" = 3 }', "gate.min_plateau_width: expected a whole number"),
        ('point = "loop@3"', "point: expected a detector, found 'loop'; there are "),
        ('point = "lag(call)@3"', "point: expected an operating point such as"),
        ("detectors = []", "detectors: expected a table, found "),
        ("[detectors]\nmine = 3", 'detectors.mine: expected a rule such as "lag(calls,2)@6", found 3'),
        ('[detectors]\nmine = "lag(calls)"', 'detectors.mine: expected a rule such as "lag(calls,2)@6" (rule: lag'),
        ('[detectors]\nmine = "run(reads)@0"', 'detectors.mine: expected a rule such as "lag(calls,2)@6" (mine: '),
        ('[detectors]\n"Mine!" = "run(reads)"', "detectors.Mine!: expected a new name of small letters, digits"),
        ('[detectors]\nsearch_run = "run(reads)"', "detectors.search_run: expected a new name of small letters"),
        ("[gate.min_plateau_width]\nT1 = [3]", "gate.min_plateau_width: expected a whole number from 1, found a table"),
        ("gate = 3", "gate: expected a table, found 3"),
        ("tools = []", "tools: expected a table, found an empty list"),
        ("confidence = 1.0", f"confidence: expected {LEVEL}, found 1.0"),
        ("confidence = 0.05", f"confidence: expected {LEVEL}, found 0.05"),  # the error, not the confidence
        ("confidence = 0.99999999999999999999", f"confidence: expected {LEVEL}, found 1.0"),
        ("confidence = 95", f"confidence: expected {LEVEL}, found 95"),
        ("checks = 0", "checks: expected a whole number from 1, found 0"),
        ('unit = "week"', "unit: expected \"episode\" or \"task\" or \"model\" or \"arm\", found 'week'"),
        ('rule = "best"', 'rule: expected "closest_pass" or "given" or "published", found \'best\''),
        ('chosen = "elsewhere"', "chosen: expected \"here\" or \"before\", found 'elsewhere'"),
        ("chosen = {}", 'chosen: expected "here" or "before", found a table'),
        ('calibrated_on = "3f9c"', "calibrated_on: expected the data digest of a report, 12 to 64 hexadecimal digits"),
        ('point = "repeated_plan@0"', f"point: expected {POINT}, found 'repeated_plan@0'"),
        ("point = 7", f"point: expected {POINT}, found 7"),
        ('where = "model = x"', f"where: expected {WHERES}, found 'model = x'"),
        ('where = ["read_csv(\'/etc/passwd\')"]', f"where: expected {WHERES}, found \"read_csv('/etc/passwd')\""),
        ('exclude = ["arm"]', f"exclude: expected {PAIRS}, found 'arm'"),
        ("exclude = []", f"exclude: expected {PAIRS}, found an empty list"),
        ("[tools]\nreads = []", "tools.reads: expected a list of tool names, found an empty list"),
        ('[tools]\nreads = ["a", " "]', "tools.reads: expected a list of tool names, found ' '"),
        ("[tools]\nreads = [1]", "tools.reads: expected a list of tool names, found 1"),
        # not TOML, or too much of it
        ("checks = \n", "line 1, column 10: expected TOML, found the end of the line: Invalid value"),
        ("\npoint = T2@7", "line 2, column 9: expected TOML, found 'T2@7': Invalid value; a text stands in quotes"),
        ('point = "T2@7\nchecks = 1', "line 1, column 14: expected TOML, found the end of the line: Illegal"),
        ("checks = 1\nchecks = 2", "expected TOML, found something else: Cannot overwrite a value (at end of document"),
        ("checks = " + "9" * 900, "checks: expected a whole number from 1, found 9999"),
        ("checks = 0x" + "f" * 980, "checks: expected a whole number from 1, found "),
        ("a = " + "[" * 900, NEST),
        ("a = [\n" + "[\n" * 9_000, NEST),
        ("{a = ".join(["a = "] + [""] * 190), None),
        (".".join("a" * 8_000) + " = 1", ":1: expected lines of at most 1,000 characters, found 16,003"),
        ("\n".join(f"k{n}." + ".".join("a" * 490) + " = 1" for n in range(60)), "k0: expected one of "),
        ("#" * 1_001, ":1: expected lines of at most 1,000 characters, found 1,001"),
        ("#\n" * 32_769, "expected at most 65,536 bytes, found more; is it this file?"),
        ("\ufeffchecks = 1", "expected UTF-8 without a byte order mark, found one; save it without"),
        ("checks = 1 # \x1b[2J", "line 1, column 14: expected TOML, found '\\\\x1b[2J': "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_plain_line(tmp_path: Path, text: str, said: str | None) -> None:
    (tmp_path / "calib.toml").write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        load(None, tmp_path)
    message = str(caught.value)
    assert message.startswith(f"calib.toml{'' if said and said.startswith(':') else ': '}{said or ''}")
    assert visible(message) == message
    assert len(message) < 400


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_bytes(b'unit = "\xff"')
    with pytest.raises(ConfigurationError, match=r"^calib\.toml: expected UTF-8, found another byte at 8$"):
        load(None, tmp_path)


@pytest.mark.parametrize("name", ["missing.toml", "folder", "pipe"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(
        ConfigurationError, match=f"{name}: expected a configuration file, found (nothing|something else)$"
    ):
        load(tmp_path / name, tmp_path)


def test_a_named_pyproject_must_have_the_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(ConfigurationError, match=r"expected a table \[tool\.calib\], found none$"):
        load(tmp_path / "pyproject.toml", tmp_path)


def test_rules_get_names_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text(
        'point = "pairs@4 | T1@35 | run( idle )@3"\n[gate]\nmin_plateau_width = { pairs = 2, "run(idle)" = 1 }\n'
        '[detectors]\npairs = "lag(calls, 2)@6"\nplain = "run(reads)"\n'
    )
    read = load(None, tmp_path)
    assert [(each.name, str(each.rule), each.default) for each in read.detectors.values()] == [
        ("pairs", "lag(calls,2)", 6),
        ("plain", "run(reads)", None),
    ]
    assert str(read.point) == "pairs@4 | search_run@35 | run(idle)@3"
    assert read.limits.min_plateau_width == {"pairs": 2, "run(idle)": 1}
