"""Codex told in events: `codex exec --json`, and the session log of the terminal."""

from typing import TYPE_CHECKING, Any

from calib.formats._calls import Call, made_call
from calib.formats._decode import Notices, json_text, shallow
from calib.formats._item import parts_of
from calib.formats._items import Response
from calib.formats._reader import Ignored
from calib.formats._talk import Talk

if TYPE_CHECKING:
    from calib.formats._codex_session import Session


class Events(Talk):
    """A talk in which calls begin and end. Calls that overlap are of one response; `close(True)` says all are."""

    def __init__(self, text: bool, notices: Notices | None = None) -> None:
        super().__init__(text, notices)
        self._groups: list[Response] = []
        self._running: set[str] = set()
        self._begun: set[str] = set()

    def said(self, reasoning: str | None = None, text: str | None = None) -> None:
        """Take a summary of reasoning or a message: after a call it begins a response."""
        group = self._group(fresh=bool(self._groups and self._groups[-1].calls))
        if reasoning is not None:
            group.summaries.append(reasoning)
        if text is not None:
            group.texts.append(text)

    def begin(self, call: Call) -> None:
        """Take the begin of a call: one that begins when none runs is of the next response."""
        group = self._group(fresh=bool(self._groups and self._groups[-1].calls and not self._running))
        group.calls.append(call)
        self._running.add(call.id or "")
        self._begun.add(call.id or "")

    def end(self, call: Call, text: str, is_error: bool | None) -> None:
        """Take the end of a call, which may be all that is told of it."""
        if (call.id or "") not in self._begun:
            self.begin(call)
        self._running.discard(call.id or "")
        self._begun.discard(call.id or "")
        for group in reversed(self._groups):
            if any(own.id == call.id for own in group.calls):
                # The end tells the arguments whole where the begin does not.
                group.calls = [call if own.id == call.id and own.arguments is None else own for own in group.calls]
                group.outputs.append((call.id, text, is_error))
                return
        self.result(call.id, text, is_error)

    def _group(self, fresh: bool) -> Response:
        if fresh or not self._groups:
            self._groups.append(Response())
        return self._groups[-1]

    def close(self, one: bool = False) -> None:
        """End the responses under way; `one`: they were one."""
        groups, self._groups = self._groups, []
        for group in [_merged(groups)] if one and groups else groups:
            reasoning, state, kind = group.reasoning()
            self.turn(reasoning, state, kind, "\n".join(group.texts) if group.texts else None, group.calls)
            for output in group.outputs:
                self.result(*output)

    def settle(self) -> None:
        """End all responses but the last, where nothing will say that they were one."""
        last = self._groups[-1:]
        del self._groups[-1:]
        self.close()
        self._groups = last

    def compact(self) -> None:
        """Note that the history was compacted here."""
        self.close()
        self.compacted()


def _merged(groups: list[Response]) -> Response:
    whole = Response()
    for group in groups:
        whole.summaries += group.summaries
        whole.thoughts += group.thoughts
        whole.texts += group.texts
        whole.calls += group.calls
        whole.outputs += group.outputs
    return whole


def exec_event(session: "Session", kind: str, value: dict[str, Any]) -> None:
    """Take an event of `codex exec --json`.

    Raises Ignored.
    """
    talk = session.talk
    if kind.startswith("item."):
        item = value.get("item")
        if not isinstance(item, dict) or kind == "item.updated":
            raise Ignored(kind)
        _exec_item(talk, kind == "item.completed", item)
        talk.settle()
        return
    talk.close()
    if kind == "turn.started":
        talk.user()
        session.stop("turn_started", {})
    else:
        usage = value.get("usage")
        for key, count in usage.items() if isinstance(usage, dict) else ():
            if isinstance(count, int):
                session.tokens[key] = session.tokens.get(key, 0) + count
        session.about.stop_reason = kind


def _exec_item(talk: Events, done: bool, item: dict[str, Any]) -> None:
    kind = item.get("type") or item.get("item_type")
    if kind in ("agent_message", "assistant_message", "reasoning"):
        text = item.get("text")
        if not done or not isinstance(text, str):
            raise Ignored(f"item.{kind}")
        talk.said(text, None) if kind == "reasoning" else talk.said(None, text)
        return
    call = _exec_call(kind, item)
    if call is None:
        if kind not in ("todo_list", "plan", "error"):
            talk.notices["unknown-record-type"] += 1
        raise Ignored(f"item.{kind}" if isinstance(kind, str) else "item")
    if done:
        talk.end(call, *_exec_output(item))
    else:
        talk.begin(call)


def _exec_call(kind: Any, item: dict[str, Any]) -> Call | None:
    call_id = item["id"] if isinstance(item.get("id"), str) else None
    if kind == "command_execution":
        return made_call(call_id, "shell", {"command": item.get("command")})
    if kind == "file_change":
        return made_call(call_id, "apply_patch", {"changes": item.get("changes")})
    if kind == "mcp_tool_call":
        return made_call(call_id, f"mcp__{item.get('server')}__{item.get('tool')}", item.get("arguments"))
    if kind == "collab_tool_call":
        said = {key: item[key] for key in ("prompt", "receiver_thread_ids") if item.get(key) is not None}
        return made_call(call_id, str(item.get("tool")), said)
    if kind == "web_search":
        return made_call(call_id, "web_search", {"query": item.get("query")})
    return None


def _exec_output(item: dict[str, Any]) -> tuple[str, bool | None]:
    status, code = item.get("status"), item.get("exit_code")
    failed = code != 0 if isinstance(code, int) else status in ("failed", "declined") if status else None
    said: Any = next((item[key] for key in ("aggregated_output", "error", "result", "agents_states")
                      if item.get(key) is not None), "")  # fmt: skip
    return _told(said), failed


def log_event(session: "Session", message: dict[str, Any]) -> None:
    """Take an event of the session log.

    Raises Ignored.
    """
    talk, kind = session.talk, message.get("type")
    if kind == "agent_message" and isinstance(message.get("message"), str):
        talk.said(None, message["message"])
    elif kind == "agent_reasoning" and isinstance(message.get("text"), str):
        talk.said(message["text"], None)
    elif kind == "user_message":
        talk.close()
        talk.user()
    elif kind == "token_count":
        talk.close(True)
        session.event(message)
    elif kind == "context_compacted":
        session.compact()
    elif kind in ("task_started", "task_complete", "turn_aborted", "error", "thread_rolled_back"):
        session.event(message)
    elif isinstance(kind, str) and kind.endswith(("_begin", "_end")) and (call := _log_call(kind, message)):
        if kind.endswith("_begin"):
            talk.begin(call)
        else:
            talk.end(call, *_log_output(message))
    else:
        raise Ignored(f"event.{kind}" if isinstance(kind, str) else "event")


def _log_call(kind: str, message: dict[str, Any]) -> Call | None:
    call_id = message["call_id"] if isinstance(message.get("call_id"), str) else None
    name = kind.rsplit("_", 1)[0]
    if name == "exec_command":
        return made_call(call_id, "shell", {"command": message["command"]} if message.get("command") else None)
    if name == "patch_apply":
        return made_call(call_id, "apply_patch", {"changes": message["changes"]} if message.get("changes") else None)
    if name == "mcp_tool_call":
        invocation = message.get("invocation")
        invocation = invocation if isinstance(invocation, dict) else {}
        tool = f"mcp__{invocation.get('server')}__{invocation.get('tool')}"
        return made_call(call_id, tool, invocation.get("arguments"))
    if name == "web_search":
        return made_call(call_id, "web_search", {"query": message["query"]} if message.get("query") else None)
    return None


def _log_output(message: dict[str, Any]) -> tuple[str, bool | None]:
    code, success = message.get("exit_code"), message.get("success")
    failed = code != 0 if isinstance(code, int) else not success if isinstance(success, bool) else None
    if message.get("aggregated_output"):
        return _told(message["aggregated_output"]), failed
    if "stdout" in message or "stderr" in message:
        return _told(message.get("stdout") or "") + _told(message.get("stderr") or ""), failed
    result = message.get("result")
    if isinstance(result, dict) and "Err" in result:
        return _told(result["Err"]), True
    return _told(result.get("Ok") if isinstance(result, dict) and "Ok" in result else result), failed


def _told(said: Any) -> str:
    if isinstance(said, str):
        return said
    if said is None:
        return ""
    content = said.get("content") if isinstance(said, dict) else None
    if texts := parts_of(content):
        return "\n".join(texts)
    if isinstance(said, dict) and isinstance(said.get("message"), str):
        return str(said["message"])
    return json_text(shallow(said))
