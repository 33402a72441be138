"""What a sweep warns of: whatever makes its findings say less than they seem to say."""

from collections.abc import Mapping

from calib.errors import near
from calib.escape import visible
from calib.labels import POSITIVES, uncounted
from calib.point import Point
from calib.results import Counts, Distinct, Tally, Unknown
from calib.rules import looks_at_actions
from calib.score import Scored
from calib.spelling import plural

WHY_NOTHING_READS = {
    False: "no call only reads; place your tools with --reads or [tools] reads",
    True: "only the tools of --reads (or [tools] only) read, and no call is of one; calib tools lists the calls",
}
"""By whether the user named all that reads."""
MOST_UNMET = 3
"""Names of tools that meet no call, beyond which they share a caution."""


def of_corpus(scored: Scored, found: Counts, chosen: Point | None) -> list[str]:
    """Warn of labels that are missing, exclusions that exclude nothing, and actions that nobody places."""
    said = []
    if not found.turn_limit:
        said.append("no turn_limit episode: nothing to catch, so no plateau has an upper end")
    said += _limits(scored, found.turn_limit)
    if chosen is None:
        blind = [name for name, seen in scored.observable.items() if not (scored.labelled("passed") & seen).any()]
        of = f" observable for {' or '.join(blind)}" if found.passed else ""
        said.append(f"no passed episode{of}: nothing chooses thresholds; the published ones are shown")
    if found.unlabelled and not (found.turn_limit and found.passed):
        unlabelled = f"{found.unlabelled:,} of {plural(found.episodes, 'episode')}"
        said.append(f"{unlabelled} unlabelled: join outcomes with calib ingest --labels FILE (docs/labels.md)")
    said += [f"--exclude {visible(pair)[:80]} leaves nothing out: no episode has that value" for pair in scored.idle]
    mute = [each.name for each in scored.detectors if not looks_at_actions(each.rule) and _mute(scored, each.name)]
    said += [f"{name} cannot fire: no call is one that it looks at" for name in mute]
    if reading := [each.name for each in scored.detectors if looks_at_actions(each.rule)]:
        said += _unplaced(scored, " and ".join(reading))
    return said


def _limits(scored: Scored, positives: int) -> list[str]:
    """Say which limits `turn_limit` stands for where it is not turns alone, and how many episodes others stopped.

    Steps are nearest to turns; a limit of another kind is named only where there are no `positives` at all.
    """
    said = []
    asked = ",".join(scored.positives)
    if scored.positives != POSITIVES:
        said.append(f"turn_limit stands for {asked.replace(',', ', ')}: the corpus was made with --positive {asked}")
    ends = scored.episodes.group_by("label", "stop_reason", "n_turns", "turn_limit").len()
    found = uncounted({(*end,): n for *end, n in ends.iter_rows()})
    kinds = {kind: n for kind, n in found.items() if kind not in scored.positives}
    kinds = {kind: n for kind, n in kinds.items() if kind == "step_limit" or not positives}
    if kinds:
        named = ", ".join(f"{n:,} {kind}" for kind, n in kinds.items())
        said.append(
            f"{plural(sum(kinds.values()), 'failed or unlabelled episode')} ran into a limit that is not counted as "
            f"turn_limit ({named}); calib ingest --positive {','.join((asked, *kinds))} counts it"
        )
    return said


def _mute(scored: Scored, name: str) -> bool:
    """Tell whether a detector looks at certain calls only and no selected episode makes one."""
    calls = scored.called.get(name)
    return calls is not None and not calls.any()


def of_point(found: Counts, tally: Tally, hidden: Unknown) -> list[str]:
    """Warn of a point that never fires where it should: it keeps every limit on false fires, and is no guard."""
    if tally.caught or not found.turn_limit:
        return []
    blind = f" ({hidden.turn_limit:,} not observable)" if hidden.turn_limit else ""
    return [
        f"the point catches none of {plural(found.turn_limit, 'turn_limit episode')}{blind}, so it saves nothing and "
        "nothing shows that it works; calib duel shows which rules catch some"
    ]


def of_repeats(found: Counts, once: Mapping[str, Distinct]) -> list[str]:
    """Warn of episodes that stand there again under another name."""
    sizes = [f"{its.n:,} of {getattr(found, label):,} {label}" for label, its in once.items()]
    if not sizes:
        return []
    return [
        f"only {' and '.join(sizes)} episodes differ in lengths, calls and repetitions, the others look like copies "
        "under other names: bounds count each such once"
    ]


def _unmet(scored: Scored) -> list[str]:
    """Name the user's tools that no call of the corpus is of: perhaps misspelled."""
    unmet = [visible(name)[:80] for name in scored.placing.unmet(scored.actions)]
    if len(unmet) > MOST_UNMET:
        some = ", ".join(unmet[:MOST_UNMET])
        return [f"{plural(len(unmet), 'tool name')} of --reads or [tools] meet no call: {some}, … (calib tools)"]
    known = [visible(action)[:80] for action in scored.actions]
    told = "tool name of --reads or [tools] that meets no call"
    return [f"{told}: {name}; there are {near(name, known, MOST_UNMET)}" for name in unmet]


def _unplaced(scored: Scored, names: str) -> list[str]:
    """Say when nothing reads, and name what nobody places: T1 takes it for no reading."""
    said = []
    if not scored.placing.reading(scored.actions):
        said.append(f"{names} cannot fire: {WHY_NOTHING_READS[scored.placing.only]}")
    said += _unmet(scored)
    unplaced = sorted(scored.placing.unplaced(scored.actions), key=lambda name: (-scored.actions[name], name))
    if unplaced:
        some = ", ".join(visible(name)[:40] for name in unplaced[:5]) + (", …" if len(unplaced) > 5 else "")
        calls = sum(scored.actions[name] for name in unplaced)
        are = f"{plural(calls, 'action')} {'is not placed and counts' if calls == 1 else 'are not placed and count'}"
        said.append(f"{names}: {are} as no reading: {some} (calib tools)")
    return said
