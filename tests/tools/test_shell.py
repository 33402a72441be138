"""Command lines to simple commands: quotes, operators, groups, substitutions, here-documents."""

import shlex
import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.tools._scan import HOLE
from calib.tools._shell import read

WORDS = st.lists(st.text(max_size=8).filter(lambda word: HOLE not in word), max_size=6)
MARKS = st.text(st.sampled_from("ab $(){}[]<>|&;'\"\\`#\n\t=!*?~-0/").map(str), max_size=60)


def commands(text: str) -> list[list[str]]:
    script = read(text)
    assert script.whole, text
    return [command.words for command in script.commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ls -la", [["ls", "-la"]]),
        ("  ls;  pwd ;", [["ls"], ["pwd"]]),
        ("ls && pwd || true & wait", [["ls"], ["pwd"], ["true"], ["wait"]]),
        ("ls |& wc | tail", [["ls"], ["wc"], ["tail"]]),
        ("ls\npwd\r\nid", [["ls"], ["pwd"], ["id"]]),
        ("grep 'a b' \"c d\" e\\ f", [["grep", "a b", "c d", "e f"]]),
        ("grep a'b'\"c\"d", [["grep", "abcd"]]),
        (r'echo "a\"b\$c\d"', [["echo", 'a"b$c\\d']]),
        ("echo ''", [["echo", ""]]),
        ("ls \\\n  -la", [["ls", "-la"]]),
        ("l\\\ns -a", [["ls", "-a"]]),
        ("echo a # rm -rf / 'x", [["echo", "a"]]),
        ("# only a comment", []),
        ("echo a#b", [["echo", "a#b"]]),
        ("echo $HOME ${x:-a b} $((1 + (2))) $?", [["echo", HOLE, HOLE, HOLE, HOLE]]),
        ("echo $'a\\'b; rm x'", [["echo", "a\\'b; rm x"]]),
        ('echo "it costs 5$"', [["echo", "it costs 5$"]]),
        ("A=b C='d e' make x", [["make", "x"]]),
        ("A=b", []),
        ("A=(1 $(ls) 'x y'); wc", [["ls"], ["wc"]]),
        ("A+=(1\n2\n); wc", [["wc"]]),
        ("cat $(ls `pwd`)", [["pwd"], ["ls", HOLE], ["cat", HOLE]]),
        ('echo "$(cat "a b")"', [["cat", "a b"], ["echo", HOLE]]),
        ("echo `ls \\`pwd\\``", [["pwd"], ["ls", HOLE], ["echo", HOLE]]),
        ("diff <(sort a) <(sort b)", [["sort", "a"], ["sort", "b"], ["diff", HOLE, HOLE]]),
        ("(cd a; ls) && { pwd; id; }", [["cd", "a"], ["ls"], ["pwd"], ["id"]]),
        ("if ls; then cat a; elif id; then pwd; else wc; fi", [["ls"], ["cat", "a"], ["id"], ["pwd"], ["wc"]]),
        ("for f in *.py $(ls); do wc -l $f; done", [["ls"], ["wc", "-l", HOLE]]),
        ("for ((i=0; i<3; i++)); do ls; done", [["ls"]]),
        ("while read l; do echo $l; done < <(find .)", [["read", "l"], ["echo", HOLE], ["find", "."]]),
        ("while (true) do ls; done", [["true"], ["ls"]]),
        ("until ! ls; do pwd; done", [["ls"], ["pwd"]]),
        ("case $x in a|b) ls ;; (c) pwd;& *) id ;;& esac; wc", [["ls"], ["pwd"], ["id"], ["wc"]]),
        ("case x in\n a)\n ls\n ;;\nesac", [["ls"]]),
        ("[[ $a < b && -f c || (x > y) ]] && ls", [["test"], ["ls"]]),
        ("(( a > 3 )) && ls", [["test"], ["ls"]]),
        ("f() { ls; }; f a", [["ls"], ["f", "a"]]),
        ("function g { ls; }; g", [["ls"], ["g"]]),
        ("echo if then done", [["echo", "if", "then", "done"]]),
        ("'if' x", [["if", "x"]]),
        ("ls !(a|b) *.@(c|d)", [["ls", "!*", "*.@*"]]),
        ("cat <<< 'a; rm b'", [["cat"]]),
        ("find . -exec wc {} \\; -o -print", [["find", ".", "-exec", "wc", "{}", ";", "-o", "-print"]]),
        ("ls 2>&1 | tail -3 2> /dev/null", [["ls"], ["tail", "-3"]]),
        ("echo 2 >&2", [["echo", "2"]]),
    ],
)
def test_words(text: str, expected: list[list[str]]) -> None:
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "to_file"),
    [
        ("ls > a", True), ("ls >> a", True), ("ls >| a", True), ("ls &> a", True), ("ls &>> a", True),
        ("ls >& a", True), ("ls 2> a", True), ("ls 1>a", True), ("> a ls", True), ("ls <> a", True),
        ("{ ls; } > a", True),
        ("ls > $out", True), ("ls > '/dev/null x'", True), ("ls 2>&1 > a", True), ("for i in a; do ls; done > a", True),
        ("ls > /dev/null", False), ("ls 2>/dev/null", False), ("ls >/dev/null 2>&1", False), ("ls >&2", False),
        ("ls 2>&-", False), ("ls < a", False), ("ls <<< a", False), ("ls > '/dev/stderr'", False), ("ls >$null", False),
        ("echo '> a'", False), ("echo \\> a", False), ("echo a'>'b", False), ("[[ a > b ]]", False),
        ("(( a > b ))", False), ("awk '$1 > 3'", False), ("ls >(wc)", False), ("ls 2> NUL", False),
    ],
)  # fmt: skip
def test_redirections_to_a_file(text: str, to_file: bool) -> None:
    script = read(text)
    assert script.whole
    assert any(command.to_file for command in script.commands) is to_file


@pytest.mark.parametrize(
    ("text", "here", "after"),
    [
        ("cat <<EOF\na 'b\nEOF\nls", ["a 'b\n"], [["cat"], ["ls"]]),
        ("cat <<'EOF' > f\n$(rm x)\nEOF\nls", ["$(rm x)\n"], [["cat"], ["ls"]]),
        ("cat <<EOF\n$(ls)`id`\nEOF", ["$(ls)`id`\n"], [["cat"], ["ls"], ["id"]]),
        ("cat <<-EOF\n\ta\n\tEOF\nls", ["\ta\n"], [["cat"], ["ls"]]),
        ("cat <<A <<B\n1\nA\n2\nB\nls", ["1\n", "2\n"], [["cat"], ["ls"]]),
        ("cat <<EOF | wc\na\nEOF\n", ["a\n"], [["cat"], ["wc"]]),
        ("cat <<EOF\nEOFF\n EOF\nEOF", ["EOFF\n EOF\n"], [["cat"]]),
        ("cat <<EOF\nnever closed", ["never closed"], [["cat"]]),
        ("cat <<EOF", [""], [["cat"]]),
        (
            "git commit -m \"$(cat <<'EOF'\nit's (so)\nEOF\n)\"",
            ["it's (so)\n"],
            [["cat"], ["git", "commit", "-m", HOLE]],
        ),
    ],
)
def test_here_documents(text: str, here: list[str], after: list[list[str]]) -> None:
    script = read(text)
    assert script.whole
    assert [command.words for command in script.commands] == after
    assert [body for command in script.commands for body in command.here] == here


@pytest.mark.parametrize(
    "text",
    [
        "echo 'open", 'echo "open', "echo `open", "echo $(ls", "echo ${x", "(ls", "ls)", "echo (x)", "ls >", "ls <",
        "[[ a", "case x in a", "case x y", "ls ;;", "A=(1", "((1", "$((1)", "cat <<", "Get-X (Get-Y)", "$(" * 40 + "'",
    ],
)  # fmt: skip
def test_what_is_no_command_line_is_said_to_be_none(text: str) -> None:
    assert not read(text).whole


def test_what_stands_before_a_fault_is_kept() -> None:
    script = read("ls; rm 'x")
    assert [command.words for command in script.commands] == [["ls"]]


@settings(max_examples=200, deadline=None)
@given(words=WORDS)
def test_quoted_words_come_back(words: list[str]) -> None:
    assert commands(shlex.join(["grep", *words])) == [["grep", *words]]


@settings(max_examples=150, deadline=None)
@given(words=WORDS)
def test_double_quoted_words_come_back(words: list[str]) -> None:
    def quoted(word: str) -> str:
        for mark in '\\"$`':
            word = word.replace(mark, "\\" + mark)
        return f'"{word}"'

    assert commands(" ".join(["grep", *map(quoted, words)])) == [["grep", *words]]


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(WORDS, min_size=1, max_size=4), joint=st.sampled_from([";", "&&", "||", "|", "\n", "&", "|&"]))
def test_a_list_is_its_parts(texts: list[list[str]], joint: str) -> None:
    parts = [["grep", *words] for words in texts]
    assert commands(f" {joint} ".join(map(shlex.join, parts))) == parts
    assert commands("echo $(" + f" {joint} ".join(map(shlex.join, parts)) + "\n)") == [*parts, ["echo", HOLE]]


@settings(max_examples=200, deadline=None)
@given(text=MARKS)
def test_any_text_is_read(text: str) -> None:
    for command in read(text).commands:
        assert command.words or command.to_file or command.here


PATHOLOGICAL = [
    "ls a ", "'a' ", "$(", '"$(', "`", "\\`", "(", "${", "<<a ", "a[", "a[\n", "ls;", "case x in ", "$((", "< ", "*(",
    "for ", "[[ ", "# ", "A=b ", "&", "\n", "$", "$'", "f() ", "cat <<A;\nA\n", "A=(", "{ ", "fi ", ">(",
    "\\\n", "cat <<-A\n\t\n",
]  # fmt: skip


@pytest.mark.parametrize("unit", PATHOLOGICAL, ids=repr)
def test_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    assert _work(unit * 2000) <= 2.5 * _work(unit * 1000) + 500


def _work(text: str) -> int:
    """Count the calls that reading makes."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return calls


def test_long_texts_end() -> None:
    for unit in PATHOLOGICAL:
        read(unit * 20_000)
