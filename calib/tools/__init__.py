"""What a tool call does, from the tool's name and, for a shell or an editor, from the command.

`actions_of` names it when a dump is read; the names hold no text and stay with `--no-text`. `Map` says later which
of the names read, write, test, do something else or do not count; users add to it under `[tools]`. The names:

=========================  ===========================================================================
`read`, `mcp__fs__ls`      a tool, in lower case, without `functions.` and its like before it
`file_editor:view`         a tool with sub-commands; `:?` for one that no family lists
`write_stdin:poll`         waiting for a command that runs
`bash:grep`                a program on the command line of any shell tool, wherever it stands on it
`bash:git log`             a program with a sub-command that a family lists; `bash:git ?` for others
`bash:sed -i`              a program with an option that decides; `NAME` and `VALUE` stand for arguments
`bash:rm --version`        a program that only says what it is, or its help
`bash:./`, `bash:./test`   a file of the user's own that is run; one that is named after tests
`bash:>`, `bash:<<`        output to a file; a here-document that goes to a file or into a program that writes it
`bash:<`                   text for a program that runs already
`bash:#`                   a command line without a command
`bash:?`, `?`              what could not be read, a program only known when it runs, a call without a name
=========================  ===========================================================================
"""

from calib.tools._calls import actions_of, by_arguments
from calib.tools._family import KINDS, Kind
from calib.tools._names import matches_tool
from calib.tools.map import Map, Place, Placed

__all__ = ["KINDS", "Kind", "Map", "Place", "Placed", "actions_of", "by_arguments", "matches_tool"]
