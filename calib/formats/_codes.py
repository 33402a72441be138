"""The closed lists of what can be wrong: rejected input, and faults of input that was kept."""

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "json-invalid": "the line is not one JSON value; write one object per line",
    "json-truncated": "the line ends within a JSON value, or it is the last, without a line feed: it was cut",
    "not-an-object": "the line is JSON but no object",
    "nul-bytes": "the line holds NUL bytes, as a crash leaves them",
    "too-deep": "values nest deeper than 200 levels",
    "encoding-utf16": "the file is UTF-16; convert it to UTF-8",
    "no-messages": "the object has no list `messages`",
    "bad-message": "a message is no object, or has no text `role`",
    "truncated-archive": "the compressed file is cut or damaged; what came before was read",
    "bad-member": "a member of an archive is damaged, encrypted, or packed in a way that is not read",
    "too-large": "a member of an archive expands to more than is read at once",
    "duplicate-episode": "another episode of this id has turns of the same lengths, equalities and tools and the same "
    "facts, or goes on from there; one is kept, the longest",
    "episode-id-conflict": "another episode of this id differs; the first is kept; make the ids unique",
    "not-a-file": "not a regular file",
    "unreadable": "the file could not be read",
    "vanished": "the file was gone when it was opened",
    "unknown-format": "no record of the file is one of a known format",
}
"""Why a stretch of input became no episode: code to meaning. `rejects.code` holds no other."""

NOTICES: Mapping[str, str] = {
    "bom": "a byte order mark was skipped",
    "invalid-utf8": "bytes that are not UTF-8 became U+FFFD",
    "lone-surrogate": "half a surrogate pair became U+FFFD",
    "nonfinite-number": "NaN or an infinity became null",
    "bad-number": "a number too large to be held became null",
    "duplicate-key": "an object has a key twice; the last one counts",
    "content-shape": "the content of a message is neither text nor a list of parts; its JSON was kept as the text",
    "concatenated-records": "a line holds several whole records; each was read",
    "json-array": "a file of lines by its name is one JSON list; its elements were read as records",
    "json-multiline": "records stand over several lines each; they were read as one value after the other",
    "empty-file": "a file without a byte",
    "trailing-comma": "a comma stands after the object, as in a piece of a list; told once a file",
    "wrong-type": "a known key holds a value of another type; it was kept under metadata",
    "label-conflict": "two sources, or two fields of one, disagree about the end of an episode",
    "unknown-outcome": "the outcome of an episode is neither a pass nor a fail; it is kept under metadata",
    "unknown-stop": "the stop reason of an episode is no word that is understood; it is kept as it is",
    "unknown-role": "a message of an unknown role was skipped",
    "unknown-record-type": "a record of an unknown type was ignored; the account counts it by its type",
    "args-not-json": "arguments of a call are not JSON; they are compared as text",
    "call-id-duplicate": "two calls of a turn have one id; results are paired in order",
    "call-id-reused": "an episode uses a call id in several turns; results are paired within the turn",
    "orphan-tool-result": "a result answers no call of its turn",
    "missing-tool-result": "a call has no result",
    "mixed-sessions": "a file holds records of several sessions; each is an episode of its own",
    "duplicate-record": "a record stands twice in a file, as after a resume; it counts once",
    "superseded-snapshot": "a record tells again, and more of, what an earlier one told; the later one counts",
    "session-changes": "a file goes on with the records of another session; each session is an episode of its own",
    "unknown-part": "a part of a message is of an unknown type and was skipped",
    "attribute-cut": "an attribute of a span is no whole JSON, as a length limit leaves it; its text is kept as it is",
    "reasoning-conflict": "two fields hold different reasoning, and the first counts; or tags in the text hold other "
    "reasoning than the field, and stay in the text",
    "think-open-missing": "a text ends reasoning by a tag that it never opened; what stands before it is the reasoning",
    "think-tags-unbalanced": "reasoning tags are left over after the first block; they stay in the text",
    "think-unclosed": "a reasoning tag is never closed; all that follows is reasoning",
    "call-markup-in-text": "a text holds the markup of a call but the message has no call; it stays in the text",
    "args-double-encoded": "arguments of a call are JSON in JSON text; they are compared as what is inside",
    "args-not-object": "arguments of a call are JSON but no object",
    "time-went-back": "a message has an earlier time than the one before it; the order of the file counts",
    "bad-timestamp": "the time of a message could not be read",
    "rows-not-read": "the write-ahead log beside the database could not be read; its rows are missing",
}
"""Faults of input that was kept: code to meaning. Counted per source in calib.json."""

DEEPEST = 200
"""Most levels of nesting in a value that is kept (metadata, arguments)."""


class Rejected(Exception):  # noqa: N818 - a verdict on a record, not an error of the program
    """A record that becomes no episode. The reason is in our words: no text of the dump."""

    def __init__(self, code: str, reason: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason or CODES[code]


class Reread(Exception):  # noqa: N818 - as above
    """The fast reader cannot be trusted with this record: read it with the tolerant one."""
