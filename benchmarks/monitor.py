"""The monitor, one turn at a time, against the bare pseudocode of note 000 on the same turns, measured side by side."""

import random
import statistics
from time import process_time

from calib.live import Called, Monitor

POINT = "repeated_plan@7 | search_run@35"
READS = frozenset(("search_files", "read_file"))
TURNS = 64
EPISODES = 200
ROUNDS = 15

Episode = list[tuple[str, list[Called]]]


def episodes() -> list[Episode]:
    """Episodes whose plan and calls change in half of the turns; a plan has about 500 characters."""
    drawn = random.Random(0)
    made: list[Episode] = []
    for _ in range(EPISODES):
        episode: Episode = []
        plan = ""
        for turn in range(TURNS):
            if turn == 0 or drawn.random() < 0.5:
                plan = f"Let me look for the runner, attempt {drawn.random()}. " * 10
            tool = drawn.choice(["search_files", "read_file", "write_file"])
            episode.append(("".join(plan), [Called(tool, f'{{"query": "{turn}"}}')]))
        made.append(episode)
    return made


def pseudocode(episode: Episode) -> int:
    """Run section 4 of the note as printed, to the end of the episode; give the sum of both counters."""
    t2_run = t1_run = total = 0
    for i in range(len(episode)):
        r = episode[i][0].strip()
        t2_run = t2_run + 1 if i > 0 and r != "" and r == episode[i - 1][0].strip() else 0
        calls = [call.tool for call in episode[i][1]]
        t1_run = t1_run + 1 if calls and all(name in READS for name in calls) else 0
        if t2_run >= 7 or t1_run >= 35:
            total += 1
        total += t2_run + t1_run
    return total


def monitored(episode: Episode) -> int:
    """The same through a monitor."""
    monitor = Monitor(POINT)
    turn = monitor.turn
    total = 0
    for reasoning, calls in episode:
        levels = turn(reasoning, calls)
        total += levels["repeated_plan"] + levels["search_run"]
    return total


def run() -> list[str]:
    """Measure both in turn, round after round, in seconds of this process's processor time."""
    made = episodes()
    spent: dict[str, list[float]] = {"pseudocode": [], "monitor": []}
    for _ in range(ROUNDS):
        for name, count in (("pseudocode", pseudocode), ("monitor", monitored)):
            began = process_time()
            for episode in made:
                count(episode)
            spent[name].append(process_time() - began)
    turns = TURNS * EPISODES
    bare, own = (statistics.median(spent[name]) / turns * 1e6 for name in spent)
    share = statistics.median(a / b for a, b in zip(spent["pseudocode"], spent["monitor"], strict=True))
    verdict = "reached" if share >= 1 / 3 else "NOT reached"
    told = f"{own:.2f} µs a turn, the bare pseudocode {bare:.2f} µs: {share:.0%} of its throughput"
    return [f"- `Monitor`, T2 and T1: {told} (bar: a third; {verdict})"]


if __name__ == "__main__":
    print("\n".join(run()))
