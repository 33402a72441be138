"""ATIF trajectories (Harbor), versions 1.0 to 1.8: one object `{schema_version, agent, steps, …}` in a file.

*Recognised by*: an object whose `schema_version` begins with `ATIF-` and that has a list `steps`. Harbor's
`result.json` (`trial_name` and `verifier_result` or `agent_result`) belongs to the trajectory beside it and is passed
over.

*Turn*: a step of source `agent`, unless it is copied context (`is_copied_context`) or no model was called for it
(`llm_call_count` 0). Neighbouring steps whose `extra` names the same response (`message_id`, `response_id`,
`llm_response_id` or `request_id`) are one turn. A step of several model calls is one turn as well; how many there were
is counted under metadata as `aggregated_steps`.

*Reasoning*: `reasoning_content` (native), else `<think>` at the beginning of the message (inline).

*Calls and results*: `tool_calls` with `function_name` and `arguments`; results are `observation.results` by
`source_call_id`. An observation of a step without calls, as terminal agents write it, is a result of no call.

*Tokens and times*: `metrics.completion_tokens` of its steps, added up; the time from the step before to its own
(`timestamp`).

*Outcome and stop*: a trajectory has none. From `result.json` beside it, or one folder up: rewards that are all 1 are a
pass, rewards of which one is 0 a failure, any others stay as they are; the stop reason is
`exception_info.exception_type`; the task is `task_name`. A trajectory goes on in the files `NAME.cont-1.json`, …
beside it: they are one episode, with a compaction between them. Embedded sub-agents (`subagent_trajectories`) are
episodes of their own, children of the one that holds them.

*Cannot know*: reasoning that a converter left out, and the parent of a sub-agent that stands in a file of its own.
Without `trajectory_id` and result an episode is named after its file, for `session_id` may be shared.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._atif import Steps, Trial, agent_of
from calib.formats._codes import Rejected
from calib.formats._reader import Given, Ignored, Records, check
from calib.formats._record import About, scalar_text
from calib.formats._small import as_list
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "ATIF trajectories of Harbor: an object with `schema_version` ATIF-v1.x and `steps`"
RANK = 12
STREAM = False
BESIDE = ("result.json", "../result.json")
CONTINUED = re.compile(r"(.*)\.cont-([0-9]{1,2})\.json")
MOST = 20
"""Continuations that are looked for."""
DEEPEST = 10
"""Levels of sub-agents within sub-agents."""


def recognises(value: Any) -> bool:
    """Tell whether a value is a trajectory, or the result of a trial."""
    return isinstance(value, dict) and (_is_trajectory(value) or _is_result(value))


def _is_trajectory(value: dict[str, Any]) -> bool:
    version = value.get("schema_version")
    return isinstance(version, str) and version.startswith("ATIF-") and isinstance(value.get("steps"), list)


def _is_result(value: dict[str, Any]) -> bool:
    return "trial_name" in value and "task_name" in value and ("verifier_result" in value or "agent_result" in value)


def beside(name: str) -> tuple[str, ...]:
    """Name the files that a trajectory may go on in; of a continuation, the files that it continues."""
    if found := CONTINUED.fullmatch(name):
        return (f"{found[1]}.json", *_continuations(found[1], int(found[2]) - 1))
    return _continuations(name.removesuffix(".json"), MOST)


def _continuations(stem: str, count: int) -> tuple[str, ...]:
    return tuple(f"{stem}.cont-{number}.json" for number in range(1, min(count, MOST) + 1))


class Reader(Records):
    """Gives one episode a trajectory, and one for each sub-agent in it."""

    def record(self, value: Any, where: Stretch) -> Iterable[Given]:
        """Read one trajectory.

        Raises Rejected or Ignored.
        """
        check(recognises(value), "no-messages", "expected an object with `schema_version` and `steps`")
        if not _is_trajectory(value):
            raise Ignored("harbor-result")
        name = self.context.source.rpartition("/")[2]
        found = CONTINUED.fullmatch(name)
        if found and (before := self._beside(f"{found[1]}.json")):
            earlier = self._chain(before, found[1])
            if len(earlier) == int(found[2]) and earlier[-1].get("continued_trajectory_ref"):
                raise Ignored("continuation")
        beside = self.context.beside
        trial = Trial.read(beside.get("result.json") or beside.get("../result.json"))
        about = trial.about()
        about.episode_id = scalar_text(value.get("trajectory_id")) or trial.name
        agent_of(value, about)
        return list(self._episodes(self._chain(value, name.removesuffix(".json")), about, where))

    def _beside(self, name: str) -> dict[str, Any] | None:
        data = self.context.beside.get(name)
        try:
            value = self._decoder.value(data, self.notices) if data else None
        except Rejected:  # counted where it is a record itself
            return None
        return value if isinstance(value, dict) and _is_trajectory(value) else None

    def _chain(self, value: dict[str, Any], stem: str) -> list[dict[str, Any]]:
        """List a trajectory and what continues it."""
        chain = [value]
        for name in _continuations(stem, MOST):
            following = self._beside(name) if chain[-1].get("continued_trajectory_ref") else None
            if following is None:
                break
            chain.append(following)
        return chain

    def _episodes(self, chain: list[dict[str, Any]], about: About, where: Stretch, depth: int = 0) -> Iterator[Episode]:
        steps = Steps(Talk(self.text, self.notices))
        for number, part in enumerate(chain):
            if number or (_index(part) and not depth):
                steps.talk.compacted()
            steps.take(part["steps"])
        if steps.aggregated:
            about.metadata["aggregated_steps"] = steps.aggregated
        episode = steps.talk.finish(about)
        episode.stretches.append(where)
        yield episode
        name = about.episode_id or f"{self.context.source}:{where[0]}"
        told: set[str] = set()
        for number, agent in enumerate(_subagents(chain) if depth < DEEPEST else [], 1):
            own = f"{name}/{scalar_text(agent.get('trajectory_id')) or number}"  # ids are unique within the parent only
            if own not in told:
                told.add(own)
                inner = About(own, parent=name)
                agent_of(agent, inner)
                yield from self._episodes([agent], inner, (where[0], where[1], 0), depth + 1)


def _subagents(chain: list[dict[str, Any]]) -> list[dict[str, Any]]:
    listed = [agent for part in chain for agent in as_list(part.get("subagent_trajectories"))]
    return [agent for agent in listed if isinstance(agent, dict) and isinstance(agent.get("steps"), list)]


def _index(value: dict[str, Any]) -> Any:
    """Give the number of a continuation that stands alone; its first turn follows a compaction."""
    agent = value.get("agent")
    extra = agent.get("extra") if isinstance(agent, dict) else None
    return extra.get("continuation_index") if isinstance(extra, dict) else None
