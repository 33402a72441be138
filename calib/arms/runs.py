"""One run of an arm, and how the runs of an experiment belong together."""

from dataclasses import dataclass

NOT_RECORDED = "(none)"


@dataclass(frozen=True)
class Run:
    """One run of one arm. `key` pairs it with the runs of other arms; empty where nothing is paired.

    `name` is its episode's id, empty where a table gives none. `passed` is None for a run without a verdict: planned
    and not run, stopped from outside, or not labelled. `seconds`, `tokens` and `turns` are None where not recorded,
    `fired` where nobody looked. `fires_again` tells of fires after the shared prefix. Runs with equal `prefix` continue
    the same history.
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

    Without `pair` means are compared, not pairs. `baseline` empty: the first arm in order of its bytes.
    """

    by: str = "arm"
    pair: tuple[str, ...] = ()
    cluster: str = ""
    baseline: str = ""
    confidence: float = 0.95
