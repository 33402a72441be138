"""What a code of a reject or notice means, where it comes from, and what to do about it."""

from collections.abc import Mapping

from calib.errors import UsageError, near
from calib.escape import terminal
from calib.formats._codes import CODES, NOTICES

WHY: Mapping[str, tuple[str, str]] = {
    "args-double-encoded": (
        "some clients encode the arguments of a call as JSON twice",
        "nothing: they are compared as the object inside",
    ),
    "args-not-json": (
        "the model broke off or wrote no JSON; some tools take plain text",
        "nothing: the raw text is kept and compared as it is",
    ),
    "args-not-object": (
        "the model gave a list or a bare value as arguments",
        "nothing: the value is kept and compared",
    ),
    "attribute-cut": (
        "the exporter limits the length of attributes",
        "raise the limit of the exporter; what was cut is compared as text",
    ),
    "bad-member": (
        "a member of the archive is damaged, too large, or packed in an unknown way",
        "take the archive from its source again; the other members were read",
    ),
    "bad-message": (
        "another program wrote into the file, or a field was renamed",
        "look at the line; rename the field, or name the right --format",
    ),
    "bad-number": (
        "a program wrote a number of hundreds of digits, such as 1e999",
        "nothing: the value became null; repair the writer of the dump if the number matters",
    ),
    "bad-timestamp": (
        "a time is in no known form, or a logger wrote a placeholder",
        "nothing: turns stand in the order of the file, never in that of their times",
    ),
    "bom": ("an editor or a program on Windows saved the file", "nothing: the mark is no part of the first record"),
    "call-id-duplicate": (
        "the provider or a proxy gave two calls of one response the same id",
        "nothing: results are paired in order; look at is_error and result_chars if it matters",
    ),
    "call-id-reused": (
        "the provider counts call ids anew in each response",
        "nothing: results are paired within their turn",
    ),
    "call-markup-in-text": (
        "the server did not parse the model's tool calls and left them in the text",
        "name the format that reads this markup, or record with a tool-call parser switched on",
    ),
    "concatenated-records": (
        "two writers, or one without a lock, wrote into one line",
        "nothing: whole records of the line are read; give each writer a file of its own",
    ),
    "content-shape": (
        "a message's content is neither text nor a list of parts",
        "nothing: its text was taken where it had some",
    ),
    "duplicate-episode": (
        "the same file was given twice, or a dump repeats an episode",
        "nothing: it is counted once",
    ),
    "duplicate-key": (
        "a writer put together objects as text",
        "repair the writer if the two values differ: the last one counts",
    ),
    "duplicate-record": (
        "a session was resumed or forked and its beginning copied",
        "nothing: a record is counted once",
    ),
    "empty-file": ("the run died before it wrote anything", "nothing"),
    "encoding-utf16": (
        "a shell on Windows redirected output into the file",
        "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW",
    ),
    "episode-id-conflict": (
        "ids are unique within a file only, or an episode was written at two times of its life",
        "make the ids unique, or leave the older file out; the first one read was kept",
    ),
    "invalid-utf8": ("text of another encoding, or a cut character", "nothing: the bytes became U+FFFD"),
    "json-array": (
        "a file of one JSON list is named as if it had a record a line",
        "nothing: its elements are read as records",
    ),
    "json-invalid": (
        "two programs wrote at once, an editor wrapped the line, or the file is no JSON",
        "look at the line; ingest again once it is repaired, only its source is read again",
    ),
    "json-multiline": ("records were pretty-printed", "nothing: they are read; one record a line is quicker"),
    "json-truncated": (
        "the run is still writing, was killed, or its disk was full",
        "ingest again when the run has ended: a source that grew is read on",
    ),
    "label-conflict": (
        "the transcript and the labels file, or a file beside it, or two rows, disagree about the end of an episode",
        "correct the wrong one; until then the episode is unlabelled and counted in nothing",
    ),
    "lone-surrogate": (
        "a program cut text between two halves of a character",
        "nothing: the half became U+FFFD",
    ),
    "missing-tool-result": (
        "the run ended while the tool worked, at a limit for example, or results are not recorded",
        "nothing: at the end of an episode it may tell that a limit stopped the run; see --turn-limit",
    ),
    "mixed-sessions": ("several sessions wrote into one file", "nothing: each is an episode of its own"),
    "no-messages": (
        "the object is a record of another kind, or its messages have another name",
        "name the right --format, or rename the list to `messages`",
    ),
    "nonfinite-number": (
        "Python's json module writes NaN and Infinity, which JSON has not",
        "nothing: the value became null",
    ),
    "not-a-file": (
        "a pipe, socket, device, or a link that leads nowhere or to itself",
        "name a file, or pipe it into `-`",
    ),
    "not-an-object": ("the line holds a bare value or a list", "write one object a line, or name the right --format"),
    "nul-bytes": (
        "the machine crashed and its file system filled the gap with zeros",
        "nothing: what stood there is gone",
    ),
    "orphan-tool-result": (
        "the call was lost with a torn line, or removed when the history was compacted",
        "nothing: it belongs to no call and is compared with none",
    ),
    "reasoning-conflict": (
        "a message carries reasoning in two fields that differ",
        "nothing: the field of its own is taken before tags in the text",
    ),
    "rows-not-read": (
        "the write-ahead log of the database is damaged, over 128 MiB, or was written to meanwhile",
        "close the program that writes it, or run a checkpoint, and ingest again",
    ),
    "session-changes": ("a file goes on with another session's records", "nothing: each is an episode of its own"),
    "superseded-snapshot": (
        "a record was written again when more of it was known",
        "nothing: the last state is the one that counts",
    ),
    "think-open-missing": (
        "the chat template opened the reasoning, so that only its end was recorded",
        "nothing: what stands before the end is the reasoning",
    ),
    "think-tags-unbalanced": (
        "the model repeated tags, or text quotes them",
        "look at the turn with calib inspect if its reasoning matters",
    ),
    "think-unclosed": (
        "the response was cut while the model was reasoning",
        "nothing: the rest of the text is reasoning",
    ),
    "time-went-back": (
        "clocks of two machines differ, or records were written late",
        "nothing: turns stand in the order of the file",
    ),
    "too-deep": (
        "a value holds itself as text in text, or was made to break parsers",
        "look at the line; nothing of it is kept",
    ),
    "too-large": (
        "a value is larger than can be held in memory safely",
        "split the record, or drop the field that is that large",
    ),
    "trailing-comma": (
        "the record was written by hand or by a template",
        "remove the comma before the closing bracket",
    ),
    "truncated-archive": (
        "the copy was not complete, or the run is still writing",
        "copy it again, and ingest again; what came before the damage was read",
    ),
    "unknown-format": (
        "the file is no transcript, or one of a format that calib does not read",
        "calib formats lists what is read; --format NAME reads it as one of them",
    ),
    "unknown-part": (
        "the message holds a kind of part that is newer than this version",
        "nothing: the other parts are read; tell the maintainers which kind it is",
    ),
    "unknown-outcome": (
        "a score, a word of your own, or a misspelling stands where the dump or the labels should say pass or fail",
        "write pass or fail, or join outcomes with --labels",
    ),
    "unknown-record-type": (
        "a newer version of the harness writes records that calib does not know",
        "nothing, unless turns are missing: then report the type",
    ),
    "unknown-role": ("a harness marks its own messages", "nothing: only answers of the model are turns"),
    "unreadable": ("the file belongs to somebody else, or its disk fails", "give yourself the right to read it"),
    "unknown-stop": (
        "every harness has words of its own for why a run ended, and some are misspelled, in the dump or the labels",
        "look at docs/labels.md; if the run was out of turns, write turn_limit, or join with --labels",
    ),
    "vanished": ("another program moved or removed the file during the ingest", "ingest again"),
    "wrong-type": ("a field that calib knows is used for something else", "nothing: the value is kept under metadata"),
}
"""For each code: where it comes from, and what to do about it."""


def listed(width: int = 80) -> str:
    """List all codes, a line each with what it means: those by which a record is lost first.

    >>> [line[:42] for line in listed().splitlines()[:2]]
    ['lost: a row of `rejects`', '  bad-member             a member of an ar']
    """
    room = max(map(len, WHY))
    heads = (("lost: a row of `rejects`", CODES), ("kept: counted as a notice", NOTICES))
    lines = []
    for head, codes in heads:
        lines.append(head)
        lines += (shortened(f"  {code:<{room}}  {codes[code]}", width) for code in sorted(codes))
    return "\n".join([*lines, "calib ingest --explain CODE says where one comes from, and what to do."]) + "\n"


def shortened(line: str, width: int) -> str:
    """Cut a line of our own words at a word, so that it is no wider than `width`.

    >>> shortened("a line of words", 10)
    'a line …'
    """
    return line if len(line) <= width else line[: width - 1].rpartition(" ")[0] + " …"


def explain(code: str) -> str:
    """Explain a code of a reject or notice, in a few lines.

    Raises UsageError for one that is on neither list.

    >>> print(explain("bom"))
    bom: counted as a notice; the record is kept
      what   a byte order mark was skipped
      cause  an editor or a program on Windows saved the file
      to do  nothing: the mark is no part of the first record
    """
    known = {**CODES, **NOTICES}
    if code not in known:
        raise UsageError(f"--explain: no code named '{terminal(code, 40)}'; there are {near(code[:40], sorted(known))}")
    kind = "a row of `rejects`; the record is lost" if code in CODES else "counted as a notice; the record is kept"
    cause, remedy = WHY[code]
    return f"{code}: {kind}\n  what   {known[code]}\n  cause  {cause}\n  to do  {remedy}"
