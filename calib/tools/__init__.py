"""What a tool call does, from the tool's name and, for a shell or an editor, from the command.

`actions_of` names it when a dump is read; the names hold no text and stay with `--no-text`. `Map` says later which
of the names read, write, test, do something else or do not count; users add to it under `[tools]`.
"""

from calib.tools._calls import actions_of
from calib.tools._family import KINDS, Kind
from calib.tools.map import Map, Place, Placed

__all__ = ["KINDS", "Kind", "Map", "Place", "Placed", "actions_of"]
