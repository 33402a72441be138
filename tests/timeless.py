"""The times of a result taken out as `calib/times.py` says it, character by character, without a pattern."""

from collections.abc import Iterator, Sequence

DIGITS = "0123456789"
LONG = ("h", "hour", "hours", "m", "min", "minute", "minutes")
UNITS = (
    *("s", "ms", "us", "µs", "μs", "ns", "sec", "secs", "msec", "msecs", "usec", "usecs"),
    *(f"{part}second{end}" for part in ("", "milli", "micro", "nano") for end in ("", "s")),
    *("min", "mins", "minute", "minutes", "hour", "hours"),
)
MARK = "\0"


def timeless(text: str) -> str:
    """The text without its times, found from left to right, the longest at each place."""
    marked, at = "", 0
    while at < len(text):
        end = max([*durations(text, at), *clocks(text, at)], default=at)
        marked += MARK if end > at else text[at]
        at = max(end, at + 1)
    lines = [posix(named(line)) for line in marked.split("\n")]
    whole = "\n".join(filled(line) if MARK in line else line for line in lines)
    for around in (f"< {MARK}", f" ({MARK})", f" [{MARK}]", f" {MARK}"):
        whole = whole.replace(around, MARK)
    return whole.replace(MARK, "")


def is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def fresh(text: str, at: int) -> bool:
    """Does a number begin here?"""
    before = text[:at]
    if before[-1:] in ("T", "_") and before[-2:-1] in DIGITS and len(before) > 1:
        return True
    if before.endswith(("\\n", "\\r", "\\t")):
        return True
    return not before or not (is_word(before[-1]) or before[-1] in ".:/%<>^-")


def digits(text: str, at: int) -> int:
    """Where the digits that stand here end."""
    while at < len(text) and text[at] in DIGITS:
        at += 1
    return at


def over(text: str, at: int, words: Sequence[str]) -> Iterator[int]:
    """Where each of the words that stand here ends."""
    return (at + len(word) for word in words if text.startswith(word, at))


def ends_here(text: str, at: int) -> bool:
    """Does no word go on?"""
    rest = text[at : at + 2] + "  "
    return not is_word(rest[0]) and not (rest[0] in ".-" and is_word(rest[1]))


def durations(text: str, at: int) -> Iterator[int]:
    """Where a duration that begins here may end."""
    if text[at] not in DIGITS or not fresh(text, at):
        return
    one = digits(text, at)
    if text[one : one + 1] == "s" and text[one : one + 3] != "sec":
        heard = text[:at].endswith(("(", "[", "="))
        for word in ("in ", "after ", "took "):
            before = text[:at].removesuffix(word)
            heard = heard or (before != text[:at] and not is_word(before[-1:] or " "))
        if not heard:
            return
    for begin in befores(text, at, 2):
        for number in numbers(text, begin):
            for unit in (*over(text, number, UNITS), *over(text, number, [f" {unit}" for unit in UNITS])):
                if ends_here(text, unit):
                    yield unit
                    yield from guess(text, unit)


def befores(text: str, at: int, more: int) -> Iterator[int]:
    """Where a number may begin behind hours and minutes, at most so many of them, of four digits each."""
    yield at
    end = digits(text, at)
    if not more or not 1 <= end - at <= 4:
        return
    for spelled in (*over(text, end, LONG), *over(text, end, [f" {name}" for name in LONG])):
        for gap in range(3):
            if set(text[spelled : spelled + gap]) <= {",", " "} and digits(text, spelled + gap) > spelled + gap:
                yield from befores(text, spelled + gap, more - 1)
    if text[end : end + 1] == ":" and digits(text, end + 1) > end + 1:
        yield from befores(text, end + 1, more - 1)


def numbers(text: str, at: int) -> Iterator[int]:
    """Where a number that begins here may end: digits, at most two times more behind a point or comma, an exponent."""
    end = digits(text, at)
    for _ in range(3):
        if end > at:
            yield end
            for sign in ("e", "e-"):
                if text.startswith(sign, end) and (last := digits(text, end + len(sign))) > end + len(sign):
                    yield last
        if text[end : end + 1] not in (".", ",") or digits(text, end + 1) == end + 1:
            return
        end = digits(text, end + 1)


def guess(text: str, at: int) -> Iterator[int]:
    """Where jest's guess that stands here ends."""
    if text.startswith(", estimated ", at):
        end = digits(text, at + len(", estimated "))
        for unit in over(text, end, (" s", " ms")):
            if end > at + len(", estimated ") and not is_word(text[unit : unit + 1] or " "):
                yield unit


def clocks(text: str, at: int) -> Iterator[int]:
    """Where a clock time that begins here may end."""
    hours = digits(text, at)
    if not 1 <= hours - at <= 2 or not fresh(text, at) or not sixty(text, hours):
        return
    minutes = hours + 3
    whole = minutes + 3 if sixty(text, minutes) else None
    found = [] if whole is None else [whole]
    points = [(whole, ".,"), (minutes, ".")]
    for begin, signs in points:
        if begin is not None and text[begin : begin + 1] in tuple(signs) and digits(text, begin + 1) > begin + 1:
            found.append(digits(text, begin + 1))
    for end in found:
        after = text[end : end + 2] + "  "
        if after[0] not in DIGITS and not (after[0] == ":" and after[1] in "0123456789abcdefABCDEF"):
            yield end


def sixty(text: str, at: int) -> bool:
    """Do a colon and two digits up to 59 stand here?"""
    return text[at : at + 1] == ":" and text[at + 1 : at + 3] in [f"{n:02}" for n in range(60)]


NAMES = [
    f"{name}{quote}{before}{sign}{after}"
    for name in ("duration", "Duration", "duration_ms", "Duration_ms", "elapsed", "Elapsed")
    for quote in ("", '"') for before in ("", " ") for sign in (":", "=") for after in ("", " ")
] + ["duration_ms ", "Duration_ms ", 'time="']  # fmt: skip


def plain(line: str, at: int) -> int | None:
    """Where a number that stands here ends, if no word goes on."""
    end = digits(line, at)
    if end == at:
        return None
    last = digits(line, end + 1) if line[end : end + 1] == "." else end
    for found in (last, end) if last > end + 1 else (end,):
        rest = line[found : found + 2] + "  "
        if not is_word(rest[0]) and not (rest[0] == "." and is_word(rest[1])):
            return found
    return None


def named(line: str) -> str:
    """The line, its named numbers marked."""
    made, at = "", 0
    while at < len(line):
        found = [at + len(name) for name in NAMES if line.startswith(name, at)]
        end = next((end for begin in found if (end := plain(line, begin)) is not None), None)
        if end is not None and not (at and is_word(line[at - 1])):
            begin = next(begin for begin in found if plain(line, begin) == end)
            made, at = made + line[at:begin] + MARK, end
        else:
            made, at = made + line[at], at + 1
    return made


def posix(line: str) -> str:
    """A line of POSIX `time`, its number marked."""
    rest = line.removesuffix("\r")
    for name in ("real", "user", "sys"):
        if line.startswith(name):
            begin = len(name)
            while rest[begin : begin + 1] in (" ", "\t") and begin < len(rest):
                begin += 1
            if begin > len(name) and plain(rest, begin) == len(rest):
                return line[:begin] + MARK + line[len(rest) :]
    return line


def filled(line: str) -> str:
    """The line, runs of three `=` or more being one."""
    made, at = "", 0
    while at < len(line):
        end = at
        while line[end : end + 1] == "=":
            end += 1
        made, at = (made + "=", end) if end - at >= 3 else (made + line[at], at + 1)
    return made
