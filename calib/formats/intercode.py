"""InterCode: logs of bash, SQL, Python and CTF episodes.

*Recognised by*: an object with `turn_history` (`actions`, `observations`), or an object that maps keys to such
objects: several episodes in one file.

*Turn*: one entry of `turn_history.actions`. The last one of a ReAct log whose thought is "EXCEEDED MAX TURNS" is the
harness's and none.

*Reasoning*: `thoughts` where there are any (thought); else absent.

*Calls and results*: the action is a call of the environment's interpreter (`bash`, `sql`, `python`) with the
command, taken out of `execute[…]`; `submit` and `skip` are tools of their own. The result is the observation of the
same place, an error where `valid_action` is false.

*Tokens and times*: neither is recorded.

*Outcome and stop*: `pass` when `summary.max_reward` (else the largest of `rewards`) is 1, else `fail`. The stop
reason is the harness's own words, else `submit` when that was the last action, else `max_turns` when as many turns were
taken as `turns_max`. The turn limit is `turns_max`: an episode can reach it and pass.

*Cannot know*: the model, and the text around the action.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from calib.formats._calls import Call
from calib.formats._codes import Rejected
from calib.formats._commands import command_call
from calib.formats._decode import Line, json_text
from calib.formats._reader import Context, Fault, Given, Records
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._small import at, small, text_at
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "InterCode log: one episode, or a map of many"
RANK = 25
STREAM = True
HARNESS = "EXCEEDED MAX TURNS"
EXECUTE = re.compile(r"execute\[(.*)\]\s*", re.DOTALL)
OWN = frozenset(("submit", "skip"))
INTERPRETERS = {"sql": "sql", "py": "python", "swe": "bash", "ctf": "bash", "bash": "bash"}


def recognises(value: Any) -> bool:
    """Tell whether a value is an episode of InterCode or a map of such episodes."""
    if not isinstance(value, dict):
        return False
    inner = value if "turn_history" in value else next(iter(value.values()), None)
    return isinstance(at(inner, "turn_history", "actions"), list)


class Reader(Records):
    """Reads logs; a record holds one episode or many."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._names: set[str] = set()
        self._line: Line = b""

    def feed(self, line: Line, where: Stretch) -> Iterable[Given]:
        """Read one record, and remember its bytes: they are shared out among its episodes."""
        self._line = line
        return super().feed(line, where)

    def record(self, value: Any, where: Stretch) -> Iterable[Given]:
        """Take a log; a bad episode of several costs its own bytes."""
        if not isinstance(value, dict) or not value:
            raise Rejected("bad-message", "expected an object with `turn_history`")
        if "turn_history" in value:
            return self._episode(None, value, where)
        given: list[Given] = []
        for (key, inner), place in zip(value.items(), shares(self._line, where, value), strict=True):
            try:
                given += self._episode(key, inner, place)
            except Rejected as fault:
                line, first, size = place
                given.append(Fault(fault.code, fault.reason, first, size, line))
        return given

    def _episode(self, key: str | None, value: Any, where: Stretch) -> tuple[Episode]:
        columns = [at(value, "turn_history", name) for name in ("actions", "observations")]
        if not all(isinstance(column, list) for column in columns):
            raise Rejected("bad-message", "`turn_history` has no lists `actions` and `observations`")
        talk, about = Talk(self.text), about_of(value)
        stopped = tell(talk, value)
        about.stop_reason = stopped or ("max_turns" if _ran_out(value) else None)
        about.task = self._task(key, value)
        about.episode_id = self._name(key, value, where)
        self.notices.update(talk.notices)
        return self.whole(talk, about, where)

    def _task(self, key: str | None, value: dict[str, Any]) -> str | None:
        number = scalar_text(value.get("task_id")) or key
        data = (text_at(value, "dataset") or "").rpartition("/")[2].partition(".")[0]
        return "/".join(part for part in (data, number) if part) or None

    def _name(self, key: str | None, value: dict[str, Any], where: Stretch) -> str:
        line, first, _ = where
        name = f"{self.context.source}:{line}" if key is None else f"{self.context.source}#{key}"
        name += f"@{first}" if name in self._names else ""
        self._names.add(name)
        return name


def tell(talk: Talk, value: dict[str, Any]) -> str | None:
    """Tell the turns of an episode; gives the harness's words, or the last action, when they say why it ended."""
    history = value["turn_history"]
    tool = _interpreter(value)
    talk.user()
    last = None
    for action, seen, thought, valid in _rows(history):
        if isinstance(thought, str) and thought.startswith(HARNESS):
            return thought
        call = call_of(tool, action)
        plan = thought if isinstance(thought, str) else None
        state = "absent" if plan is None else "recorded" if plan.strip() else "empty"
        talk.turn(plan, state, "thought", None, [call])
        talk.result(None, seen if isinstance(seen, str) else "" if seen is None else json_text(seen), _failed(valid))
        last = call.tool
    return "submit" if last == "submit" else None


def _rows(history: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    names = ("observations", "thoughts", "valid_action")
    columns = [column if isinstance(column := history.get(name), list) else [] for name in names]
    for at_, action in enumerate(history["actions"]):
        yield action, *(column[at_] if at_ < len(column) else None for column in columns)


def _interpreter(value: dict[str, Any]) -> str:
    named = (text_at(value, "environment") or "").removeprefix("ic_")
    return INTERPRETERS.get(named, named or "bash")


def call_of(tool: str, action: Any) -> Call:
    """Read an action.

    >>> call_of("bash", "execute[ls /]")[1:3], call_of("bash", "submit")[1:3]
    (('bash', '{"command":"ls /"}'), ('submit', ''))
    """
    text = action if isinstance(action, str) else json_text(action)
    if text.strip() in OWN:
        return Call(None, text.strip(), "", (text.strip(), ""), False)
    inner = EXECUTE.fullmatch(text)
    return command_call(tool, inner[1] if inner else text)


def _failed(valid: Any) -> bool | None:
    return not valid if isinstance(valid, bool) else None


def _ran_out(value: dict[str, Any]) -> bool:
    taken, most = (whole_number(at(value, "summary", key)) for key in ("turns_taken", "turns_max"))
    rewards = at(value, "turn_history", "rewards")
    solved = isinstance(rewards, list) and bool(rewards) and rewards[-1] == 1
    return most is not None and taken is not None and taken >= most and not solved


def about_of(value: dict[str, Any]) -> About:
    """Read what an episode says about itself."""
    summary, rewards = value.get("summary"), at(value, "turn_history", "rewards")
    numbers = [reward for reward in rewards if isinstance(reward, (int, float))] if isinstance(rewards, list) else []
    best = at(summary, "max_reward") if at(summary, "max_reward") is not None else max(numbers, default=None)
    about = About(turn_limit=whole_number(at(summary, "turns_max")) or None)
    about.outcome = None if best is None else "pass" if best == 1 else "fail"
    about.metadata = {
        **small(value, "environment", "dataset", "hardness"),
        **small(summary, "max_reward", "turns_taken", "turns_max"),
    }
    return about


def shares(line: Line, where: Stretch, value: dict[str, Any]) -> list[Stretch]:
    """Cut the bytes of a map among its values: each gets what stands before it and itself, the last also the end.

    >>> shares(b'{"0": {}, "1": [1]}', (1, 0, 19), {"0": {}, "1": [1]})
    [(1, 0, 8), (1, 8, 11)]
    """
    number, first, size = where
    data = bytes(line)
    sizes = _ends(data)
    if len(sizes) != len(value):  # a doubled key, or mended text: the first episode gets all
        return [(number, first, size), *((number, first + size, 0) for _ in range(len(value) - 1))]
    found, begun = [], 0
    for end in (*sizes[:-1], size):
        found.append((number, first + begun, end - begun))
        number += data.count(b"\n", begun, end)
        begun = end
    return found


def _ends(data: bytes) -> list[int]:
    """Find where the values of a JSON object end; none when it is not plain JSON."""
    try:
        raws = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return []
    ends, at_ = [], 0
    for raw in raws.values():
        at_ = data.find(bytes(raw), at_)
        if at_ < 0:
            return []
        at_ += len(raw)
        ends.append(at_)
    return ends
