"""The monitor and an edit for one task: requests pass as they are until it fires, and lose reasoning ever after."""

from collections.abc import Mapping, Sequence

from calib.detectors import Detector
from calib.edits import Edit, Message, edit_name, edited, provider
from calib.live.listener import Listener
from calib.live.monitor import Fire, Monitor
from calib.point import Point, parse_point
from calib.tools import Map


class Filter:
    """Stands between a harness and its model, for one task.

    `request` is given the whole saved history before each request and gives the messages to send: the very same list
    until a detector fires at some turn t; from request t+1 on a new list without the reasoning that the edit removes.
    The saved history stays as it is, and stays what the detectors see. Once fired, a filter stays armed for the rest of
    the task, also when the history is shortened. With `shadow` it says what it would do and edits nothing.

    >>> task, look = {"role": "user", "content": "Go."}, {"role": "assistant", "reasoning": "Look.", "content": "…"}
    >>> live = Filter("repeated_plan@1")
    >>> live.request([task, look])
    [{'role': 'user', 'content': 'Go.'}, {'role': 'assistant', 'reasoning': 'Look.', 'content': '…'}]
    >>> live.request([task, look, task, look])[1], live.fire
    ({'role': 'assistant', 'content': '…'}, Fire(turn=1, detectors=('repeated_plan',)))

    Raises UsageError for an unknown detector, edit or provider.
    Source: note 000, section 5.
    """

    def __init__(
        self,
        point: str | Point,
        edit: str | Edit = "full",
        *,
        server: str = "plain",
        tools: Map | None = None,
        own: Mapping[str, Detector] | None = None,
        shadow: bool = False,
    ) -> None:
        self.edit = Edit(edit_name(edit), provider(server)) if isinstance(edit, str) else edit
        self.shadow = shadow
        self.fire: Fire | None = None
        """The first fire of the task."""
        self.point = parse_point(point) if isinstance(point, str) else point
        self._tools, self._own = tools, own
        self._taken: list[Message] = []
        self._begin()

    def _begin(self) -> None:
        self.monitor = Monitor(self.point, self._tools, self._own)
        self._listener = Listener(self.monitor)

    def again(self) -> "Filter":
        """Make the same filter for another task."""
        return Filter(self.point, self.edit, tools=self._tools, own=self._own, shadow=self.shadow)

    @property
    def armed(self) -> bool:
        """Whether requests are edited from now on; with `shadow`, whether they would be."""
        return self.fire is not None

    def request(self, messages: list[Message]) -> list[Message]:
        """Give the messages to send for a history.

        Raises NotUnderstood for a message that is none.
        """
        before = len(self._taken)
        if messages[:before] != self._taken:  # shortened, or told otherwise: counted anew, but still armed
            self._begin()
            before = 0
        try:
            self.take(messages[before:])
        except BaseException:
            self._taken = []
            self._begin()
            raise
        self._taken = list(messages)
        return self.edited(messages) if self.armed and not self.shadow else messages

    def take(self, messages: Sequence[Message]) -> None:
        """Count the messages that are new since the last request, and settle whether it fires.

        Raises NotUnderstood for a message that is none; those before it have been taken.
        """
        for message in messages:
            self._listener.hear(message)
        self._listener.settle()
        if self.fire is None:
            self.fire = self.monitor.fire

    def edited(self, messages: Sequence[Message]) -> list[Message]:
        """Give the messages as they are sent once it has fired."""
        return edited(messages, self.edit)
