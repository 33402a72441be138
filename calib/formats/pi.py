"""pi sessions: a header line, then entries of a tree, one JSON record a line.

*Recognised by*: a `session` record with `version` and `id`, `model_change` and `thinking_level_change` entries,
messages of role `toolResult` or `bashExecution`, or of an assistant with `api` or `provider`.

*Turn*: each `message` entry of role `assistant`; not one that holds nothing because the request failed or was aborted.
Entries are taken in file order, those of abandoned branches included; an entry that stands twice counts once.
An episode is a header's `id`; entries before any header belong to the file. A fork (`parentSession`) is an episode of
its own.

*Reasoning*: `thinking` parts, joined; a summary when `api` is a Responses or Google one, else native. Withheld when
redacted or empty with a signature, encrypted when the signature holds encrypted content.

*Calls and results*: `toolCall` parts; `toolResult` messages by `toolCallId`, with `isError`. What the user ran himself
(`bashExecution`) is a message of the user.

*Tokens and times*: `usage.output` of a message; the time from the message before it (`timestamp` of its record).

*Outcome and stop*: no outcome. Stop reason is the `stopReason` of the last assistant message.

*Cannot know*: whether the task was solved; which entries a fork copied from the session it names.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from calib.formats._calls import Call, made_call
from calib.formats._claude import blocks_of, name_or_none, result_text
from calib.formats._reader import Context, Ignored, Open, Records, check
from calib.formats._record import About
from calib.formats._spent import Watch, tokens_in
from calib.formats._talk import Episode, Stretch, Talk

SUMMARY = "pi sessions"
RANK = 40
STREAM = True

ENTRIES = ("branch_summary", "custom", "custom_message", "label", "model_change", "session_info",
                     "thinking_level_change", "leaf")  # fmt: skip
SPEAKERS = ("api", "provider", "stopReason")
TOKENS = {"input": "input_tokens", "output": "output_tokens", "cacheRead": "cache_read_input_tokens",
          "cacheWrite": "cache_creation_input_tokens"}  # fmt: skip


def recognises(value: Any) -> bool:
    """Tell whether a value is the header or an entry of a session."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind == "session":
        return "version" in value and isinstance(value.get("id"), str) and "data" not in value
    if kind in ("model_change", "thinking_level_change"):
        return "id" in value and "data" not in value
    message = value.get("message")
    if kind != "message" or not isinstance(message, dict):
        return False
    role = message.get("role")
    return role in ("toolResult", "bashExecution") or (role == "assistant" and any(key in message for key in SPEAKERS))


class Reader(Records):
    """Reads the records of one file; a session ends with the next header or the file."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._open: Open | None = None
        self._seen: set[str] = set()

    def record(self, value: Any, where: Stretch) -> Iterable[Episode]:
        """Take one record.

        Raises Rejected or Ignored.
        """
        check(isinstance(value, dict), "not-an-object", "a list where a record was expected")
        kind = value.get("type")
        if kind == "session":
            ended = tuple(self.finish())
            self._begin(value).cover(where)
            return ended
        if kind not in ("message", "compaction"):
            if kind not in ENTRIES:
                self.notices["unknown-record-type"] += 1
            if kind == "session_info" and isinstance(value.get("name"), str):
                self._now().about.metadata["title"] = value["name"]
            raise Ignored(kind if isinstance(kind, str) else "untyped")
        name = value.get("id")
        if isinstance(name, str):
            if name in self._seen:
                raise Ignored("copied-record")
            self._seen.add(name)
        if kind == "compaction":
            self._now().talk.compacted()
        else:
            message = value.get("message")
            check(isinstance(message, dict), "bad-message", "`message` is no object")
            self._message(message, value)
        self._now().cover(where)
        return ()

    def _begin(self, header: dict[str, Any]) -> Open:
        about = About(episode_id=name_or_none(header.get("id")))
        for key, known in (("cwd", "cwd"), ("timestamp", "started"), ("parentSession", "parent_session")):
            if isinstance(header.get(key), str):
                about.metadata[known] = header[key]
        self._open = Open(Talk(self.text, Counter()), about)
        self._seen.clear()
        return self._open

    def _now(self) -> Open:
        return self._open or self._begin({})

    def _message(self, message: Any, value: dict[str, Any]) -> None:
        role = message.get("role")
        check(isinstance(role, str), "bad-message", "a message has no text `role`")
        opened = self._now()
        time = value.get("timestamp") or message.get("timestamp")
        watch = opened.state.setdefault("watch", Watch())
        if role == "assistant":
            self._turn(opened, message)
            opened.talk.spent(tokens_in(message.get("usage")), watch.lap(time))
            if isinstance(value.get("timestamp"), str):
                opened.about.metadata["ended"] = value["timestamp"]
        elif role == "toolResult":
            failed = message.get("isError")
            text = result_text(message.get("content"))
            marked = failed if isinstance(failed, bool) else None
            opened.talk.result(name_or_none(message.get("toolCallId")), text, marked)
        elif role in ("user", "bashExecution"):
            opened.talk.user()
        elif role == "compactionSummary":
            opened.talk.compacted()
        elif role not in ("custom", "hookMessage", "branchSummary", "system"):
            opened.talk.notices["unknown-role"] += 1
        watch.see(time)

    def _turn(self, opened: Open, message: dict[str, Any]) -> None:
        parts = list(blocks_of(message.get("content")))
        stop = message.get("stopReason")
        if not parts and stop in ("error", "aborted"):
            opened.about.stop_reason = stop
            raise Ignored("failed-request")
        texts = [str(part["text"]) for part in parts if part.get("type") == "text" and part.get("text")]
        calls = [_call(part) for part in parts if part.get("type") == "toolCall"]
        reasoning, state = _reasoning([part for part in parts if part.get("type") == "thinking"])
        opened.talk.turn(reasoning, state, _kind(message), "\n".join(texts) if texts else None, calls)
        opened.about.stop_reason = stop if isinstance(stop, str) else None
        self._facts(opened.about, message)

    def _facts(self, about: About, message: dict[str, Any]) -> None:
        model, usage = message.get("model"), message.get("usage")
        if isinstance(model, str) and model:
            about.model = about.model or model
            models = about.metadata.setdefault("models", [])
            if model not in models:
                models.append(model)
        for name, known in TOKENS.items():
            if isinstance(usage, dict) and isinstance(count := usage.get(name), int):
                about.metadata[known] = about.metadata.get(known, 0) + count

    def finish(self) -> Iterator[Episode]:
        """Give the session that is still open."""
        opened, self._open = self._open, None
        if opened is not None and opened.stretches:
            if len(opened.about.metadata.get("models", ())) == 1:
                del opened.about.metadata["models"]
            episode = opened.end()
            self.notices.update(opened.talk.notices)
            yield episode


def _call(part: dict[str, Any]) -> Call:
    return made_call(name_or_none(part.get("id")), name_or_none(part.get("name")), part.get("arguments"))


def _kind(message: dict[str, Any]) -> str:
    api = str(message.get("api") or "")
    return "summary" if "responses" in api or api.startswith("google") else "native"


def _reasoning(parts: list[dict[str, Any]]) -> tuple[str | None, str]:
    texts = [text for part in parts if isinstance(text := part.get("thinking"), str) and text.strip()]
    if texts:
        return "\n".join(texts), "recorded"
    signed = [str(sign) for part in parts if (sign := part.get("thinkingSignature"))]
    if any("encrypted_content" in sign for sign in signed):
        return None, "encrypted"
    if signed or any(part.get("redacted") for part in parts):
        return None, "withheld"
    return None, "empty" if parts else "absent"
