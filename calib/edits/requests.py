"""The requests of one episode, each as a harness would have sent it, with and without an edit.

Request r asks for turn r and holds the history before it. An edit is decided from the original saved history, which
stays as it is; requests are new lists of the same messages but for those that lose reasoning. Every message is edited
once, whatever the number of requests.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from calib.edits._decide import removed
from calib.edits._message import Cut, Message, changed, is_models, reasoning_of
from calib.edits._providers import PLAIN, Provider, asks
from calib.formats._item import OUTPUTS, is_item
from calib.formats._items import COMPACTIONS

ENDS = OUTPUTS | COMPACTIONS | {"message"}
"""Items that end a response when the model did not make them; items of other types are passed over, as readers do."""


class History:
    """A saved history: chat messages, Anthropic messages, or items of the Responses API, and where its turns stand.

    `items` tells which; None: what the messages look like.
    """

    def __init__(self, messages: Sequence[Message], items: bool | None = None) -> None:
        self.messages = list(messages)
        self.starts: list[int] = []
        """Where each turn begins."""
        self.turn_of: list[int] = []
        """The turn that each message belongs to, or that came last; -1 before the first."""
        items = any(map(is_item, self.messages)) if items is None else items
        open_turn = False
        for at, message in enumerate(self.messages):
            if is_models(message):
                if not open_turn:
                    self.starts.append(at)
                open_turn = items  # a message is a turn, but items that follow one another are one
            elif items and _ends(message):
                open_turn = False
            self.turn_of.append(len(self.starts) - 1)

    @property
    def turns(self) -> int:
        """How many turns it holds."""
        return len(self.starts)

    def end(self, request: int) -> int:
        """Give how many messages a request holds; that after the last turn holds all of them."""
        return self.starts[request] if request < self.turns else len(self.messages)

    @cached_property
    def blocks(self) -> list[str | None]:
        """The reasoning of each turn, trimmed."""
        found: list[list[str]] = [[] for _ in self.starts]
        aside: list[list[str]] = [[] for _ in self.starts]
        for message, turn in zip(self.messages, self.turn_of, strict=True):
            if is_models(message) and (block := reasoning_of(message)):
                (aside if message.get("type") == "message" else found)[turn].append(block)
        return ["\n\n".join(own or inline) or None for own, inline in zip(found, aside, strict=True)]


def _ends(item: Message) -> bool:
    """Tell whether an item that the model did not make ends its response; a message needs no type."""
    kind = item.get("type")
    return isinstance(item.get("role"), str) if kind is None else isinstance(kind, str) and kind in ENDS


def cut_loops(text: str, chunk: int = 0) -> str:
    """Cut a block of reasoning off where the guard of note 003, at its published thresholds, sees it degenerate.

    `chunk`: the characters of the pieces in which it gets the block, for it judges some at the end of each; 0: whole.
    """
    from calib.scanners import cut
    from calib.scanners.guard import Gates, trip

    found = trip(text, Gates(chunk=chunk))
    return cut(text, found.offset if found else None)


@dataclass(frozen=True)
class Edit:
    """An edit by name, under the rules of a provider; `guard` shortens blocks with `cut`."""

    by: str
    provider: Provider = PLAIN
    cut: Cut = cut_loops

    def of(self, message: Message, gone: bool) -> Message | None:
        """Give a message of the model after the edit; None for an item that is gone."""
        if self.by == "guard":
            made = changed(message, self.cut)
        else:
            made = changed(message, None, self.provider.blank) if gone else message
        if made is not None and self.provider.name == "anthropic" and made.get("content") == []:
            return message
        return made


class Edited:
    """A history under an edit. Building it is linear in the history; a request costs copying its list."""

    def __init__(self, history: History, edit: Edit) -> None:
        self.history = history
        self.edit = edit
        gone = removed(history.blocks, edit.by) if edit.by not in ("none", "guard") else [False] * history.turns
        self._ends_run = self._last_of(gone)
        self._whole: list[Message | None] = [
            edit.of(message, gone[turn]) if edit.by != "none" and is_models(message) else message
            for message, turn in zip(history.messages, history.turn_of, strict=True)
        ]

    def _last_of(self, gone: list[bool]) -> list[bool]:
        """Tell which turns lose their block only because the next turn repeats it, so not while they are the last."""
        if self.edit.by != "drop_all_copies":
            return [False] * len(gone)
        repeats = removed(self.history.blocks, "keep_first")
        return [lost and not again for lost, again in zip(gone, repeats, strict=True)]

    @cached_property
    def _open_from(self) -> list[int]:
        """For each number of messages, where the open tool-use turn begins."""
        asked = [at if asks(message) else 0 for at, message in enumerate(self.history.messages)]
        return list(accumulate(asked, max, initial=0))

    def request(self, number: int, first: int = 0) -> list[Message]:
        """Give the messages of request `number`; before request `first` the history is sent as it is."""
        return [message for message in self._aligned(number, first) if message is not None]

    def view(self, turn: int) -> list[Message]:
        """Give what the request after the last turn holds from a turn on."""
        messages = self._aligned(self.history.turns, 0)[self.history.end(turn) :]
        return [message for message in messages if message is not None]

    def _aligned(self, number: int, first: int) -> list[Message | None]:
        """Give the messages of a request at their old places, None for an item that is gone."""
        end = self.history.end(number)
        original = self.history.messages
        fixed = self.fixed_from(number, first)
        made = self._whole[:fixed]
        if number and self._ends_run[number - 1]:
            start = self.history.starts[number - 1]
            made[start:fixed] = original[start:fixed]
        return [*made, *original[fixed:end]]

    def fixed_from(self, number: int, first: int = 0) -> int:
        """Tell from which message on request `number` is as it was, whatever the edit."""
        if number < first or self.edit.by == "none":
            return 0
        end = self.history.end(number)
        return self._open_from[end] if self.edit.provider.keeps_open_turn else end

    def changes_turn(self, turn: int, number: int) -> bool:
        """Tell whether a turn that may be edited is so already in request `number`."""
        return not (turn == number - 1 and self._ends_run[turn])

    @cached_property
    def first_change(self) -> int:
        """The place of the first message that may be edited; the number of messages when none is."""
        pairs = enumerate(zip(self.history.messages, self._whole, strict=True))
        return next((at for at, (message, made) in pairs if made is not message), len(self._whole))

    @cached_property
    def after(self) -> list[list[tuple[Message, Message | None]]]:
        """For each turn its messages, as they were and as the edit leaves them."""
        found: list[list[tuple[Message, Message | None]]] = [[] for _ in self.history.starts]
        for message, made, turn in zip(self.history.messages, self._whole, self.history.turn_of, strict=True):
            if is_models(message):
                found[turn].append((message, made))
        return found


def edited(messages: Sequence[Message], edit: Edit) -> list[Message]:
    """Edit one request: the messages in a new list, in which those that lose nothing are the same objects.

    >>> asked, step = {"role": "user", "content": "Go."}, {"role": "assistant", "reasoning": "A", "content": "b"}
    >>> [message.get("reasoning") for message in edited([asked, step, step], Edit("keep_first"))]
    [None, 'A', None]
    """
    history = History(messages)
    return Edited(history, edit).request(history.turns)
