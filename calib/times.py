r"""Take the times out of a failing result: how long something took, and what the clock showed.

A test run tells how long it took, so two runs that fail the same way are never the same text. These go, and nothing
else does: counts, line numbers, ids, addresses and dates still tell two results apart.

==============  ===================================================================  =================================
what            how it is told                                                       such as
==============  ===================================================================  =================================
a duration      a number and a unit, with a blank between or none: `s`, `ms`, `us`,  `0.03s`, `12 ms`, `1.2 sec`
                `µs`, `ns`, `sec`, `msec`, `seconds`, `milliseconds`, `min`,
                `minutes`, `hours` and kin
                hours or minutes may stand before: `h`, `m`, `min` or a colon        `1m2.3s`, `1 min 3 s`, `01:02 min`
                a whole number right before `s` only behind a bracket, `=`, `in `,   `BUILD FAILED in 3s`, `(3s)`
                `after ` or `took `: `8s` are eights too
                jest's guess behind it goes too                                      `1.2 s, estimated 2 s`
a clock time    `H:MM:SS` or `HH:MM:SS`, with a fraction or without; `M:SS` only     `12:03:44`, `0:00:01.5`, `0:01.25`
                with a fraction of a second
a named number  a number behind `duration:`, `elapsed:` (or `=`), `duration_ms`,     `"Elapsed":0.01`, `time="0.03"`
                `time="`; in a line of its own behind `real`, `user`, `sys`          `real 0.03`
==============  ===================================================================  =================================

With a time go one blank before it, brackets around it, and a `<` before it: runners leave a short time out (`(2 ms)`,
`[< 1 ms]`). In a line that held a time a run of three `=` or more is one: pytest fills the line up.

A number that begins behind a letter, a digit or one of `_ . - : / % < > ^` is none (`v1.5s`, `a.c:12:30:45`, `%5s`),
but for the `T` between a date and its time and for escapes as JSON has them (`\t0.4s`). A unit that goes on is none
(`3 steps`, `10s.txt`). `HH:MM` alone stays, for so do line and column (`12:34  error`). No time holds a line break, so
texts that are equal without their times have equally many lines. The time it takes is linear in the length.
"""

import re
from functools import lru_cache

_FRESH = r"(?:(?<![\w.:/%<>^-][0-9])|(?<=\\[nrt][0-9])|(?<=[0-9][T_][0-9]))"
"""Looked for behind the first digit, not before it: a pattern that begins with a digit is found much more quickly."""
_CLOCK = r"[0-9]?:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?|\.[0-9]{1,9})(?![0-9]|:[0-9A-Fa-f])"
_BEFORE = r"(?:[0-9]{0,3}(?: ?(?:h|hours?|m|min|minutes?)[, ]{0,2}|:)[0-9]){0,2}"
"""Hours and minutes, and the first digit of what follows."""
_NO_PLURAL = r"(?:(?![0-9]{0,19}s(?!ec))|(?<=[(\[=][0-9])|(?<=\bin [0-9])|(?<=\bafter [0-9])|(?<=\btook [0-9]))"
_NUMBER = r"(?:[.,][0-9]{1,20}){0,2}(?:e-?[0-9]{1,3})?"
_UNIT = r"(?:[mnuµμ]?s|[mu]?secs?|(?:milli|micro|nano)?seconds?|min(?:ute)?s?|hours?)(?!\w|[.-]\w)"
_GUESS = r"(?:, estimated [0-9]{1,9} m?s\b)?"
TIME = rf"[0-9]{_FRESH}(?:{_NO_PLURAL}{_BEFORE}[0-9]{{0,19}}{_NUMBER} ?{_UNIT}{_GUESS}|{_CLOCK})"
"""Compiled when it is used, as all here: most ingests and commands never meet two failures."""
_PLAIN = r"[0-9]{1,20}(?:\.[0-9]{1,20})?(?!\w|\.\w)"
NAMED = (
    ("uration", rf"(uration(?<=\b[Dd]uration)(?:(?:_ms)?\"? ?[:=] ?|_ms )){_PLAIN}"),
    ("lapsed", rf"(lapsed(?<=\b[Ee]lapsed)\"? ?[:=] ?){_PLAIN}"),
    ('time="', rf"(time=\"(?<=\btime=\")){_PLAIN}"),
    *((name, rf"^({name}[ \t]{{1,8}}){_PLAIN}(?=\r?$)") for name in ("real", "user", "sys")),
)
"""What is in every line that a pattern changes, and the pattern."""
_FILL = "={3,}"
_MARK = "\x00"
_AROUND = (f"< {_MARK}", f" ({_MARK})", f" [{_MARK}]", f" {_MARK}")
SHORT = 400
"""Lines of fewer characters are remembered: most lines of a run are those of the run before."""


def without_times(text: str) -> str:
    r"""Give a result without its times.

    >>> without_times("FAILED test_a.py:12\n=== 1 failed, 2 passed in 0.03s ===")
    'FAILED test_a.py:12\n= 1 failed, 2 passed in ='
    >>> without_times("[12:03:44] FAIL\tpkg\t0.412s")
    '[] FAIL\tpkg\t'
    """
    return "\n".join([_short(line) if len(line) < SHORT else _line(line) for line in text.split("\n")])


@lru_cache(1 << 13)
def _short(line: str) -> str:
    return _line(line)


def _line(line: str) -> str:
    marked = re.sub(TIME, _MARK, line)
    for sign, pattern in NAMED:
        if sign in marked:
            marked = re.sub(pattern, rf"\g<1>{_MARK}", marked)
    if _MARK not in marked:
        return line
    if "===" in marked:
        marked = re.sub(_FILL, "=", marked)
    for around in _AROUND:
        marked = marked.replace(around, _MARK)
    return marked.replace(_MARK, "")


class Failures:
    """Tells of each failing result of one episode which failing call was the first with it, times aside.

    Patterns are only run over results that may be equal to another one: those with as many lines as one before.
    """

    __slots__ = ("_alone", "_first", "_known")

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        """Results as they are."""
        self._first: dict[str, int] = {}
        """Results without their times, where some other has as many lines."""
        self._alone: dict[int, tuple[str, int] | None] = {}
        """The result of so many lines that was seen first, while it is the only one."""

    def first(self, text: str, place: int) -> int:
        """Give the place of the first failing call with such a result; `place` itself when it is new."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._find(text, place)
        return found

    def _find(self, text: str, place: int) -> int:
        lines = text.count("\n")
        if lines not in self._alone:
            self._alone[lines] = (text, place)
            return place
        if other := self._alone[lines]:
            self._alone[lines] = None
            self._first[without_times(other[0])] = other[1]
        return self._first.setdefault(without_times(text), place)
