"""Inspect AI logs: `.eval` archives and `.json` documents, of every version.

*Recognised by*: a zip archive with a member `header.json`, `_journal/start.json` or `samples/…`; or an object with
`eval`, `version` and `status`. The members may be deflated or packed with zstd, and a sample may be cut into chunks.
Members are read in memory, never unpacked to disk; one that expands to over 256 MiB is rejected.

*Turn*: an assistant message of the sample's conversation, unless it was part of the input (`source` is `input`).
When the conversation was compacted, or only the events hold it, the turns are the answers of the model events; answers
that scorers asked for do not count, nor do failed calls. A sub-agent (an agent's span within a tool call) is an episode
of its own, a child of the sample's, unless its messages were handed over to the conversation.

*Reasoning*: parts of type `reasoning` (native; of redacted ones the summary counts as summary, and without one they are
withheld), the old field `reasoning`, `<think>` at the beginning of the text (inline). Attachments are put in place.

*Calls and results*: `tool_calls` and the parts of type `tool_use`, which hold their own results; results are the
`tool` messages, an error where `error` is set.

*Tokens and times*: `output.usage.output_tokens` and `output.time` of the model's event, found by the id of the
message.

*Outcome and stop*: when all scores agree, C, 1 and true are a pass, I, N, 0 and false a failure; any other value stays
as it is. The stop reason is the type of the sample's limit with `_limit` behind it (`message_limit`, `token_limit`,
`time_limit`, `turn_limit`, …; `operator` and `custom` as they are), else `error`, else the stop reason of the last
answer. The turn limit is that of the configuration or of the sample.

*Cannot know*: which of several scores decides when they disagree. A message limit counts all messages, so it is kept
under metadata and is no turn limit.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypedDict

import msgspec

from calib.formats._codes import Rejected
from calib.formats._decode import Line
from calib.formats._inspect import Sample
from calib.formats._inspect_about import whole
from calib.formats._places import each, split
from calib.formats._reader import Fault, Given, Ignored, Passed, Records, check
from calib.formats._talk import Episode, Stretch
from calib.formats._zip import Archive, Member

SUMMARY = "Inspect AI logs: `.eval` archives and `.json` documents"
RANK = 14
STREAM = False
MAGIC = b"PK\x03\x04"
HEADERS = ("header.json", "_journal/start.json")
SHELL = re.compile(r"(samples/.+)/sample\.json")
WHOLE = re.compile(r"samples/[^/]+\.json")
CHUNK = re.compile(r"(samples/.+)/(messages|events|attachments)/([0-9]{1,12})\.json")
SEQUENCES = ("messages", "events", "attachments")

_top = msgspec.json.Decoder(dict[str, msgspec.Raw])


def recognises(value: Any) -> bool:
    """Tell whether a value is a log."""
    if not isinstance(value, dict) or not isinstance(value.get("eval"), dict):
        return False
    return "status" in value and "version" in value


class SampleKeys(TypedDict, total=False):
    """What is read of a sample; its events, which are most of it, only when they are asked for."""

    id: Any
    epoch: Any
    uuid: Any
    messages: Any
    output: Any
    scores: Any
    score: Any
    limit: Any
    error: Any
    attachments: Any
    total_time: Any
    working_time: Any
    events: msgspec.Raw
    events_data: msgspec.Raw


class Reader(Records):
    """Gives one episode a sample and one for each of its sub-agents."""

    def feed(self, line: Line, where: Stretch) -> Iterable[Given]:
        """Read one log that is a JSON document.

        Raises Rejected or Ignored.
        """
        header, placed = split(line, "samples", where, self.notices, ("eval",), SampleKeys)
        check(isinstance(header.get("eval"), dict), "no-messages", "expected a log with `eval` and `samples`")
        if not placed:
            raise Ignored("log-without-samples")
        return each(placed, lambda sample, own: self._episodes(sample, header, own))

    def _episodes(self, sample: Any, header: dict[str, Any], where: Stretch) -> list[Episode]:
        check(isinstance(sample, dict), "not-an-object", "a sample is no object")
        return list(Sample(sample, header, self.text, self.notices).episodes(where))

    def open(self, path: Path, size: int) -> Iterator[Given]:
        """Read one archive.

        Raises OSError.
        """
        with path.open("rb") as file:
            archive = Archive(file, size)
            names = {member.name: member for member in archive.members}
            if not any(name in HEADERS or name.startswith("samples/") for name in names):
                yield Fault("unknown-format", "a zip archive that is no Inspect log", 0, size)
                return
            yield from self._members(archive, names)
            taken = sum(member.end - member.first for member in archive.members)
            if archive.cut:
                cut, number = "the archive has no directory: it was cut", len(archive.members) + 1
                yield Fault("truncated-archive", cut, taken, size - taken, number)
            else:
                yield Passed("archive-directory", size - taken)

    def _members(self, archive: Archive, names: dict[str, Member]) -> Iterator[Given]:
        header: dict[str, Any] = {}
        samples: dict[str, list[Member]] = {}
        for member in archive.members:
            key = _sample_of(member.name, names)
            if key and names[member.name] is member:
                samples.setdefault(key, []).append(member)
            elif member.name in HEADERS:
                yield self._header(archive, member, header)
            else:
                yield Passed("archive-member", member.end - member.first)
        for key, members in samples.items():
            yield from self._sample(archive, key, members, header)

    def _header(self, archive: Archive, member: Member, header: dict[str, Any]) -> Given:
        try:
            value = whole(archive.read(member))
            check(isinstance(value, dict), "not-an-object", "the header is no object")
        except Rejected as fault:
            return _fault(member, fault)
        if member.name == HEADERS[0] or not header:
            header.clear()
            header.update(value)
        return Passed("archive-member", member.end - member.first)

    def _sample(self, archive: Archive, key: str, members: list[Member], header: dict[str, Any]) -> Iterator[Given]:
        where = [(member.number, member.first, member.end - member.first) for member in members]
        try:
            chunked = SHELL.fullmatch(members[0].name) or len(members) > 1
            sample = _chunked(archive, members) if chunked else _opened(archive.read(members[0]))
            found = self._episodes(sample, header, where[0])
        except Rejected as fault:
            yield from (_fault(member, fault) for member in members)
            return
        found[0].stretches = where
        yield from found


def _fault(member: Member, fault: Rejected) -> Fault:
    return Fault(fault.code, fault.reason, member.first, member.end - member.first, member.number)


def _sample_of(name: str, names: dict[str, Member]) -> str:
    """Name the sample that a member holds or is a chunk of; empty for any other member."""
    if WHOLE.fullmatch(name):
        return name
    found = SHELL.fullmatch(name) or CHUNK.fullmatch(name)
    return found[1] if found and f"{found[1]}/sample.json" in names else ""


def _opened(data: bytes) -> dict[str, Any]:
    """Open a sample, leaving its largest parts undecoded.

    Raises Rejected.
    """
    try:
        raw = _top.decode(data)
        return {key: value if key in ("events", "store") else whole(value) for key, value in raw.items()}
    except (ValueError, RecursionError):
        value = whole(data)
        check(isinstance(value, dict), "not-an-object", "a sample is no object")
        return dict(value)


def _chunked(archive: Archive, members: list[Member]) -> dict[str, Any]:
    """Put a sample together from its shell and its chunks.

    Raises Rejected.
    """
    sample: dict[str, Any] = {}
    chunks: dict[str, list[tuple[int, Member]]] = {name: [] for name in SEQUENCES}
    for member in members:
        if found := CHUNK.fullmatch(member.name):
            chunks[found[2]].append((int(found[3]), member))
        else:
            sample = _opened(archive.read(member))
    lists = {name: _joined(archive, found) for name, found in chunks.items()}
    pool = lists["messages"]
    refs = whole(sample.get("message_refs")) or []
    picked = [pool[at] for first, end in map(_range, refs) for at in range(max(first, 0), min(end, len(pool)))]
    attachments = {str(at): text for at, text in enumerate(lists["attachments"])}
    return {
        **sample, "messages": picked, "events": lists["events"], "events_data": {"messages": pool},
        "attachments": attachments,
    }  # fmt: skip


def _joined(archive: Archive, chunks: list[tuple[int, Member]]) -> list[Any]:
    joined: list[Any] = []
    for first, member in sorted(chunks):
        check(first == len(joined), "bad-member", "a chunk of a sample is missing")
        values = whole(archive.read(member))
        check(isinstance(values, list), "bad-member", "a chunk of a sample is no list")
        joined += values
    return joined


def _range(ref: Any) -> tuple[int, int]:
    if isinstance(ref, list) and len(ref) == 2 and all(isinstance(value, int) for value in ref):
        return ref[0], ref[1]
    raise Rejected("bad-message", "a reference to messages is no range")
