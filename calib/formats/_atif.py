"""Steps of an ATIF trajectory, and Harbor's result of the trial that made it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from calib.formats._calls import Call, made_call
from calib.formats._decode import json_text
from calib.formats._inline import TAGGED, split_inline
from calib.formats._parts import text_of
from calib.formats._reader import check
from calib.formats._record import About, scalar_text, whole_number
from calib.formats._spent import Watch, tokens_in
from calib.formats._talk import Talk

RESPONSE = ("message_id", "response_id", "llm_response_id", "request_id")
"""Where converters note which response a step came from."""
LIMITS = ("max_turns", "max_episodes", "max_steps", "max_iterations")
FILLER = "[tool call]"


@dataclass
class Response:
    """Neighbouring steps of one response."""

    id: str | None
    steps: list[dict[str, Any]] = field(default_factory=list)


class Steps:
    """Tells the steps of a trajectory to a talk."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.aggregated = 0
        self._watch = Watch()

    def take(self, steps: Sequence[Any]) -> None:
        """Take all steps of one file; copied context was told before."""
        response: Response | None = None
        for step in steps:
            check(isinstance(step, dict), "bad-message", "a step is no object")
            if step.get("is_copied_context") is True:
                continue
            if step.get("source") == "agent" and step.get("llm_call_count") != 0:
                own = _response_of(step)
                if response is not None and (own is None or own != response.id):
                    self._turn(response)
                    response = None
                response = response or Response(own)
                response.steps.append(step)
                continue
            if response is not None:
                self._turn(response)
                response = None
            self._watch.see(step.get("timestamp"))
            if step.get("source") == "user":
                self.talk.user()
            elif step.get("source") not in ("system", "agent"):
                self.talk.notices["unknown-role"] += 1
        if response is not None:
            self._turn(response)

    def _turn(self, response: Response) -> None:
        steps = response.steps
        self.aggregated += sum(1 for step in steps if _count(step) > 1)
        calls = [call for step in steps for call in _calls(step)]
        text = _joined([_message(step, bool(calls)) for step in steps])
        said = [step["reasoning_content"] for step in steps if step.get("reasoning_content") is not None]
        reasoning = _joined([text_of(value) for value in said])
        state = "absent" if reasoning is None else "recorded" if reasoning.strip() else "empty"
        kind = "native"
        if text and ">" in text and TAGGED.search(text):
            reasoning, state, kind, text = split_inline(text, reasoning, state, self.talk.notices)
        self.talk.turn(reasoning, state, kind, text, calls)
        tokens = [count for step in steps if (count := tokens_in(step.get("metrics"))) is not None]
        self.talk.spent(sum(tokens) if tokens else None, self._watch.lap(steps[-1].get("timestamp")))
        for step in steps:
            self._results(step)

    def _results(self, step: dict[str, Any]) -> None:
        observation = step.get("observation")
        results = observation.get("results") if isinstance(observation, dict) else None
        for result in results if isinstance(results, list) else []:
            if isinstance(result, dict):
                self.talk.result(scalar_text(result.get("source_call_id")), text_of(result.get("content")) or "")


def _count(step: dict[str, Any]) -> int:
    return whole_number(step.get("llm_call_count")) or 0


def _response_of(step: dict[str, Any]) -> str | None:
    extra = step.get("extra")
    if not isinstance(extra, dict):
        return None
    return next((f"{key} {extra[key]}" for key in RESPONSE if isinstance(extra.get(key), str)), None)


def _calls(step: dict[str, Any]) -> list[Call]:
    listed = step.get("tool_calls")
    if not isinstance(listed, list):
        return []
    check(all(isinstance(call, dict) for call in listed), "bad-message", "a tool call is no object")
    return [
        made_call(scalar_text(c.get("tool_call_id")), scalar_text(c.get("function_name")), c.get("arguments"))
        for c in listed
    ]


def _message(step: dict[str, Any], calls: bool) -> str | None:
    text = text_of(step.get("message"))
    return None if calls and text == FILLER else text


def _joined(texts: list[str | None]) -> str | None:
    known = [text for text in texts if text is not None]
    if len(known) > 1:
        known = [text for text in known if text] or known[:1]
    return "\n".join(known) if known else None


@dataclass(frozen=True)
class Trial:
    """What Harbor's result.json says of a trial."""

    said: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, data: bytes | None) -> "Trial":
        """Read a result; anything else counts as none."""
        try:
            value = msgspec.json.decode(data) if data else {}
        except (ValueError, RecursionError):
            value = {}
        return cls(value if isinstance(value, dict) and "trial_name" in value else {})

    @property
    def name(self) -> str | None:
        """The name of the trial."""
        return scalar_text(self.said.get("trial_name")) or None

    def about(self) -> About:
        """Give what it says about the episode."""
        about = About(task=scalar_text(self.said.get("task_name")))
        verified = self.said.get("verifier_result")
        rewards = verified.get("rewards") if isinstance(verified, dict) else None
        if isinstance(rewards, dict) and rewards:
            about.outcome = outcome_of_rewards(list(rewards.values()))
            about.metadata["rewards"] = rewards
        error = self.said.get("exception_info")
        if isinstance(error, dict):
            about.stop_reason = scalar_text(error.get("exception_type"))
        about.turn_limit = self._limit()
        if self.name:
            about.metadata["trial_name"] = self.name
        for key in ("started_at", "finished_at"):
            if isinstance(self.said.get(key), str):
                about.metadata[key] = self.said[key]
        return about

    def _limit(self) -> int | None:
        config = self.said.get("config")
        agent = config.get("agent") if isinstance(config, dict) else None
        given = agent.get("kwargs") if isinstance(agent, dict) else None
        found = (whole_number(given.get(key)) for key in LIMITS) if isinstance(given, dict) else iter(())
        return next((limit for limit in found if limit), None)


def outcome_of_rewards(rewards: list[Any]) -> str:
    """Give `pass` when every reward is 1, `fail` when they are 0 and 1 with a 0 among them, else their text.

    >>> outcome_of_rewards([1, 1.0]), outcome_of_rewards([1, 0]), outcome_of_rewards([0.5])
    ('pass', 'fail', '[0.5]')
    """
    if all(reward == 1 for reward in rewards):
        return "pass"
    return "fail" if all(reward in (0, 1) for reward in rewards) else json_text(rewards)


def agent_of(value: dict[str, Any], about: About) -> None:
    """Add what a trajectory says of its agent and its run."""
    agent = value["agent"] if isinstance(value.get("agent"), dict) else {}
    named = (step.get("model_name") for step in value["steps"] if isinstance(step, dict))
    about.model = scalar_text(agent.get("model_name")) or next((name for name in named if _is_text(name)), None)
    said = {
        "agent": agent.get("name"), "agent_version": agent.get("version"), "session_id": value.get("session_id"),
        "atif": value.get("schema_version"), "continued_trajectory_ref": value.get("continued_trajectory_ref"),
    }  # fmt: skip
    about.metadata |= {key: fact for key, fact in said.items() if isinstance(fact, str)}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
