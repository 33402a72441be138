"""One run of an arm, and how the runs of an experiment belong together."""

from dataclasses import dataclass

NOT_RECORDED = "(none)"
OLD = ("baseline", "control", "none", NOT_RECORDED)
"""Names of an arm that others are compared with, the plainest first."""


@dataclass(frozen=True)
class Run:
    """One run of one arm. `key` pairs it with the runs of other arms; empty where nothing is paired.

    `name` is its episode's id, empty where a table gives none. `passed` is None for a run without a verdict: planned
    and not run, stopped from outside, or not labelled. `seconds`, `tokens` and `turns` are None where not recorded,
    `fired` where nobody looked or what the point needs was not recorded. `fires_again` tells of fires after the shared
    prefix. Runs with equal `prefix` continue the same history.
    """

    arm: str
    key: tuple[str, ...] = ()
    name: str = ""
    passed: bool | None = None
    seconds: float | None = None
    tokens: float | None = None
    turns: float | None = None
    fired: bool | None = None
    fire_turn: int | None = None
    fires_again: bool | None = None
    prefix: str | None = None
    cluster: str | None = None


@dataclass(frozen=True)
class Design:
    """How runs are compared: the key that names the arm, those that pair, the one that clusters, the old arm.

    Without `pair` means are compared, not pairs. `baseline` empty: an arm that is called like one (`OLD`), else the
    first in order of its bytes. `point` is what `fired` is about; empty where a table says who fired.
    """

    by: str = "arm"
    pair: tuple[str, ...] = ()
    cluster: str = ""
    baseline: str = ""
    confidence: float = 0.95
    point: str = ""


@dataclass(frozen=True)
class LeftOut:
    """What a selection left out: how many episodes, by which words of whom, and the arms of which nothing is left.

    `by` holds pairs such as `("calib.toml", "arm=screen")`.
    """

    episodes: int = 0
    by: tuple[tuple[str, str], ...] = ()
    arms: tuple[str, ...] = ()
