"""Saved histories out of dumps, as they were sent: for formats that hold chat messages, requests or items.

Other formats (session logs of agents) tell what was said, not what was sent; `histories` refuses them.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calib.edits._message import Message
from calib.edits.requests import History
from calib.errors import UsageError
from calib.escape import visible
from calib.formats import anthropic_messages, request_dump, responses
from calib.formats._codes import Rejected
from calib.formats._decode import Decoder
from calib.formats._example import IDS
from calib.formats._item_key import places
from calib.formats._message_key import message_key
from calib.formats._record import KNOWN, scalar_text
from calib.formats._requests import key_of, parts_of
from calib.ingest.bundles import looked_at
from calib.ingest.commit import spool
from calib.ingest.records import records
from calib.ingest.sources import Source, Sources
from calib.ingest.streams import Input
from calib.ingest.walk import find

LISTS = ("messages", "completion", "conversation", "traj")
BODY = (
    "model", "system", "instructions", "tools", "tool_choice", "temperature", "top_p", "max_tokens",
    "max_completion_tokens", "max_output_tokens", "thinking", "reasoning", "reasoning_effort",
)  # fmt: skip
"""What else of a request stands beside the messages, as far as a dump records it."""

BOOKS = KNOWN | {"timestamp"}
"""Keys of a message a line that are about the episode or the line, and were not sent."""


@dataclass
class Saved:
    """One episode as it was saved. `place` is the key under which a request holds its messages."""

    episode_id: str
    format: str
    messages: list[Message]
    body: dict[str, Any] = field(default_factory=dict)
    place: str = "messages"
    keys: list[Any] = field(default_factory=list)
    """By which a longer request is known to go on from here."""
    answered: bool = False

    @property
    def history(self) -> History:
        """The messages and where the turns stand in them."""
        return History(self.messages, self.format == "responses")


Give = Iterator[Saved]
Record = tuple[str, int, Any]
"""Source, line, value."""


def histories(dumps: Sequence[str | Path], format: str = "auto", problem: Callable[[str], None] = print) -> Give:
    """Yield the histories of dumps (`-` is standard input), source by source, in the order of their first records.

    `problem` is told of sources and records that are passed over. Raises UsageError when all that is there holds no
    requests, such as the session log of an agent.
    """
    refused: list[str] = []
    given = False
    with TemporaryDirectory(prefix="calib-") as folder:
        for source, sniffed in looked_at(_sources(dumps, Path(folder)), format):
            read = READERS.get(sniffed.format)
            if read is None:
                refused += [_refusal(source.name, sniffed.format)] * (sniffed.shape != "beside")
                continue
            whole = Input(source.path, sniffed.packing, 0, source.size)
            found = records(sniffed.shape, source.members, whole)
            for saved in read(_values(found, source.name, problem), sniffed.format):
                given = True
                yield saved
    if refused and not given:
        raise UsageError(visible(refused[0]))
    for line in refused:
        problem(f"{line}; passed over")


def _refusal(name: str, format: str) -> str:
    found = f"found {format}, which tells what was said" if format else "found no transcript that calib knows"
    return f"{name}: expected a dump that holds what was sent ({', '.join(sorted(READERS))}), {found}"


def _sources(dumps: Sequence[str | Path], folder: Path) -> Sources:
    """Find the files; standard input is kept in `folder` while it is read."""
    files = [dump for dump in dumps if str(dump) != "-"]
    sources = find(files, Path(os.devnull)).sources
    if len(files) < len(dumps):
        if sys.stdin is None:
            raise UsageError("standard input is closed; name a file")
        path = spool(folder, sys.stdin.buffer)
        sources = sources.with_odd([Source.at("-", path, path.stat().st_size)])
    return sources


def _values(found: Any, source: str, problem: Callable[[str], None]) -> Iterator[Record]:
    decoder = Decoder()
    for _, line, data, _ in found:
        if bytes(data).strip():
            try:
                yield source, line, decoder.value(data, Counter())
            except Rejected as error:
                problem(f"{source}:{line}: {error.code}; record passed over")


def _messages(value: Any) -> list[Message] | None:
    return value if isinstance(value, list) and all(isinstance(one, dict) for one in value) else None


def _body(*boxes: Any) -> dict[str, Any]:
    found = {key: box[key] for box in reversed(boxes) if isinstance(box, dict) for key in BODY if key in box}
    return {key: found[key] for key in BODY if key in found}


def _episodes(values: Iterator[Record], format: str) -> Give:
    """Read an episode a record."""
    for source, line, value in values:
        listed = next((m for key in LISTS if (m := _messages(value.get(key))) is not None), None)
        if listed is None:
            continue
        name = next((text for key in IDS if (text := scalar_text(value.get(key)))), f"{source}:{line}")
        asked = [] if "messages" in value else _messages(value.get("prompt")) or []
        yield Saved(name, format, [*asked, *listed], _body(value))


def _lines(values: Iterator[Record], format: str) -> Give:
    """Read a message a record; all of a file are kept until its end."""
    found: dict[str | None, Saved] = {}
    for source, line, value in values:
        if isinstance(value, dict) and isinstance(value.get("role"), str):
            name = scalar_text(value.get("episode_id")) or None
            saved = found.setdefault(name, Saved(name or f"{source}:{line}", format, []))
            saved.messages.append({key: part for key, part in value.items() if key not in BOOKS})
    yield from found.values()


def _requests(values: Iterator[Record], format: str) -> Give:
    """Read a request a record: one that begins with an earlier one and its answer goes on from it."""
    found: list[Saved] = []
    read = _chat_request if format == request_dump.__name__.rpartition(".")[2] else _anthropic_request
    for source, line, value in values:
        for name, messages, answer, keys, body in read(value):
            saved = _continued(found, keys)
            if saved is None:
                found.append(saved := Saved(name or f"{source}:{line}", format, []))
            saved.messages = [*messages, *([answer] if answer else [])]
            saved.keys, saved.answered, saved.body = keys, answer is not None, body
    yield from found


def _continued(found: list[Saved], keys: list[Any]) -> Saved | None:
    for saved in reversed(found):
        if len(keys) >= len(saved.keys) + saved.answered and keys[: len(saved.keys)] == saved.keys:
            return saved
    return None


Request = tuple[str | None, list[Message], Message | None, list[Any], dict[str, Any]]
"""Name, messages, answer, keys, what else was sent."""


def _chat_request(value: Any) -> Iterator[Request]:
    parts = parts_of(value) if isinstance(value, dict) else None
    messages = _messages(parts[1]) if parts else None
    if parts is None or not messages:
        return
    request, _, response = parts
    answer = response["choices"][0]["message"] if response else None
    try:
        keys = [key_of(message) for message in messages]
    except (Rejected, KeyError):
        return
    yield scalar_text(value.get("session_id")) or None, messages, answer, keys, _body(request, value.get("kwargs"))


def _anthropic_request(value: Any) -> Iterator[Request]:
    if isinstance(value, list):
        value = {"messages": value}
    request, response = anthropic_messages.pair(value)
    messages = _messages(request.get("messages"))
    if not messages:
        return
    answer = {"role": "assistant", "content": response["content"]} if response else None
    name = scalar_text(value.get("episode_id")) or (scalar_text(response.get("id")) if response else None)
    yield name, messages, answer, [message_key(message) for message in messages], _body(request)


def _items(values: Iterator[Record], format: str) -> Give:
    """Read lists of items; a response goes on from the one that it names, or whose conversation its input repeats."""
    by_response: dict[str, Saved] = {}
    by_said: dict[bytes, Saved] = {}
    found: list[Saved] = []
    for source, line, value in values:
        box = {"items": value} if isinstance(value, list) else value
        own = [item for key in responses.LISTS for item in _messages(box.get(key)) or ()]
        earlier = by_response.get(scalar_text(box.get("previous_response_id")) or "")
        whole = _messages(box.get("input")) if isinstance(responses.session_of(box), bytes) else None
        for place in reversed(list(places(whole or []))):
            if earlier := by_said.get(place.key):
                own = own[place.behind :]
                break
        name = scalar_text(box.get("episode_id")) or scalar_text(box.get("id")) or f"{source}:{line}"
        if earlier is None:
            found.append(earlier := Saved(name, format, [], _body(box), "input"))
        earlier.messages = [*earlier.messages, *own]
        if response := scalar_text(box.get("id")):
            by_response[response] = earlier
        if whole:
            by_said[list(places(earlier.messages))[-1].key] = earlier
    yield from (saved for saved in found if saved.messages)


READERS: dict[str, Callable[[Iterator[Record], str], Give]] = {
    "episode_lines": _episodes,
    "chat_completions": _episodes,
    "message_lines": _lines,
    "request_dump": _requests,
    "anthropic_messages": _requests,
    "responses": _items,
}
"""The formats that hold what was sent."""
