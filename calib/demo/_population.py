"""The episodes that the note only counts: their shapes are drawn so that every count and every edge comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from calib.demo._script import FAILED, PASSED, TURN_LIMIT, Script
from calib.demo._told import LOOK

OPENERS = (
    "I want to see {0} before I change anything.",
    "The task says little about {0}. I’ll look.",
    "So far nothing contradicts the reading of {0} I have.",
    "Next is {0}.",
    "That leaves {0} to be checked.",
    "If I am right about {0}, the change is small.",
    "Let me go back to {0} once more.",
    "The callers may depend on {0}.",
    "Good. Now {0}.",
)
THINGS = (
    "amount", "batch", "parser", "refund", "ledger", "option", "limit", "window", "request", "order", "token", "budget",
    "credit", "status", "config", "client", "handler", "record", "retry", "schema",
)  # fmt: skip
PLANS = (
    LOOK + "I’ll try searching for “{0}”.",
    "I need to find where {0} is handled. I’ll search the bundle for it.",
    "The test runner must be somewhere. Let me look for the test runner, starting from {0}.",
    "I’ll run the checks again to be sure about {0}, and then write the answer.",
)


@dataclass(frozen=True)
class Shape:
    """What an episode looks like to a counter.

    `tools` has one letter per turn: s search, r read, w write, t tests failing, p tests passing, a answer.
    Each stretch of turns in `plans`, both ends included, carries one plan.
    """

    tools: str
    plans: tuple[tuple[int, int], ...] = ()


def act(rng: Random, prompt: str, shape: Shape, thinks: bool = True) -> Script:
    """Write the messages of a shape; outside its stretches no turn thinks what the turn before it thought."""
    script = Script(prompt)
    opener = 0
    thoughts: list[str | None] = []
    for _ in shape.tools:
        opener = (opener + rng.randrange(1, len(OPENERS))) % len(OPENERS)
        thoughts.append(OPENERS[opener].format(rng.choice(THINGS)))
    for number, (first, last) in enumerate(shape.plans):
        plan = PLANS[(rng.randrange(2) * 2 + number) % len(PLANS)].format(rng.choice(THINGS))
        thoughts[first : last + 1] = [plan] * (last + 1 - first)
    for letter, thought in zip(shape.tools, thoughts, strict=True):
        _step(rng, script, letter, thought if thinks else None)
    return script


def _step(rng: Random, script: Script, letter: str, thought: str | None) -> None:
    thing = rng.choice(THINGS)
    path = f"bundle/{thing}.py"
    if letter == "s":
        script.search(thought, thing, rng.randrange(5), path)
    elif letter == "r":
        script.read(thought, path, f"def {thing}(value):\n    return value\n" * rng.randrange(1, 4))
    elif letter == "w":
        script.write(thought, path, f"def {thing}(value):\n    return value + {script.turns}\n")
    elif letter == "a":
        script.say(thought, f"Done: {thing} behaves as the task asks.")
    else:
        script.test(thought, PASSED if letter == "p" else FAILED)


def _reading(rng: Random, turns: int) -> str:
    return "".join(rng.choices("sr", weights=(2, 1), k=turns))


def ordinary(rng: Random, label: str, search: int, plan: int, further: int) -> Shape:
    """Shape an episode that ends by itself: it reads, then writes and tests, then answers or gives up.

    `search` and `plan` are its peaks; `further` turns of work follow the first search.
    """
    work = ""
    while len(work) < max(further, plan):
        work += "wt" + _reading(rng, rng.randrange(min(search, 3) + 1))
    tools = _reading(rng, search) + work + ("wpa" if label == "passed" else rng.choice(("wta", "wt", "wpa")))
    start = rng.randrange(len(tools) - plan)
    return Shape(tools, ((start, start + plan),) if plan else ())


def spiral(rng: Random, plans: Sequence[tuple[int, int]], search: tuple[int, int]) -> Shape:
    """Shape an episode that runs out of turns: it searches from turn to turn of `search`, both included.

    Outside that stretch it also tests and writes, so that no other run of searches grows long.
    """
    first, last = search
    before = "".join(rng.choice("wt") for _ in range(first))
    after = "".join("tssw"[turn % 4] for turn in range(TURN_LIMIT - 1 - last))
    return Shape(before + _reading(rng, last + 1 - first) + after, tuple(plans))


SPIRALS: tuple[tuple[str, str, str, tuple[tuple[int, int], ...], tuple[int, int]], ...] = (
    # family, configuration, task, stretches of one plan, stretch of searches: the plan fires 7 turns after it begins
    ("27b", "FP8-lossy", "batch", ((3, 63),), (0, 63)),
    ("27b", "FP8-lossy", "batch", ((4, 61),), (1, 63)),
    ("27b", "FP8-lossy", "batch", ((5, 29), (30, 63)), (0, 63)),
    ("27b", "FP8-lossy", "batch", ((5, 63),), (2, 63)),
    ("27b", "FP8-lossy", "batch", ((6, 57),), (0, 59)),
    ("27b", "FP8-lossy", "batch", ((7, 63),), (0, 63)),
    ("27b", "FP8-lossy", "refund", ((8, 63),), (3, 22)),
    ("27b", "NVFP4", "batch", ((4, 63),), (0, 63)),
    ("27b", "NVFP4", "batch", ((6, 40), (44, 60)), (1, 63)),
    ("27b", "NVFP4", "batch", ((7, 63),), (0, 63)),
    ("27b", "NVFP4", "batch", ((10, 63),), (2, 63)),
    ("27b", "NVFP4", "refund", ((24, 63),), (4, 27)),  # the weakest plan: 39, and never a long search
    ("27b", "BF16", "batch", ((5, 63),), (0, 63)),
    ("27b-screen", "FP8", "batch", ((6, 63),), (0, 63)),
    ("27b-screen", "FP8", "batch", ((5, 52),), (3, 63)),
    ("27b-screen", "FP8", "batch", ((7, 63),), (1, 63)),
    ("27b-screen", "NVFP4", "batch", ((6, 63),), (0, 63)),
    ("27b-screen", "NVFP4", "batch", ((15, 63),), (4, 63)),
    ("27b-screen", "NVFP4", "batch", ((19, 63),), (0, 63)),
    ("27b-screen", "NVFP4", "argv", ((7, 63),), (0, 10)),
    ("tune", "BF16", "batch", ((20, 22),), (4, 56)),  # the weakest search: 53, and never a long plan
    ("tune", "BF16", "batch", ((9, 11),), (1, 63)),
    ("tune", "BF16", "batch", ((40, 60),), (0, 63)),  # the plan comes after the search has fired
    ("tune", "BF16", "batch", (), (2, 63)),
    ("tune", "BF16", "refund", ((12, 17),), (0, 59)),
    ("tune", "BF16", "refund", ((46, 55),), (3, 60)),
    ("tune", "BF16", "argv", ((30, 31),), (1, 57)),
)
