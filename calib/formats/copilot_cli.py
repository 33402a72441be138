"""GitHub Copilot CLI: `events.jsonl` of a session.

*Recognised by*: lines `{type, data, id, timestamp, parentId}` with a type such as `session.start` or
`assistant.message`.

*Turn*: one `assistant.message`; messages in a row with one `messageId`, or one `apiCallId`, are one response. A
message with neither text nor calls is a response as well. Sub-agents (`parentToolCallId`) are episodes of their own,
named session id and call id.

*Reasoning*: `reasoningText`, else the `assistant.reasoning` before the message: `native` for Claude models, else a
`summary`. With only `reasoningOpaque` or `encryptedContent` the state is `encrypted`.

*Calls and results*: `toolRequests`; results from `tool.execution_complete` by `toolCallId`, an error when `success` is
false. `tool.execution_start` repeats the request.

*Tokens and times*: `outputTokens`; the time from `assistant.turn_start`, the user's message or the last result to the
message (`timestamp`).

*Outcome and stop*: no outcome. The stop reason is the reason of an `abort`, the type of a `session.error`, else the
`shutdownType`.

*Cannot know*: turn limits; why a model stopped.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._codes import Rejected
from calib.formats._decode import Notices, json_text, shallow
from calib.formats._item import parts_of
from calib.formats._items import Response
from calib.formats._reader import Context, Ignored, Open, Records, sessions
from calib.formats._record import About, whole_number
from calib.formats._spent import Watch, milliseconds
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "GitHub Copilot CLI: events.jsonl"
RANK = 30
STREAM = True

FAMILIES = ("session.", "assistant.", "tool.", "hook.", "system.", "subagent.", "user.", "skill.", "permission.")
COMPACTIONS = frozenset(("session.compaction_complete", "session.truncation"))
HEADS = frozenset(("session.start", "session.model_change"))
ENDS = frozenset(("abort", "session.error", "session.shutdown"))
SILENT = frozenset(
    ("assistant.turn_start", "assistant.turn_end", "tool.execution_start", "tool.execution_progress",
     "tool.execution_partial_result", "tool.user_requested", "hook.start", "hook.end", "system.message",
     "system.notification", "session.info", "session.warning", "session.usage_checkpoint", "session.usage_info",
     "session.auto_mode_resolved", "session.compaction_start", "session.mode_changed", "session.plan_changed",
     "session.idle", "session.snapshot_rewind", "session.context_changed", "session.handoff", "session.title_changed",
     "session.task_complete", "session.workspace_file_changed", "session.resume", "assistant.intent",
     "assistant.usage", "assistant.message_delta", "assistant.reasoning_delta", "subagent.completed",
     "subagent.failed", "subagent.selected", "skill.invoked", "permission.requested", "permission.completed")
)  # fmt: skip
"""Events that say nothing about turns."""
TIMED = frozenset(
    ("session.start", "user.message", "assistant.turn_start", "assistant.message", "tool.execution_complete",
     *COMPACTIONS)
)  # fmt: skip
"""Events whose times tell when a response was asked for and when it came."""


def recognises(value: Any) -> bool:
    """Tell whether a value is an event of a session."""
    if not isinstance(value, dict) or not isinstance(value.get("data"), dict) or "parentId" not in value:
        return False
    kind = value.get("type")
    return isinstance(kind, str) and (kind == "abort" or kind.startswith(FAMILIES))


class Replies(Talk):
    """A talk whose responses may come in several messages."""

    key: Any = None
    under_way: Response | None = None
    thought: str | None = None
    """Reasoning that came before its message."""

    def __init__(self, text: bool, notices: Notices | None = None) -> None:
        super().__init__(text, notices)
        self.watch = Watch()

    def close(self) -> None:
        """End the response under way, if any."""
        response, self.under_way, self.key = self.under_way, None, None
        if response is not None:
            reasoning, state, kind = response.reasoning()
            text = "\n".join(response.texts) if response.texts else None
            self.turn(reasoning, state, kind, text, response.calls)
            self.spent(response.tokens, milliseconds(response.begun, response.ended))


class Reader(Records):
    """Reads the events of sessions, one session after the other."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._open: dict[str | None, Open] = {}
        self._session: str | None = None
        self._model: str | None = None
        self._owners: dict[str, str | None] = {}
        """Which agent made a call: None the session itself."""
        self._names: dict[str, dict[str, Any]] = {}

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one event.

        Raises Rejected or Ignored.
        """
        data = value.get("data") if isinstance(value, dict) else None
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(data, dict) or not isinstance(kind, str):
            raise Rejected("bad-message", "an event has no text `type` or no object `data`")
        ended: list[Episode] = []
        if kind == "session.start":
            if self._open and data.get("sessionId") != self._session:
                ended = list(self.finish())
                self.notices["mixed-sessions"] += 1
            self._start(data)
        elif kind == "session.model_change":
            self._see_model(data.get("newModel"))
        elif kind == "subagent.started":
            call_id = data.get("toolCallId")
            self._names[str(call_id)] = {key: data[key] for key in ("agentName",) if isinstance(data.get(key), str)}
            raise Ignored(kind)
        agent = data.get("parentToolCallId")
        opened = self._opened(agent if isinstance(agent, str) else None)
        begun = opened.talk.watch.before
        if kind in TIMED:
            opened.talk.watch.see(value.get("timestamp"))
        self._take(kind, data, opened, agent)
        if kind == "assistant.message":
            response = opened.talk.under_way
            response.begun = begun if response.ended is None else response.begun
            response.ended = value.get("timestamp")
        opened.cover(where)
        return ended

    def finish(self) -> Iterator[Episode]:
        """Give the session and its sub-agents."""
        for opened in self._open.values():
            opened.talk.close()
            opened.about.model = opened.about.model or self._model
            if opened.stretches:
                yield opened.end()
        self._open, self._session, self._model = {}, None, None
        self._owners, self._names = {}, {}

    def _start(self, data: dict[str, Any]) -> None:
        session = data.get("sessionId")
        self._session = session if isinstance(session, str) else None
        about = self._opened(None).about
        about.episode_id = self._session
        self._see_model(data.get("selectedModel"))
        facts = {key: data[key] for key in ("copilotVersion", "producer", "startTime") if data.get(key) is not None}
        context = data.get("context")
        for key in ("cwd", "repository", "branch", "headCommit"):
            if isinstance(context, dict) and isinstance(context.get(key), str):
                facts[key] = context[key]
        about.metadata.update(facts)

    def _opened(self, agent: str | None) -> Open:
        def make() -> Open:
            about = About()
            if agent is not None:
                parent = self._owners.get(agent)
                about.episode_id = self._name(agent)
                about.parent = self._name(parent)
                about.metadata.update(self._names.get(agent, {}))
            return Open(Replies(self.text, self.notices), about)

        return sessions(self._open, agent, make)

    def _name(self, agent: str | None) -> str | None:
        session = self._session or self.context.source
        return f"{session}/{agent}" if agent is not None else session

    def _see_model(self, model: Any) -> None:
        if isinstance(model, str) and model != "auto" and self._model is None:
            self._model = model

    def _take(self, kind: str, data: dict[str, Any], opened: Open, agent: Any) -> None:
        talk, about = opened.talk, opened.about
        if kind == "assistant.message":
            self._message(data, opened, agent if isinstance(agent, str) else None)
        elif kind == "assistant.reasoning":
            talk.thought = data["content"] if isinstance(data.get("content"), str) else None
        elif kind == "tool.execution_complete":
            text = _result(data)
            talk.close()
            call_id, success = data.get("toolCallId"), data.get("success")
            failed = not success if isinstance(success, bool) else None
            talk.result(call_id if isinstance(call_id, str) else None, text, failed)
        elif kind == "user.message":
            talk.close()
            talk.user()
            about.stop_reason = None
        elif kind in COMPACTIONS:
            talk.close()
            talk.compacted()
        elif kind in ENDS:
            said = next((data[key] for key in ("reason", "errorType", "shutdownType") if data.get(key)), kind)
            if kind != "session.shutdown" or about.stop_reason is None:
                about.stop_reason = said if isinstance(said, str) else kind
        elif kind not in HEADS:
            self._ignore(kind)

    def _ignore(self, kind: str) -> None:
        if kind not in SILENT:
            self.notices["unknown-record-type"] += 1
        raise Ignored(kind)

    def _message(self, data: dict[str, Any], opened: Open, agent: str | None) -> None:
        calls = _calls(data.get("toolRequests"))
        talk = opened.talk
        key = data.get("apiCallId") or data.get("messageId")
        if talk.under_way is None or key is None or key != talk.key:
            talk.close()
            talk.under_way, talk.key = Response(), key
        response: Response = talk.under_way
        model = data.get("model")
        if isinstance(model, str):
            opened.about.model = opened.about.model or model
        name = model if isinstance(model, str) else opened.about.model or self._model or ""
        thought = data.get("reasoningText") or talk.thought
        talk.thought = None
        if isinstance(thought, str):
            (response.thoughts if "claude" in name.lower() else response.summaries).append(thought)
        if data.get("reasoningOpaque") or data.get("encryptedContent"):
            response.hidden = "encrypted"
        if isinstance(data.get("content"), str):
            response.texts.append(data["content"])
        response.calls += calls
        response.tokens = whole_number(data.get("outputTokens")) or response.tokens
        self._owners.update({call.id: agent for call in calls if call.id is not None})


def _calls(requests: Any) -> list[Call]:
    calls = []
    for request in requests if isinstance(requests, list) else ():
        if not isinstance(request, dict):
            raise Rejected("bad-message", "a tool request is no object")
        call_id, tool = request.get("toolCallId"), request.get("name")
        call_id = call_id if isinstance(call_id, str) else None
        calls.append(made_call(call_id, tool if isinstance(tool, str) else None, request.get("arguments")))
    return calls


def _result(data: dict[str, Any]) -> str:
    result = data.get("result")
    if result is None:
        result = data.get("error")
    if isinstance(result, dict):
        result = next((result[key] for key in ("content", "message") if result.get(key) is not None), result)
    if isinstance(result, str):
        return result
    texts = parts_of(result)
    return "\n".join(texts) if texts or result is None else json_text(shallow(result))
