"""What a command is typed like: shown under its help."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "ingest": (
        "calib ingest runs/ --out corpus",
        "calib ingest runs/ --out corpus --labels outcomes.csv --turn-limit 64",
        "calib ingest runs/ --out corpus --positive turn_limit,step_limit",
        "calib ingest --explain json-truncated",
    ),
    "check": ("calib check corpus",),
    "tools": ("calib tools corpus", "calib tools corpus --reads read_file,search_files"),
    "sweep": (
        "calib sweep corpus -o sweep",
        "calib sweep corpus T2@1..40 same_failure --exclude arm=screen",
        "calib sweep corpus 'lag(calls,1)' --by model",
    ),
    "duel": ("calib duel corpus", "calib duel corpus T2 cline_hard 'T2@7 | T1@35' -o duel"),
    "score": (
        "calib score corpus 'T2@7 | T1@35' -o fires.csv",
        "calib score corpus --where 'label = turn_limit and n_turns > 20'",
    ),
    "report": (
        "calib report corpus --init",
        "calib report corpus",
        "calib report corpus --to json -o report.json",
        "calib report corpus --github --baseline report.json",
    ),
    "plan": ("calib plan corpus --limit 0.01", "calib plan --limit 0.01 --fired 0 --of 235"),
    "inspect": ("calib inspect corpus --closest", "calib inspect corpus run-1 --turns 10..20 --at T2@7"),
    "edit": (
        "calib edit runs/ --by full --at 'T2@7 | T1@35' --dry-run",
        "calib edit runs/ --by full --at 'T2@7 | T1@35' -o requests.jsonl",
        "calib edit runs/ --by keep_first --turn 14 --request 20 --episode run-1",
    ),
    "compare": (
        "calib compare corpus --by arm --pair task,seed --baseline none",
        "calib compare --table runs.csv --pair seed --cluster task --baseline old",
        "calib compare --table runs.csv --pair seed --viable 'passes >= passes(old)'",
    ),
    "proxy": (
        "calib proxy --upstream http://localhost:8000 --point T2@7 --shadow",
        "calib proxy --upstream http://localhost:8000 --point T2@7 --log live.jsonl",
    ),
    "export": ("calib export 'T2@7 | T1@35' -o detector.json",),
    "conform": ("calib conform -- node port.js",),
    "demo": ("calib demo demo",),
    "detectors": ("calib detectors", "calib detectors T2", "calib detectors rules"),
    "formats": ("calib formats", "calib formats episode_lines"),
    "schema": ("calib schema", "calib schema episodes", "calib schema report"),
}
"""Command lines of each command, the plainest first."""


def examples(command: str) -> str:
    """Give the paragraph of a command's examples; its lines are not to be wrapped anew.

    >>> examples("demo").splitlines()
    ['\\x08', 'Examples:', '  calib demo demo']
    """
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in EXAMPLES[command])])
