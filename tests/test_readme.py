"""The README says what is: each block of commands is run and compared, and so is what it says of numbers and names.

`CALIB_GOLDEN=write` writes today's output, and the plot, into it.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from calib.cli import app
from calib.config import load
from calib.corpus import open_corpus
from calib.demo import EXCLUDE, write_demo
from calib.errors import Exit
from calib.ingest import ingest
from calib.plots import render_all
from calib.score import score
from calib.selection import Selection, parse_pair
from calib.spelling import at_most
from calib.stats import adjusted_upper, upper
from calib.sweep import sweep

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PICTURE = "docs/plateau.png"
FENCE = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLOT = re.compile(r"(?<=<!-- plot -->\n).*?(?=<!-- /plot -->)", re.DOTALL)
WRITE = os.environ.get("CALIB_GOLDEN") == "write"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `make demo` has left its dump, and a `calib` to run."""
    made = tmp_path_factory.mktemp("readme")
    write_demo(made / "demo")
    command = made / "bin" / "calib"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m calib "$@"\n')
    command.chmod(0o755)
    return made


def session(block: str, folder: Path) -> str:
    """Run the lines that begin with `$` in a shell, without a terminal; give the block as it should read."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "GITHUB_STEP_SUMMARY")}
    environment |= {"PYTHONPATH": str(ROOT), "PATH": f"{folder / 'bin'}:{environment['PATH']}"}
    shown = []
    for line in block.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line[2:]],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                check=False,
            )
            shown.append(f"{line}\n{done.stdout}")
    return "".join(shown)


def interactive(block: str, folder: Path) -> str:
    """Run the statements of a block; give the block as it should read."""
    names: dict[str, object] = {}
    shown = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        for example in doctest.DocTestParser().get_examples(block):
            shown.append(f">>> {example.source}")
            try:
                value = eval(example.source, names)
            except SyntaxError:
                exec(example.source, names)
            else:
                shown.append(f"{value!r}\n" if value is not None else "")
    finally:
        os.chdir(before)
    return "".join(shown)


def replayed(text: str, folder: Path) -> str:
    """Give the README as its own commands would write it."""

    def again(found: re.Match[str]) -> str:
        block = (session if found[1] == "console" else interactive)(found[2], folder)
        return f"```{found[1]}\n{block}```"

    return FENCE.sub(again, text)


def picture(folder: Path) -> tuple[bytes, str]:
    """Draw the plateau of the demo; the line that shows it says the same in words."""
    ingest([folder / "demo" / "demo.jsonl"], folder / "for_the_plot")
    selected = Selection(exclude=(parse_pair(EXCLUDE),))
    files = render_all(sweep(score(open_corpus(folder / "for_the_plot"), selection=selected)))
    return files["plateau.png"], f"![{files['plateau.txt'].decode().strip()}]({PICTURE})\n"


def test_every_block_and_the_picture_show_what_is(folder: Path) -> None:
    text = README.read_text(encoding="utf-8")
    drawn, line = picture(folder)
    wanted = replayed(PLOT.sub(lambda _: line, text), folder)
    if WRITE:
        (ROOT / PICTURE).write_bytes(drawn)
        README.write_text(wanted, encoding="utf-8")
        return
    assert wanted == text
    assert (ROOT / PICTURE).read_bytes()[:8] == drawn[:8]  # the rest depends on the fonts of the machine


def commands() -> list[str]:
    return [str(command.name or getattr(command.callback, "__name__", "")) for command in app().registered_commands]


@pytest.mark.parametrize("name", commands())
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"`calib {name}" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", [code for code in Exit if code < 128])
def test_every_exit_code_is_in_the_table(code: Exit) -> None:
    assert re.search(rf"^\| {int(code)} \| \w", README.read_text(encoding="utf-8"), re.MULTILINE)


def test_signals_are_in_the_text() -> None:
    text = README.read_text(encoding="utf-8")
    assert {str(int(code)) for code in Exit if code >= 128} <= set(re.findall(r"\b\d{3}\b", text))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_and_named_files_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    linked = [target for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target]
    named = re.findall(r"`((?:calib|tests|docs|notebooks|data-schema)/[\w./]*)`", text)
    missing = [name for name in (*linked, *named) if "NAME" not in name and not (ROOT / name).exists()]
    assert missing == []


def test_bounds_in_the_text_are_the_computed_ones() -> None:
    text = README.read_text(encoding="utf-8")
    assert f"up to {at_most(adjusted_upper(0, 635, 2, 0.05))} (95 %)" in text
    assert f"{at_most(upper(0, 635, 0.05))} had the pair been fixed before" in text


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_make_knows_the_targets_that_are_named(page: str) -> None:
    targets = re.findall(r"(?:`|^)make ([a-z]+)\b", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    known = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert targets
    assert set(targets) <= set(known)


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.name)
def test_nobody_is_told_to_install_somebody_else_s_package(page: Path) -> None:
    assert not re.search(r"install\s+(-\S+\s+)*calib\b", page.read_text(encoding="utf-8"))


def test_the_configuration_shown_is_valid(tmp_path: Path) -> None:
    shown = re.search(r"^```toml\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert shown is not None
    (tmp_path / "calib.toml").write_text(shown[1], encoding="utf-8")
    found = load(None, tmp_path)
    assert str(found.point) == "repeated_plan@7 | search_run@35"
    assert found.limits.max_false_fires == 0
