"""What to say when a run has other options than the corpus was made with."""

from collections.abc import Mapping
from typing import Any

from calib.labels import POSITIVES
from calib.tables import LABELS

Options = Mapping[str, Any]
"""The options as calib.json holds them."""
DEFAULTS: Options = {"text": True, "redact": False, "positive": list(POSITIVES), "turn_limit": None, "labels": None}


def _spelled(name: str, value: Any) -> str:
    """Spell an option as on the command line; of a labels file only the digest is known."""
    if name == "text":
        return "--text" if value else "--no-text"
    if name == "positive":
        return f"--positive {','.join(value)}"
    if not value:
        return f"no --{name.replace('_', '-')}"
    return {"redact": "--redact", "turn_limit": f"--turn-limit {value}"}.get(
        name, f"--labels FILE (SHA-256 {str(value)[:8]}…)"
    )


def difference(old: Options, new: Options) -> str:
    """Say which options differ: those of the corpus, then those of the run.

    >>> difference({**DEFAULTS, "turn_limit": 30, "redact": True}, {**DEFAULTS, "redact": True})
    'was made with --turn-limit 30, this run has no --turn-limit'
    """
    names = [name for name in DEFAULTS if old.get(name) != new.get(name)]
    made, now = (" and ".join(_spelled(name, options.get(name)) for name in names) for options in (old, new))
    return f"was made with {made}, this run has {now}"


def forgotten(old: Options, new: Options, before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """Say which options of the corpus this run left out, and what that did to the labels; nothing when none.

    An option that has another value now was changed on purpose.

    >>> forgotten({**DEFAULTS, "turn_limit": 9}, DEFAULTS, {"turn_limit": 3}, {"unlabelled": 3})
    'was made with --turn-limit 9, left out now: labels were 3 turn_limit, are 3 unlabelled; name it again to go back'
    """
    names = [name for name in DEFAULTS if old.get(name, DEFAULTS[name]) != new.get(name) == DEFAULTS[name]]
    if not names:
        return ""
    left = " and ".join(_spelled(name, old[name]) for name in names)
    were, are = (
        ", ".join(f"{counts[label]} {label}" for label in LABELS if counts.get(label)) for counts in (before, after)
    )
    became = f": labels were {were or 'none'}, are {are or 'none'}" if were != are else ""
    it = "it" if len(names) == 1 else "them"
    return f"was made with {left}, left out now{became}; name {it} again to go back"
