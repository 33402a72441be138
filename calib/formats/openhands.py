"""OpenHands up to 2025 (V0): evaluation outputs, saved trajectories, and session stores with a file per event.

*Recognised by*: an object with a list `history` of events (objects with `action` or `observation`, or pairs of
them); a bare list of such events; or one event a file, whose folder is then one episode.

*Turn*: one model response: the agent's actions with one `tool_call_metadata.model_response.id`. An action without
it is a turn of its own. The agent's actions `system`, `recall`, `change_agent_state` and of condensation are none.

*Reasoning*: `reasoning_content` of the response (native), else tags in its text (inline), else the visible text
before an action, the action's `thought` (thought).

*Calls and results*: the tool calls of the kept response with their raw arguments; without one the action's name
and its arguments, less those that the harness adds. A result is the observation whose `cause` is the action, an
error when it is one of kind `error` or says `success: false`.

*Tokens and times*: `model_response.usage.completion_tokens`, else `metrics.token_usages` by the response's id; its
latency in `metrics.response_latencies`, else the time from the event before (`timestamp`).

*Outcome and stop*: `test_result` or `report` when they hold a verdict, and the resolver's own guess `success`. The
stop reason is the line of `error` that says why, else the last state of the agent, else `finish`. The turn limit is
`metadata.max_iterations`, or the one the error or a folder `…maxiter_N…` names.

*Cannot know*: reports in other files; responses that became no action (their error is an orphan result); events
that condensation dropped. Where the harness cached pages of events beside the events, both are read.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._openhands import Run
from calib.formats._openhands_output import limit_of, read_run
from calib.formats._reader import Context, Records
from calib.formats._record import About
from calib.formats._small import at
from calib.formats._spent import by_response
from calib.formats._talk import Episode, Stretch, stretch

SUMMARY = "OpenHands up to 2025: evaluation output, trajectory, or a folder of events"
RANK = 30
STREAM = False
BUNDLE = True


def recognises(value: Any) -> bool:
    """Tell whether a value is a run, a trajectory or an event of OpenHands V0."""
    if isinstance(value, list):
        return bool(value) and all(_is_event(event) for item in value[:3] for event in _pair(item))
    if not isinstance(value, dict):
        return False
    if "history" not in value:
        return bundled(value)
    history = value["history"]
    if not history:
        return "test_result" in value and "instance_id" in value and at(value, "metadata", "llm") is None
    return isinstance(history, list) and all(_is_event(event) for event in _pair(history[0]))


def bundled(value: Any) -> bool:
    """Tell whether a value is a single event, one of many files of a session."""
    return isinstance(value, dict) and "timestamp" in value and "source" in value and _is_event(value)


def _pair(item: Any) -> list[Any]:
    return item if isinstance(item, list) and len(item) == 2 else [item]


def _is_event(event: Any) -> bool:
    if not isinstance(event, dict) or "kind" in event:
        return False
    if isinstance(event.get("action"), str):
        return "args" in event or "source" in event or "action_risk" in event or "wait_for_response" in event
    return isinstance(event.get("observation"), str) and "content" in event and "thought" not in event


class Reader(Records):
    """Reads the records of one source: runs, or the events of one run."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._run: Run | None = None
        self._stretches: list[Stretch] = []

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take a run, which ends with it, or an event."""
        events = value if isinstance(value, list) else value.get("history")
        if isinstance(value, dict) and "history" not in value:
            return self._event(value, where)
        if not isinstance(events, list) and events is not None:
            raise Rejected("bad-message", "`history` is no list")
        run = Run(self.text, by_response([value.get("metrics")]) if isinstance(value, dict) else None)
        for item in events or ():
            for event in _pair(item):
                run.add(event)
        about = run.about(value.get("error") if isinstance(value, dict) else None)
        if isinstance(value, dict):
            read_run(about, value)
        return self._episodes(run, about, [where], f"{self.context.source}@{where[1]}")

    def _event(self, value: dict[str, Any], where: Stretch) -> Iterable[Episode]:
        if not recognises(value):
            raise Rejected("bad-message", "expected an event with `action` or `observation`")
        self._run = self._run or Run(self.text)
        self._run.add(value)
        stretch(self._stretches, where)
        return ()

    def _episodes(self, run: Run, about: About, stretches: list[Stretch], name: str) -> Iterator[Episode]:
        """End a run and those of its delegates, whose bytes are the run's; `name` is its id when it has any."""
        about.turn_limit = about.turn_limit or limit_of(self.context.source)
        line, first, _ = stretches[0]
        for number, child in enumerate(run.children(), 1):
            about.episode_id = name
            told = child.about()
            told.episode_id, told.parent, told.task = f"{name}/delegate-{number}", name, about.task
            episode = child.end(told)
            episode.stretches.append((line, first, 0))
            self.notices.update(child.talk.notices)
            yield episode
        episode = run.end(about)
        episode.stretches = stretches
        self.notices.update(run.talk.notices)
        yield episode

    def finish(self) -> Iterator[Episode]:
        """Give the run that was told event by event."""
        if self._run is not None:
            about = self._run.about()
            about.episode_id = self.context.source
            yield from self._episodes(self._run, about, self._stretches, self.context.source)
