"""What a response cost: its tokens, and the time from the record before it, where a transcript says so."""

from collections.abc import Iterable
from typing import Any

from calib.formats._clock import seconds_of
from calib.formats._record import LARGEST, whole_number
from calib.formats._small import as_list, at

USED = ("completion_tokens", "output_tokens", "output")
"""How providers and harnesses call the tokens of a response, those of its reasoning included."""

Spent = tuple[int | None, int | None]
"""Output tokens and milliseconds of a response."""
NOTHING: Spent = (None, None)


def tokens_in(usage: Any, *others: str) -> int | None:
    """Give the output tokens of a usage object; `others` are counted apart there and added.

    >>> tokens_in({"prompt_tokens": 9, "completion_tokens": 3}), tokens_in({"output": 3, "thoughts": 4}, "thoughts")
    (3, 7)
    >>> tokens_in(None), tokens_in({"output_tokens": None})
    (None, None)
    """
    if usage.__class__ is not dict:
        return None
    for key in USED:
        if (count := usage.get(key)) is not None:
            found = count if count.__class__ is int and 0 <= count <= LARGEST else whole_number(count)
            if found is None or not others:
                return found
            return found + sum(whole_number(usage.get(other)) or 0 for other in others)
    return None


def milliseconds(before: Any, after: Any) -> int | None:
    """Give the time between two times as written; None when one is missing or cannot be read, or they run back.

    >>> milliseconds("2026-01-22T10:00:05Z", "2026-01-22T10:00:06.5Z"), milliseconds(1769076003, 1769076003.25)
    (1500, 250)
    >>> milliseconds("2026-01-22T10:00:05Z", None), milliseconds(2, 1)
    (None, None)
    """
    if before is None or after is None:
        return None
    begun, ended = seconds_of(before), seconds_of(after)
    return None if begun is None or ended is None else lasting(ended - begun)


def lasting(seconds: Any) -> int | None:
    """Give a duration in milliseconds; None for what is none.

    >>> lasting(1.5), lasting(-1), lasting("1"), lasting(float("nan"))
    (1500, None, None, None)
    """
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds <= LARGEST / 1000:
        return None
    return round(seconds * 1000)


class Watch:
    """Measures from record to record of one conversation. Times are kept as written, and read when they are needed."""

    __slots__ = ("before",)

    def __init__(self) -> None:
        self.before: Any = None

    def see(self, time: Any) -> None:
        """Note the time of a record, if it has one."""
        if time.__class__ in (str, int, float):
            self.before = time

    def lap(self, time: Any) -> int | None:
        """Give the milliseconds from the record before to this one, which is the record before from now on."""
        before = self.before
        self.see(time)
        return milliseconds(before, time)


def by_response(metrics: Iterable[Any]) -> dict[str, Spent]:
    """Give what OpenHands' metrics list for each response id: `token_usages` and `response_latencies`, in seconds.

    >>> by_response([{"token_usages": [{"response_id": "r", "completion_tokens": 3}],
    ...               "response_latencies": [{"response_id": "r", "latency": 0.5}]}])
    {'r': (3, 500)}
    """
    found: dict[str, Spent] = {}
    for one in metrics:
        tokens = {name: tokens_in(used) for name, used in _named(at(one, "token_usages"))}
        times = {name: lasting(at(took, "latency")) for name, took in _named(at(one, "response_latencies"))}
        found |= {name: (tokens.get(name), times.get(name)) for name in (*tokens, *times)}
    return found


def _named(listed: Any) -> list[tuple[str, Any]]:
    return [(name, one) for one in as_list(listed) if isinstance(name := at(one, "response_id"), str)]
