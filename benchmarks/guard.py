"""The text guard over much ordinary reasoning: filter and scanner against the literal loop over characters.

Run: python -m benchmarks.guard [--quick]. Synthetic and seeded: prose, lists, tables and code of a made vocabulary, and
one text in 500 that has degenerated. Processor seconds; the loop reads a sample of each stretch, right after it.
"""

import random
import sys
import time

import pyarrow as pa

from calib.scanners._many import scan_many
from calib.scanners._texts import Texts
from tests.scanners.literal_guard import literal

STRETCH = 25 << 20
SAMPLE = 1 << 19
POOL = 8 << 20
COMMON = (
    "the", "to", "of", "and", "a", "is", "in", "it", "that", "we", "this", "file", "for", "not", "be", "with", "as",
    "on", "test", "so", "if", "I", "need", "can", "will", "function", "value", "error", "because", "parser", "index",
    "check", "result", "path", "line",
)  # fmt: skip
DEGENERATE = (
    "「" * 40, "y" * 300, "の「diff「全体「像 を「見る " * 60, "the " * 200, "go " + "hello " * 120, "= " * 90,
    "move the the the crossing the the the town the the field the the " * 20,
)  # fmt: skip


def vocabulary(source: random.Random) -> list[str]:
    """Make 3,000 words, the frequent ones short."""
    parts = ["ba", "co", "de", "fi", "gu", "lo", "mi", "ne", "pa", "re", "sto", "tra", "vel", "wor", "in", "er", "ing"]
    rare = ["".join(source.choices(parts, k=source.randint(2, 4))) for _ in range(2_960)]
    return [*COMMON, *rare]


def pool(source: random.Random) -> str:
    """Make prose with some lists, tables and code, in which neighbouring words are seldom equal."""
    words = vocabulary(source)
    weights = [1 / (rank + 2) for rank in range(len(words))]
    lines: list[str] = []
    size = 0
    while size < POOL:
        chosen = source.choices(words, weights, k=source.randint(4, 22))
        chosen = [word for word, before in zip(chosen, [None, *chosen], strict=False) if word != before]
        text = " ".join(chosen)
        kind = source.random()
        if kind < 0.08:
            text = f"- `{chosen[0]}`: {text}"
        elif kind < 0.12:
            text = f"| {' | '.join(chosen[:4])} |"
        elif kind < 0.18:
            text = f"        {chosen[0]}_{chosen[-1]} = {chosen[1]}({chosen[-1]}, {source.randint(0, 999)})"
        else:
            text = f"{text.capitalize()}." + ("\n" if kind > 0.9 else "")
        lines.append(text)
        size += len(text) + 1
    return "\n".join(lines)


def stretch(source: random.Random, text: str) -> pa.LargeStringArray:
    """Cut texts of 60 to 6,000 characters from the pool, STRETCH in all."""
    made, size = [], 0
    while size < STRETCH:
        length = int(60 * 100 ** source.random())
        at = source.randrange(len(text) - 6_000)
        made.append(text[at : at + length])
        if source.random() < 0.002:
            made[-1] += source.choice(DEGENERATE)
        size += len(made[-1])
    return pa.array(made, pa.large_string())


def main() -> None:
    source = random.Random(0)
    text = pool(source)
    stretches = 2 if "--quick" in sys.argv else 20
    spent = {"filter": 0.0, "both": 0.0, "loop": 0.0}
    size = {"both": 0, "loop": 0}
    texts = passed = flagged = differ = 0
    for _ in range(stretches):
        series = stretch(source, text)
        start = time.process_time()
        kept = Texts(series).words.guard
        spent["filter"] += time.process_time() - start
        start = time.process_time()
        levels = scan_many("guard", series)
        spent["both"] += time.process_time() - start
        size["both"] += sum(map(len, series.to_pylist()))
        sample: list[dict[str, int]] = []
        start = time.process_time()
        read = 0
        for each in series.to_pylist():
            sample.append(literal(each).levels)
            read += len(each)
            if read > SAMPLE:
                break
        spent["loop"] += time.process_time() - start
        size["loop"] += read
        differ += sum({n: int(levels[n][at]) for n in levels} != found for at, found in enumerate(sample))
        texts, passed = texts + len(series), passed + int(kept.sum())
        flagged += sum(any(levels[name][at] for name in levels) for at in range(len(series)) if kept[at])
    loop = spent["loop"] / size["loop"] * 1e9
    megabytes, sample_size = size["both"] / 1e6, size["loop"] / 1e6
    print(
        f"{megabytes:,.0f} MB in {texts:,} texts; the filter lets {passed:,} through, {flagged:,} have a level above 0."
    )
    print(f"The loop read {sample_size:,.1f} MB of them; it and the scanner differ on {differ} texts.\n")
    print("| reading | nanoseconds a character | × faster than the loop | bar |")
    print("|---|---|---|---|")
    print(f"| literal loop over characters | {loop:.0f} | 1 | |")
    for name, shown, bar in (("filter", "filter alone", ""), ("both", "filter, then scanner", "at least 20")):
        each = spent[name] / size["both"] * 1e9
        print(f"| {shown} | {each:.1f} | {loop / each:.1f} | {bar} |")


if __name__ == "__main__":
    main()
