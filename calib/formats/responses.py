"""Items of the OpenAI Responses API: stored responses, and conversations kept as one list of items.

*Recognised by*: an object with a list `output` and `object: response` or an id that begins with `resp_`; a JSON list of
items (`function_call`, `reasoning`, messages with `output_text`), or an object that holds such a list as `input`,
`items` or `output`. Lines of one bare item each are read as an old Codex rollout.

*Turn*: one response object, whatever it holds. In a list of items a turn is a maximal run of items that the model made.
Responses are chained by `previous_response_id`: a chain is one episode, a second answer to the same response begins
another; the id is that of the conversation, else of the first response. With `previous_response_id` an `input` beside
the output holds only what is new; without it the whole history: a response whose input begins with input and output of
an earlier one, reasoning aside, goes on from there.

*Reasoning*: readable `content` as `native`, `summary` as `summary`; `encrypted` with ciphertext alone, `withheld` with
nothing; `<think>` in the text of a message is `inline`. Ciphertext is never compared.

*Calls and results*: calls of every item type, results by `call_id`; tools that run on the server (`mcp_call`,
`file_search_call`, `code_interpreter_call`) hold their results themselves, a `web_search_call` has none.

*Tokens and times*: `usage.output_tokens` of a response; from its `created_at` to its `completed_at`, where both are
told.

*Outcome and stop*: no outcome. The stop reason is that of the last response: `incomplete_details.reason`, the code of
an error, else its `status`. An object may name `episode_id`, `task`, `outcome` and the like beside its list of items.

*Cannot know*: turn limits; what stood before the first response that is in the dump. A response that failed or
was cancelled without any output is no turn.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._item import is_item
from calib.formats._item_key import begin_of, places
from calib.formats._items import Items
from calib.formats._reader import Context, Ignored, Open, Records
from calib.formats._record import About, read_about, scalar_text
from calib.formats._small import text_at
from calib.formats._spent import tokens_in
from calib.formats._talk import Episode, Stretch

SUMMARY = "OpenAI Responses: response objects, or lists of items"
RANK = 60
STREAM = True

LISTS = ("input", "items", "output")
NONE = frozenset(("failed", "cancelled", "queued", "in_progress"))
"""Statuses of a response that without output is no turn."""
LOOKED_AT = 40


def recognises(value: Any) -> bool:
    """Tell whether a value is a response, a list of items, or an object that holds one."""
    if isinstance(value, list):
        return _is_list(value)
    if not isinstance(value, dict) or "messages" in value:
        return False
    return _is_response(value) or any(_is_list(value.get(key)) for key in LISTS)


def session_of(value: Any) -> str | bytes | None:
    """Give the response that this one continues, else what its input begins with, so that an episode can end."""
    if not isinstance(value, dict):
        return None
    found = value.get("previous_response_id")
    if isinstance(found, str):
        return found
    return begin_of(_given(value)[:LOOKED_AT]) if _is_response(value) else None


def _given(value: dict[str, Any]) -> list[Any]:
    given = value.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return given if isinstance(given, list) else []


def _is_response(value: dict[str, Any]) -> bool:
    named = value.get("object") == "response" or str(value.get("id")).startswith("resp_")
    return named and isinstance(value.get("output"), list)


def _is_list(value: Any) -> bool:
    return (
        isinstance(value, list)
        and any(is_item(item) for item in value[:LOOKED_AT])
        and all(isinstance(item, dict) for item in value[:LOOKED_AT])
    )


class Reader(Records):
    """Reads records that are lists of items, or responses of chains."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._chains: dict[str, Open] = {}
        """Open episodes by the id of their last response."""
        self._heads: dict[bytes, str] = {}
        """Those ids by what was said up to there."""

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take a response, or a whole conversation.

        Raises Rejected.
        """
        if isinstance(value, dict) and _is_response(value):
            return self._chained(value, where)
        lists = [value] if isinstance(value, list) else [value.get(key) for key in LISTS]
        lists = [items for items in lists if isinstance(items, list)]
        if not lists:
            raise Rejected("no-messages", "expected a response with `output`, or a list of items")
        talk = Items(self.text, self.notices)
        about = About()
        if isinstance(value, dict):
            about = read_about(value, tuple(value), SKIPPED, self.notices)
            about.episode_id = about.episode_id or (scalar_text(value.get("id")) or None)
        for items in lists:
            _check(items)
            _tell(talk, items)
        talk.close()
        if about.episode_id is None and where[1]:
            about.episode_id = f"{self.context.source}:{where[0]}@{where[1]}"
        return self.whole(talk, about, where)

    def _chained(self, value: dict[str, Any], where: Stretch) -> Iterable[Episode]:
        name = value["id"] if isinstance(value.get("id"), str) else f"line {where[0]}"
        given = _given(value)
        for items in (given, value["output"]):
            _check(items)
        session = session_of(value)
        before, fresh = (session, given) if isinstance(session, str) else self._repeated(given)
        opened = self._chains.pop(before, None) if before else None
        if opened is None:
            opened = Open(Items(self.text, self.notices), About(episode_id=_conversation(value) or value.get("id")))
            if before:
                opened.about.metadata["previous_response_id"] = before
        try:
            self._respond(opened.talk, value, fresh)
        except Rejected:
            if opened.stretches:
                self._chains[str(before)] = opened  # the record costs itself only
            raise
        self._said(opened, name, [*fresh, *value["output"]])
        _note(opened.about, value)
        opened.cover(where)
        self._chains[name] = opened
        return self._ended(name, session, where[0]) if self.context.last else ()

    def _repeated(self, given: list[Any]) -> tuple[str | None, list[Any]]:
        """Find the response whose whole conversation an input repeats, the longest; and what is new behind it."""
        for place in reversed(list(places(given))) if self._heads else ():
            name = self._heads.get(place.key)
            if name is not None and name in self._chains:
                return name, given[place.behind :]
        return None, given

    def _said(self, opened: Open, name: str, items: list[Any]) -> None:
        """Note what a conversation says up to here."""
        told = opened.state.get("told", b"")
        self._heads.pop(told, None)
        for place in places(items, told):
            told = place.key
        opened.state["told"] = told
        self._heads[told] = name

    def _ended(self, name: str, session: str | bytes | None, line: int) -> list[Episode]:
        """End what no later line continues, by its id, or by an input that begins as its own does."""
        last = self.context.last
        if isinstance(session, bytes):
            self._chains[name].state["session"] = session
        session = self._chains[name].state.get("session")
        alike = [name]
        if session is not None:
            done = last.get(session, 0) <= line
            alike = [own for own, one in self._chains.items() if done and one.state.get("session") == session]
        return [self._end(own) for own in alike if own not in last]

    def _end(self, name: str) -> Episode:
        opened = self._chains.pop(name)
        self._heads.pop(opened.state["told"], None)
        return opened.end()

    def _respond(self, talk: Items, value: dict[str, Any], fresh: list[Any]) -> None:
        _tell(talk, fresh)
        talk.close()
        if value["output"] or text_at(value, "status") not in NONE:
            response = talk.response()
            response.tokens = tokens_in(value.get("usage"))
            response.begun, response.ended = value.get("created_at"), value.get("completed_at")
            talk.whole = True
            _tell(talk, value["output"])
            talk.close()
            talk.whole = False

    def finish(self) -> Iterator[Episode]:
        """Give the chains that may still have gone on."""
        for opened in self._chains.values():
            yield opened.end()
        self._chains.clear()


SKIPPED = frozenset((*LISTS, "tools", "instructions", "text", "reasoning"))


def _check(items: Any) -> None:
    if isinstance(items, list) and not all(isinstance(item, dict) for item in items):
        raise Rejected("bad-message", "an item is no object")


def _tell(talk: Items, items: list[Any]) -> None:
    for item in items:
        with suppress(Ignored):
            talk.add(item)


def _conversation(value: dict[str, Any]) -> str | None:
    found = value.get("conversation")
    found = found.get("id") if isinstance(found, dict) else found
    return found if isinstance(found, str) and not isinstance(value.get("previous_response_id"), str) else None


def _note(about: About, value: dict[str, Any]) -> None:
    model = value.get("model")
    if about.model is None and isinstance(model, str):
        about.model = model
    details, error = value.get("incomplete_details"), value.get("error")
    reason = details.get("reason") if isinstance(details, dict) else None
    if reason is None and isinstance(error, dict):
        reason = error.get("code")
    about.stop_reason = scalar_text(reason) or scalar_text(value.get("status")) or None
    extra = value.get("metadata")
    for key, said in extra.items() if isinstance(extra, dict) else ():
        about.metadata.setdefault(key, said)
    limit = value.get("max_tool_calls")
    if isinstance(limit, int):
        about.metadata.setdefault("max_tool_calls", limit)
