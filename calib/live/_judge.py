"""Which task a request belongs to, and whether a detector has fired in the history that it carries.

A request carries its whole history, so the answer never depends on which process got it. What was counted for the
beginning of a history is remembered, and only its new messages are read; forgetting costs time, not correctness.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from calib.live._body import decoded, messages_in, replaced
from calib.live.filter import Filter
from calib.live.listener import NotUnderstood
from calib.live.monitor import Fire

REMEMBERED = 512
"""Most conversations of which one process remembers what was counted."""
BRANCHES = 64
"""Most conversations that begin alike, likewise."""


@dataclass
class Known:
    """A conversation so far: a mark of each message read, and the filter that read them."""

    task: str
    named: bool
    filter: Filter
    marks: list[int] = field(default_factory=list)
    line: str | None = None
    """The log line that told it last, and how many messages were told by then."""
    told: int = 0


@dataclass(frozen=True)
class Verdict:
    """What is done with one request. `body` is None where it goes on as it came."""

    known: Known
    raw: list[bytes]
    turns: int
    levels: dict[str, int]
    fire: Fire | None
    body: bytes | None = None
    earlier: bool = False
    """Whether it is armed by a fire that the history does not hold any more."""
    removed: int = 0
    """Bytes by which the edit makes the request shorter."""

    @property
    def task(self) -> str:
        """What identifies the task."""
        return self.known.task


class Judge:
    """Decides about requests. `new` makes the filter of a task; `armed` is a folder that all processes share.

    A task that its header names stays armed when the harness shortens the history: its name is noted in `armed`. A task
    that is known by its first messages only does not, for another run of the same task begins with the same ones.
    """

    def __init__(self, example: Filter, armed: Path | None = None) -> None:
        self._example = example
        self._armed = armed
        self._known: OrderedDict[int | str, list[Known]] = OrderedDict()

    def verdict(self, body: bytes, name: str | None) -> Verdict | None:
        """Judge a request; None when it is not understood."""
        raw = messages_in(body)
        if not raw:
            return None
        marks = [hash(one) for one in raw]
        known = self._find(name, marks, raw)
        new = decoded(raw[len(known.marks) :]) if len(known.marks) < len(raw) else []
        if new is None:
            return None
        try:
            known.filter.take(new)
        except NotUnderstood:
            self._forget(name, marks, known)
            return None
        known.marks = marks
        return self._decide(known, raw, body)

    def _key(self, name: str | None, marks: list[int]) -> int | str:
        return marks[0] if name is None else name

    def _find(self, name: str | None, marks: list[int], raw: list[bytes]) -> Known:
        """Find the conversation that goes on here, the longest, or begin one."""
        key = self._key(name, marks)
        branches = self._known.setdefault(key, [])
        self._known.move_to_end(key)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        same = [known for known in branches if marks[: len(known.marks)] == known.marks]
        if same:
            return max(same, key=lambda known: len(known.marks))
        task = task_of(raw) if name is None else name
        begun = Known(task, name is not None, self._example.again())
        branches.append(begun)
        del branches[:-BRANCHES]
        return begun

    def _forget(self, name: str | None, marks: list[int], known: Known) -> None:
        branches = self._known.get(self._key(name, marks), [])
        if known in branches:
            branches.remove(known)

    def _decide(self, known: Known, raw: list[bytes], body: bytes) -> Verdict:
        live = known.filter
        levels, turns = dict(live.monitor.levels), live.monitor.turns
        earlier = self._was_armed(known)
        made = None
        if (live.armed or earlier) and not live.shadow and (before := decoded(raw)) is not None:
            after = live.edited(before)
            if len(after) != len(before) or any(a is not b for a, b in zip(after, before, strict=True)):
                made = replaced(body, raw, before, after)
        removed = 0 if made is None else len(body) - len(made)
        return Verdict(known, raw, turns, levels, live.fire, made, earlier, removed)

    def _was_armed(self, known: Known) -> bool:
        """Note a fire of a named task; tell whether one was noted that this history does not show."""
        if self._armed is None or not known.named:
            return False
        mark = self._armed / blake2b(known.task.encode(), digest_size=16).hexdigest()
        if known.filter.armed:
            mark.touch()
            return False
        return mark.exists()


def task_of(raw: Sequence[bytes]) -> str:
    """Name a task after its first messages, those of the first user included."""
    found = blake2b(digest_size=8)
    for one in raw:
        found.update(one)
        message = decoded([one])
        if message and message[0].get("role") == "user":
            break
    return found.hexdigest()


__all__ = ["Judge", "Known", "Verdict", "task_of"]
