"""Times of messages: only whether they can be read and run forward. Nothing is ever sorted by them."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from calib.formats._decode import Notices


class Clock:
    """Takes the times of one episode's messages in the order of the file."""

    def __init__(self) -> None:
        self._last: float | None = None

    def at(self, time: Any, notices: Notices) -> None:
        """Note a time: ISO 8601 text, or seconds or milliseconds since 1970. A missing one (null) says nothing.

        >>> from collections import Counter
        >>> clock, notices = Clock(), Counter()
        >>> for time in ("2026-01-22T10:00:05Z", 1769076003, "yesterday"):
        ...     clock.at(time, notices)
        >>> sorted(notices)
        ['bad-timestamp', 'time-went-back']
        """
        if time is None:
            return
        now = seconds_of(time)
        if now is None:
            notices["bad-timestamp"] += 1
            return
        if self._last is not None and now < self._last:
            notices["time-went-back"] += 1
        self._last = now


def seconds_of(time: Any) -> float | None:
    """Give the seconds since 1970 of a time: ISO 8601 text (UTC without a zone), seconds, or milliseconds.

    >>> seconds_of("1970-01-01T00:01:00Z"), seconds_of("1970-01-01T00:01:00"), seconds_of(1769076003000), seconds_of([])
    (60.0, 60.0, 1769076003.0, None)
    """
    if isinstance(time, (int, float)) and not isinstance(time, bool):
        return time / 1000 if abs(time) > 1e11 else float(time)
    if not isinstance(time, str):
        return None
    try:
        found = datetime.fromisoformat(time)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def uuid_time(value: Any) -> float | None:
    """Give the seconds since 1970 in a UUIDv7; None for any other id.

    >>> uuid_time("019ed50c-2fb3-7002-a384-360bea6e7f04"), uuid_time("05997ac9-0e06-4251-8576-cc16266d3022")
    (1781690806.195, None)
    """
    try:
        number = UUID(value)
    except (ValueError, AttributeError, TypeError):
        return None
    return (number.int >> 80) / 1000 if number.version == 7 else None
