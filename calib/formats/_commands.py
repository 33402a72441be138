"""Actions that are told as a command line, made calls of a tool with one argument."""

import msgspec

from calib.formats._calls import Call

_encode = msgspec.json.Encoder().encode


def command_call(tool: str, command: str, call_id: str | None = None) -> Call:
    """Make the call that runs a command.

    >>> command_call("bash", "ls é").arguments
    '{"command":"ls é"}'
    """
    spelled = _encode({"command": command})  # of one key, so that this is the canonical spelling
    return Call(call_id, tool, spelled.decode(), (tool, spelled), False)
