"""Write the tables of docs/detectors.md: what there is from the code, what it shows from running it.

Run: python -m scripts.detectors_page [FOLDER]. FOLDER holds the open corpora, public transcripts kept outside this
repository; without it their block stays as it is. A test compares.
"""

import re
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from calib.contest import Contender, Duel, DuelSide
from calib.corpus import open_corpus
from calib.demo import EXCLUDE, write_demo
from calib.detectors import Detector, detector, names
from calib.duel import Rival, duel
from calib.ingest import ingest
from calib.mask import mask
from calib.reports.duel import headline, sides
from calib.scanners import module
from calib.scanners import names as scanners
from calib.scanners.guard import FLOORS, Gates, trip
from calib.score import score
from calib.selection import Selection, parse_pair
from calib.spelling import at_most, count, of, turn
from calib.times import without_times

DOCUMENT = Path(__file__).parent.parent / "docs" / "detectors.md"
FILLER = " ".join(f"word{n}" for n in range(24))
LITTER = "ここ「diff「全体「像 を「見る 次「の 行 も 同じ よう に「確かめる まで 待て\n"
HEALTHY = "We read on and find nothing. " * 124
TOLD_APART = (
    (
        "the dominant word is another than the running one", "`plan stop` × 30, then `hello` × 25",
        "plan stop " * 30 + "hello " * 25, 0,
    ),
    (
        "neighbouring pairs of any word, then an article", "`foo foo bar` × 20, then `the`",
        "foo foo bar " * 20 + "the ", 0,
    ),
    ("a cue word of one letter", "24 words, then `a` × 40", f"{FILLER} " + "a " * 40, 0),
    (
        "the last word of the text", "43 words, then `the` × 19, where the text ends",
        " ".join(f"word{n}" for n in range(43)) + " the" * 19, 0,
    ),
    ("litter, then a long healthy tail", "720 characters of litter, 3,600 of prose", LITTER * 16 + HEALTHY, 0),
    ("the same in pieces of 64 characters", "the same", LITTER * 16 + HEALTHY, 64),
)  # fmt: skip
MASKED = (
    "Step 3: run the 12 tests again", "at 14:03:59, or on 2026-10-27T14:03Z", "commit 1f3a9c2 of 0xDEADBEEF",
    "call_a1B2c3D4e5F6 failed", "tests/test_parser_2.py, line 1,024", "read   config.py\nonce more",
)  # fmt: skip

TIMED = (
    "=== 2 failed, 7 passed in 0.03s ===", "--- FAIL: TestA (0.00s)\nFAIL\tpkg\t0.412s", "Time:  1.2 s, estimated 2 s",
    "Failed Adds [< 1 ms]", "2026-10-27T12:03:44.512Z error", "real\t0m0.003s", '{"Elapsed":0.01}',
    "a.c:12:30:45: error: 8s in v1.5s at 0x7f00a0",
)  # fmt: skip


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def presets() -> str:
    """Lay out the rules of others: what fires, how near, where it was read."""
    rows = []
    for each in map(detector, names()):
        if each.upstream:
            up = each.upstream
            grade = f"{up.fidelity}: {up.why}" if up.why else up.fidelity
            source = f"{up.repo} `{up.path}` @ {up.commit[:8]}"
            rows.append((f"`{each.name}@{each.default}`", f"`{each.rule}`", f"{up.fires}, {up.when}", grade, source))
    return table(("detector", "rule", "fires at, execution", "fidelity", "source"), rows)


def own() -> str:
    """Lay out the notes' detectors, the loops they miss, and the baselines."""
    rows = []
    for each in map(detector, names()):
        if not each.upstream:
            rows.append((f"`{each.name}@{each.default}`", f"`{each.rule}`", _first(each)))
    return table(("detector", "rule", "what it is"), rows)


def _first(each: Detector) -> str:
    return " ".join(each.about.split("\n\n")[0].split()).partition(": ")[2]


def levels() -> str:
    """Lay out what is read off texts."""
    rows = []
    for name in scanners():
        found = module(name)
        for level, meaning in found.LEVELS.items():
            default, floor = vars(found)["THRESHOLDS"][level], FLOORS.get(level, "")
            rows.append((f"`scan({level})@{default}`", found.READS, meaning, str(floor), f"`{name}`"))
    return table(("level", "reads", "counts", "0 below", "scanner"), rows)


def readings() -> str:
    """Try both readings of note 003."""
    rows = []
    for what, made, text, chunk in TOLD_APART:
        code, prose = (trip(text, Gates(chunk=chunk, prose=each)) for each in (False, True))
        rows.append(
            (what, made, *(f"{found.level}, cut at {found.offset}" if found else "silent" for found in (code, prose)))
        )
    return table(("what tells them apart", "text", "published code (default)", "note's prose (`prose=1`)"), rows)


def masks() -> str:
    """Mask some texts."""
    return table(("text", "masked"), [(f"`{each!r}`"[1:-1].join("``"), f"`{mask(each)}`") for each in MASKED])


def times() -> str:
    """Take the times out of some results."""
    return table(("result", "without its times"), [(f"`{each!r}`", f"`{without_times(each)!r}`") for each in TIMED])


def meet(corpus: Path, selection: Selection | None = None) -> Duel:
    """Let all detectors meet over a corpus."""
    rivals = [Rival(each.name, {each.name: each.default}) for each in map(detector, names())]
    return duel(score(open_corpus(corpus), list(names()), selection), rivals)


def shown(found: Duel) -> str:
    """Lay out the rules that beat a plain turn count, at both points, and count the others."""
    blocks = [headline(found) + "."]
    for which, title in (("published", "As published"), ("closest", "One step above the closest pass (in sample)")):
        every = [(one, side) for one, side in sides(found, which) if not one.measure]  # type: ignore[arg-type]
        good = [(one, side) for one, side in every if side.beats_turn_count]
        rest = f"{len(every) - len(good)} more fire somewhere and save no more turns than a turn limit would."
        blocks += [f"{title}; {rest}", table(HEADS, [_row(one, side) for one, side in good])]
    return "\n\n".join(blocks)


HEADS = (
    "rule",
    "caught",
    "false fires",
    "at most",
    "other fires",
    "median fire turn",
    "turns after fire",
    "first",
    "only",
)


def _row(one: Contender, side: DuelSide) -> tuple[str, ...]:
    tally, seen = side.tally, side.of
    return (
        f"`{side.point}`", of(tally.caught, seen.turn_limit), of(tally.false_fires, seen.passed), at_most(side.at_most),
        of(tally.other_fires, seen.failed), turn(side.fire_turn.median), count(side.turns_after_fire),
        count(side.first), count(side.only),
    )  # fmt: skip


def _of(found: Duel, name: str) -> tuple[Contender, DuelSide, DuelSide]:
    (one,) = [one for one in found.contenders if one.name == name]
    assert one.published is not None
    assert one.closest is not None
    return one, one.published, one.closest


def _beating(found: Duel, which: Literal["published", "closest"]) -> list[str]:
    return [one.name for one, side in sides(found, which) if side.beats_turn_count and not one.measure]


def demo_shows(found: Duel) -> str:
    """Say what the demo's duel shows."""
    n, plans = found.counts, _beating(found, "published")
    assert set(plans) == set(_beating(found, "closest"))
    assert set(plans) == {"search_run", "repeated_plan", "plan_cycle", "near_duplicate_plan"}
    _, crew, _ = _of(found, "crewai")
    _, stagnation, later = _of(found, "qwen_stagnation")
    _, cline, _ = _of(found, "cline_hard")
    _, _, search = _of(found, "search_run")
    return (
        f"These loops repeat a plan and vary their calls, as those of the note do, so rules that compare plans decide: "
        f"of {len(found.contenders)} only {len(plans)} beat a turn limit. Rules for equal calls see little "
        f"(`cline_hard@4` catches {cline.tally.caught} of {n.turn_limit}); those that catch much pay for it: "
        f"`crewai@1` catches {crew.tally.caught} and fires in {crew.tally.false_fires} of {n.passed} passed episodes, "
        f"`qwen_stagnation@7` {stagnation.tally.caught} and {stagnation.tally.false_fires}, and without false fires "
        f"{later.tally.caught}. {search.only} episodes are caught by `search_run` alone."
    )


def corpora_show(found: Duel) -> str:
    """Say what the duel over the open corpora shows."""
    n = found.counts
    _, stagnation, never = _of(found, "qwen_stagnation")
    plan, published, _ = _of(found, "repeated_plan")
    _, failure, later = _of(found, "same_failure")
    left = _beating(found, "closest")
    return (
        f"Here it is the other way round. Reasoning is seldom recorded: `repeated_plan` is observable in "
        f"{n.turn_limit - plan.hidden.turn_limit} of {n.turn_limit} `turn_limit` episodes and catches "
        f"{published.tally.caught}. Calls repeat instead, so {len(_beating(found, 'published'))} rules beat a turn "
        f"limit as published, none of them without false fires but where few passed episodes could be observed. "
        f"`qwen_stagnation@7` catches all {stagnation.tally.caught}, for most of these agents have one tool: it counts "
        f"turns, and one step above its closest pass it catches {never.tally.caught}. Where nothing may fire "
        f"falsely, {len(left)} rules are left, and all look at failures: `{later.point}` catches {later.tally.caught}, "
        f"against {failure.tally.caught} as published with {failure.tally.false_fires} false fire. That point was "
        f"chosen on these episodes; 0 of {later.of.passed} still allows {at_most(later.at_most)}."
    )


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def blocks(corpora: Path | None) -> dict[str, str]:
    """Make every block that can be made here: its name to its text."""
    made = {"presets": presets(), "own": own(), "levels": levels(), "readings": readings(), "masks": masks()}
    made["times"] = times()
    with tempfile.TemporaryDirectory() as name:
        ingest([write_demo(Path(name) / "first")], Path(name) / "demo")
        found = meet(Path(name) / "demo", Selection(exclude=(parse_pair(EXCLUDE),)))
        made["demo"] = f"{shown(found)}\n\n{_wrapped(demo_shows(found))}"
        if corpora:
            labels = corpora / "LABELS.jsonl"
            ingest([corpora], Path(name) / "open", labels=labels)
            found = meet(Path(name) / "open")
            made["corpora"] = f"{shown(found)}\n\n{_wrapped(corpora_show(found))}"
    return made


def filled(text: str, made: dict[str, str]) -> str:
    """Put blocks between their marks."""
    for name, block in made.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, times = pattern.subn(lambda mark, block=block: mark[1] + block + "\n" + mark[2], text)  # type: ignore[misc]
        assert times == 1, name
    return text


def main() -> None:
    """Write the page."""
    corpora = Path(sys.argv[1]) if sys.argv[1:] else None
    DOCUMENT.write_text(filled(DOCUMENT.read_text(encoding="utf-8"), blocks(corpora)), encoding="utf-8")


if __name__ == "__main__":
    main()
