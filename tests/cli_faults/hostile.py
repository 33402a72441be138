"""Dumps whose every name is an attack, carried by the episodes that reports show by name; and how to see one work."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from markdown_it import MarkdownIt

from tests.corpus import Episode, pencil

SUPPORT = ("P3", "L2", "P2", "L3")
"""The episodes of the pencil corpus that end its plateaus."""

ATTACKS = {
    "terminal": (
        "\x1b]52;c;Zm9v\x07", "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x1b[2J\x1b[6n\x1bc",
        "\x1bP+q\x1b\\\x1b]0;unclosed", "\x9b31m\x9d0;title\x9c", "good\r\x1b[2Kverdict: FORGED", "ab\x08\x08\x7f\x00",
        "[red]x[/red]", "[/bold] [link=http://evil.example]", "\\[red]\\ :skull: [@click=x]", "\u202egnp.exe\u2066",
        "\ufeff\u200bhidden\U000e0041",
    ),
    "lines": (
        "x\nverdict: FORGED", "x\u2028verdict: FORGED", "x\x85verdict: FORGED", "x\r\nverdict: FORGED",
        "x\x0bverdict: FORGED\x0c", "::error::FORGED", "  ::stop-commands::FORGED", "##[error]FORGED",
        "x\nBASH_ENV=FORGED", "x ##[add-mask]FORGED", "\n::set-output name=a::FORGED", "%0A::warning::FORGED",
    ),
    "markup": (
        "a|b|c", "x\n# FORGED", "[x](javascript:alert(1))", "![x](http://evil.example/p.png)", "<img src=x onerror=1>",
        "<details><summary>FORGED", "`code` ``more`` ```", "@octocat #1", "http://evil.example www.evil.example",
        "\\|\\", "\"><script>alert(1)</script>", "</title><!--<script>", "&lt;b&gt; ]]>", "*bold* _it_ ~~s~~ $x$",
    ),
    "names": (
        "../../x", "/tmp/x", "..", "\x00", "n" * 300, "CON", "a/b", "=1+1", "\t=cmd|' /C calc'!A0", " @SUM(1)",
        "＝1+1", "-2\n=3", '"=1","', "'", "$\\frac{a$", "$$", "_hidden", "漢字 🦊 é", "x" * 70_000, "\ud800\udfff lone",
    ),
}  # fmt: skip


def hostile(attacks: Sequence[str]) -> list[Episode]:
    """Make the pencil corpus with attacks for names: ids, task, model, arm, metadata, tools, arguments and text."""
    made = []
    for at, one in enumerate(pencil()):
        attack = attacks[at % len(attacks)]
        if one.episode_id in SUPPORT:
            attack = attacks[SUPPORT.index(one.episode_id) % len(attacks)]
        tools = [[attack] if names == ["run_tests"] else names for names in one.tools]
        reasoning = [
            f"{attack}{text}{attack}" if text and not text.startswith("\x00") else text for text in one.reasoning
        ]
        one = replace(one, episode_id=attack + one.episode_id, task=attack, model=attack, arm=attack)
        made.append(replace(one, tools=tools, reasoning=reasoning, metadata={attack: {attack: attack}}))
    return made


def acts_on_a_terminal(text: str, colour: bool = False) -> list[str]:
    """Find what would act instead of showing; with `colour` our own colours are allowed."""
    if colour:
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    bad = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    return [repr(c) for c in text if c != "\n" and unicodedata.category(c) in bad]


def forged_lines(text: str) -> list[str]:
    """Find lines that begin with an attack's words, and lines that a GitHub log takes for an order."""
    return [
        line
        for line in re.split(r"[\n\r\x0b\x0c\x85\u2028\u2029]", text)
        if re.match(r"\s*(verdict: FORGED|# FORGED|BASH_ENV|::(error|warning|stop-|set-))", line) or "##[" in line
    ]


def live_markup(text: str) -> list[str]:
    """Find what a Markdown reader would make live."""
    found = []
    for token in _tokens(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)):
        if token.type in ("html_inline", "html_block", "link_open", "image", "fence", "code_block", "s_open"):
            found.append(f"{token.type}: {token.content}")
        if token.type == "text" and re.search(r"@octocat|http|www\.|FORGED|javascript", token.content):
            found.append(f"text: {token.content}")
        if token.type == "heading_open" and token.map and "FORGED" in text.splitlines()[token.map[0]].partition("`")[0]:
            found.append("heading")
    return found


def _tokens(tokens: Sequence[Any]) -> Iterator[Any]:
    for token in tokens:
        yield token
        yield from _tokens(token.children or ())


def strict_json(text: str) -> Any:
    """Read JSON that has no NaN, no key twice and no half characters."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    def refuse(name: str) -> None:
        raise AssertionError(name)

    text.encode()
    return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
