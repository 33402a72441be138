"""The pseudocode of note 000, section 4, as literally as Python allows, and everything a sweep says by trying it.

Slow and obvious on purpose: every threshold and every pair is one more run of the loop over every episode.
The fast path must agree with it. It knows nothing of frames, of columns, or of the package under test.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median

READS = ("search_files", "read_file")
PLAN = "repeated_plan"
SEARCH = "search_run"
DETECTORS = (PLAN, SEARCH)
COUNTED = ("turn_limit", "passed", "failed")

Thresholds = Mapping[str, int]


@dataclass(frozen=True)
class Story:
    """An episode on plain values: one reasoning text (None: not recorded) and one list of tool names per turn."""

    episode_id: str
    label: str
    reasoning: Sequence[str | None]
    tools: Sequence[Sequence[str | None]]

    def __post_init__(self) -> None:
        assert len(self.reasoning) == len(self.tools)


@dataclass(frozen=True)
class Tried:
    """What one combination of thresholds does."""

    caught: int
    missed: int
    false_fires: int
    other_fires: int
    fire_turn_min: int | None
    fire_turn_median: float | None
    fire_turn_max: int | None
    turns_after_fire: int

    @property
    def counts(self) -> tuple[int, int]:
        """The pair that stays the same along a plateau."""
        return self.caught, self.false_fires


def run_lengths(story: Story, reads: Sequence[str] = READS) -> Iterator[dict[str, int]]:
    """The note's two counters after each turn, line by line as printed there."""

    def reasoning(i: int) -> str:
        return story.reasoning[i] or ""

    t2_run = t1_run = 0
    for i in range(len(story.reasoning)):
        r = reasoning(i).strip()
        t2_run = t2_run + 1 if i > 0 and r != "" and r == reasoning(i - 1).strip() else 0
        calls = story.tools[i]
        t1_run = t1_run + 1 if calls and all(name in reads for name in calls) else 0
        yield {PLAN: t2_run, SEARCH: t1_run}


def levels(story: Story, detector: str, reads: Sequence[str] = READS) -> list[int]:
    """The detector's level at every turn."""
    return [level[detector] for level in run_lengths(story, reads)]


def peak(story: Story, detector: str, reads: Sequence[str] = READS) -> int:
    """The highest level, 0 without turns."""
    return max(levels(story, detector, reads), default=0)


def fire(story: Story, thresholds: Thresholds, reads: Sequence[str] = READS) -> tuple[int | None, tuple[str, ...]]:
    """The fire turn and who fired at it, in the order of the thresholds; None and nobody when silent."""
    for i, run in enumerate(run_lengths(story, reads)):
        fired = tuple(name for name, threshold in thresholds.items() if run[name] >= threshold)
        if fired:
            return i, fired
    return None, ()


def tried(stories: Sequence[Story], thresholds: Thresholds, reads: Sequence[str] = READS) -> Tried:
    """Run the loop over every episode and count by label."""
    fires = {"turn_limit": 0, "passed": 0, "failed": 0, "censored": 0, "unlabelled": 0}
    fire_turns = []
    after = 0
    for story in stories:
        turn, _ = fire(story, thresholds, reads)
        if turn is None:
            continue
        fires[story.label] += 1
        if story.label == "turn_limit":
            fire_turns.append(turn)
            after += len(story.reasoning) - 1 - turn
    positives = sum(story.label == "turn_limit" for story in stories)
    return Tried(
        caught=fires["turn_limit"],
        missed=positives - fires["turn_limit"],
        false_fires=fires["passed"],
        other_fires=fires["failed"],
        fire_turn_min=min(fire_turns, default=None),
        fire_turn_median=float(median(fire_turns)) if fire_turns else None,
        fire_turn_max=max(fire_turns, default=None),
        turns_after_fire=after,
    )


def top(stories: Sequence[Story], detector: str, reads: Sequence[str] = READS) -> int:
    """The threshold at which the detector never fires: 1 above the highest peak of a counted episode.

    Where no episode is counted, all are looked at.
    """
    counted = [story for story in stories if story.label in COUNTED] or stories
    return 1 + max((peak(story, detector, reads) for story in counted), default=0)


def surface(
    stories: Sequence[Story],
    detectors: Sequence[str] = DETECTORS,
    reads: Sequence[str] = READS,
    at_least: Thresholds | None = None,
) -> dict[tuple[int, ...], Tried]:
    """Try every combination of thresholds, each from 1 to the detector's top, or to `at_least` where that is higher."""
    wanted = at_least or {}
    axes = [range(1, max(top(stories, name, reads), wanted.get(name, 1)) + 1) for name in detectors]
    return {
        combination: tried(stories, dict(zip(detectors, combination, strict=True)), reads)
        for combination in product(*axes)
    }


def closest_pass_point(stories: Sequence[Story], reads: Sequence[str] = READS) -> dict[str, int] | None:
    """The note's own rule: one step above the highest peak among passed episodes; None without one."""
    passed = [story for story in stories if story.label == "passed"]
    if not passed:
        return None
    return {name: 1 + max(peak(story, name, reads) for story in passed) for name in DETECTORS}


def plateau(
    stories: Sequence[Story], point: Thresholds, detector: str, reads: Sequence[str] = READS
) -> tuple[int, int | None]:
    """Walk down and up from the point's threshold while the counts stay; no upper end once the top is reached."""

    def counts(threshold: int) -> tuple[int, int]:
        return tried(stories, {**point, detector: threshold}, reads).counts

    here = counts(point[detector])
    low = high = point[detector]
    while low > 1 and counts(low - 1) == here:
        low -= 1
    last = top(stories, detector, reads)
    while high < last and counts(high + 1) == here:
        high += 1
    return low, None if high >= last else high


Block = tuple[int, int, int, int]
"""First low end, second low end, first high end, second high end; all included."""


def _constant(cells: Mapping[tuple[int, ...], Tried], block: Block) -> bool:
    a, b, c, d = block
    return len({cells[pair].counts for pair in product(range(a, c + 1), range(b, d + 1))}) == 1


def rectangle(stories: Sequence[Story], point: Thresholds, reads: Sequence[str] = READS) -> tuple[Block, int]:
    """Try every block of pairs around the point: most pairs, then longer shorter side, then lower ends."""
    cells = surface(stories, tuple(point), reads, at_least=point)
    tops = [max(pair[axis] for pair in cells) for axis in (0, 1)]
    x, y = point.values()
    blocks = product(range(1, x + 1), range(1, y + 1), range(x, tops[0] + 1), range(y, tops[1] + 1))

    def preference(block: Block) -> tuple[int, ...]:
        a, b, c, d = block
        wide, tall = c - a + 1, d - b + 1
        return (-wide * tall, -min(wide, tall), a, b, c)

    best = min((block for block in blocks if _constant(cells, block)), key=preference)
    return best, -preference(best)[0]


def region(stories: Sequence[Story], point: Thresholds, reads: Sequence[str] = READS) -> set[tuple[int, ...]]:
    """Pairs reached from the point by single steps with the same counts."""
    cells = surface(stories, tuple(point), reads, at_least=point)
    reached: set[tuple[int, ...]] = set()
    waiting = [tuple(point.values())]
    while waiting:
        a, b = pair = waiting.pop()
        if pair in cells and pair not in reached and cells[pair].counts == cells[tuple(point.values())].counts:
            reached.add(pair)
            waiting += [(a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)]
    return reached


Named = tuple[str, int, int]
"""An episode, its peak, and how many share that peak."""


def _extreme(peaks: dict[str, int], highest: bool) -> Named | None:
    if not peaks:
        return None
    wanted = max(peaks.values()) if highest else min(peaks.values())
    owners = sorted(name for name, value in peaks.items() if value == wanted)
    return owners[0], wanted, len(owners)


def closest_pass(
    stories: Sequence[Story], point: Thresholds, detector: str, reads: Sequence[str] = READS
) -> Named | None:
    """Of the passed episodes that the point leaves alone, the one with the highest peak."""
    return _extreme(
        {
            story.episode_id: peak(story, detector, reads)
            for story in stories
            if story.label == "passed" and fire(story, point, reads)[0] is None
        },
        highest=True,
    )


def alone(story: Story, point: Thresholds, detector: str, reads: Sequence[str] = READS) -> bool:
    """Does this detector fire on the episode, and no other?"""
    return {name for name, threshold in point.items() if peak(story, name, reads) >= threshold} == {detector}


def first_loss(
    stories: Sequence[Story], point: Thresholds, detector: str, reads: Sequence[str] = READS
) -> Named | None:
    """Of the turn_limit episodes caught by this detector alone, the one with the lowest peak."""
    return _extreme(
        {
            story.episode_id: peak(story, detector, reads)
            for story in stories
            if story.label == "turn_limit" and alone(story, point, detector, reads)
        },
        highest=False,
    )


def near_misses(
    stories: Sequence[Story], point: Thresholds, detector: str, steps: int, reads: Sequence[str] = READS
) -> dict[str, set[str]]:
    """Which episodes change when this one threshold is lowered, or raised, by so many steps and not by one less."""
    found: dict[str, set[str]] = {"false_fire": set(), "catch": set(), "loss": set()}
    for story in stories:
        height = peak(story, detector, reads)
        silent = fire(story, point, reads)[0] is None
        if silent and height == point[detector] - steps and height > 0:
            if story.label == "passed":
                found["false_fire"].add(story.episode_id)
            if story.label == "turn_limit":
                found["catch"].add(story.episode_id)
        if (
            story.label == "turn_limit"
            and alone(story, point, detector, reads)
            and height == point[detector] + steps - 1
        ):
            found["loss"].add(story.episode_id)
    return found
